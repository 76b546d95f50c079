/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Countdowns of all the engine's events at once, 16 bits each. One word has the
 * first four of them, because each block loads again what the one before it
 * stored, and a register's width gets there sooner than a vector.
 *
 * Lanes are added and subtracted as whole words. A lane that gets negative
 * borrows from the one above it, which does no harm: its own sign is looked at,
 * and what was taken off since is the difference of the words, in which no lane
 * is negative. It holds LANE_MAX and the block in which the countdown ended, as
 * an event happens at most once an instruction and a block stays in its page.
 */
#ifndef UNICORN_LANES_H
#define UNICORN_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/event.h>

enum {
	LANE_BITS = 16,
	LANE_MAX = 0x7fff,
	LANE_WORDS = (PMU_N_ENGINE_EVENTS + 3) / 4,
	LANES = 4 * LANE_WORDS, /* no event has the last ones */
	INSNS_AT = 48,
};

_Static_assert((int)PMU_EV_INSNS == 0 && (int)PMU_N_ENGINE_EVENTS >= 4,
	       "instructions have the sign of the first word");

struct lanes {
	uint64_t word[LANE_WORDS];
};

#define LANES_SIGNS UINT64_C(0x8000800080008000)

/* Where event @i is in its word, which is @i / 4. */
static inline unsigned lane_at(unsigned i)
{
	return (i + 3) % 4 * LANE_BITS;
}

/* As long as no lane is or gets negative. */
static inline uint64_t lanes_get(const struct lanes *v, unsigned i)
{
	return v->word[i / 4] >> lane_at(i) & UINT16_MAX;
}

static inline void lanes_add(struct lanes *v, unsigned i, uint64_t n)
{
	v->word[i / 4] += n << lane_at(i);
}

static inline void lanes_take(struct lanes *v, const struct lanes *by)
{
	for (int k = 0; k < LANE_WORDS; k++)
		v->word[k] -= by->word[k];
}

static inline void lanes_give(struct lanes *v, const struct lanes *by)
{
	for (int k = 0; k < LANE_WORDS; k++)
		v->word[k] += by->word[k];
}

static inline bool lanes_negative(const struct lanes *v)
{
	uint64_t any = v->word[0];

	for (int k = 1; k < LANE_WORDS; k++)
		any |= v->word[k];
	return any & LANES_SIGNS;
}

#endif
