/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What counter.c and overflow.c share: a counter's value, and which counters
 * are armed, that is, would raise a request by their next overflow.
 */
#ifndef LIBPMU_COUNTER_STATE_H
#define LIBPMU_COUNTER_STATE_H

#include "hart-state.h"

uint64_t counter_value(const struct pmu_hart *h, const struct counter *c);

/* Is OF of counter @n set? Only Sscofpmf makes bit 63 an OF. */
static inline bool counter_of(const struct pmu_hart *h, unsigned n)
{
	return n >= 3 && has(h, PMU_EXT_SSCOFPMF) &&
	       (h->counters[n].event & PMU_EVENT_OF);
}

/* Arms counter @n if its next overflow raises a request. */
void overflow_arm(struct pmu_hart *h, unsigned n);
void overflow_disarm(struct pmu_hart *h, unsigned n);
/*
 * @n of @event have been added to the current mode's total. Returns whether an
 * overflow raised a request.
 */
bool overflow_check(struct pmu_hart *h, enum pmu_event event, uint64_t n);
/* The same for counter @i alone, which must be armed. */
bool overflow_check_one(struct pmu_hart *h, unsigned i, uint64_t n);

#endif
