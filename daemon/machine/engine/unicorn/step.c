/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The step slot: a code hook looks at every instruction, so that a run can end
 * between any two. It runs the block in which something is due and hands back;
 * in step-only mode it runs everything.
 */
#include "adapter.h"

/* Is @addr beyond the block that is being stepped through? */
static bool leaves(struct engine *e, uint64_t addr)
{
	if (steps_all(e))
		return false;
	return addr - e->step_lo >= e->step_hi - e->step_lo;
}

static bool on_poison(struct slot *s, uint64_t addr)
{
	return s->poisoned && PAGE_OF(addr) == s->poison;
}

void step_hook(uc_engine *uc, uint64_t addr, uint32_t size, void *user)
{
	struct slot *s = user;
	struct engine *e = s->e;
	const struct block *b;
	struct lanes left;

	if (e->held.n != 0)
		float_end(s, addr);
	feed_end(s, addr);
	if (e->watch.on && watch_end(s, addr)) {
		slot_stop(s, addr, OUT_AGAIN);
		return;
	}
	if (leaves(e, addr) || on_poison(s, addr)) {
		slot_sync(s);
		s->stale |= s->poisoned;
		if (leaves(e, addr))
			e->step_lo = e->step_hi = 0;
		slot_stop(s, addr, OUT_AGAIN);
		return;
	}
	b = slot_block_at(s, addr);
	left = s->left;
	lanes_take(&left, &b->counts);
	if (b->addr == addr && b->key == (s->epoch | STEP_KEY) &&
	    !lanes_negative(&left) && !e->budget->reached) {
		s->left = left;
		s->current = slot_number(s, b);
	} else {
		blocks_slow(s, addr, STEP_KEY, NULL);
	}
	if (s->current == 0)
		return;
	if (e->watch.on)
		watch_begin(s, b);
	feed_begin(s, b);
}
