/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The start-up self test: pins what the adapter relies on in Unicorn, on a few
 * pages of its own, in the milliseconds before the first guest. It decides
 * whether an engine may be used at all, and whether user counters trap or have
 * to be stopped at.
 */
#include "selftest.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/insn-word.h>

enum {
	CODE = SELFTEST_CODE,
	DATA = SELFTEST_DATA,
	ALIAS = 0x9000, /* the code page again */
	N_WORDS = SELFTEST_WORDS,
};

static int boot_run(struct boot *boot, struct engine_ctx *ctx)
{
	return selftest_execute(boot, ctx, ENGINE_KERNEL, SELFTEST_MOST);
}

/* Does reading a user counter trap, or must the adapter stop before it? */
static bool counter_traps(struct boot *boot, struct engine_ctx *ctx)
{
	static const uint32_t rdcycle[N_WORDS] = { 0xc00022f3,
						   PMU_WORD_EBREAK };
	struct hart_state state = { .pc = CODE };

	selftest_put(boot->e, rdcycle);
	engine_ctx_load(boot->e, ctx, &state);
	return boot_run(boot, ctx) == ENGINE_STOP_HOST && boot->exit.pc == CODE;
}

/* lr.w, then an exit, then sc.w: x7 is 0 on success. */
static uint64_t lr_sc(struct boot *boot, struct engine_ctx *ctx, bool drop)
{
	static const uint32_t code[N_WORDS] = { 0x100322af, PMU_WORD_EBREAK,
						0x185323af, PMU_WORD_EBREAK };
	struct hart_state state = { .pc = CODE };

	state.x[6] = DATA;
	selftest_put(boot->e, code);
	engine_ctx_load(boot->e, ctx, &state);
	if (boot_run(boot, ctx) != ENGINE_STOP_HOST)
		return UINT64_MAX;
	if (drop)
		engine_drop_reservation(boot->e, ctx);
	engine_set(boot->e, ctx, ENGINE_PC, CODE + 8);
	if (boot_run(boot, ctx) != ENGINE_STOP_HOST)
		return UINT64_MAX;
	return engine_get(boot->e, ctx, 7);
}

/* Writes through another address; after fence.i the new code must run. */
static bool alias_holds(struct boot *boot, struct engine_ctx *ctx)
{
	static const uint32_t code[N_WORDS] = {
		0x00532023, /* sw x5, 0(x6) */
		0x0000100f, /* fence.i */
		0x00138393, /* addi x7, x7, 1: replaced by addi + 2 */
		PMU_WORD_EBREAK,
	};
	struct hart_state state = { .pc = CODE };
	uint32_t addi = 0x00138393;

	selftest_put(boot->e, code);
	state.x[6] = ALIAS + 8;
	engine_ctx_load(boot->e, ctx, &state);
	for (uint64_t i = 1, sum = 0; i <= 4; i++) {
		addi += UINT32_C(1) << 20;
		sum += i + 1;
		engine_set(boot->e, ctx, 5, addi);
		engine_set(boot->e, ctx, ENGINE_PC, CODE);
		if (boot_run(boot, ctx) != ENGINE_STOP_HOST ||
		    engine_get(boot->e, ctx, 7) != sum)
			return false;
	}
	return true;
}

/* Runs a loop of four to @limit of @event: are counts and place exact? */
static bool loop_holds(struct boot *boot, struct engine_ctx *ctx,
		       enum engine_regime regime, enum pmu_event event,
		       uint64_t limit)
{
	static const uint32_t code[N_WORDS] = {
		0x00138393, /* addi x7, x7, 1 */
		0x00732023, /* sw x7, 0(x6) */
		0x00032383, /* lw x7, 0(x6) */
		0xff5ff06f, /* jal x0, -12 */
	};
	static const uint64_t after[] = { 4, 4, 3, 2 };
	struct hart_state state = { .pc = CODE };
	struct engine_budget budget = { .soft = UINT64_MAX };
	uint64_t insns =
		event == PMU_EV_INSNS ? limit : (limit - 1) * 4 + after[event];

	memset(&budget.limit, 0xff, sizeof(budget.limit));
	budget.limit.n[event] = limit;
	state.x[6] = DATA;
	selftest_put(boot->e, code);
	engine_ctx_load(boot->e, ctx, &state);
	engine_set(boot->e, ctx, 7, 0);
	memset(boot->e->scratch + DATA, 0, 8);
	return engine_run(boot->e, ctx, regime, &budget) == ENGINE_STOP_LIMIT &&
	       budget.done.n[PMU_EV_INSNS] == insns &&
	       budget.done.n[PMU_EV_BRANCHES] == insns / 4 &&
	       budget.done.n[PMU_EV_LOADS] == (insns + 1) / 4 &&
	       budget.done.n[PMU_EV_STORES] == (insns + 2) / 4 &&
	       engine_get(boot->e, ctx, ENGINE_PC) == CODE + insns % 4 * 4 &&
	       engine_get(boot->e, ctx, 7) == (insns + 3) / 4;
}

