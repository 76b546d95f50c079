/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs scripts (fake-engine.h) under the rules of engine.h: limits exact,
 * faults at their instruction, soft stops at block ends only.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine-feed.h"
#include "engine/engine-pieces.h"
#include "engine/engine.h"
#include "fake-engine.h"

struct fake_script fake = { .block = 1 };

struct engine {
	struct engine_config cfg;
	const struct engine_host_ops *ops;
	void *host;
	struct engine_ctx *last;
	uint64_t breaks[1024];
	size_t n_breaks;
	bool running;
};

struct engine_ctx {
	struct hart_state state;
	bool passing; /* stopped at breakpoint @pass_pc before */
	uint64_t pass_pc;
};

int engine_new(struct engine **ret, const struct engine_config *cfg,
	       const struct engine_host_ops *ops, void *host)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e)
		return -ENGINE_ENOMEM;
	e->cfg = *cfg;
	e->ops = ops;
	e->host = host;
	*ret = e;
	return 0;
}

void engine_free(struct engine *e)
{
	free(e);
}

const char *engine_error(const struct engine *e)
{
	return "the script says so";
}

const char *engine_version(void)
{
	return "fake";
}

int engine_map_ram(struct engine *e, uint64_t paddr, uint64_t size, void *ram)
{
	return 0;
}

void engine_ram_written(struct engine *e, uint64_t paddr, uint64_t size)
{
}

void engine_get_piece(const struct engine *e, unsigned n,
		      struct engine_piece *ret)
{
	*ret = (struct engine_piece){
		.name = "script",
		.of = "lines",
		.off = "it is the fake",
	};
}

uint64_t engine_code_emptied(const struct engine *e)
{
	return 7;
}

int engine_feed(struct engine *e, unsigned looks)
{
	return 0;
}

uint64_t engine_fed(const struct engine *e)
{
	return 0;
}

int engine_ctx_new(struct engine *e, struct engine_ctx **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENGINE_ENOMEM;
}

void engine_ctx_free(struct engine *e, struct engine_ctx *ctx)
{
	free(ctx);
}

void engine_ctx_load(struct engine *e, struct engine_ctx *ctx,
		     const struct hart_state *state)
{
	ctx->state = *state;
}

void engine_ctx_save(struct engine *e, struct engine_ctx *ctx,
		     struct hart_state *ret)
{
	*ret = ctx->state;
}

uint64_t engine_get(struct engine *e, struct engine_ctx *ctx, unsigned reg)
{
	if (reg == ENGINE_PC)
		return ctx->state.pc;
	if (reg == ENGINE_FCSR)
		return ctx->state.fcsr;
	return reg < 32 ? ctx->state.x[reg] : ctx->state.f[reg - ENGINE_F0];
}

void engine_set(struct engine *e, struct engine_ctx *ctx, unsigned reg,
		uint64_t value)
{
	if (reg == ENGINE_PC)
		ctx->state.pc = value;
	else if (reg == ENGINE_FCSR)
		ctx->state.fcsr = (uint32_t)value;
	else if (reg >= ENGINE_F0)
		ctx->state.f[reg - ENGINE_F0] = value;
	else if (reg)
		ctx->state.x[reg] = value;
}

void engine_get_args(struct engine *e, struct engine_ctx *ctx, uint64_t ret[8])
{
	memcpy(ret, ctx->state.x + 10, 8 * sizeof(*ret));
}

void engine_set_fp(struct engine *e, struct engine_ctx *ctx, bool on)
{
	ctx->state.fp_on = on;
}

bool engine_give_reservation(const struct engine *e, struct engine_ctx *ctx,
			     struct engine_reservation *ret)
{
	*ret = (struct engine_reservation){ 0 };
	return e->last == ctx && ctx->state.reserved;
}

void engine_take_reservation(struct engine *e, struct engine_ctx *ctx,
			     const struct engine_reservation *r)
{
	e->last = ctx;
	ctx->state.reserved = true;
}

void engine_drop_reservation(struct engine *e, struct engine_ctx *ctx)
{
	fake.drops++;
	ctx->state.reserved = false;
}

