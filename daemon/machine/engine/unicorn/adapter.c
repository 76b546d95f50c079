/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.h on Unicorn: making and freeing an engine, and the loop of a run. A
 * run alternates between a slot of its regime and, where something is due
 * inside a block, the step slot. What happens inside a slot is decided in
 * blocks.c and step.c, what leaves one in exits.c.
 */
#include "adapter.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Where no guest has RAM: the end of the physical address space, which for
 * Unicorn's TLB fills has 32 bits on RV32.
 */
static const uint64_t SCRATCH_BASE_64 = UINT64_C(0xfffffffffc0000);
static const uint64_t SCRATCH_BASE_32 = UINT64_C(0xfffc0000);

static const uint64_t BUFFER_MIN = UINT64_C(4) << 20;
static const uint64_t BUFFER_MAX = UINT64_C(1) << 30;

void engine_fail(struct engine *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->error, sizeof(e->error), fmt, ap);
	va_end(ap);
}

const char *engine_error(const struct engine *e)
{
	return e->error;
}

const char *engine_version(void)
{
	static const char *const known[] = {
		"unicorn 2.1.0", "unicorn 2.1.1", "unicorn 2.1.2",
		"unicorn 2.1.3", "unicorn 2.1.4", "unicorn 2.1.5",
	};
	unsigned version = uc_version(NULL, NULL) >> 8;
	unsigned patch = version & 0xff;

	if (version >> 8 == 0x0201 && patch < sizeof(known) / sizeof(known[0]))
		return known[patch];
	return "unicorn, newer than 2.1.5";
}

static bool config_valid(const struct engine_config *cfg)
{
	if (cfg->xlen != 32 && cfg->xlen != 64)
		return false;
	if (cfg->engines != 1 && cfg->engines != 2)
		return false;
	if (cfg->mode > ENGINE_CHECK)
		return false;
	return cfg->code_buffer >= BUFFER_MIN &&
	       cfg->code_buffer <= BUFFER_MAX &&
	       cfg->step_buffer >= BUFFER_MIN && cfg->step_buffer <= BUFFER_MAX;
}

static int open_slots(struct engine *e)
{
	int err = slot_new(&e->slots[ENGINE_KERNEL], e, false);

	if (!err && e->cfg.engines == 2)
		err = slot_new(&e->slots[ENGINE_USER], e, false);
	if (!err)
		err = slot_new(&e->slots[2], e, true);
	e->step = e->slots[2];
	return err;
}

static int build(struct engine *e)
{
	bool rv32 = e->cfg.xlen == 32;
	int err;

	e->scratch_base = rv32 ? SCRATCH_BASE_32 : SCRATCH_BASE_64;
	e->scratch = aligned_alloc(PAGE_SIZE, SCRATCH_PAGES * PAGE_SIZE);
	e->breakpoints = calloc(MAX_BREAKPOINTS, sizeof(*e->breakpoints));
	if (e->scratch == NULL || e->breakpoints == NULL ||
	    !leaves_init(&e->leaves))
		return -ENGINE_ENOMEM;
	memset(e->scratch, 0, SCRATCH_PAGES * PAGE_SIZE);
	err = open_slots(e);
	if (!err)
		err = selftest_run(e);
	if (err || e->cfg.mode < ENGINE_FAST)
		return err;
	if (e->slow_why != NULL)
		engine_fail(e, "no counting in generated code: %s",
			    e->slow_why);
	else if (e->raise_why != NULL)
		engine_fail(e, "no exits inside generated code: %s",
			    e->raise_why);
	return e->slow_why || e->raise_why ? -ENGINE_ESELFTEST : 0;
}

/*
 * On failure @ret still gets the engine, for engine_error(); NULL when there
 * was no memory for it.
 */
int engine_new(struct engine **ret, const struct engine_config *cfg,
	       const struct engine_host_ops *ops, void *host)
{
	struct engine *e = calloc(1, sizeof(*e));
	int err;

	*ret = e;
	if (e == NULL)
		return -ENGINE_ENOMEM;
	e->cfg = *cfg;
	e->serial = 1;
	if (e->cfg.code_buffer == 0)
		e->cfg.code_buffer = UINT64_C(64) << 20;
	if (e->cfg.step_buffer == 0)
		e->cfg.step_buffer = UINT64_C(16) << 20;
	if (!config_valid(&e->cfg)) {
		engine_fail(e, "engine configuration out of range");
		return -ENGINE_EINVAL;
	}
	err = build(e);
	e->ops = ops;
	e->host = host;
	return err;
}

