/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The machine's clock, in cycles: it advances by what the running hart
 * executes, or jumps while all harts wait. It is no event total and nothing
 * that a guest writes moves it.
 */
#ifndef CORE_CLOCK_H
#define CORE_CLOCK_H

#include <stdint.h>

#include <pmu/hart.h>

/* Zero it: it stands at 0. */
struct clock {
	const struct pmu_hart *running; /* whose cycles move it, or NULL */
	uint64_t base; /* clock minus that hart's cycles; else the clock */
};

static inline uint64_t clock_now(const struct clock *c)
{
	return c->running ? c->base + pmu_hart_cycles(c->running) : c->base;
}

/* From now on the cycles of @h move the clock, and no other hart's. */
void clock_run(struct clock *c, const struct pmu_hart *h);
/* No hart runs: the clock stands. */
void clock_stop(struct clock *c);
/* While it stands: forward to @cycle. */
void clock_jump(struct clock *c, uint64_t cycle);

#endif
