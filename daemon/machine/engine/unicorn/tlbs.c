/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The TLBs of the slots and the leaves that they fill from: what is emptied
 * when a translation is not what it was.
 */
#include "adapter.h"

#include <string.h>

enum {
	MANY_PAGES = 32 /* more of them take longer than all of a TLB */
};

void engine_empty_tlbs(struct engine *e)
{
	for (size_t i = 0; i < 3; i++) {
		struct slot *s = e->slots[i];

		if (s == NULL)
			continue;
		if (s == e->running)
			slot_flush(s);
		else
			s->stale = true;
	}
	e->serial++;
}

/*
 * It is an address and what LR read there: at another page that holds the same
 * SC would find it. Of a context that ran before the last one nothing is left
 * when it runs again.
 */
static void drop_reservation(struct engine *e)
{
	if (e->last != NULL)
		engine_drop_reservation(e, e->last);
}

void engine_flush_tlb(struct engine *e)
{
	drop_reservation(e);
	leaves_drop(&e->leaves);
	engine_empty_tlbs(e);
}

/*
 * Other pages that can be written through an entry still can, so the serial
 * stays what it is.
 */
bool tlbs_empty_page(struct engine *e, uint64_t vaddr)
{
	bool alone = true;

	for (size_t i = 0; i < 3; i++) {
		struct slot *s = e->slots[i];

		if (s == NULL || s->stale)
			continue;
		if (fast_flush_page(s, vaddr))
			continue;
		alone = false;
		if (s == e->running)
			slot_flush(s);
		else
			s->stale = true;
	}
	return alone;
}

/* What was decoded of a page of code goes with its whole TLB (slot.epoch). */
void engine_fence_page(struct engine *e, uint64_t vaddr)
{
	uint64_t at = vaddr & engine_mask(e);
	enum leaf_fence gone = leaves_fence(&e->leaves, at);

	drop_reservation(e);
	if (gone == LEAF_FENCE_NONE)
		return;
	e->pages.all++;
	if (gone == LEAF_FENCE_DATA && e->pages.off == NULL)
		e->pages.taken += tlbs_empty_page(e, at);
	else
		engine_empty_tlbs(e);
}

void engine_sum_cleared(struct engine *e)
{
	bool alone = e->pages.off == NULL;
	unsigned n = 0;
	uint64_t at;

	for (; leaves_pop_by_sum(&e->leaves, &at); n++)
		if (alone && n < MANY_PAGES)
			e->pages.taken += tlbs_empty_page(e, at);
	e->pages.all += n;
	if (n > (alone ? MANY_PAGES : 0))
		engine_empty_tlbs(e);
}

_Static_assert(sizeof(struct engine_leaf) == sizeof(struct leaf),
	       "what is given is a leaf as it is");

bool engine_give_leaf(const struct engine *e, const struct engine_ctx *ctx,
		      size_t *at, struct engine_leaf *ret)
{
	const struct leaf *leaf = NULL;

	if (e->last == ctx)
		leaf = leaf_next(&e->leaves, at);
	if (leaf != NULL)
		memcpy(ret, leaf, sizeof(*ret));
	return leaf != NULL;
}

void engine_take_leaf(struct engine *e, struct engine_ctx *ctx,
		      const struct engine_leaf *leaf)
{
	struct leaf taken;

	memcpy(&taken, leaf, sizeof(taken));
	leaf_put(&e->leaves, &taken);
	e->last = ctx;
}

void engine_watched_changed(struct engine *e)
{
	engine_empty_tlbs(e);
}

bool engine_spans_regimes(const struct engine *e)
{
	return e->slots[ENGINE_USER] == NULL;
}

void engine_set_space(struct engine *e, uint8_t fetch, uint8_t data)
{
	uint16_t space = leaf_space(fetch, data);
	struct slot *s = e->running;

	e->leaves.space = space;
	if (s != NULL)
		slot_enter_space(s, space);
}
