/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which TLB of a slot has which space, see slot-space.h.
 */
#include "adapter.h"

#include <assert.h>

void slot_use_space(struct slot *s)
{
	if (s->spaces.n > 1)
		fast_env_set_privilege(s, s->spaces.at);
}

void slot_enter_space(struct slot *s, uint16_t space)
{
	struct slot_spaces *x = &s->spaces;
	uint8_t at = 0;
	bool full;

	if (x->of[x->at] == space)
		return;
	assert(x->n != 0);
	s->e->spaces.all += !s->is_step;
	while (at < x->n && x->of[at] != space)
		at++;
	if (at == x->n)
		at = x->next++ % x->n;
	full = x->of[at] != space && x->of[at] != SPACE_NONE;
	if (full)
		slot_flush(s);
	s->e->spaces.taken += x->n > 1 && !full;
	x->of[at] = space;
	x->at = at;
	s->epoch &= ~((uint64_t)(SLOT_SPACES - 1) << SPACE_AT);
	s->epoch |= (uint64_t)at << SPACE_AT;
	slot_use_space(s);
}
