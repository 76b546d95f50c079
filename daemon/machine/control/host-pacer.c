/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cycles are rounded down and nanoseconds up: whoever has slept for as long as
 * is left finds the cycle reached.
 */
#include "host-pacer.h"

#include <stddef.h>
#include <time.h>

enum {
	NS_PER_S = 1000000000
};

__extension__ typedef unsigned __int128 u128;

uint64_t host_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t saturated(u128 value)
{
	return value < UINT64_MAX ? (uint64_t)value : UINT64_MAX;
}

static struct host_pacer *of(struct pacer *p)
{
	return (struct host_pacer *)((char *)p -
				     offsetof(struct host_pacer, pacer));
}

static void begin(struct pacer *p, uint64_t start)
{
	struct host_pacer *h = of(p);

	h->start = start;
	h->started = h->now();
}

static uint64_t reached(struct pacer *p)
{
	const struct host_pacer *h = of(p);
	u128 passed = h->now() - h->started;

	return saturated(h->start + passed * h->clock_hz / NS_PER_S);
}

void host_pacer_init(struct host_pacer *h, uint64_t clock_hz,
		     uint64_t (*now)(void))
{
	*h = (struct host_pacer){
		.pacer = { .begin = begin, .reached = reached },
		.clock_hz = clock_hz,
		.now = now,
	};
}

uint64_t host_pacer_left(const struct host_pacer *h, uint64_t cycle)
{
	uint64_t passed = h->now() - h->started;
	u128 ns = 0;

	if (cycle > h->start)
		ns = ((u128)(cycle - h->start) * NS_PER_S + h->clock_hz - 1) /
		     h->clock_hz;
	return ns > passed ? saturated(ns - passed) : 0;
}
