/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers: contexts of harts, and in which slot the registers of the last
 * one that ran are. Contexts move by uc_context, which is quick, but leaves
 * out fflags; these are carried beside it. mstatus.FS, which Unicorn's
 * interface does not write in U-mode, and the reservation, which has no name
 * there, are words of the saved context, and of the CPU where it is known how
 * far from each other the two are.
 */
#include "adapter.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/csr-field.h>

static uint32_t read_fcsr(struct slot *s)
{
	uint64_t value = 0;

	uc_reg_read(s->uc, UC_RISCV_REG_FCSR, &value);
	return (uint32_t)value & 0xff;
}

static void write_fcsr(struct slot *s, uint64_t value)
{
	uc_reg_write(s->uc, UC_RISCV_REG_FCSR, &value);
}

/* In the slot's CPU, and words of a context in their place there? */
static bool is_at_hand(const struct engine *e, const struct engine_ctx *ctx)
{
	return ctx == e->live && e->live_slot->exits.env.words != 0;
}

/* Where a word is that a saved context has at @off, which is layout.c's. */
static char *place(const struct engine *e, const struct engine_ctx *ctx,
		   size_t off)
{
	return is_at_hand(e, ctx) ? fast_env_word(e->live_slot, off)
				  : (char *)ctx->regs + off;
}

static uint32_t get_word(const struct engine *e, const struct engine_ctx *ctx,
			 size_t off)
{
	uint32_t word;

	memcpy(&word, place(e, ctx, off), sizeof(word));
	return word;
}

static void set_word(const struct engine *e, struct engine_ctx *ctx, size_t off,
		     uint32_t word)
{
	memcpy(place(e, ctx, off), &word, sizeof(word));
}

static void save_context(struct slot *s, uc_context *regs)
{
	const uint32_t user = 0;

	uc_context_save(s->uc, regs);
	if (s->spaces.n > 1) /* another slot may get it */
		memcpy((char *)regs + s->e->layout.priv, &user, sizeof(user));
}

static void save(struct slot *s, struct engine_ctx *ctx)
{
	save_context(s, ctx->regs);
	if (ctx->fp_on)
		ctx->fcsr = read_fcsr(s);
}

static void put_context(struct slot *s, uc_context *regs)
{
	uc_context_restore(s->uc, regs);
	slot_use_space(s);
}

/* Before words are read or changed; fcsr stays where it is. */
static void open_words(const struct engine *e, struct engine_ctx *ctx)
{
	if (ctx == e->live && !is_at_hand(e, ctx))
		save_context(e->live_slot, ctx->regs);
}

/* Behind a change of them. */
static void close_words(const struct engine *e, struct engine_ctx *ctx)
{
	if (ctx == e->live && !is_at_hand(e, ctx))
		put_context(e->live_slot, ctx->regs);
}

static void restore(struct slot *s, const struct engine_ctx *ctx)
{
	put_context(s, ctx->regs);
	if (ctx->fp_on)
		write_fcsr(s, ctx->fcsr);
}

void regs_bind(struct engine *e, struct engine_ctx *ctx, struct slot *s)
{
	assert(ctx);
	if (e->live == ctx && e->live_slot == s)
		return;
	if (e->live != NULL)
		save(e->live_slot, e->live);
	restore(s, ctx);
	e->live = ctx;
	e->live_slot = s;
}

/*
 * A slot that holds the registers of @ctx: its own, or one that is idle. After
 * writing to it, put_back().
 */
static struct slot *borrow(struct engine *e, struct engine_ctx *ctx)
{
	struct slot *s;

	if (ctx == e->live)
		return e->live_slot;
	s = e->live_slot == e->step ? e->slots[ENGINE_KERNEL] : e->step;
	restore(s, ctx);
	return s;
}

static void put_back(struct engine *e, struct engine_ctx *ctx, struct slot *s)
{
	if (ctx != e->live)
		save(s, ctx);
}

uint64_t regs_x(struct slot *s, unsigned n)
{
	uint64_t value = 0;

	if (s->exits.env.at != NULL)
		return fast_env_x(s, n);
	if (n != 0)
		uc_reg_read(s->uc, UC_RISCV_REG_X0 + (int)n, &value);
	return value;
}

