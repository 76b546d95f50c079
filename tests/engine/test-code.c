/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that changes: by the guest's stores behind fence.i, through another
 * address, by the host; and code of which there is more than a buffer holds.
 */
#include <string.h>

#include "../unit/unit.h"
#include "asm.h"
#include "rig.h"

enum {
	PATCH = 4,  /* page that is called */
	ALIAS = 40, /* the same page of RAM */
	DATA = 8,
	R_PATCH = 5,
	R_WRITE = 6,
	R_WORD = 7,
};

/* Writes x7 to (x6), calls (x5), which adds something to x10. */
static const uint32_t patcher[] = {
	SW(R_WORD, R_WRITE, 0),
	FENCE_I,
	JALR(1, R_PATCH, 0),
	EBREAK,
};
static const uint32_t callee[] = { ADDI(10, 10, 1), JALR(0, 1, 0) };

static const struct patch_row {
	const char *why;
	unsigned page; /* written through */
	bool split;
} patch_rows[] = {
	{ "through the page that executes", PATCH, false },
	{ "through another address", ALIAS, false },
	{ "through the same address, translated apart", PATCH, true },
	{ "through another address, translated apart", ALIAS, true },
};

static void prepare(struct rig *r, unsigned write)
{
	rig_code(r, 0, patcher, ARRAY_SIZE(patcher));
	rig_code(r, PATCH, callee, ARRAY_SIZE(callee));
	r->page[ALIAS].to = PATCH;
	rig_set_x(r, R_PATCH, RIG_AT(PATCH));
	rig_set_x(r, R_WRITE, RIG_AT(write));
}

TEST_TIMES(fence_i_makes_stores_to_code_visible,
	   ARRAY_SIZE(patch_rows) * RIG_KINDS)
{
	const struct patch_row *row = &patch_rows[_i / RIG_KINDS];
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t sum = 0;

	prepare(r, row->page);
	r->split = row->split;
	for (int i = 0; i < 200; i++) {
		int add = 3 * i % 1000 + 1;

		sum += (unsigned)add;
		rig_set_x(r, R_WORD, ADDI(10, 10, add));
		r->regime = i % 3 ? ENGINE_USER : ENGINE_KERNEL;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_msg(rig_x(r, 10) == sum, "%s, %s, round %d: %llu",
			      row->why, rig_name(r), i,
			      (unsigned long long)rig_x(r, 10));
	}
}

/* What is called writes over itself: seen at the next fence.i. */
TEST_TIMES(many_writes_between_fences_are_seen, RIG_KINDS)
{
	static const uint32_t code[] = {
		SW(R_WORD, R_WRITE, 64), SW(R_WORD, R_WRITE, 128),
		SW(R_WORD, R_WRITE, 0),	 FENCE_I,
		JALR(1, R_PATCH, 0),	 EBREAK,
	};
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t sum = 0;

	prepare(r, ALIAS);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (unsigned i = 0; i < 50; i++) {
		sum += i;
		rig_set_x(r, R_WORD, ADDI(10, 10, (int)i));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), sum);
		ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 7 * (i + 1));
	}
}

TEST_TIMES(the_hosts_writes_are_seen_at_once, RIG_KINDS)
{
	static const uint32_t code[] = { JALR(1, R_PATCH, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t sum = 0;

	prepare(r, ALIAS);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	for (int i = 0; i < 100; i++) {
		uint32_t word = ADDI(10, 10, i);

		sum += (unsigned)i;
		rig_code(r, PATCH, &word, 1);
		r->regime = i % 3 ? ENGINE_USER : ENGINE_KERNEL;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), sum);
	}
}

static enum engine_next rewrite(struct rig *r, const struct engine_exit *exit)
{
	const uint32_t word = ADDI(10, 10, 100);

	if (exit->insn == EBREAK)
		return ENGINE_STOP;
	rig_code(r, PATCH, &word, 1);
	rig_retire(r, exit, 0);
	return ENGINE_RESUME;
}

TEST_TIMES(the_host_may_write_code_in_an_exit, RIG_KINDS)
{
	static const uint32_t code[] = { JALR(1, R_PATCH, 0),
					 CSRRS(0, PMU_CSR_MSTATUS, 0),
					 JALR(1, R_PATCH, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	prepare(r, PATCH);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->script = rewrite;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 101);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 7);
}

static enum engine_next rewrite_later(struct rig *r,
				      const struct engine_exit *exit)
{
	return r->n_exits == 5 || exit->insn == EBREAK
		       ? rewrite(r, exit)
		       : (rig_retire(r, exit, 0), ENGINE_RESUME);
}

/* All of it ran before, so that nothing else has a look. */
TEST_TIMES(what_the_host_writes_in_a_later_exit_is_seen_at_once, RIG_KINDS)
{
	static const uint32_t code[] = { JALR(1, R_PATCH, 0),
					 CSRRS(0, PMU_CSR_MSTATUS, 0),
					 ADDI(11, 11, -1), BNE(11, 0, -12),
					 EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	prepare(r, PATCH);
	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_set_x(r, 11, 10);
	r->script = rewrite_later;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 5 + 5 * 100);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 60);
}

/* Another hart's fence.i: by engine_fence_i(), as the firmware model does. */
TEST_TIMES(fence_i_by_the_host_is_one, RIG_KINDS)
{
	static const uint32_t write[] = { SW(R_WORD, R_WRITE, 0), EBREAK };
	static const uint32_t call[] = { JALR(1, R_PATCH, 0), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	prepare(r, ALIAS);
	rig_code(r, 0, write, ARRAY_SIZE(write));
	rig_code(r, 1, call, ARRAY_SIZE(call));
	ck_assert_int_eq(rig_run(r, RIG_AT(1)), ENGINE_STOP_HOST);
	ck_assert_uint_eq(rig_x(r, 10), 1);
	for (int i = 2; i < 30; i++) {
		rig_set_x(r, 10, 0);
		rig_set_x(r, R_WORD, ADDI(10, 10, i));
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		engine_fence_i(r->e);
		ck_assert_int_eq(rig_run(r, RIG_AT(1)), ENGINE_STOP_HOST);
		ck_assert_uint_eq(rig_x(r, 10), (unsigned)i);
	}
}

SUITE("engine-code", .test_case = "code", .timeout = 60, .setup_all = rigs_open,
      .teardown_all = rigs_close);
