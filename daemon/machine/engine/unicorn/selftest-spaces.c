/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self test of spaces that have a TLB each in one slot (slot_spaces):
 * Unicorn keeps one for each privilege. Code of all of them runs with whatever
 * privilege has the TLB of its space, and none of what a privilege may do in
 * Unicorn by itself may happen: all that is told apart is which TLB is used.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-word.h>

/* A CPU starts in M-mode, and is in U-mode here. */
static bool find_privilege(struct slot *s)
{
	struct fast_env *env = &s->exits.env;
	uint32_t is;

	env->privilege = env->words + s->e->layout.priv;
	if (s->e->cfg.spoil == FAST_SPOIL_SPACE)
		env->privilege += sizeof(is);
	memcpy(&is, env->at + env->privilege, sizeof(is));
	return is == 0;
}

/* Every other space has the pages swapped, and still does when all are full. */
static bool are_apart(struct boot *boot, struct engine_ctx *ctx)
{
	static const uint8_t as_is[] = { 1, 2 }, swapped[] = { 2, 1 };
	struct engine *e = boot->e;
	bool good = true;

	selftest_put_loads(e);
	engine_flush_tlb(e);
	for (unsigned i = 0; i < 2 * SLOT_SPACES; i++) {
		uint8_t space = (uint8_t)(i % SLOT_SPACES);
		bool other = space % 2;

		/* what a TLB has forgotten would be found the other way */
		boot->swapped = i < SLOT_SPACES ? other : !other;
		if (i == SLOT_SPACES)
			leaves_drop(&e->leaves);
		engine_set_space(e, space, space);
		good = good && selftest_loads(boot, ctx, ENGINE_KERNEL, false,
					      other ? swapped : as_is);
	}
	boot->swapped = false;
	engine_flush_tlb(e);
	return good;
}

/* In all of them what has to leave generated code does, and TLBs are right. */
static bool all_hold(struct boot *boot, struct engine_ctx *ctx)
{
	bool good = true;

	for (unsigned i = 1; i < SLOT_SPACES; i++) { /* 0 is U-mode's */
		engine_set_space(boot->e, (uint8_t)i, (uint8_t)i);
		good = good && selftest_rows(boot, ctx) == NULL &&
		       selftest_exits_rows(boot, ctx, ENGINE_KERNEL) &&
		       selftest_quiet_rows(boot, ctx, ENGINE_KERNEL) &&
		       selftest_tlb_rows(boot, ctx);
	}
	return good;
}

/* Of @n TLBs none has a space. */
static void begin(struct slot *s, uint8_t n)
{
	if (s->spaces.n > 1)
		fast_env_set_privilege(s, 0);
	s->spaces = (struct slot_spaces){ .n = n };
	memset(s->spaces.of, 0xff, sizeof(s->spaces.of)); /* SPACE_NONE */
	s->epoch &= ~(uint64_t)UINT32_MAX;
	engine_empty_tlbs(s->e);
}

const char *selftest_spaces(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	struct slot *s = e->slots[ENGINE_KERNEL];
	const char *why = NULL;

	if (e->raise_why != NULL)
		return e->raise_why;
	if (e->slots[ENGINE_USER] != NULL)
		return "users have an engine of their own";
	if (e->layout.priv == 0 || e->layout.priv_ver == 0 ||
	    !find_privilege(s))
		return "the privilege is not where it was looked for";
	begin(s, SLOT_SPACES);
	if (!are_apart(boot, ctx))
		why = "spaces share a TLB";
	else if (!all_hold(boot, ctx))
		why = "not all is as in U-mode";
	engine_set_space(e, 0, 0);
	begin(s, why ? 1 : SLOT_SPACES);
	return why;
}