void regs_set_x(struct slot *s, unsigned n, uint64_t value)
{
	if (n != 0 && s->exits.env.at != NULL)
		fast_env_set_x(s, n, value);
	else if (n != 0)
		uc_reg_write(s->uc, UC_RISCV_REG_X0 + (int)n, &value);
}

uint64_t regs_f(struct slot *s, unsigned n)
{
	uint64_t value = 0;

	uc_reg_read(s->uc, UC_RISCV_REG_F0 + (int)n, &value);
	return value;
}

void regs_set_f(struct slot *s, unsigned n, uint64_t value)
{
	uc_reg_write(s->uc, UC_RISCV_REG_F0 + (int)n, &value);
}

uint64_t engine_get(struct engine *e, struct engine_ctx *ctx, unsigned reg)
{
	if (reg == ENGINE_PC)
		return ctx->pc;
	if (reg == ENGINE_FCSR && (ctx != e->live || !ctx->fp_on))
		return ctx->fcsr;
	if (reg == ENGINE_FCSR)
		return read_fcsr(e->live_slot);
	if (reg < ENGINE_PC)
		return regs_x(borrow(e, ctx), reg);
	reg -= ENGINE_F0;
	return float_value(&ctx->fp, reg, regs_f(borrow(e, ctx), reg));
}

void engine_get_args(struct engine *e, struct engine_ctx *ctx, uint64_t ret[8])
{
	struct slot *s = borrow(e, ctx);
	int regs[8];
	void *values[8];

	if (s->exits.env.at != NULL) {
		for (unsigned i = 0; i < 8; i++)
			ret[i] = fast_env_x(s, 10 + i);
		return;
	}
	for (int i = 0; i < 8; i++) {
		regs[i] = UC_RISCV_REG_X10 + i;
		ret[i] = 0;
		values[i] = &ret[i];
	}
	uc_reg_read_batch(s->uc, regs, values, 8);
}

static void set_fcsr(struct engine *e, struct engine_ctx *ctx, uint32_t value)
{
	ctx->fcsr = value & 0xff;
	if (ctx == e->live && ctx->fp_on)
		write_fcsr(e->live_slot, ctx->fcsr);
}

void engine_set(struct engine *e, struct engine_ctx *ctx, unsigned reg,
		uint64_t value)
{
	struct slot *s;

	/* most often it is what a trap answers */
	if (reg < ENGINE_PC && ctx == e->live) {
		regs_set_x(e->live_slot, reg, value);
		return;
	}
	if (reg == ENGINE_PC) {
		ctx->pc = value & engine_mask(e);
		return;
	}
	if (reg == ENGINE_FCSR) {
		set_fcsr(e, ctx, (uint32_t)value);
		return;
	}
	s = borrow(e, ctx);
	if (reg < ENGINE_PC) {
		regs_set_x(s, reg, value);
	} else {
		regs_set_f(s, reg - ENGINE_F0, value);
		float_written(&ctx->fp, reg - ENGINE_F0);
	}
	put_back(e, ctx, s);
}

static void patch_fs(struct engine *e, struct engine_ctx *ctx, bool on)
{
	const uint32_t fs = PMU_MSTATUS_FS;
	uint32_t word = get_word(e, ctx, e->layout.mstatus);

	set_word(e, ctx, e->layout.mstatus, on ? word | fs : word & ~fs);
}

void engine_set_fp(struct engine *e, struct engine_ctx *ctx, bool on)
{
	if (ctx->fp_on == on)
		return;
	if (ctx == e->live && !on)
		ctx->fcsr = read_fcsr(e->live_slot);
	open_words(e, ctx);
	patch_fs(e, ctx, on);
	close_words(e, ctx);
	ctx->fp_on = on;
	if (ctx == e->live && on)
		write_fcsr(e->live_slot, ctx->fcsr);
}

/* A register's width of these words. */
static uint64_t get_long(const struct engine *e, const struct engine_ctx *ctx,
			 size_t off)
{
	uint64_t high = e->cfg.xlen == 64 ? get_word(e, ctx, off + 4) : 0;

	return high << 32 | get_word(e, ctx, off);
}

