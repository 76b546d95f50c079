/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Start-up measurements: drops a Unicorn CPU to U-mode, and finds
 * words of the saved context that Unicorn's interface does not reach from
 * there, by looking at what changes when they must:
 *   mstatus   FS off turns floating point into traps
 *   priv      the privilege, by which Unicorn has TLBs of their own
 *   priv_ver  an old privileged version makes user counters obey mcounteren,
 *             which is 0: their reads trap like any other CSR access
 *   load_res  the address of the LR reservation
 *   load_val  what LR read there, which SC wants to find again
 */
#include "adapter.h"

#include <string.h>

#include <pmu/csr-field.h>
#include <pmu/insn-word.h>

enum {
	JUMP_SELF = 0x0000006f,
	LR_W_X0_X5 = 0x1002a02f,
	PRIV_1_09 = 0x00010901,
	PRIV_1_10 = 0x00011000,
	PRIV_1_11 = 0x00011100,
	CODE = PAGE_SIZE, /* page 1 of the scratch memory */
	DATA = 2 * PAGE_SIZE,
	RESERVED = 0x5e5e0f1a, /* the word there */
	PRIV_U = 0,
	PRIV_M = 3,
};

#define MSTATUS32_SD 0x80000000u

static uint32_t word_at(const uc_context *ctx, size_t off)
{
	uint32_t word;

	memcpy(&word, (const char *)ctx + off, sizeof(word));
	return word;
}

/* Is a 32-bit word the one looked for, by what it was and is? */
typedef bool match_fn(uint32_t before, uint32_t after);

/* FS and nothing else but RV32's SD: pointers differ in these bits, too. */
static bool is_mstatus(uint32_t before, uint32_t after)
{
	return !(before & PMU_MSTATUS_FS) &&
	       ((before ^ after) & ~MSTATUS32_SD) == PMU_MSTATUS_FS;
}

static bool is_priv_ver(uint32_t before, uint32_t after)
{
	return before == PRIV_1_11 || before == PRIV_1_10;
}

static bool is_priv(uint32_t before, uint32_t after)
{
	return before == PRIV_M && after == PRIV_U;
}

static bool is_load_res(uint32_t before, uint32_t after)
{
	return before == UINT32_MAX && after == DATA;
}

static bool is_load_val(uint32_t before, uint32_t after)
{
	return before != RESERVED && after == RESERVED;
}

/* The only match, or 0: none or several. */
static size_t find(const uc_context *before, const uc_context *after,
		   size_t size, match_fn *match)
{
	size_t found = 0;

	for (size_t off = 0; off + 4 <= size; off += 4) {
		if (!match(word_at(before, off), word_at(after, off)))
			continue;
		if (found != 0)
			return 0;
		found = off;
	}
	return found;
}

static void put_word(struct engine *e, unsigned at, uint32_t word)
{
	memcpy(e->scratch + at, &word, sizeof(word));
}

/* In M-mode, where a Unicorn CPU starts. */
static bool find_mstatus(struct engine *e, uc_context *before)
{
	uc_engine *uc = e->slots[ENGINE_KERNEL]->uc;
	uint64_t off = 0, on = PMU_MSTATUS_FS;
	size_t size = uc_context_size(uc);

	uc_reg_write(uc, UC_RISCV_REG_MSTATUS, &off);
	/* The same memory twice: bytes left unwritten cannot differ. */
	uc_context_save(uc, e->template);
	memcpy(before, e->template, size);
	uc_reg_write(uc, UC_RISCV_REG_MSTATUS, &on);
	uc_context_save(uc, e->template);
	e->layout.mstatus = find(before, e->template, size, is_mstatus);
	return e->layout.mstatus != 0;
}

/* Straight on Unicorn, from CODE: the adapter is not ready for a run yet. */
static uc_err run_alone(struct engine *e, struct engine_ctx *ctx,
			uint64_t limit)
{
	struct slot *s = e->slots[ENGINE_KERNEL];
	struct engine_budget budget = { .soft = UINT64_MAX };
	uc_err err;

	memset(&budget.limit, 0xff, sizeof(budget.limit));
	budget.limit.n[PMU_EV_INSNS] = limit;
	e->live = ctx;
	e->live_slot = s;
	e->budget = &budget;
	e->out = OUT_NONE;
	err = uc_emu_start(s->uc, CODE, 0, 0, 0);
	e->live = NULL;
	e->live_slot = NULL;
	return err;
}

