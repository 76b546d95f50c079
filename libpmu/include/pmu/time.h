/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Clock and time: cycles of the machine's clock, ticks of `time`, and each from
 * the other without rounding. Who owns the clock and writes mtime is the
 * machine's business.
 */
#ifndef PMU_TIME_H
#define PMU_TIME_H

#include <stdint.h>

#pragma GCC visibility push(default)

/*
 * How the machine's clock (cycles) maps to the time base (ticks of `time`):
 * time = offset + floor(cycle * time_hz / clock_hz). Owned by the machine, read
 * by its harts; @offset changes when mtime is written.
 */
struct pmu_timebase {
	uint64_t clock_hz;
	uint64_t time_hz; /* <= clock_hz */
	uint64_t offset;  /* ticks, modulo 2^64 */
};

/* Ticks at clock @cycle. */
uint64_t pmu_time(const struct pmu_timebase *tb, uint64_t cycle);
/*
 * The first cycle at which @ticks is reached; UINT64_MAX if never. An offset
 * of 2^63 or more is a negative one (mtime was set back): time is taken to
 * count on from there without wrapping.
 */
uint64_t pmu_time_cycle(const struct pmu_timebase *tb, uint64_t ticks);
/*
 * The first cycle after @now at which time >= @ticks comes to be true: where it
 * is true already, it is false from the wrap of time to 0 on, and comes again.
 * UINT64_MAX if never, as for 0, of which it is always true. Exact for every
 * offset.
 */
uint64_t pmu_time_next(const struct pmu_timebase *tb, uint64_t ticks,
		       uint64_t now);

#pragma GCC visibility pop

#endif