static void set_long(const struct engine *e, struct engine_ctx *ctx, size_t off,
		     uint64_t value)
{
	set_word(e, ctx, off, (uint32_t)value);
	if (e->cfg.xlen == 64)
		set_word(e, ctx, off + 4, (uint32_t)(value >> 32));
}

static void set_reservation(struct engine *e, struct engine_ctx *ctx,
			    const struct engine_reservation *r)
{
	open_words(e, ctx);
	set_long(e, ctx, e->layout.load_res, r->addr);
	set_long(e, ctx, e->layout.load_val, r->value);
	close_words(e, ctx);
}

void engine_drop_reservation(struct engine *e, struct engine_ctx *ctx)
{
	static const struct engine_reservation none = { UINT64_MAX, 0 };

	if (!ctx->maybe_reserved)
		return;
	ctx->maybe_reserved = ctx->maybe_wide = false;
	set_reservation(e, ctx, &none);
}

static bool reserved(const struct engine *e, const struct engine_ctx *ctx)
{
	return get_long(e, ctx, e->layout.load_res) != engine_mask(e);
}

bool engine_give_reservation(const struct engine *e, struct engine_ctx *ctx,
			     struct engine_reservation *ret)
{
	if (e->last != ctx || !ctx->maybe_reserved)
		return false;
	open_words(e, ctx);
	ret->addr = get_long(e, ctx, e->layout.load_res);
	ret->value = get_long(e, ctx, e->layout.load_val);
	return reserved(e, ctx);
}

void engine_take_reservation(struct engine *e, struct engine_ctx *ctx,
			     const struct engine_reservation *r)
{
	assert(e->running == NULL);
	e->last = ctx;
	ctx->maybe_reserved = ctx->maybe_wide = true;
	set_reservation(e, ctx, r);
}

int engine_ctx_new(struct engine *e, struct engine_ctx **ret)
{
	static const struct hart_state reset = { .fp_on = true };
	struct engine_ctx *ctx = calloc(1, sizeof(*ctx));

	if (ctx == NULL)
		return -ENGINE_ENOMEM;
	if (uc_context_alloc(e->step->uc, &ctx->regs)) {
		free(ctx);
		return -ENGINE_ENOMEM;
	}
	engine_ctx_load(e, ctx, &reset);
	*ret = ctx;
	return 0;
}

void engine_ctx_free(struct engine *e, struct engine_ctx *ctx)
{
	if (ctx == NULL)
		return;
	assert(e->running == NULL);
	if (e->live == ctx) {
		e->live = NULL;
		e->live_slot = NULL;
	}
	if (e->last == ctx)
		e->last = NULL;
	uc_context_free(ctx->regs);
	free(ctx);
}

void engine_ctx_load(struct engine *e, struct engine_ctx *ctx,
		     const struct hart_state *state)
{
	struct slot *s = e->live == ctx ? e->live_slot : NULL;

	if (s == NULL)
		s = e->live_slot == e->step ? e->slots[ENGINE_KERNEL] : e->step;
	/* no reservation, floating point on */
	put_context(s, e->template);
	for (unsigned i = 0; i < 32; i++) {
		regs_set_x(s, i, state->x[i]);
		regs_set_f(s, i, state->f[i]);
	}
	write_fcsr(s, state->fcsr & 0xff);
	*ctx = (struct engine_ctx){
		.regs = ctx->regs,
		.pc = state->pc & engine_mask(e),
		.fp_on = true,
		.fp.now = UINT64_C(0xffffffff) << 32,
	};
	save(s, ctx);
	engine_set_fp(e, ctx, state->fp_on);
	/* inside an exit: go on from ctx->pc, not from Unicorn's */
	if (e->running != NULL && e->live == ctx)
		e->running->stale = true;
}

void engine_ctx_save(struct engine *e, struct engine_ctx *ctx,
		     struct hart_state *ret)
{
	struct slot *s = borrow(e, ctx);

	*ret = (struct hart_state){ .pc = ctx->pc, .fp_on = ctx->fp_on };
	if (ctx == e->live)
		save(s, ctx);
	ret->fcsr = ctx->fcsr;
	ret->reserved = reserved(e, ctx);
	for (unsigned i = 0; i < 32; i++) {
		ret->x[i] = regs_x(s, i);
		ret->f[i] = float_value(&ctx->fp, i, regs_f(s, i));
	}
}
