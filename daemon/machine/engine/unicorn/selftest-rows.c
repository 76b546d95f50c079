/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rows of the self test: what has to leave generated code and where, and
 * what runs there. They hold in whatever privilege of Unicorn's code runs.
 */
#include "selftest.h"

#include <string.h>

#include <pmu/insn-word.h>

enum {
	CODE = SELFTEST_CODE,
	DATA = SELFTEST_DATA,
	NOWHERE = SELFTEST_NOWHERE,
	N_WORDS = SELFTEST_WORDS,
};

/* One run from CODE to its first exit, with x6 = @x6. */
static const struct boot_row {
	const char *why;
	uint32_t code[N_WORDS];
	uint64_t x6;
	bool fp_off;
	struct engine_exit want;
} boot_rows[] = {
	{ "a CSR of M-mode traps at its pc",
	  { 0x300022f3 },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a compressed illegal instruction traps at its pc",
	  { 0x00000001 },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE + 2, .len = 2 } },
	{ "ecall traps",
	  { PMU_WORD_ECALL },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "ebreak ends the run at its pc",
	  { 0x00000013, PMU_WORD_EBREAK },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE + 4, .len = 4 } },
	{ "wfi traps",
	  { PMU_WORD_WFI },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a hypervisor load traps",
	  { 0x680342f3 },
	  .x6 = DATA,
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a fence traps",
	  { 0x12000073 },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a fence of before Priv 1.10 traps",
	  { 0x10400073 },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "sret traps",
	  { PMU_WORD_SRET },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "mret traps",
	  { PMU_WORD_MRET },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a fence of the second stage traps",
	  { 0x62000073 },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE, .len = 4 } },
	{ "a load that is not translated faults at its pc",
	  { 0x00000013, 0x00432283 },
	  .x6 = NOWHERE,
	  .want = { .kind = ENGINE_EXIT_FAULT,
		    .pc = CODE + 4,
		    .cause = PMU_CAUSE_LOAD_PAGE,
		    .tval = NOWHERE + 4 } },
	{ "a misaligned AMO is a store's fault",
	  { 0x0003202f },
	  .x6 = DATA + 2,
	  .want = { .kind = ENGINE_EXIT_FAULT,
		    .pc = CODE,
		    .cause = PMU_CAUSE_STORE_MISALIGNED,
		    .tval = DATA + 2 } },
	{ "a misaligned LR is a load's fault",
	  { 0x100322af },
	  .x6 = DATA + 2,
	  .want = { .kind = ENGINE_EXIT_FAULT,
		    .pc = CODE,
		    .cause = PMU_CAUSE_LOAD_MISALIGNED,
		    .tval = DATA + 2 } },
	{ "floating point traps while it is off",
	  { 0x00000013, 0x00000053, PMU_WORD_EBREAK },
	  .fp_off = true,
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE + 4, .len = 4 } },
	{ "floating point runs while it is on",
	  { 0x00000013, 0x00000053, PMU_WORD_EBREAK },
	  .want = { .kind = ENGINE_EXIT_INSN, .pc = CODE + 8, .len = 4 } },
};

static bool row_holds(struct boot *boot, struct engine_ctx *ctx,
		      const struct boot_row *row)
{
	struct hart_state state = { .pc = CODE, .fp_on = !row->fp_off };
	const struct engine_exit *exit = &boot->exit;

	state.x[6] = row->x6;
	selftest_put(boot->e, row->code);
	engine_ctx_load(boot->e, ctx, &state);
	memset(&boot->exit, 0, sizeof(boot->exit));
	if (selftest_execute(boot, ctx, ENGINE_KERNEL, SELFTEST_MOST) !=
	    ENGINE_STOP_HOST)
		return false;
	return exit->kind == row->want.kind && exit->pc == row->want.pc &&
	       exit->len == row->want.len && exit->cause == row->want.cause &&
	       exit->tval == row->want.tval;
}

const char *selftest_rows(struct boot *boot, struct engine_ctx *ctx)
{
	for (size_t i = 0; i < sizeof(boot_rows) / sizeof(boot_rows[0]); i++)
		if (!row_holds(boot, ctx, &boot_rows[i]))
			return boot_rows[i].why;
	return NULL;
}
