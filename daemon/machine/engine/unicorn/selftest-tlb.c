/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self test of what TLBs are spared (fast/tlb.h). Fences of one page: two
 * pages change places and one of them is fenced, so each slot sees that one as
 * it is now and the other as it was. Translation: code is written again after
 * it was translated again, so that an entry has to notice.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-word.h>

enum {
	FENCED = SELFTEST_DATA,
	KEPT = SELFTEST_DATA + PAGE_SIZE,
	WRITTEN = SELFTEST_CODE + 8,
	ADDI_7 = 0x00038393, /* addi x7, x7, 0 */
};

/* Do both words read as wanted, in blocks or, with @steps, step by step? */
static bool reads(struct boot *boot, struct engine_ctx *ctx,
		  enum engine_regime regime, bool steps, const uint8_t words[2])
{
	struct hart_state state = { .pc = SELFTEST_CODE };

	state.x[6] = FENCED;
	state.x[7] = KEPT;
	engine_ctx_load(boot->e, ctx, &state);
	return selftest_execute(boot, ctx, regime, steps ? 2 : SELFTEST_MOST) ==
		       (steps ? ENGINE_STOP_LIMIT : ENGINE_STOP_HOST) &&
	       engine_get(boot->e, ctx, 5) == words[0] &&
	       engine_get(boot->e, ctx, 8) == words[1];
}

static bool page_holds(struct boot *boot, struct engine_ctx *ctx,
		       enum engine_regime regime, bool steps)
{
	static const uint8_t before[] = { 1, 2 }, after[] = { 2, 2 };
	struct engine *e = boot->e;
	bool good;

	engine_flush_tlb(e);
	good = reads(boot, ctx, regime, steps, before);
	boot->swapped = true;
	/* not the TLBs, so that what they still hold is what is seen */
	leaves_drop(&e->leaves);
	tlbs_empty_page(e, FENCED);
	good = good && reads(boot, ctx, regime, steps, after);
	boot->swapped = false;
	return good;
}

static const char *pages_failure(struct boot *boot, struct engine_ctx *ctx)
{
	static const uint32_t loads[SELFTEST_WORDS] = {
		0x00032283, /* lw x5, 0(x6) */
		0x0003a403, /* lw x8, 0(x7) */
		0x00000013, /* nop */
		PMU_WORD_EBREAK,
	};
	struct engine *e = boot->e;
	bool good = true;

	for (size_t i = 0; i < 3; i++) {
		if (e->slots[i] == NULL)
			continue;
		e->slots[i]->cpu = fast_cpu(e->slots[i]->uc);
		if (e->slots[i]->cpu == NULL)
			return "the CPU was not met";
	}
	memset(e->scratch + FENCED, 0, 2 * PAGE_SIZE);
	e->scratch[FENCED] = 1;
	e->scratch[KEPT] = 2;
	selftest_put(e, loads);
	good = page_holds(boot, ctx, ENGINE_KERNEL, false) &&
	       page_holds(boot, ctx, ENGINE_KERNEL, true);
	if (e->slots[ENGINE_USER] != NULL)
		good = good && page_holds(boot, ctx, ENGINE_USER, false);
	return good ? NULL : "a page is not emptied alone";
}

static int run(struct boot *boot, struct engine_ctx *ctx,
	       enum engine_regime regime)
{
	return selftest_execute(boot, ctx, regime, SELFTEST_MOST);
}

/* Is what is written to WRITTEN what runs there, each time, without fence.i? */
static bool writes_hold(struct boot *boot, struct engine_ctx *ctx,
			enum engine_regime regime)
{
	static const uint32_t code[SELFTEST_WORDS] = {
		0x00532023, /* sw x5, 0(x6) */
		PMU_WORD_EBREAK,
		ADDI_7,
		PMU_WORD_EBREAK,
	};
	struct engine *e = boot->e;
	uint64_t sum = 0;

	engine_flush_tlb(e);
	selftest_put(e, code);
	for (uint64_t i = 0; i < 4; i++) {
		struct hart_state state = { .pc = WRITTEN };

		state.x[5] = ADDI_7 | (i + 1) << 20;
		state.x[6] = WRITTEN;
		state.x[7] = sum;
		sum += i; /* as written last */
		engine_ctx_load(e, ctx, &state);
		if (run(boot, ctx, regime) != ENGINE_STOP_HOST ||
		    engine_get(e, ctx, 7) != sum)
			return false;
		engine_set(e, ctx, ENGINE_PC, SELFTEST_CODE);
		if (run(boot, ctx, regime) != ENGINE_STOP_HOST)
			return false;
	}
	return true;
}

static const char *clean_failure(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	bool good = writes_hold(boot, ctx, ENGINE_KERNEL);

	if (e->slots[ENGINE_USER] != NULL)
		good = good && writes_hold(boot, ctx, ENGINE_USER);
	if (!good)
		return "a write to code is not noticed";
	return e->clean.taken ? NULL : "translation is not as expected";
}

void selftest_tlb(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	const char *why = NULL;

	if (e->cfg.mode == ENGINE_PORTABLE)
		why = "portable is what is wanted";
	else if (e->cfg.step_only)
		why = "each instruction is stepped";
	else if (!fast_tlb_linked())
		why = "Unicorn is a shared library, or not for this host";
	e->pages.off = why ? why : pages_failure(boot, ctx);
	e->clean.off = why; /* on, for its test */
	if (why == NULL)
		e->clean.off = clean_failure(boot, ctx);
}
