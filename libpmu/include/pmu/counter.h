/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters as the firmware model and the instruments outside see them: by
 * counter number, without the privilege checks of CSR access (csr.h has those).
 * A value is base + what the selected event's totals gained in the modes that
 * count, so reading costs nothing per instruction executed.
 */
#ifndef PMU_COUNTER_H
#define PMU_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/hart.h>

#pragma GCC visibility push(default)

/* The bits of mhpmevent (Sscofpmf) and of mcyclecfg, minstretcfg. */
#define PMU_EVENT_OF	   (UINT64_C(1) << 63)
#define PMU_EVENT_MINH	   (UINT64_C(1) << 62)
#define PMU_EVENT_SINH	   (UINT64_C(1) << 61)
#define PMU_EVENT_UINH	   (UINT64_C(1) << 60)
#define PMU_EVENT_VSINH	   (UINT64_C(1) << 59)
#define PMU_EVENT_VUINH	   (UINT64_C(1) << 58)
#define PMU_EVENT_INH_ALL  (UINT64_C(0x1f) << 58)
/* What selects the event where Sscofpmf has taken bits 63:56. */
#define PMU_EVENT_SELECTOR (UINT64_MAX >> 8)

/*
 * @n of these functions may be any number: one without a counter reads 0, and
 * setting it does nothing. After setting anything, pmu_hart_limits() must be
 * asked again.
 */

/* Bits 0, 2 and those of hpm_mask: the counters that exist. */
uint32_t pmu_counters(const struct pmu_hart *h);
/* Implemented bits of counter @n; 0 when it does not exist. */
unsigned pmu_counter_width(const struct pmu_hart *h, unsigned n);
/* May counter @n count @event (structure only, not its configuration)? */
bool pmu_counter_can(const struct pmu_hart *h, unsigned n,
		     enum pmu_event event);
uint64_t pmu_counter_get(const struct pmu_hart *h, unsigned n);
/* Never overflows; truncated to the width. */
void pmu_counter_set(struct pmu_hart *h, unsigned n, uint64_t value);
/* mhpmevent n as M-mode reads it; for 0 and 2 mcyclecfg, minstretcfg. */
uint64_t pmu_counter_event(const struct pmu_hart *h, unsigned n);
void pmu_counter_set_event(struct pmu_hart *h, unsigned n, uint64_t event);
/* mcountinhibit, the whole register. */
uint32_t pmu_counter_inhibit(const struct pmu_hart *h);
void pmu_counter_set_inhibit(struct pmu_hart *h, uint32_t inhibit);
/*
 * Did the OF that counter @n shows come from a hardware overflow, and not from
 * a write of mhpmevent? False while OF is 0.
 */
bool pmu_counter_overflowed(const struct pmu_hart *h, unsigned n);
/* Overflows of counter @n that were delivered since the hart was made. */
uint64_t pmu_counter_overflows(const struct pmu_hart *h, unsigned n);

/*
 * How a counter's overflow reaches software. Observers get their record
 * (pmu_hart_take_overflows()) whichever it is. Only what is offered can be
 * chosen.
 */
enum pmu_delivery {
	/*
	 * OF and LCOFIP, as Sscofpmf has it. A software event is none of the
	 * hart's deliveries: the firmware that makes one takes this interrupt
	 * in M-mode.
	 */
	PMU_DELIVER_LCOFI,
	/* A branch in the user's own code: of claimed counters (ebb-unit.h). */
	PMU_DELIVER_EBB,
	/*
	 * Nothing that software sees: no OF, no interrupt, whatever OF is, and
	 * with or without Sscofpmf; each overflow, not only the first.
	 */
	PMU_DELIVER_OBSERVER,
	/* OF, and no interrupt: whoever is told of it in another way holds it
	 * until they clear OF.
	 */
	PMU_DELIVER_HELD,
	PMU_N_DELIVERIES,
};
/* Those that can be chosen: all but EBB, which comes by a claim. */
bool pmu_delivery_offered(enum pmu_delivery delivery);
/* LCOFI after reset. @n: any; LCOFI for one without a counter. */
enum pmu_delivery pmu_counter_delivery(const struct pmu_hart *h, unsigned n);
/* 0, or -PMU_EINVAL: there is no counter @n, or it is not offered. */
int pmu_counter_set_delivery(struct pmu_hart *h, unsigned n,
			     enum pmu_delivery delivery);

/* An overflow that was delivered, for traces and callbacks. */
struct pmu_overflow {
	uint8_t counter;    /* 3-31 */
	enum pmu_mode mode; /* that executed the overflowing instruction */
	uint64_t value;	    /* of the counter, after the overflow */
	uint64_t event;	    /* mhpmevent; OF set if that was delivered */
	bool raised;	    /* an interrupt that was not pending before */
	enum pmu_delivery delivery; /* whom it was for */
	bool alerted; /* EBB: a branch will come of it (ebb-unit.h) */
	bool again;   /* LCOFI: an earlier one of it is not delivered yet */
};
/*
 * Takes the overflows since the last call, at most one per counter, in the
 * order of counter numbers. @ret has room for PMU_N_COUNTERS. Returns how many.
 */
unsigned pmu_hart_take_overflows(struct pmu_hart *h, struct pmu_overflow *ret);

/*
 * As if @n of @event had happened to the hart in its mode: totals, counters and
 * observers have them, an overflow is delivered, one whatever @n is. What the
 * hart did (pmu_hart_insns() and so on) stays as it is. Limits and interrupts
 * are void then. Returns 0 or -PMU_EINVAL: no such event.
 */
int pmu_hart_inject(struct pmu_hart *h, enum pmu_event event, uint64_t n);

#pragma GCC visibility pop

#endif
