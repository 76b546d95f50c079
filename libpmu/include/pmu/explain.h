/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why a counter has its value and whether it counts now: every condition on the
 * way from an event to a counter and from a counter to a reader, as facts. For
 * instruments: nothing here changes the hart or is seen by the guest.
 */
#ifndef PMU_EXPLAIN_H
#define PMU_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/counter.h>
#include <pmu/csr.h>

#pragma GCC visibility push(default)

enum pmu_author {
	PMU_BY_RESET,
	PMU_BY_GUEST,	   /* an instruction that wrote a CSR */
	PMU_BY_FIRMWARE,   /* an SBI call, or the boot when eid is 0 */
	PMU_BY_INSTRUMENT, /* somebody outside the machine */
	PMU_BY_SESSION,	   /* that holds the counter: host programs' EBB */
};

/* Who did something to a counter, and when. */
struct pmu_origin {
	enum pmu_author by;
	enum pmu_mode mode; /* GUEST: that executed it */
	uint16_t csr;	    /* GUEST, INSTRUMENT: the CSR written */
	uint32_t eid, fid;  /* FIRMWARE: the call */
	uint32_t session;   /* SESSION: its number */
	uint64_t pc;	    /* GUEST: of the instruction */
	/*
	 * GUEST in U or VU, else 0: satp and sscratch of then, or those of VS.
	 * All programs have code at the same addresses; by these it is known
	 * whose it was.
	 */
	uint64_t satp, sscratch;
	uint64_t cycle; /* machine clock */
};

enum pmu_change {
	PMU_CHANGE_VALUE,
	PMU_CHANGE_EVENT, /* mhpmevent, mcyclecfg, minstretcfg */
	PMU_CHANGE_INHIBIT,
	PMU_N_CHANGES,
};

/*
 * Names who is behind the changes that follow, until the next call. A CSR
 * instruction (pmu_exec()) names itself, unless it writes a CSR that no counter
 * depends on; firmware and instruments must, before they set or poke anything.
 */
void pmu_hart_author(struct pmu_hart *h, const struct pmu_origin *by);
/* The last change of one kind. @n: any; one without a counter was reset. */
struct pmu_origin pmu_counter_origin(const struct pmu_hart *h, unsigned n,
				     enum pmu_change change);

/* One privilege mode's part. */
struct pmu_why_mode {
	bool exists;	   /* this hart has the mode */
	bool filtered;	   /* its xINH is set */
	bool counts;	   /* the counter counts in it now */
	uint64_t happened; /* total of the event in it; 0 without event */
	enum pmu_csr_result reads; /* of its user CSR */
	/* The first of mcounteren, hcounteren, scounteren that denies it. */
	const char *denied_by; /* NULL: none does */
};

/* Every fact about a counter. */
struct pmu_why {
	bool exists;
	unsigned width;
	uint64_t value, config;
	uint64_t selector;    /* what selects the event; 0 for cycle, instret */
	bool known;	      /* the selector names an event */
	bool can;	      /* and this counter can count it */
	enum pmu_event event; /* valid with @known */
	bool inhibited;	      /* mcountinhibit */
	bool claimed;	      /* by a user, for its branches (docs/EBB.md) */
	bool alerts;	      /* ebbctl.AE, which an overflow of it asks */
	bool counts;	      /* in the hart's mode, as all this stands */
	bool filters;	      /* this hart filters this counter by mode */
	bool of;	      /* OF is set */
	bool hw_of;	      /* by a hardware overflow */
	bool raises;	      /* the next overflow will set OF and LCOFIP */
	uint64_t to_overflow; /* counts until the value wraps, 0: 2^64 */
	/* The first CSR that makes a claimed counter stand; NULL: none does. */
	const char *frozen_by;
	const char *frozen_field; /* of it, that is 1; NULL: its own bit */
	struct pmu_why_mode mode[PMU_N_MODES];
};

/* The interrupt of overflows, from its bit to the mode that takes it. */
struct pmu_why_lcofi {
	bool exists;   /* this hart has it */
	bool pending;  /* mip.LCOFIP */
	bool enabled;  /* mie.LCOFIE; those of sie and vsie are the same bit */
	bool mideleg;  /* bit 13 */
	bool hideleg;  /* bit 13 as it acts: never without mideleg's */
	bool given_s;  /* software gives S-mode one of its own (mvien, mvip) */
	bool passed;   /* the same, and hideleg passes it on to VS-mode */
	bool given_vs; /* the same of VS-mode (hvien, hvip) */
	enum pmu_mode target; /* that takes it: M, S or VS */
	bool waits; /* the hart is in a mode that @target cannot interrupt */
	bool asked; /* it is in @target, whose own enable decides */
	bool open;  /* that of @target: mstatus.MIE, sstatus.SIE, vsstatus' */
	bool vti;   /* hvictl.VTI: hvictl stands for what pends for VS-mode */
	bool taken; /* next, unless one of a higher priority is */
};

void pmu_lcofi_explain(const struct pmu_hart *h, struct pmu_why_lcofi *ret);

/* Whether S-mode may configure a counter by itself, through siselect. */
struct pmu_why_delegation {
	bool exists;	 /* this hart has such a counter, and Smcdeleg */
	unsigned select; /* what siselect is to be for it */
	bool allowed;
	const char *closed_by; /* else the first CSR that keeps it from it */
	const char *field; /* of it, that is 0; NULL: the counter's own bit */
	const char *rule;  /* that says so */
};

/* @n: any number */
void pmu_delegation_explain(const struct pmu_hart *h, unsigned n,
			    struct pmu_why_delegation *ret);

/* @n: any number; @ret->exists is false for one without a counter. */
void pmu_counter_explain(const struct pmu_hart *h, unsigned n,
			 struct pmu_why *ret);

#pragma GCC visibility pop

#endif
