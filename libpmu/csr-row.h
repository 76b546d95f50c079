/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The form of the CSR tables. A row is one CSR or a run of them, and of a
 * 64-bit register its upper half on RV32 too. Each table stands in the file
 * that has what its rows read and write; csr.c lists the tables and turns a row
 * into an access.
 */
#ifndef LIBPMU_CSR_ROW_H
#define LIBPMU_CSR_ROW_H

#include "hart-state.h"
#include "interrupt.h"

enum csr_part {
	CSR_WHOLE, /* XLEN bits or fewer */
	CSR_WIDE, /* 64 bits: on RV32 the lower half, csr_desc.high the upper */
	CSR_EVEN, /* like CSR_WHOLE; odd numbers exist on RV32 only */
	CSR_ENGINE,   /* the value lives with the engine: only legality here */
	CSR_INDIRECT, /* an alias: csr_indirect() has the row behind it */
	CSR_REFUSED,  /* nobody has it: the guard says how that is told */
};

struct csr_desc;

/* One access: which CSR, for whom, when. */
struct csr_ref {
	const struct csr_desc *desc;
	unsigned arg;	     /* desc->arg, plus the place in the run */
	bool high;	     /* the number is that of the upper half */
	enum pmu_mode mode;  /* who asks */
	uint64_t now;	     /* clock, cycles */
	bool modify;	     /* read what a write combines with (mip.SEIP) */
	bool substituted;    /* a VS CSR, by its supervisor CSR's number */
	bool write;	     /* an instruction that writes asks */
	uint16_t *closed_by; /* for csr_closed() */
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
/*
 * Has writing @value no effect, but on what the CSR reads as, and PMU_FX_FS? A
 * row that has this function shows no clock and no count, and is no counter's.
 */
typedef bool csr_quiet_fn(const struct pmu_hart *h, const struct csr_ref *ref,
			  uint64_t value);

/* The upper half of a CSR_WIDE register: on RV32 a number of its own. */
struct csr_half {
	uint16_t first;	     /* of as many as the row has; 0: there is none */
	uint64_t ext;	     /* exists with all of these and the row's */
	csr_guard_fn *guard; /* NULL: the row's */
	const char *rule;    /* NULL: the row's */
};

struct csr_desc {
	uint16_t first, last; /* a run of CSR numbers; @last 0 ends a table */
	enum csr_part part;
	uint64_t ext;	     /* exists with all of these */
	uint64_t any;	     /* and, unless 0, with one of these */
	uint16_t arg;	     /* counter of @first; or offset in the hart */
	bool is_counter;     /* a write changes counter arg (C117) */
	bool shows_event;    /* of an alias to one: its event, not its count */
	bool plain;	     /* a word of the hart's, as it is: CSR_PLAIN() */
	csr_guard_fn *guard; /* NULL: always */
	csr_read_fn *read;
	csr_write_fn *write; /* NULL: legal, ignored */
	csr_quiet_fn *quiet; /* NULL: never, see pmu_csr_quiet() */
	uint64_t kept;	     /* bits that no write changes */
	const char *rule;
	struct csr_half high;
};

/*
 * How rows are written: a CSR, a run of @n of them, a word of the hart, one
 * that is read and written as it is.
 */
#define CSR(number)	   .first = number, .last = number
#define CSR_RUN(number, n) .first = number, .last = number + (n)-1
#define CSR_WORD(field)	   .arg = offsetof(struct pmu_hart, field)
#define CSR_PLAIN(field)                                                       \
	CSR_WORD(field), .read = csr_rd_reg, .write = csr_wr_reg,              \
			 .quiet = csr_quiet, .plain = true

extern const struct csr_desc csr_aia_table[], csr_counter_table[],
	csr_ebb_table[], csr_env_table[], csr_hyp_table[], csr_hyp_irq_table[],
	csr_id_table[], csr_ind_table[], csr_pmp_table[], csr_stateen_table[],
	csr_trap_table[];

/* csr.c: registers that are plain words, at offset arg of the hart */
csr_read_fn csr_rd_zero, csr_rd_reg, csr_rd_reg32;
csr_write_fn csr_wr_reg;
csr_quiet_fn csr_quiet; /* always */

/* csr-counter.c */
/* The CSR that keeps @mode from reading counter @n; 0: none does. */
uint16_t csr_counter_denied_by(const struct pmu_hart *h, enum pmu_mode mode,
			       unsigned n);
csr_read_fn csr_rd_counter, csr_rd_delegated_event;
csr_write_fn csr_wr_counter, csr_wr_delegated_event;

/* csr-ind.c: makes a legal access to an alias one to what is behind it. */
void csr_indirect(const struct pmu_hart *h, struct csr_ref *ref);

/* csr-stateen.c: what a bit of the stateen0 registers says to @mode; @by is for
 * csr_closed(). */
enum pmu_csr_result csr_stateen(const struct pmu_hart *h, enum pmu_mode mode,
				uint64_t bit, uint16_t *by);
csr_guard_fn csr_envcfg_allowed, csr_hedelegh_allowed;

/* csr-trap.c */
csr_read_fn csr_rd_mip;
csr_write_fn csr_wr_epc;
unsigned csr_status_effects(uint64_t changed, uint64_t status);

/* csr-env.c */
csr_guard_fn csr_satp_allowed;
/* Does this hart have the scheme that @satp (hgatp) asks for in its MODE? */
bool csr_satp_mode_exists(const struct pmu_hart *h, uint64_t satp);

/* csr-hyp-irq.c */
csr_write_fn csr_wr_hip;

#endif
