/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The host of the self test: a few pages, each there twice, and exits that are
 * kept.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-word.h>

static bool boot_translate(void *host, struct engine_walk *walk)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_PAGE,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_PAGE,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_PAGE,
	};
	const struct boot *boot = host;

	walk->cause = causes[walk->access];
	if (walk->vaddr >= SELFTEST_NOWHERE)
		return false;
	walk->paddr = boot->e->scratch_base + walk->vaddr % (2 * SELFTEST_DATA);
	if (boot->swapped && walk->paddr & SELFTEST_DATA)
		walk->paddr ^= PAGE_SIZE;
	walk->perms = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X;
	return true;
}

static uint8_t boot_watched(void *host, uint64_t vaddr)
{
	return 0;
}

static bool boot_mmio(void *host, struct engine_mmio *access)
{
	return false;
}

static enum engine_next boot_exit(void *host, const struct engine_exit *exit)
{
	struct boot *boot = host;

	boot->exit = *exit;
	return boot->answer ? boot->answer(boot) : ENGINE_STOP;
}

static bool boot_quiet(void *host, struct pmu_csr_req *req, uint64_t *ret_old)
{
	return selftest_answer_quiet(host, req, ret_old);
}

const struct engine_host_ops selftest_ops = {
	.translate = boot_translate,
	.watched = boot_watched,
	.mmio = boot_mmio,
	.on_exit = boot_exit,
	.quiet = boot_quiet,
};

void selftest_put(struct engine *e, const uint32_t *words)
{
	memcpy(e->scratch + SELFTEST_CODE, words,
	       SELFTEST_WORDS * sizeof(*words));
	engine_ram_written(e, e->scratch_base + SELFTEST_CODE, PAGE_SIZE);
}

int selftest_execute(struct boot *boot, struct engine_ctx *ctx,
		     enum engine_regime regime, uint64_t insns)
{
	struct engine_budget budget = { .soft = UINT64_MAX };

	memset(&budget.limit, 0xff, sizeof(budget.limit));
	budget.limit.n[PMU_EV_INSNS] = insns;
	return engine_run(boot->e, ctx, regime, &budget);
}

int selftest_go(struct boot *boot, struct engine_ctx *ctx,
		enum engine_regime regime, const struct hart_state *state)
{
	engine_ctx_load(boot->e, ctx, state);
	return selftest_execute(boot, ctx, regime, SELFTEST_MOST);
}

void selftest_put_loads(struct engine *e)
{
	static const uint32_t loads[SELFTEST_WORDS] = {
		0x00032283, /* lw x5, 0(x6) */
		0x0003a403, /* lw x8, 0(x7) */
		0x00000013, /* nop */
		PMU_WORD_EBREAK,
	};

	memset(e->scratch + SELFTEST_DATA, 0, 2 * PAGE_SIZE);
	e->scratch[SELFTEST_DATA] = 1;
	e->scratch[SELFTEST_OTHER] = 2;
	selftest_put(e, loads);
}

bool selftest_loads(struct boot *boot, struct engine_ctx *ctx,
		    enum engine_regime regime, bool steps,
		    const uint8_t words[2])
{
	struct hart_state state = { .pc = SELFTEST_CODE };

	state.x[6] = SELFTEST_DATA;
	state.x[7] = SELFTEST_OTHER;
	engine_ctx_load(boot->e, ctx, &state);
	return selftest_execute(boot, ctx, regime, steps ? 2 : SELFTEST_MOST) ==
		       (steps ? ENGINE_STOP_LIMIT : ENGINE_STOP_HOST) &&
	       engine_get(boot->e, ctx, 5) == words[0] &&
	       engine_get(boot->e, ctx, 8) == words[1];
}