void engine_flush_tlb(struct engine *e)
{
	fake.tlb_flushes++;
}

void engine_fence_page(struct engine *e, uint64_t vaddr)
{
	fake.tlb_flushes++;
}

void engine_sum_cleared(struct engine *e)
{
	fake.tlb_flushes++;
}

bool engine_spans_regimes(const struct engine *e)
{
	return false;
}

void engine_set_space(struct engine *e, uint8_t fetch, uint8_t data)
{
	fake.space[0] = fetch;
	fake.space[1] = data;
}

bool engine_give_leaf(const struct engine *e, const struct engine_ctx *ctx,
		      size_t *at, struct engine_leaf *ret)
{
	if (*at >= fake.leaves)
		return false;
	*ret = (struct engine_leaf){ { (*at)++ } };
	return true;
}

void engine_take_leaf(struct engine *e, struct engine_ctx *ctx,
		      const struct engine_leaf *leaf)
{
	fake.taken |= 1u << leaf->word[0];
}

void engine_watched_changed(struct engine *e)
{
	fake.watched_changes++;
}

void engine_fence_i(struct engine *e)
{
	fake.fences++;
}

int engine_set_breakpoints(struct engine *e, const uint64_t *pcs, size_t n)
{
	assert(n <= 1024);
	if (n)
		memcpy(e->breaks, pcs, n * sizeof(*pcs));
	e->n_breaks = n;
	return 0;
}

/* Running */

struct step {
	struct engine *e;
	struct engine_ctx *ctx;
	struct engine_budget *budget;
};

/* Hands an exit to the host. True: go on. */
static bool leave(struct step *s, const struct engine_exit *exit)
{
	return s->e->ops->on_exit(s->e->host, exit) == ENGINE_RESUME;
}

static bool fault(struct step *s, uint8_t cause, uint64_t tval)
{
	return leave(s, &(struct engine_exit){ .kind = ENGINE_EXIT_FAULT,
					       .cause = cause,
					       .pc = s->ctx->state.pc,
					       .tval = tval });
}

static bool access_device(struct step *s, const struct fake_op *op)
{
	struct engine_mmio a = {
		.vaddr = op->value,
		.paddr = op->value,
		.size = op->size ? op->size : 4,
		.write = op->kind == FAKE_WRITE,
	};

	if (a.write)
		a.value = s->ctx->state.x[op->reg];
	if (!s->e->ops->mmio(s->e->host, &a))
		return false;
	if (!a.write && op->reg)
		s->ctx->state.x[op->reg] = a.value;
	return true;
}

static void retire(struct step *s, enum pmu_event also, uint64_t next)
{
	s->budget->done.n[PMU_EV_INSNS]++;
	if (also != PMU_EV_INSNS)
		s->budget->done.n[also]++;
	s->budget->last_pc = s->ctx->state.pc;
	s->ctx->state.pc = next;
}

/* Of ways an engine knows itself, those that name registers. */
static bool is_made_quietly(struct step *s, uint32_t insn)
{
	unsigned funct3 = insn >> 12 & 7;
	unsigned rs1 = insn >> 15 & 31, rd = insn >> 7 & 31;
	struct pmu_csr_req req = {
		.num = (uint16_t)(insn >> 20),
		.op = (enum pmu_csr_op)(funct3 - 1),
		.read = true,
		.write = funct3 == 1 || rs1 != 0,
		.value = s->ctx->state.x[rs1],
	};
	uint64_t old;

	if ((insn & 0x7f) != 0x73 || funct3 < 1 || funct3 > 3 ||
	    !s->e->ops->quiet(s->e->host, &req, &old))
		return false;
	if (rd)
		s->ctx->state.x[rd] = old;
	return true;
}

/* An instruction of the host's. True: go on. */
static bool execute(struct step *s, uint32_t insn)
{
	const struct engine_exit exit = { .kind = ENGINE_EXIT_INSN,
					  .insn = insn,
					  .len = 4,
					  .pc = s->ctx->state.pc };

	if (!fake.offers || !is_made_quietly(s, insn))
		return leave(s, &exit);
	fake.quiet++;
	retire(s, PMU_EV_INSNS, exit.pc + exit.len);
	return true;
}

