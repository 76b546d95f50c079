/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The self test of what TLBs are spared (fast/tlb.h). Fences of one page: two
 * pages change places and one of them is fenced, so each slot sees that one as
 * it is now and the other as it was. Translation: code is written through an
 * entry that let its page be written before, which has to notice.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-word.h>

enum {
	FENCED = SELFTEST_DATA,
	WRITTEN = SELFTEST_CODE + 8,
	ADDI_7 = 0x00038393, /* addi x7, x7, 0 */
};

static bool page_holds(struct boot *boot, struct engine_ctx *ctx,
		       enum engine_regime regime, bool steps)
{
	static const uint8_t before[] = { 1, 2 }, after[] = { 2, 2 };
	struct engine *e = boot->e;
	bool good;

	selftest_put_loads(e);
	engine_flush_tlb(e);
	good = selftest_loads(boot, ctx, regime, steps, before);
	boot->swapped = true;
	/* not the TLBs, so that what they still hold is what is seen */
	leaves_drop(&e->leaves);
	tlbs_empty_page(e, FENCED);
	good = good && selftest_loads(boot, ctx, regime, steps, after);
	boot->swapped = false;
	return good;
}

static const char *pages_failure(struct boot *boot, struct engine_ctx *ctx)
{
	struct engine *e = boot->e;
	bool good = true;

	for (size_t i = 0; i < 3; i++) {
		if (e->slots[i] == NULL)
			continue;
		e->slots[i]->cpu = fast_cpu(e->slots[i]->uc);
		if (e->slots[i]->cpu == NULL)
			return "the CPU was not met";
	}
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

/*
 * The page is written beside its code, code of it is translated, and this is
 * written, without fence.i: is what runs then what was written?
 */
static bool writes_hold(struct boot *boot, struct engine_ctx *ctx,
			enum engine_regime regime)
{
	static const uint32_t code[SELFTEST_WORDS] = {
		0x00532023, /* sw x5, 0(x6) */
		PMU_WORD_EBREAK,
		ADDI_7,
		PMU_WORD_EBREAK,
	};
	static const struct {
		uint64_t pc, at, sum;
	} rows[] = {
		{ SELFTEST_CODE, WRITTEN + 8, 0 },
		{ WRITTEN, 0, 0 },
		{ SELFTEST_CODE, WRITTEN, 0 },
		{ WRITTEN, 0, 1 },
	};
	struct engine *e = boot->e;

	engine_flush_tlb(e);
	selftest_put(e, code);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct hart_state state = { .pc = rows[i].pc };

		state.x[5] = ADDI_7 | 1 << 20;
		state.x[6] = rows[i].at;
		engine_ctx_load(e, ctx, &state);
		if (run(boot, ctx, regime) != ENGINE_STOP_HOST ||
		    engine_get(e, ctx, 7) != rows[i].sum)
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

bool selftest_tlb_rows(struct boot *boot, struct engine_ctx *ctx)
{
	const struct engine *e = boot->e;

	return (e->pages.off || page_holds(boot, ctx, ENGINE_KERNEL, false)) &&
	       (e->clean.off || writes_hold(boot, ctx, ENGINE_KERNEL));
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
