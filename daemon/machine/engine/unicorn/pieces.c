/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is told of fast/ and of the code buffers. Code that counts by itself
 * does not count how often it ran, so its share is one of instructions: all
 * that the slots have counted but for those of blocks whose hook was called.
 */
#include "adapter.h"

#include "engine/engine-pieces.h"

static void blocks(const struct engine *e, struct engine_piece *ret)
{
	*ret = (struct engine_piece){
		.name = "blocks",
		.of = "instructions",
		.of_blocks = true,
		.off = e->slow_why,
	};
	for (size_t i = 0; i < 3; i++) {
		const struct slot *s = e->slots[i];

		if (s == NULL)
			continue;
		ret->all += s->insns;
		if (s->fast != NULL)
			ret->taken += s->insns - s->hooked;
	}
}

static void exits(const struct engine *e, struct engine_piece *ret)
{
	*ret = (struct engine_piece){
		.name = "exits",
		.of = "exits",
		.of_blocks = true,
		.off = e->raise_why,
	};
	for (size_t i = 0; i < 3; i++) {
		const struct slot *s = e->slots[i];

		if (s == NULL)
			continue;
		ret->all += s->exits.n_inside + s->exits.n_raised;
		ret->taken += s->exits.n_inside;
	}
}

/* Those of the exits that were none: the host has said what they may be. */
static void quiet(const struct engine *e, struct engine_piece *ret)
{
	exits(e, ret);
	ret->name = "quiet";
	ret->taken = 0;
	for (size_t i = 0; i < 3; i++)
		if (e->slots[i] != NULL)
			ret->taken += e->slots[i]->exits.n_quiet;
}

static void spared(const struct fast_spared *of, struct engine_piece *ret)
{
	ret->off = of->off;
	ret->taken = of->taken;
	ret->all = of->all;
}

static void pages(const struct engine *e, struct engine_piece *ret)
{
	*ret = (struct engine_piece){ .name = "pages", .of = "pages" };
	spared(&e->pages, ret);
}

static void clean(const struct engine *e, struct engine_piece *ret)
{
	*ret = (struct engine_piece){ .name = "clean", .of = "translations" };
	spared(&e->clean, ret);
}

static void spaces(const struct engine *e, struct engine_piece *ret)
{
	*ret = (struct engine_piece){ .name = "spaces", .of = "changes" };
	spared(&e->spaces, ret);
}

void engine_get_piece(const struct engine *e, unsigned n,
		      struct engine_piece *ret)
{
	static void (*const pieces[ENGINE_PIECES])(const struct engine *,
						   struct engine_piece *) = {
		blocks, exits, quiet, pages, clean, spaces
	};

	pieces[n](e, ret);
}

uint64_t engine_code_emptied(const struct engine *e)
{
	uint64_t n = 0;

	for (size_t i = 0; i < 3; i++)
		n += e->slots[i] ? e->slots[i]->emptied : 0;
	return n;
}
