/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self test of exits inside generated code (fast/helper-exit.h): finds
 * where a slot keeps its registers, and tries each kind of exit. It decides
 * whether a slot has them; where something is not as expected all slots leave
 * by exceptions.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-field.h>
#include <pmu/insn-word.h>

enum {
	ALIAS = 0xe5000, /* the code page again, a pc that nothing else has */
	STEP = 0x01010101,
	ECALL = PMU_WORD_ECALL,
	EBREAK = PMU_WORD_EBREAK,
	SRET = PMU_WORD_SRET,
	MRET = PMU_WORD_MRET,
	CUSTOM_0 = 0x0000000b,
	CSRRW_5_6 = 0x340312f3,
	CSRRS_7_6 = 0x340323f3,
	CSRRC_8_6 = 0x34033473,
	CSRRWI_0 = 0x3402d073,
	MAGIC = 0x5a5e0f0d,
};

/* All registers differ, so there is one place where they are. */
static bool find_registers(struct boot *boot, struct engine_ctx *ctx,
			   enum engine_regime regime)
{
	static const uint32_t code[SELFTEST_WORDS] = { ECALL };
	struct slot *s = boot->e->slots[regime];
	struct fast_probe probe = { .pc = ALIAS, .xlen = boot->e->cfg.xlen };
	struct hart_state state = { .pc = ALIAS };
	int stop;

	for (unsigned i = 1; i < 32; i++)
		probe.x[i] = state.x[i] = (uint64_t)i * STEP;
	probe.x[31] += boot->e->cfg.spoil == FAST_SPOIL_X;
	probe.pc += boot->e->cfg.spoil == FAST_SPOIL_PC;
	selftest_put(boot->e, code);
	s->exits.env = (struct fast_env){ .at = NULL };
	s->exits.probe = &probe;
	stop = selftest_go(boot, ctx, regime, &state);
	s->exits.probe = NULL;
	return stop == ENGINE_STOP_HOST && s->exits.env.at != NULL;
}

/* Where the register of a width @xlen that holds MAGIC is; 0: not known. */
static size_t find_magic(const struct engine_ctx *ctx, size_t size,
			 unsigned xlen)
{
	const char *at = (const char *)ctx->regs;
	const uint64_t magic = MAGIC;
	size_t word = xlen / 8, found = 0;

	for (size_t off = 0; off + word <= size; off += 4) {
		if (memcmp(at + off, &magic, word) != 0)
			continue;
		if (found != 0)
			return 0;
		found = off;
	}
	return found;
}

/* Has the CPU at @words the same as the context? */
static bool are_same(const struct slot *s, const struct engine_ctx *ctx,
		     size_t words)
{
	const struct engine *e = s->e;
	const size_t offs[] = { e->layout.mstatus, e->layout.load_res,
				e->layout.load_val };
	bool same = true;

	for (size_t i = 0; i < sizeof(offs) / sizeof(offs[0]); i++)
		same = same && memcmp(s->exits.env.at + (words + offs[i]),
				      (const char *)ctx->regs + offs[i],
				      e->cfg.xlen / 8) == 0;
	return same;
}

/*
 * The CPU has its words as far from each other as a saved context has them:
 * those that are read or changed there are compared, with two values of FS.
 */
static bool find_words(struct boot *boot, struct engine_ctx *ctx,
		       enum engine_regime regime)
{
	static const struct engine_reservation r = { ~MAGIC, MAGIC / 3 };
	struct engine *e = boot->e;
	struct slot *s = e->slots[regime];
	struct hart_state state = { .x[5] = MAGIC, .fp_on = true };
	unsigned xlen = e->cfg.xlen;
	size_t x5, words;
	bool same = true;

	engine_ctx_load(e, ctx, &state);
	engine_take_reservation(e, ctx, &r);
	x5 = find_magic(ctx, uc_context_size(s->uc), xlen);
	if (x5 == 0)
		return false;
	words = s->exits.env.x + 5 * xlen / 8 - x5;
	if (e->cfg.spoil == FAST_SPOIL_WORDS)
		words += sizeof(uint32_t);
	for (unsigned on = 0; on < 2; on++) {
		engine_set_fp(e, ctx, on);
		regs_bind(e, ctx, s);
		same = same && are_same(s, ctx, words);
	}
	engine_drop_reservation(e, ctx);
	s->exits.env.words = same ? words : 0;
	return same;
}

/* As a host: rd gets the place; ecall, sret and mret skip what follows. */
static bool skips(uint32_t insn)
{
	return insn == ECALL || insn == SRET || insn == MRET;
}

static enum engine_next answer(struct boot *boot)
{
	struct engine_exit *exit = &boot->exit;
	struct engine_ctx *ctx = boot->e->live;

