/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What generated code may take: counted for each kind of instruction, once for
 * each block, and a buffer is emptied when that reaches its bound.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "engine/engine-pieces.h"
#include "engine/unicorn/adapter.h"
#include "rig.h"

#define DIVIDES(f3) ASM_R(0x33, 1 << 3 | (f3), 3, 4, 5)

enum {
	BLOCK = 448,
	STEP = 336,
	ATOMIC = 288,
	LONG = 112,
	SHORT = 48,
};

static const struct bytes_row {
	const char *why;
	uint32_t word, want;
} bytes_rows[] = {
	{ "an AMO", AMOADD_W(3, 5, 3), ATOMIC },
	{ "SC", SC_W(3, 5, 3), ATOMIC },
	{ "LR is a load", LR_W(3, 5), LONG },
	{ "a load", LW(3, 5, 0), LONG },
	{ "a store", SB(3, 5, 0), LONG },
	{ "a load into a floating-point register", FLW(3, 5, 0), LONG },
	{ "a compressed load", C_LW(1, 0), LONG },
	{ "div", DIVIDES(4), LONG },
	{ "divu", DIVIDES(5), LONG },
	{ "rem", DIVIDES(6), LONG },
	{ "remu", DIVIDES(7), LONG },
	{ "remuw", DIVIDES(7) | 8, LONG },
	{ "mul", MUL(3, 4, 5), SHORT },
	{ "mulhu", DIVIDES(3), SHORT },
	{ "xor, which has the bits of div but one", ASM_R(0x33, 4, 3, 4, 5),
	  SHORT },
	{ "sra, with one bit more", ASM_R(0x33, 0x20 << 3 | 5, 3, 4, 5),
	  SHORT },
	{ "xori", ASM_I(0x13, 4, 3, 4, 32), SHORT },
	{ "addi", ADDI(3, 4, 5), SHORT },
	{ "a compressed addition", C_INC(3), SHORT },
	{ "a jump", JAL(1, 8), SHORT },
};

TEST_ROWS(each_kind_of_instruction_has_its_bytes, bytes_rows)
{
	const struct bytes_row *row = &bytes_rows[_i];
	struct pmu_insn insn;

	pmu_insn_decode(row->word, 64, &insn);
	ck_assert_msg(guard_insn_bytes(&insn, row->word) == row->want, "%s: %u",
		      row->why, guard_insn_bytes(&insn, row->word));
}

/* Portable, so that no block's translation was counted before it runs. */
static struct rig *new_rig(bool step_only)
{
	const struct engine_config cfg = {
		.xlen = 64,
		.engines = 1,
		.mode = ENGINE_PORTABLE,
		.step_only = step_only,
	};

	return rig_new_config(&cfg);
}

static const uint32_t two_blocks[] = {
	LW(3, 5, 0), AMOADD_W(4, 5, 3), JAL(0, 4), ADDI(6, 6, 1), EBREAK,
};

static const struct run_row {
	const char *why;
	bool step_only;
	uint64_t want;
} run_rows[] = {
	{ "by the instructions of its blocks", false,
	  BLOCK + LONG + ATOMIC + SHORT + BLOCK + SHORT + SHORT },
	{ "by how many they are", true, BLOCK + 3 * STEP + BLOCK + 2 * STEP },
};

TEST_ROWS(a_block_is_counted_when_it_is_translated, run_rows)
{
	const struct run_row *row = &run_rows[_i];
	struct rig *r = new_rig(row->step_only);
	const struct slot *s = r->e->slots[row->step_only ? 2 : 0];
	uint64_t before = s->tb_bytes;

	rig_code(r, 1, two_blocks, ARRAY_SIZE(two_blocks));
	rig_set_x(r, 5, RIG_AT(8));
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(rig_run(r, RIG_AT(1)), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 6), i + 1);
		ck_assert_msg(s->tb_bytes - before == row->want, "%s: %llu",
			      row->why,
			      (unsigned long long)(s->tb_bytes - before));
	}
	rig_free(r);
}

static const struct bound_row {
	const char *why;
	uint64_t beyond;
	bool emptied;
} bound_rows[] = {
	{ "at its bound it stays", 0, false },
	{ "beyond it is emptied", 1, true },
};

TEST_ROWS(a_buffer_has_a_bound, bound_rows)
{
	const struct bound_row *row = &bound_rows[_i];
	struct rig *r = rig_new(&rig_modes[0], 64);
	struct slot *s = r->e->slots[ENGINE_KERNEL];
	static const uint32_t code[] = { ADDI(6, 6, 1), JAL(0, -4) };
	uint32_t sites;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->budget.limit.n[PMU_EV_INSNS] = 1000;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	sites = fast_sites(s->fast);
	ck_assert(sites != 0 || s->fast == NULL);
	s->tb_bytes = s->tb_limit + row->beyond;
	guard_run(s);
	ck_assert_msg((s->tb_bytes == 0) == row->emptied, "%s", row->why);
	ck_assert_uint_eq(fast_sites(s->fast), row->emptied ? 0 : sites);
	ck_assert_uint_eq(engine_code_emptied(r->e), row->emptied);
	/* and code goes on as it was */
	r->budget.limit.n[PMU_EV_INSNS] = 2000;
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_x(r, 6), 1000);
	rig_free(r);
}

/* The bound is looked at in a run as well as between two. */
TEST(a_run_stops_to_empty_its_buffer)
{
	static const uint32_t code[] = { ADDI(6, 6, 1), JAL(0, 4), EBREAK };
	struct rig *r = new_rig(false);
	struct slot *s = r->e->slots[ENGINE_KERNEL];

	rig_code(r, 0, code, ARRAY_SIZE(code));
	s->tb_bytes = s->tb_limit;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 6), 1);
	/* the first block went beyond it; only the second has come since */
	ck_assert_uint_eq(s->tb_bytes, BLOCK + SHORT);
	rig_free(r);
}

/* Pages full of short blocks, rewritten and run over and over. */
static void fill_blocks(struct rig *r)
{
	static const uint32_t two[] = { JAL(0, 4), C_INC(10) | 0xa009u << 16 };

	for (unsigned page = 0; page < RIG_PAGES; page++) {
		uint8_t *at = r->ram + page * RIG_PAGE;

		/* c.inc; c.j +2: each a block of its own */
		for (unsigned off = 0; off < RIG_PAGE; off += 8)
			memcpy(at + off, two, sizeof(two));
	}
	memcpy(r->ram + (RIG_PAGES - 1) * RIG_PAGE + RIG_PAGE - 8,
	       &(uint32_t){ EBREAK }, 4);
	engine_ram_written(r->e, RIG_RAM, RIG_PAGES * RIG_PAGE);
}

TEST_TIMES(more_code_than_the_buffer_holds_still_runs, 2)
{
	const struct engine_config cfg = {
		.xlen = 64,
		.engines = 2,
		.step_only = _i,
		.code_buffer = UINT64_C(4) << 20,
		.step_buffer = UINT64_C(4) << 20,
	};
	struct rig *r = rig_new_config(&cfg);
	const uint64_t blocks = RIG_PAGES * RIG_PAGE / 8 - 1;

	for (unsigned round = 1; round <= 4; round++) {
		rig_open(r);
		fill_blocks(r);
		r->regime = round % 2 ? ENGINE_USER : ENGINE_KERNEL;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_pc(r), RIG_AT(RIG_PAGES) - 8);
		ck_assert_uint_eq(rig_x(r, 10), blocks * round);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_BRANCHES],
				  2 * blocks);
	}
	rig_free(r);
}

SUITE("engine-guard", .test_case = "guard", .timeout = 60);