static bool access_fails(struct step *s, const struct fake_op *op)
{
	return fault(s,
		     op->kind == FAKE_WRITE ? PMU_CAUSE_STORE_ACCESS
					    : PMU_CAUSE_LOAD_ACCESS,
		     op->value);
}

/* One operation. True: go on, as far as the host is concerned. */
static bool perform(struct step *s, const struct fake_op *op)
{
	struct hart_state *h = &s->ctx->state;
	uint64_t next = h->pc + 4;
	struct engine_walk walk = { .vaddr = op->value,
				    .access = PMU_ACCESS_LOAD,
				    .executes = true };

	switch (op->kind) {
	case FAKE_NOP:
		retire(s, PMU_EV_INSNS, next);
		return true;
	case FAKE_LI:
		h->x[op->reg] = op->value;
		retire(s, PMU_EV_INSNS, next);
		return true;
	case FAKE_LOAD:
		retire(s, PMU_EV_LOADS, next);
		return true;
	case FAKE_STORE:
		retire(s, PMU_EV_STORES, next);
		return true;
	case FAKE_JUMP:
		retire(s, PMU_EV_BRANCHES, op->value);
		return true;
	case FAKE_LOOP:
		retire(s, PMU_EV_BRANCHES, --h->x[op->reg] ? op->value : next);
		return true;
	case FAKE_READ:
	case FAKE_WRITE:
		if (!access_device(s, op))
			return access_fails(s, op);
		retire(s, op->kind == FAKE_READ ? PMU_EV_LOADS : PMU_EV_STORES,
		       next);
		return true;
	case FAKE_NATIVE:
		if (!s->e->ops->translate(s->e->host, &walk))
			return fault(s, walk.cause, op->value);
		retire(s, PMU_EV_LOADS, next);
		return true;
	case FAKE_INSN:
		return execute(s, (uint32_t)op->value);
	case FAKE_FAULT:
		break;
	}
	return fault(s, op->cause, op->value);
}

static bool is_break(const struct engine *e, uint64_t pc)
{
	for (size_t i = 0; i < e->n_breaks; i++)
		if (e->breaks[i] == pc)
			return true;
	return false;
}

static bool limit_reached(const struct engine_budget *b)
{
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		if (b->done.n[i] >= b->limit.n[i])
			return true;
	return false;
}

static int run(struct step *s)
{
	for (unsigned n = 1;; n++) {
		uint64_t pc = s->ctx->state.pc;
		uint64_t i = (pc - fake.base) / 4;
		bool on;

		if (limit_reached(s->budget))
			return ENGINE_STOP_LIMIT;
		if (is_break(s->e, pc) &&
		    !(s->ctx->passing && s->ctx->pass_pc == pc)) {
			s->ctx->passing = true;
			s->ctx->pass_pc = pc;
			return ENGINE_STOP_BREAK;
		}
		if (n % fake.block == 0 &&
		    s->budget->done.n[PMU_EV_INSNS] >= s->budget->soft)
			return ENGINE_STOP_SOFT;
		s->ctx->passing = false;
		if (pc < fake.base || i >= fake.n)
			on = fault(s, PMU_CAUSE_FETCH_ACCESS, pc);
		else
			on = perform(s, &fake.ops[i]);
		if (!on)
			return ENGINE_STOP_HOST;
	}
}

int engine_run(struct engine *e, struct engine_ctx *ctx,
	       enum engine_regime regime, struct engine_budget *budget)
{
	struct step s = { e, ctx, budget };
	int stop;

	assert(!e->running);
	fake.runs++;
	fake.runs_of[regime]++;
	if (e->last && e->last != ctx) {
		fake.switches++;
		ctx->state.reserved = false;
	}
	e->last = ctx;
	if (fake.fail)
		return -ENGINE_EBROKEN;
	e->running = true;
	stop = run(&s);
	e->running = false;
	return stop;
}