	/* nor on without end, where something is not as expected */
	if (exit->insn == EBREAK ||
	    exit->pc - SELFTEST_CODE >= SELFTEST_WORDS * 4)
		return ENGINE_STOP;
	if (skips(exit->insn)) {
		engine_set(boot->e, ctx, ENGINE_PC, exit->pc + 8);
		return ENGINE_RESUME;
	}
	engine_set(boot->e, ctx, pmu_insn_rd(exit->insn),
		   engine_get(boot->e, ctx, 6) + exit->pc);
	engine_set(boot->e, ctx, ENGINE_PC, exit->pc + 4);
	return ENGINE_RESUME;
}

static const struct exits_row {
	uint32_t code[SELFTEST_WORDS];
	uint64_t inside; /* exits that are */
	uint64_t x[4];	 /* x5 to x8 behind them; x6 is 1 before */
} exits_rows[] = {
	{ { CSRRW_5_6, CSRRS_7_6, CSRRC_8_6, EBREAK },
	  3,
	  { SELFTEST_CODE + 1, 1, SELFTEST_CODE + 5, SELFTEST_CODE + 9 } },
	{ { CSRRWI_0, ECALL, CSRRW_5_6, EBREAK }, 2, { 0, 1, 0, 0 } },
	{ { SRET, ECALL, CSRRW_5_6, EBREAK },
	  2,
	  { SELFTEST_CODE + 9, 1, 0, 0 } },
	{ { CSRRWI_0, MRET, ECALL, EBREAK }, 2, { 0, 1, 0, 0 } },
	{ { CUSTOM_0, CSRRW_5_6, CSRRW_5_6, EBREAK },
	  3,
	  { SELFTEST_CODE + 9, 1, 0, 0 } },
};

/* Twice, as generated code is new the first time. */
static bool row_holds(struct boot *boot, struct engine_ctx *ctx,
		      enum engine_regime regime, const struct exits_row *row)
{
	struct slot *s = boot->e->slots[regime];

	selftest_put(boot->e, row->code);
	for (unsigned again = 0; again < 2; again++) {
		struct hart_state state = { .pc = SELFTEST_CODE, .x[6] = 1 };
		uint64_t inside = s->exits.n_inside;

		if (selftest_go(boot, ctx, regime, &state) !=
			    ENGINE_STOP_HOST ||
		    s->exits.n_inside - inside != row->inside ||
		    engine_get(boot->e, ctx, ENGINE_PC) != SELFTEST_CODE + 12)
			return false;
		for (unsigned i = 0; i < 4; i++)
			if (engine_get(boot->e, ctx, 5 + i) != row->x[i])
				return false;
	}
	return true;
}

bool selftest_exits_rows(struct boot *boot, struct engine_ctx *ctx,
			 enum engine_regime regime)
{
	bool good = true;

	boot->answer = answer;
	for (size_t i = 0; i < sizeof(exits_rows) / sizeof(exits_rows[0]); i++)
		good = good && row_holds(boot, ctx, regime, &exits_rows[i]);
	boot->answer = NULL;
	return good;
}

/* Of one slot: NULL, or why not. */
static const char *failure(struct boot *boot, struct engine_ctx *ctx,
			   enum engine_regime regime)
{
	struct slot *s = boot->e->slots[regime];

	s->exits.inside = NULL;
	if (!find_registers(boot, ctx, regime) ||
	    !find_words(boot, ctx, regime))
		return "registers are not where they were looked for";
	if (boot->e->cfg.spoil == FAST_SPOIL_OUT)
		s->exits.env.out++;
	s->exits.inside = exits_inside;
	s->exits.quiet = exits_quiet;
	if (!selftest_exits_rows(boot, ctx, regime))
		return "an exit is not as by an exception";
	return selftest_quiet_rows(boot, ctx, regime)
		       ? NULL
		       : "an access to a CSR is not told as it is";
}

const char *selftest_exits(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	const char *why = NULL;

	if (e->cfg.mode == ENGINE_PORTABLE)
		return "portable is what is wanted";
	if (e->cfg.step_only)
		return "each instruction is stepped";
	if (!fast_exits_linked())
		return "Unicorn is a shared library, or not for this host";
	why = failure(boot, ctx, ENGINE_KERNEL);
	if (why == NULL && e->slots[ENGINE_USER] != NULL)
		why = failure(boot, ctx, ENGINE_USER);
	for (size_t i = 0; i < 2 && why != NULL; i++) {
		if (e->slots[i] == NULL)
			continue;
		e->slots[i]->exits.inside = NULL;
		e->slots[i]->exits.env = (struct fast_env){ .at = NULL };
	}
	return why;
}
