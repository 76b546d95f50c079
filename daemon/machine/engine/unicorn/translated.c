/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unicorn has translated code. It may be other code than was there before,
 * changed without fence.i. Then the code of all pages that were written goes,
 * before any of it runs: all that is translated of a page is of one time.
 */
#include "adapter.h"

static void forget_block(struct slot *s, uint64_t addr)
{
	struct block *b = slot_block_at(s, addr);

	if (b->addr == addr)
		b->key = b->seen = 0;
}

/*
 * Before anything of it runs, for what it stores may change what follows.
 * (Unicorn does not tell of the first translation that it makes at all.)
 */
static void decode_steps(struct slot *s, uint64_t addr, unsigned size)
{
	const struct block *b;

	slot_sync(s); /* whose last block may lose its place */
	for (uint64_t end = addr + size; addr < end; addr += b->bytes) {
		forget_block(s, addr);
		b = block_decode(s, addr, STEP_KEY);
		if (b == NULL)
			return;
	}
}

void translated_hook(uc_engine *uc, uc_tb *cur, uc_tb *prev, void *user)
{
	struct slot *s = user;
	uint64_t addr = cur->pc & engine_mask(s->e);

	if (!pages_as_translated(s, addr, cur->size)) {
		s->e->fence_due = true;
		slot_force(s);
	} else if (s->is_step)
		decode_steps(s, addr, cur->size);
	else
		forget_block(s, addr);
	guard_translated(s, cur);
}
