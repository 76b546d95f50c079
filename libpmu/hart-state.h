/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is inside a hart. Every architectural value has one home here; views of
 * it (sstatus, sie, scountovf, the halves of RV32) are computed by csr*.c.
 * Registers are kept 64 bits wide whatever XLEN is; csr.c splits and joins.
 */
#ifndef LIBPMU_HART_STATE_H
#define LIBPMU_HART_STATE_H

#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/exec.h>
#include <pmu/explain.h>
#include <pmu/hart.h>
#include <pmu/observer.h>
#include <pmu/trap.h>

#include "ebb-state.h"
#include "fields.h"
#include "pmp.h"

enum {
	PMU_IRQS = 64
};

/*
 * One counter: value now = base + sum over counting modes of its event's
 * totals, modulo 2^width. @base has the totals at the last change taken off.
 */
struct counter {
	uint64_t base;
	uint64_t event;	    /* mhpmevent, or mcyclecfg/minstretcfg */
	uint64_t mask;	    /* implemented bits; 0: not implemented */
	uint8_t source;	    /* enum pmu_event, PMU_N_EVENTS: counts nothing */
	uint8_t modes;	    /* bit m: counts in enum pmu_mode m right now */
	bool hw_overflow;   /* OF was set by a hardware overflow */
	bool alerted;	    /* the last overflow was an alert (ebb-unit.h) */
	bool froze;	    /* which set FC */
	uint8_t delivery;   /* enum pmu_delivery: of its overflows */
	uint64_t overflows; /* delivered, ever */
};

/* An observer: @left more events until it is due. */
struct observer {
	uint64_t period; /* 0: there is none */
	uint64_t left;
	uint64_t found; /* periods completed, not yet taken */
	uint8_t event, modes;
	uint8_t mode; /* in which the last was completed */
};

/*
 * How often an event can happen in one mode before an armed counter overflows:
 * what counter_count() found last, and has taken off since. Whatever changes a
 * counter forgets it.
 */
struct slack {
	uint64_t left;
	unsigned known; /* 1 + enum pmu_mode, 0: not known */
};

/*
 * Behind @tb and before @csr_row everything is state, plain values that
 * pmu_hart_give() copies as they are: a pointer has no place there.
 */
struct pmu_hart {
	struct pmu_hart_config cfg;
	struct slack slack[PMU_N_EVENTS]; /* overflow.c */
	const struct pmu_timebase *tb;

	enum pmu_mode mode;

	/* trap set-up and handling */
	uint64_t mstatus; /* RV64 layout on RV32 too: MBE.. above bit 32 */
	uint64_t medeleg, mideleg, mie;
	uint64_t mip_soft; /* SSIP STIP SEIP LCOFIP, written by software */
	uint64_t mip_line; /* MSIP MTIP MEIP SEIP, driven by devices */
	uint64_t mtvec, mscratch, mepc, mcause, mtval;
	uint64_t stvec, sscratch, sepc, scause, stval;
	uint64_t menvcfg, senvcfg, satp, stimecmp;

	/* hypervisor: of HS-mode, and what V = 1 sees in place of S-mode's */
	uint64_t hstatus, hedeleg, hideleg, hvip, henvcfg, htimedelta;
	uint64_t htval, htinst, hgatp, mtval2, mtinst, hgeie, hgeip;
	uint64_t vsstatus, vstvec, vsscratch, vsepc, vscause, vstval;
	uint64_t vsatp, vstimecmp;

	/*
	 * Interrupts as software gives them; sie, vsie where these are not
	 * delegated, else 0. Bits 1 and 9 of mvip are 0 while those of mvien
	 * are.
	 */
	uint64_t mvien, mvip, hvien, sie_own, vsie_own;
	uint64_t hvictl, hviprio1, hviprio2;
	uint8_t miprio[PMU_IRQS], siprio[PMU_IRQS]; /* by interrupt */

	/* access to registers behind a select value, and to state below M */
	uint64_t miselect, siselect, vsiselect;
	uint64_t mstateen[4], hstateen[4], sstateen0;

	struct ebb_state ebb;

	struct pmp pmp;

	/* counters */
	uint32_t mcounteren, scounteren, hcounteren, mcountinhibit;
	struct counter counters[PMU_N_COUNTERS];
	/* by event and mode: whose next overflow is delivered, or ARMED_... */
	uint32_t armed[PMU_N_EVENTS][PMU_N_MODES];
	/* by counter: not yet taken; held until @fetched is over; LCOFIP's */
	uint32_t overflows, fetch_overflows;
	uint32_t lcofi_by, lcofi_for; /* all of them, those not delivered */
	bool fetched;		      /* an instruction that is executed here */
	struct pmu_overflow overflow[PMU_N_COUNTERS];

	/* what it did, ever, also while its clock stood: totals can say more */
	uint64_t retired, cycles, traps, halted, ticked[PMU_N_TICKS];
	/* totals: never written by software, never reset */
	uint64_t totals[PMU_N_EVENTS][PMU_N_MODES];
	/* of models: by the observers' own instance; a counter has one */
	uint64_t observed[PMU_N_UARCH_EVENTS][PMU_N_MODES];
	bool chose_model;
	struct observer observers[PMU_MAX_OBSERVERS];

	/* who changes counters now, and who changed each last: for people */
	struct pmu_origin author;
	struct pmu_origin origin[PMU_N_COUNTERS][PMU_N_CHANGES];

	uint16_t csr_row[PMU_N_CSRS]; /* table and row (csr.c), or 0 */
};

static inline bool has(const struct pmu_hart *h, uint64_t ext)
{
	return (h->cfg.ext & ext) == ext;
}

/* Addresses, operands and trap values are as wide as the registers. */
static inline uint64_t xlen_value(const struct pmu_hart *h, uint64_t value)
{
	return h->cfg.xlen == 32 ? (uint32_t)value : value;
}

/* What reading CSR @num would be in @mode. No side effect. */
enum pmu_csr_result csr_may_read(const struct pmu_hart *h, uint16_t num,
				 enum pmu_mode mode);
/* Resolves which rows of the table exist on this hart (for hart.c). */
void csr_init(struct pmu_hart *h);

#endif
