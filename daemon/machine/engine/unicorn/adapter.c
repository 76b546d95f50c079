/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.h on Unicorn: the loop of a run. It alternates between the slot of
 * the regime that it began in and, where something is due inside a block, the
 * step slot. What happens inside a slot is decided in blocks.c and step.c, what
 * leaves one in exits.c.
 */
#include "adapter.h"

#include <assert.h>

/* What is due between two stretches of execution. */
static struct slot *prepare(struct engine *e, enum engine_regime regime)
{
	struct slot *s = e->slots[regime];

	if (s == NULL)
		s = e->slots[ENGINE_KERNEL];
	if (steps_all(e) || e->step_hi != e->step_lo)
		s = e->step;
	if (e->fence_seen && e->n_dirty != 0)
		e->fence_due = true;
	e->fence_seen = false;
	if (e->fence_due)
		fence_run(e);
	guard_run(s);
	regs_bind(e, e->live, s);
	if (s->stale)
		slot_flush(s);
	slot_enter_space(s, e->leaves.space);
	return s;
}

static enum outcome run_slot(struct engine *e, struct slot *s)
{
	uc_err err;

	e->out = OUT_NONE;
	e->faulted = false;
	s->current = 0;
	slot_load(s);
	e->running = s;
	fast_enter(s);
	err = uc_emu_start(s->uc, e->live->pc, 0, 0, 0);
	fast_enter(NULL);
	e->running = NULL;
	return exits_handle(s, err);
}

static int finish(struct engine *e, enum outcome out)
{
	struct engine_ctx *ctx = e->live;

	switch (out) {
	case OUT_LIMIT:
		return ENGINE_STOP_LIMIT;
	case OUT_SOFT:
		return ENGINE_STOP_SOFT;
	case OUT_HOST:
		return ENGINE_STOP_HOST;
	case OUT_BREAK:
		ctx->passing = true;
		ctx->pass_pc = ctx->pc;
		return ENGINE_STOP_BREAK;
	case OUT_NONE:
	case OUT_AGAIN:
	case OUT_STEP:
	case OUT_INSN:
	case OUT_FAULT:
	case OUT_BROKEN:
		break;
	}
	return -ENGINE_EBROKEN;
}

static void begin(struct engine *e, struct engine_ctx *ctx,
		  struct engine_budget *budget)
{
	if (e->live != ctx)
		regs_bind(e, ctx, e->step);
	if (e->last != ctx) {
		engine_flush_tlb(e);
		engine_drop_reservation(e, ctx);
	}
	e->last = ctx;
	e->budget = budget;
	budget->reached = false;
	e->progressed = false;
	e->step_lo = e->step_hi = 0;
	e->watch.on = false;
	if (ctx->passing && ctx->pc != ctx->pass_pc)
		ctx->passing = false;
}

/* With ENGINE_CHECK: is the code that counts still what was written? */
static bool intact(struct engine *e)
{
	for (size_t i = 0; i < 2 && e->cfg.mode == ENGINE_CHECK; i++) {
		if (e->slots[i] == NULL || fast_intact(e->slots[i]->fast))
			continue;
		engine_fail(e, "code that counts was altered");
		return false;
	}
	return true;
}

int engine_run(struct engine *e, struct engine_ctx *ctx,
	       enum engine_regime regime, struct engine_budget *budget)
{
	enum outcome out = OUT_AGAIN;

	assert(e->running == NULL);
	begin(e, ctx, budget);
	if (!intact(e))
		return -ENGINE_EBROKEN;
	while (out == OUT_AGAIN || out == OUT_STEP) {
		if (budget_reached(budget))
			out = OUT_LIMIT;
		else
			out = run_slot(e, prepare(e, regime));
	}
	return intact(e) ? finish(e, out) : -ENGINE_EBROKEN;
}