void engine_free(struct engine *e)
{
	if (e == NULL)
		return;
	for (size_t i = 0; i < 3; i++)
		slot_free(e->slots[i]);
	for (size_t i = 0; i < e->n_ram; i++)
		free(e->ram[i].pages);
	if (e->template != NULL)
		uc_context_free(e->template);
	leaves_fini(&e->leaves);
	free(e->breakpoints);
	free(e->feed);
	free(e->scratch);
	free(e);
}

static bool ram_overlaps(const struct engine *e, uint64_t base, uint64_t size)
{
	uint64_t end = base + size - 1;

	if (end >= e->scratch_base)
		return true;
	for (size_t i = 0; i < e->n_ram; i++)
		if (base < e->ram[i].base + e->ram[i].size &&
		    e->ram[i].base <= end)
			return true;
	return false;
}

int engine_map_ram(struct engine *e, uint64_t paddr, uint64_t size, void *ram)
{
	struct ram r = { .base = paddr, .size = size, .host = ram };
	uc_err err = UC_ERR_OK;

	assert(e->running == NULL);
	if (size == 0 || (paddr | size) % PAGE_SIZE != 0 ||
	    paddr + size < paddr || e->n_ram == MAX_RAM ||
	    ram_overlaps(e, paddr, size)) {
		engine_fail(e, "RAM at %#llx: not aligned, or overlaps",
			    (unsigned long long)paddr);
		return -ENGINE_EINVAL;
	}
	r.pages = calloc(size >> PAGE_BITS, sizeof(*r.pages));
	if (r.pages == NULL)
		return -ENGINE_ENOMEM;
	for (size_t i = 0; i < 3 && !err; i++)
		if (e->slots[i] != NULL)
			err = uc_mem_map_ptr(e->slots[i]->uc, paddr, size,
					     UC_PROT_ALL, ram);
	e->ram[e->n_ram++] = r;
	if (err)
		engine_fail(e, "mapping RAM: %s", uc_strerror(err));
	return err ? -ENGINE_ENOMEM : 0;
}

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

void engine_flush_tlb(struct engine *e)
{
	leaves_drop(&e->leaves);
	engine_empty_tlbs(e);
}

void engine_fence_page(struct engine *e, uint64_t vaddr)
{
	if (leaves_fence(&e->leaves, vaddr & engine_mask(e)))
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

void engine_set_space(struct engine *e, uint8_t fetch, uint8_t data)
{
	uint16_t space = leaf_space(fetch, data);
	struct slot *s = e->running;

	e->leaves.space = space;
	if (s == NULL || s->space == space)
		return;
	slot_flush(s);
	s->space = space;
}

static int compare_pcs(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

int engine_set_breakpoints(struct engine *e, const uint64_t *pcs, size_t n)
{
	assert(e->running == NULL);
	if (n > MAX_BREAKPOINTS)
		return -ENGINE_EINVAL;
	if (n != 0)
		memcpy(e->breakpoints, pcs, n * sizeof(*pcs));
	qsort(e->breakpoints, n, sizeof(*pcs), compare_pcs);
	e->n_breakpoints = n;
	for (size_t i = 0; i < 3; i++)
		if (e->slots[i] != NULL) {
			slot_forget(e->slots[i]);
			fast_undo(e->slots[i]->fast);
		}
	return 0;
}

bool budget_reached(const struct engine_budget *b)
{
	if (b->reached)
		return true;
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		if (b->done.n[i] >= b->limit.n[i])
			return true;
	return false;
}

enum engine_next engine_deliver(struct engine *e, struct engine_exit *exit)
{
	enum engine_next next;

	e->progressed = true;
	if (exit->kind == ENGINE_EXIT_INSN)
		e->budget->last_pc = exit->pc;
	feed_exit(e->step, exit);
	next = e->ops->on_exit(e->host, exit);
	e->budget->reached = false; /* the host has seen to it */
	return next;
}

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
	if (s->stale || s->space != e->leaves.space)
		slot_flush(s);
	s->space = e->leaves.space;
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
