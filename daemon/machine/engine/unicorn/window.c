/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The window: how far blocks may be counted before the slow path has to look,
 * and what was counted since it did. Decides what the countdowns of a slot are
 * set to; what is due when one of them ends is decided in due.c.
 */
#include "adapter.h"

const struct block *slot_current(const struct slot *s)
{
	if (s->current == 0)
		return NULL;
	if (s->current & FAST_SITE)
		return fast_block(s->fast, s->current & ~FAST_SITE);
	return &s->blocks[s->current - 1];
}

void slot_sync(struct slot *s)
{
	const struct block *b = slot_current(s);
	struct lanes counted = s->origin;

	lanes_take(&counted, &s->left);
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		s->e->budget->done.n[i] += lanes_get(&counted, i);
	s->insns += lanes_get(&counted, PMU_EV_INSNS);
	if (lanes_get(&counted, PMU_EV_INSNS) != 0)
		s->e->progressed = true;
	s->origin = s->left;
	s->spare = 0;
	if (b != NULL)
		s->e->budget->last_pc = b->addr + b->last;
	s->current = 0;
}

static uint64_t to_go(uint64_t limit, uint64_t done)
{
	uint64_t left = limit > done ? limit - done : 0;

	return left < LANE_MAX ? left : LANE_MAX;
}

/*
 * How many of event @i may happen unseen. Each block has instructions: one that
 * would pass their limit is seen before it runs, and one that just reaches it
 * ends there, which the next block sees. The last of another event may lie
 * anywhere in its block, so the block that has it is seen.
 */
static uint64_t lane(const struct engine_budget *b, unsigned i)
{
	uint64_t left = to_go(b->limit.n[i], b->done.n[i]);
	uint64_t soft;

	if (i != PMU_EV_INSNS)
		return left ? left - 1 : 0;
	soft = to_go(b->soft, b->done.n[i]);
	return soft < left ? soft : left;
}

/*
 * Generated code looks at the sign of the instructions only, so these get the
 * @least of all lanes; what they have beyond that is kept for slot_not_yet().
 */
static void keep_spare(struct slot *s, uint64_t least)
{
	s->spare = lanes_get(&s->left, PMU_EV_INSNS) - least;
	s->left.word[0] -= s->spare << INSNS_AT;
	s->origin.word[0] -= s->spare << INSNS_AT;
}

static void narrow(struct slot *s)
{
	uint64_t least = LANE_MAX;

	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++) {
		uint64_t n = lanes_get(&s->left, i);

		least = n < least ? n : least;
	}
	keep_spare(s, least);
}

void slot_load(struct slot *s)
{
	const struct engine_budget *b = s->e->budget;
	uint64_t least = LANE_MAX;
	struct lanes left = { { 0 } };

	for (unsigned i = 0; i < LANES; i++) {
		uint64_t n = LANE_MAX;

		if (i < PMU_N_ENGINE_EVENTS)
			n = lane(b, i);
		lanes_add(&left, i, n);
		least = n < least ? n : least;
	}
	s->left = s->origin = left;
	s->spare = 0;
	if (s->fast != NULL)
		keep_spare(s, least);
}

void slot_narrow(struct slot *s)
{
	const struct engine_budget *b = s->e->budget;

	if (to_go(b->limit.n[PMU_EV_INSNS], b->done.n[PMU_EV_INSNS]) <
	    lanes_get(&s->origin, PMU_EV_INSNS))
		slot_force(s);
}

void slot_force(struct slot *s)
{
	uint64_t insns = s->left.word[0] >> INSNS_AT << INSNS_AT;

	s->spare = 0;
	if (lanes_negative(&s->left))
		return;
	s->left.word[0] -= insns;
	s->origin.word[0] -= insns;
}

bool slot_not_yet(struct slot *s, struct lanes left, uint32_t current)
{
	struct lanes rest = left;

	lanes_add(&rest, PMU_EV_INSNS, s->spare);
	if (s->spare == 0 || lanes_negative(&rest))
		return false;
	s->origin.word[0] += rest.word[0] - left.word[0];
	s->left = rest;
	s->current = current;
	narrow(s);
	return true;
}