/* Runs one mret to U-mode, stopped by its limit, and keeps the context. */
static bool drop(struct engine *e, struct engine_ctx *ctx)
{
	uc_engine *uc = e->slots[ENGINE_KERNEL]->uc;
	uint64_t mepc = CODE + 8;
	uc_err err;

	put_word(e, CODE, PMU_WORD_MRET);
	put_word(e, CODE + 8, JUMP_SELF);
	uc_reg_write(uc, UC_RISCV_REG_MEPC, &mepc);
	err = run_alone(e, ctx, 1);
	uc_context_save(uc, e->template);
	return !err && e->out == OUT_LIMIT && ctx->pc == mepc;
}

static void set_priv_ver(struct engine *e)
{
	size_t size = uc_context_size(e->slots[ENGINE_KERNEL]->uc);
	uint32_t old = PRIV_1_09;

	if (!e->cfg.stop_at_counters)
		e->layout.priv_ver =
			find(e->template, e->template, size, is_priv_ver);
	e->counters_trap = e->layout.priv_ver != 0;
	if (e->counters_trap)
		memcpy((char *)e->template + e->layout.priv_ver, &old,
		       sizeof(old));
}

static bool run_lr(struct engine *e, struct engine_ctx *ctx, uc_context *before,
		   uc_context *after)
{
	struct slot *s = e->slots[ENGINE_KERNEL];
	uint64_t addr = DATA;

	put_word(e, CODE, LR_W_X0_X5);
	put_word(e, CODE + 4, PMU_WORD_EBREAK);
	put_word(e, DATA, RESERVED);
	engine_ram_written(e, e->scratch_base + CODE, PAGE_SIZE);
	fence_run(e);
	slot_flush(s);
	uc_context_restore(s->uc, e->template);
	uc_reg_write(s->uc, UC_RISCV_REG_X5, &addr);
	uc_context_save(s->uc, before);
	run_alone(e, ctx, UINT64_MAX);
	uc_context_save(s->uc, after);
	return slot_pc(s) == CODE + 4;
}

static bool find_reservation(struct engine *e, struct engine_ctx *ctx)
{
	uc_engine *uc = e->slots[ENGINE_KERNEL]->uc;
	size_t size = uc_context_size(uc);
	uc_context *after;
	bool ran;

	if (uc_context_alloc(uc, &after))
		return false;
	ran = run_lr(e, ctx, ctx->regs, after);
	e->layout.load_res = find(ctx->regs, after, size, is_load_res);
	e->layout.load_val = find(ctx->regs, after, size, is_load_val);
	uc_context_free(after);
	return ran && e->layout.load_res != 0 && e->layout.load_val != 0;
}

static int find_all(struct engine *e, struct engine_ctx *ctx)
{
	struct slot *s = e->slots[ENGINE_KERNEL];

	if (uc_context_alloc(s->uc, &e->template))
		return -ENGINE_ENOMEM;
	if (!find_mstatus(e, ctx->regs)) {
		engine_fail(e, "self test: mstatus not found");
		return -ENGINE_ESELFTEST;
	}
	if (!drop(e, ctx)) {
		engine_fail(e, "self test: no way to U-mode");
		return -ENGINE_ESELFTEST;
	}
	/* @ctx is still of M-mode */
	e->layout.priv =
		find(ctx->regs, e->template, uc_context_size(s->uc), is_priv);
	set_priv_ver(e);
	if (!find_reservation(e, ctx)) {
		engine_fail(e, "self test: reservation not found");
		return -ENGINE_ESELFTEST;
	}
	return 0;
}

int layout_find(struct engine *e)
{
	struct engine_ctx ctx = { .pc = 0 };
	int err;

	if (uc_context_alloc(e->slots[ENGINE_KERNEL]->uc, &ctx.regs))
		return -ENGINE_ENOMEM;
	err = find_all(e, &ctx);
	uc_context_free(ctx.regs);
	return err;
}
