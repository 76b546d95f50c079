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
	CALLED = 5, /* another, whose blocks no table has where page 0's are */
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

/* Each of 4 bytes, and what it does to x10 and to the counts. */
static const struct form {
	uint32_t word;
	unsigned insns, branches, loads;
	unsigned adds;
} forms[] = {
	{ ADDI(10, 10, 1), 1, 0, 0, 1 },
	{ PAIR(C_ADDI(10, 2), C_ADDI(10, 2)), 2, 0, 0, 4 },
	{ LW(10, R_WRITE, 8), 1, 0, 1, 16 }, /* what is there */
	{ PAIR(C_ADDI(10, 8), C_NOP), 2, 0, 0, 8 },
	{ JAL(10, 4), 1, 1, 0, 0 }, /* to what is behind it */
};

/*
 * Whether the old form runs or the new one is nobody's promise without fence.i,
 * but what runs is counted.
 */
TEST_TIMES(code_that_changes_without_a_fence_is_counted_as_it_runs, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_WORD, R_WRITE, 0), ADDI(10, 0, 0),
					 JALR(1, R_PATCH, 0), EBREAK };
	static const uint32_t called[] = { NOP, JALR(0, 1, 0), 16 };
	struct rig *r = rig_pick((unsigned)_i);
	const uint64_t *done = r->budget.done.n;
	unsigned seen = 0;

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, CALLED, called, ARRAY_SIZE(called));
	rig_set_x(r, R_PATCH, RIG_AT(CALLED));
	rig_set_x(r, R_WRITE, RIG_AT(CALLED));
	for (unsigned i = 0; i < 60; i++) {
		uint64_t before[PMU_N_ENGINE_EVENTS];
		const struct form *f = &forms[i * 7 / 3 % ARRAY_SIZE(forms)];
		unsigned ran = 0;

		memcpy(before, done, sizeof(before));
		rig_set_x(r, R_WORD, f->word);
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		if (rig_x(r, 10) > 16)
			ran = 4; /* the link of the jump */
		else
			while (ran < 4 && forms[ran].adds != rig_x(r, 10))
				ran++;
		ck_assert_msg(rig_x(r, 10) > 16 || ran < 4,
			      "%s, round %u: no form", rig_name(r), i);
		f = &forms[ran];
		seen |= 1u << ran;
		ck_assert_msg(done[PMU_EV_INSNS] - before[PMU_EV_INSNS] ==
				      4 + f->insns,
			      "%s, round %u: form %u", rig_name(r), i, ran);
		ck_assert_uint_eq(done[PMU_EV_BRANCHES] -
					  before[PMU_EV_BRANCHES],
				  2 + f->branches);
		ck_assert_uint_eq(done[PMU_EV_LOADS] - before[PMU_EV_LOADS],
				  f->loads);
	}
	ck_assert_uint_gt(seen & (seen - 1), 0); /* more than one form */
}

static const uint32_t lasts[] = { CSRRS(10, PMU_CSR_MSTATUS, 0), ECALL,
				  EBREAK };

/* What changed its own block's last instruction before it got there. */
TEST_TIMES(an_exit_tells_the_instruction_that_ran,
	   ARRAY_SIZE(lasts) * RIG_KINDS)
{
	const uint32_t code[] = { SW(R_WORD, R_WRITE, 12), ADDI(10, 0, 0), NOP,
				  lasts[_i / RIG_KINDS], EBREAK };
	const uint32_t word = ADDI(10, 0, 5);
	struct rig *r = rig_pick((unsigned)_i);

	for (unsigned i = 0; i < 3; i++) {
		rig_code(r, 0, code, ARRAY_SIZE(code));
		rig_set_x(r, R_WRITE, RIG_BASE);
		rig_set_x(r, R_WORD, word);
		r->n_exits = 0;
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
		ck_assert_uint_eq(r->n_exits, 1);
		if (r->exit[0].pc == RIG_BASE + 12)
			ck_assert_msg(r->exit[0].insn == code[3], "%s: 0x%x",
				      rig_name(r), r->exit[0].insn);
		else /* the new one, which is not the host's */
			ck_assert_uint_eq(rig_x(r, 10), 5);
	}
}

/*
 * What the jump goes to is translated anew, and has the jump's place in the
 * table of the slot that steps.
 */
TEST_TIMES(the_last_instruction_is_that_before_what_is_translated, RIG_KINDS)
{
	static const uint32_t code[] = { SW(R_WORD, R_WRITE, 4),
					 JALR(0, R_PATCH, 4) };
	static const uint32_t behind[] = { NOP, NOP, EBREAK };
	struct rig *r = rig_pick((unsigned)_i);

	rig_code(r, 0, code, ARRAY_SIZE(code));
	rig_code(r, PATCH, behind, ARRAY_SIZE(behind));
	rig_set_x(r, R_PATCH, RIG_AT(PATCH));
	rig_set_x(r, R_WRITE, RIG_AT(PATCH));
	rig_set_x(r, R_WORD, NOP);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_HOST);
	r->budget.limit.n[PMU_EV_INSNS] = r->budget.done.n[PMU_EV_INSNS] + 2;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_AT(PATCH) + 4);
	ck_assert_uint_eq(r->budget.last_pc, RIG_BASE + 4);
}

SUITE("engine-code", .test_case = "code", .timeout = 60, .setup_all = rigs_open,
      .teardown_all = rigs_close);
