/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The clock in cycles and `time` in ticks, each from the other, exactly: with
 * 128-bit products nothing is rounded but the one floor that defines `time`.
 * Who owns the clock and the offset is not decided here.
 */
#include <pmu/time.h>

__extension__ typedef unsigned __int128 u128;

/* Ticks since cycle 0. Fits: time_hz <= clock_hz. */
static uint64_t raw_ticks(const struct pmu_timebase *tb, uint64_t cycle)
{
	return (uint64_t)((u128)cycle * tb->time_hz / tb->clock_hz);
}

/* The first cycle with raw_ticks() >= @raw; UINT64_MAX if there is none. */
static uint64_t raw_cycle(const struct pmu_timebase *tb, uint64_t raw)
{
	u128 product = (u128)raw * tb->clock_hz;
	u128 cycle = product / tb->time_hz + (product % tb->time_hz != 0);

	return cycle > UINT64_MAX ? UINT64_MAX : (uint64_t)cycle;
}

uint64_t pmu_time(const struct pmu_timebase *tb, uint64_t cycle)
{
	return tb->offset + raw_ticks(tb, cycle);
}

uint64_t pmu_time_cycle(const struct pmu_timebase *tb, uint64_t ticks)
{
	uint64_t raw = ticks - tb->offset;

	if (tb->offset <= INT64_MAX) {
		if (ticks <= tb->offset)
			return 0;
	} else if (raw < ticks) {
		return UINT64_MAX; /* ticks + |offset| is beyond 64 bits */
	}
	return raw_cycle(tb, raw);
}

uint64_t pmu_time_next(const struct pmu_timebase *tb, uint64_t ticks,
		       uint64_t now)
{
	uint64_t raw = raw_ticks(tb, now);
	uint64_t missing = ticks - (tb->offset + raw); /* behind a wrap, too */

	if (!ticks || !missing || missing > UINT64_MAX - raw)
		return UINT64_MAX;
	return raw_cycle(tb, raw + missing);
}