/*
 * Just more of event @n % 4 than one countdown lasts; of instructions, @n / 4
 * is the place in the loop. What generated code does at a site it does each
 * time: more rounds show no more, and every machine waits for them.
 */
static uint64_t loop_limit(unsigned n)
{
	return n % 4 == PMU_EV_INSNS ? LANE_MAX + 2 + n / 4
				     : LANE_MAX / 4 + 2 + n / 4;
}

static void drop_fast(struct slot *s)
{
	fast_undo(s->fast);
	fast_free(s->fast);
	s->fast = NULL;
}

/* Blocks of one slot count by themselves: do they? NULL, or why not. */
static const char *fast_failure(struct boot *boot, struct engine_ctx *ctx,
				enum engine_regime regime)
{
	struct slot *s = boot->e->slots[regime];

	drop_fast(s);
	if (boot->e->cfg.mode == ENGINE_PORTABLE)
		return "portable is what is wanted";
	if (boot->e->cfg.step_only)
		return "each instruction is stepped";
	s->fast = fast_new(s, blocks_site);
	if (s->fast == NULL)
		return "not on this host";
	for (unsigned i = 0; i < 16; i++)
		if (!loop_holds(boot, ctx, regime, (enum pmu_event)(i % 4),
				loop_limit(i)))
			return "a loop is not counted as it is by the hook";
	if (fast_sites(s->fast) == 0)
		return "generated code is not as expected";
	return fast_intact(s->fast) ? NULL : "generated code is altered";
}

static const char *fast_try(struct boot *boot, struct engine_ctx *ctx)
{
	struct slot **slots = boot->e->slots;
	const char *why = fast_failure(boot, ctx, ENGINE_KERNEL);

	if (why == NULL && slots[ENGINE_USER] != NULL)
		why = fast_failure(boot, ctx, ENGINE_USER);
	for (size_t i = 0; i < 2 && why != NULL; i++)
		if (slots[i] != NULL)
			drop_fast(slots[i]);
	return why;
}

static const char *first_failure(struct boot *boot, struct engine_ctx *ctx)
{
	const char *why = selftest_rows(boot, ctx);

	if (why != NULL)
		return why;
	boot->e->counters_trap =
		boot->e->counters_trap && counter_traps(boot, ctx);
	if (!counter_traps(boot, ctx))
		return "a counter read reaches the host";
	if (lr_sc(boot, ctx, false) != 0)
		return "SC succeeds after LR";
	if (lr_sc(boot, ctx, true) != 1)
		return "SC fails after the reservation is dropped";
	if (!alias_holds(boot, ctx))
		return "fence.i sees code written through another address";
	return NULL;
}

static void try_pieces(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;

	e->slow_why = fast_try(boot, ctx);
	e->raise_why = selftest_exits(boot, ctx);
	selftest_tlb(boot, ctx);
	e->spaces.off = selftest_spaces(boot, ctx);
}

/* One slot for both regimes if each space has a TLB in it, else two. */
static int try_slots(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	const char *why;
	int err;

	try_pieces(boot, ctx);
	why = e->spaces.off;
	if (e->cfg.engines != 0 || why == NULL)
		return 0;
	err = slot_new(&e->slots[ENGINE_USER], e, false);
	if (!err)
		try_pieces(boot, ctx);
	e->spaces.off = why;
	return err;
}

static int run_rows(struct boot *boot)
{
	struct engine *e = boot->e;
	struct engine_ctx *ctx;
	const char *why;
	int err = layout_find(e);

	if (!err)
		err = engine_ctx_new(e, &ctx);
	if (err)
		return err;
	why = first_failure(boot, ctx);
	if (why == NULL)
		err = try_slots(boot, ctx);
	engine_ctx_free(e, ctx);
	if (why == NULL)
		return err;
	engine_fail(e, "self test, with %s: not so: %s", engine_version(), why);
	return -ENGINE_ESELFTEST;
}

int selftest_run(struct engine *e)
{
	struct boot boot = { .e = e };
	struct page pages[SCRATCH_PAGES] = { { .gen = 0 } };
	int err;

	e->pages.off = e->clean.off = e->spaces.off = "not tried yet";
	e->ops = &selftest_ops;
	e->host = &boot;
	e->ram[0] = (struct ram){ .base = e->scratch_base,
				  .size = SCRATCH_PAGES * PAGE_SIZE,
				  .host = e->scratch,
				  .pages = pages };
	e->n_ram = 1;
	err = run_rows(&boot);
	/* nothing of this may stay */
	e->n_ram = 0;
	e->n_dirty = 0;
	e->fence_due = e->fence_seen = false;
	e->pages.taken = e->pages.all = 0;
	e->clean.taken = e->clean.all = 0;
	e->spaces.taken = e->spaces.all = 0;
	engine_flush_tlb(e);
	for (size_t i = 0; i < 3; i++) {
		struct slot *s = e->slots[i] ? e->slots[i] : e->step;

		fast_undo(s->fast);
		slot_forget(s);
		s->exits.n_inside = s->exits.n_raised = 0;
		s->exits.n_quiet = 0;
		s->insns = s->hooked = 0;
	}
	return err;
}
