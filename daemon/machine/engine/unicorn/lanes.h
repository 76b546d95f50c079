/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts of all the engine's events at once: one vector, which a block is added
 * to and limits are looked for in by a few instructions.
 */
#ifndef UNICORN_LANES_H
#define UNICORN_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/event.h>

/* A power of two, and room for each event of the engine. */
enum {
	N_LANES = PMU_N_ENGINE_EVENTS <= 4   ? 4
		  : PMU_N_ENGINE_EVENTS <= 8 ? 8
					     : 16
};
_Static_assert((int)PMU_N_ENGINE_EVENTS <= (int)N_LANES,
	       "a lane per engine event");

/* One number per engine event, by enum pmu_event; further lanes stay 0. */
typedef int32_t lanes __attribute__((vector_size(N_LANES * sizeof(int32_t))));

static inline bool lanes_negative(lanes v)
{
	union {
		lanes v;
		uint64_t pair[N_LANES / 2];
	} u = { .v = v };
	uint64_t any = u.pair[0] | u.pair[1];

	for (int i = 2; i < N_LANES / 2; i++)
		any |= u.pair[i];
	return any & 0x8000000080000000u;
}

#endif
