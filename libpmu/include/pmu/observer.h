/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Observers: countdowns of the instruments' own beside all counters. One tells
 * of each @period-th event in its modes, at exactly the instruction that makes
 * it; software sees nothing of it. What happened comes by
 * pmu_hart_take_samples().
 */
#ifndef PMU_OBSERVER_H
#define PMU_OBSERVER_H

#include <stdint.h>

#include <pmu/event.h>

#pragma GCC visibility push(default)

struct pmu_hart;

enum {
	PMU_MAX_OBSERVERS = 16 /* of a hart */
};

struct pmu_observer {
	enum pmu_event event;
	unsigned modes;	 /* bit m: in enum pmu_mode m */
	uint64_t period; /* 0: no observer */
};

/*
 * Makes @observer, by its number, count anew from here on. It outlives resets.
 * Returns 0 or -PMU_EINVAL: no such number, event or mode.
 */
int pmu_hart_observe(struct pmu_hart *h, unsigned observer,
		     const struct pmu_observer *o);

struct pmu_sample {
	unsigned observer;
	enum pmu_mode mode; /* that executed the instruction */
	uint64_t periods;   /* that it completed: several where it is long */
};
/*
 * Takes what happened since the last call to those whose bits are set in
 * @observers, at most one per observer, in the order of their numbers. @ret has
 * room for PMU_MAX_OBSERVERS. Returns how many; if any, pmu_hart_limits() must
 * be asked again.
 */
unsigned pmu_hart_take_samples(struct pmu_hart *h, uint32_t observers,
			       struct pmu_sample *ret);

/*
 * pmu_hart_idle_limit() of a hart that waits at one instruction: of counters
 * alone. What observers found is taken once, when the wait ends.
 */
uint64_t pmu_hart_wait_limit(const struct pmu_hart *h);

#pragma GCC visibility pop

#endif
