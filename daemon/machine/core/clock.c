/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One clock for all harts. Who runs and how far it may jump is decided by the
 * machine; here it only never goes back.
 */
#include "clock.h"

#include <assert.h>
#include <stddef.h>

void clock_stop(struct clock *c)
{
	c->base = clock_now(c);
	c->running = NULL;
}

void clock_run(struct clock *c, const struct pmu_hart *h)
{
	clock_stop(c);
	c->base -= pmu_hart_cycles(h);
	c->running = h;
}

void clock_jump(struct clock *c, uint64_t cycle)
{
	assert(!c->running && cycle >= c->base);
	c->base = cycle;
}
