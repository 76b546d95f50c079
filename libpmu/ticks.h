/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events that count at a frequency of their own: ticks = floor(cycles * hz /
 * clock_hz) of the hart's own cycles, of which some may pass without its clock.
 */
#ifndef LIBPMU_TICKS_H
#define LIBPMU_TICKS_H

#include "hart-state.h"

/* How often @tick has ticked in the hart's cycles since the last call. */
uint64_t ticks_take(struct pmu_hart *h, enum pmu_tick tick);
/* How many cycles can pass and no more than @ticks of @tick tick in them. */
uint64_t ticks_cycles(const struct pmu_hart *h, enum pmu_tick tick,
		      uint64_t ticks);

static inline bool ticks_any(const struct pmu_hart *h)
{
	return h->cfg.tick_hz[PMU_TICK_REF] | h->cfg.tick_hz[PMU_TICK_BUS];
}

static inline enum pmu_event ticks_event(enum pmu_tick tick)
{
	return (enum pmu_event)(PMU_EV_REF_CYCLES + (int)tick);
}

#endif
