/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When the events of a fixed frequency tick. Nothing is rounded but the floor
 * that defines them, so how the cycles were cut into pieces does not show; the
 * arithmetic is that of `time` (time.h).
 */
#include "ticks.h"

static struct pmu_timebase timebase(const struct pmu_hart *h,
				    enum pmu_tick tick)
{
	return (struct pmu_timebase){ .clock_hz = h->tb->clock_hz,
				      .time_hz = h->cfg.tick_hz[tick] };
}

/* The cycles in which @tick has ticked. */
static uint64_t cycles_of(const struct pmu_hart *h, enum pmu_tick tick)
{
	return h->cycles + (tick == PMU_TICK_BUS ? h->halted : 0);
}

uint64_t ticks_take(struct pmu_hart *h, enum pmu_tick tick)
{
	struct pmu_timebase tb = timebase(h, tick);
	uint64_t before = h->ticked[tick];

	h->ticked[tick] = pmu_time(&tb, cycles_of(h, tick));
	return h->ticked[tick] - before;
}

uint64_t ticks_cycles(const struct pmu_hart *h, enum pmu_tick tick,
		      uint64_t ticks)
{
	struct pmu_timebase tb = timebase(h, tick);
	uint64_t first;

	if (!tb.time_hz || ticks >= UINT64_MAX - h->ticked[tick])
		return UINT64_MAX;
	first = pmu_time_cycle(&tb, h->ticked[tick] + ticks + 1);
	if (first == UINT64_MAX)
		return UINT64_MAX;
	return first - cycles_of(h, tick) - 1;
}
