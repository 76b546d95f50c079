/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The form of the CSR table. A row is one CSR or a run of them; csr.c turns a
 * row into an access, csr-table.c lists the rows, the other csr-*.c have what
 * the rows read and write.
 */
#ifndef LIBPMU_CSR_ROW_H
#define LIBPMU_CSR_ROW_H

#include "hart-state.h"

/* Which part of a 64-bit register a number shows. Only csr.c splits, joins. */
enum csr_part {
	CSR_WHOLE,    /* XLEN bits or fewer */
	CSR_LOW,      /* 64 bits, on RV32 its lower half */
	CSR_HIGH,     /* RV32 only: the upper half */
	CSR_EVEN,     /* like CSR_WHOLE; odd numbers exist on RV32 only */
	CSR_ENGINE,   /* the value lives with the engine: only legality here */
	CSR_INDIRECT, /* an alias: csr_indirect() has the row behind it */
};

struct csr_desc;

/* One access: which CSR, for whom, when. */
struct csr_ref {
	const struct csr_desc *desc;
	unsigned arg;	    /* desc->arg, plus the place in the run */
	enum pmu_mode mode; /* who asks */
	uint64_t now;	    /* clock, cycles */
	bool modify;	    /* read what a write combines with (mip.SEIP) */
	bool substituted;   /* a VS CSR, by its supervisor CSR's number */
};

/*
 * May @ref->mode see the CSR now? Asked in every mode, those too that have not
 * the privilege by number: ILLEGAL outweighs their virtual instruction, OK and
 * VIRTUAL do not (check() of csr.c).
 */
typedef enum pmu_csr_result csr_guard_fn(const struct pmu_hart *h,
					 const struct csr_ref *ref);
/* The whole 64-bit register; no side effect, no check. */
typedef uint64_t csr_read_fn(const struct pmu_hart *h,
			     const struct csr_ref *ref);
/* The whole register again, its WARL rules applied; returns pmu_effect bits. */
typedef unsigned csr_write_fn(struct pmu_hart *h, const struct csr_ref *ref,
			      uint64_t value);

struct csr_desc {
	uint16_t first, last; /* a run of CSR numbers */
	enum csr_part part;
	uint32_t ext;		  /* exists with all of these */
	uint16_t arg;		  /* counter of @first; or offset in the hart */
	const char *const *names; /* one per number */
	csr_guard_fn *guard;	  /* NULL: always */
	csr_read_fn *read;
	csr_write_fn *write; /* NULL: legal, ignored */
	uint64_t writable;   /* the rest keeps its value */
	const char *rule;
};

extern const struct csr_desc csr_table[];
extern const unsigned csr_table_len;

/* csr.c: registers that are plain words, at offset arg of the hart */
csr_read_fn csr_rd_zero, csr_rd_reg, csr_rd_reg32;
csr_write_fn csr_wr_reg;

/* csr-counter.c */
csr_guard_fn csr_counter_enabled;
csr_guard_fn csr_scountovf_allowed;
csr_read_fn csr_rd_counter, csr_rd_time, csr_rd_event, csr_rd_inhibit,
	csr_rd_scountovf, csr_rd_delegated_event;
csr_write_fn csr_wr_counter, csr_wr_event, csr_wr_inhibit, csr_wr_counteren,
	csr_wr_delegated_event;

/* csr-ind.c: makes a legal access to an alias one to what is behind it. */
void csr_indirect(const struct pmu_hart *h, struct csr_ref *ref);
csr_guard_fn csr_siselect_allowed, csr_mireg_allowed, csr_sireg_allowed,
	csr_vsireg_allowed, csr_scountinhibit_allowed;
csr_read_fn csr_rd_scountinhibit;
csr_write_fn csr_wr_scountinhibit;

/* csr-stateen.c: what a bit of the stateen0 registers says to @mode. */
enum pmu_csr_result csr_stateen(const struct pmu_hart *h, enum pmu_mode mode,
				uint64_t bit);
csr_guard_fn csr_stateen_allowed, csr_envcfg_allowed, csr_hedelegh_allowed;
csr_read_fn csr_rd_mstateen, csr_rd_hstateen;
csr_write_fn csr_wr_mstateen, csr_wr_hstateen;

/*
 * csr-aia.c: sip, sie, and the LCOFI of vsip and vsie, of what is delegated and
 * what software gives. @pending is mip. aia_settle() follows every change of
 * who has which.
 */
uint64_t aia_sip(const struct pmu_hart *h, uint64_t pending);
uint64_t aia_sie(const struct pmu_hart *h);
uint64_t aia_vsip(const struct pmu_hart *h, uint64_t pending);
uint64_t aia_vsie(const struct pmu_hart *h);
void aia_set_sip(struct pmu_hart *h, uint64_t value, uint64_t mask);
void aia_set_sie(struct pmu_hart *h, uint64_t value, uint64_t mask);
void aia_set_vsip(struct pmu_hart *h, uint64_t value);
void aia_set_vsie(struct pmu_hart *h, uint64_t value);
void aia_settle(struct pmu_hart *h);
/* The bits that hvip has by Ssaia. */
uint64_t aia_hvip_bits(const struct pmu_hart *h);
csr_guard_fn csr_aia_allowed;
csr_read_fn csr_rd_mvip;
csr_write_fn csr_wr_mvien, csr_wr_mvip, csr_wr_hvien;

/* csr-trap.c */
csr_read_fn csr_rd_mstatus, csr_rd_sstatus, csr_rd_mip, csr_rd_sip, csr_rd_sie;
csr_write_fn csr_wr_mstatus, csr_wr_sstatus, csr_wr_medeleg, csr_wr_mideleg,
	csr_wr_mie, csr_wr_sie, csr_wr_mip, csr_wr_sip, csr_wr_epc;

/* csr-env.c */
csr_guard_fn csr_fs_on, csr_satp_allowed, csr_vsatp_allowed,
	csr_stimecmp_enabled;
csr_read_fn csr_rd_misa;
csr_write_fn csr_wr_menvcfg, csr_wr_satp, csr_wr_stimecmp;
/* Does this hart have the scheme that @satp (hgatp) asks for in its MODE? */
bool csr_satp_mode_exists(const struct pmu_hart *h, uint64_t satp);

/* csr-hyp.c */
csr_read_fn csr_rd_hstatus, csr_rd_henvcfg, csr_rd_vsstatus;
csr_write_fn csr_wr_hstatus, csr_wr_hedeleg, csr_wr_henvcfg, csr_wr_htimedelta,
	csr_wr_hgatp, csr_wr_vsstatus;

/* csr-hyp-irq.c */
csr_read_fn csr_rd_hideleg, csr_rd_hip, csr_rd_hie, csr_rd_vsip, csr_rd_vsie;
csr_write_fn csr_wr_hideleg, csr_wr_hvip, csr_wr_hip, csr_wr_hie, csr_wr_hgeie,
	csr_wr_vsip, csr_wr_vsie;

#endif
