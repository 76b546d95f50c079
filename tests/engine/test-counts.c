/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counting and stopping: a limit on any of the four counts stops with zero
 * skid at every distance, and leaves what instruction by instruction leaves.
 */
#include "loop.h"

enum {
	DISTANCES = 80, /* three rounds and more */
};

/* per round: instructions, branches, loads, stores */
static const unsigned per_round[PMU_N_ENGINE_EVENTS] = {
	24, 4, 6, 6,
#ifdef ENGINE_MORE_LANES
	24, 4, 6, 6, /* tests/room */
#endif
};

TEST_TIMES(a_round_counts_what_it_has, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	r->budget.limit.n[PMU_EV_INSNS] = 1000 * per_round[0];
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE);
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		ck_assert_uint_eq(r->budget.done.n[i], 1000 * per_round[i]);
	ck_assert_uint_eq(rig_x(r, 10), 1000);
}

TEST_TIMES(a_limit_has_no_skid_at_any_distance, 2 * PMU_N_ENGINE_EVENTS)
{
	uint64_t far[DISTANCES];

	for (unsigned i = 0; i < DISTANCES; i++)
		far[i] = i + 1;
	check_distances(_i, far, DISTANCES);
}

TEST_TIMES(a_limit_that_is_reached_stops_at_once, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	r->budget.done.n[PMU_EV_LOADS] = 7;
	r->budget.limit.n[PMU_EV_LOADS] = 7;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 0);
}

TEST_TIMES(a_soft_stop_comes_at_a_block_end_and_goes_on, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);
	unsigned stops = 0;

	load_loop(r);
	r->budget.limit.n[PMU_EV_INSNS] = 5000;
	r->budget.soft = 100;
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
	while (rig_run(r, UINT64_MAX) == ENGINE_STOP_SOFT) {
		uint64_t done = r->budget.done.n[PMU_EV_INSNS];

		ck_assert_uint_ge(done, r->budget.soft);
		ck_assert_uint_lt(done, r->budget.soft + ARRAY_SIZE(loop));
		r->budget.soft = done + 100;
		stops++;
	}
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 5000);
	ck_assert_uint_gt(stops, 30);
}

TEST_TIMES(a_soft_stop_that_is_due_still_makes_progress, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	r->budget.soft = 0;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_SOFT);
	ck_assert_uint_gt(r->budget.done.n[PMU_EV_INSNS], 0);
}

static enum engine_next to_base(struct rig *r, const struct engine_exit *exit)
{
	engine_set(r->e, r->ctx[r->cur], ENGINE_PC, RIG_BASE);
	return ENGINE_RESUME;
}

/* What the host does in an exit is progress, too. */
TEST_TIMES(a_soft_stop_comes_behind_an_exit, RIG_KINDS)
{
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	r->page[1].perms = 0;
	r->script = to_base;
	r->budget.soft = 0;
	ck_assert_int_eq(rig_run(r, RIG_AT(1)), ENGINE_STOP_SOFT);
	ck_assert_uint_eq(r->n_exits, 1);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 0);
}

/* The access ends a block and the budget; the next block does not begin. */
TEST_TIMES(a_soft_stop_comes_behind_a_device_access, RIG_KINDS)
{
	static const uint32_t code[] = { NOP, NOP, NOP, SW(0, 5, 0) };
	static const uint32_t next[] = { NOP, JAL(0, 4), EBREAK };
	struct rig *r = rig_pick((unsigned)_i);
	const uint64_t pc = RIG_AT(1) - sizeof(code);

	memcpy(r->ram + RIG_PAGE - sizeof(code), code, sizeof(code));
	rig_code(r, 1, next, ARRAY_SIZE(next));
	rig_set_x(r, 5, RIG_AT(8));
	r->page[8].device = true;
	ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_HOST);
	rig_open(r);
	r->budget.soft = ARRAY_SIZE(code);
	ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_SOFT);
	ck_assert_uint_eq(rig_pc(r), RIG_AT(1));
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], ARRAY_SIZE(code));
	ck_assert_uint_eq(r->n_mmio, 2);
}

/* What blocks that nobody looks at have done is progress, too. */
TEST_TIMES(a_soft_stop_comes_behind_blocks_that_count_alone, RIG_KINDS)
{
	static const uint32_t code[] = { ADDI(10, 10, 1), JAL(0, -4) };
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t *done = &r->budget.done.n[PMU_EV_INSNS];

	rig_code(r, 0, code, ARRAY_SIZE(code));
	r->budget.soft = 100;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_SOFT);
	for (unsigned i = 0; i < 4; i++) {
		r->budget.soft = *done + 20;
		ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_SOFT);
		ck_assert_uint_eq(*done, r->budget.soft);
	}
}

/* Counts beyond 32 bits, and a limit far away. */
TEST_TIMES(counts_have_64_bits, RIG_KINDS)
{
	const uint64_t far = UINT64_C(0x1234567890);
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	for (int i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		r->budget.done.n[i] = far;
	r->budget.limit.n[PMU_EV_STORES] = far + 60;
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_STORES], far + 60);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_LOADS], far + 59);
}

/* A breakpoint anywhere in the loop stops before it, each round. */
TEST_WHERE(a_breakpoint_is_precise, 0, ARRAY_SIZE(loop) * RIG_KINDS,
	   loop[_i / RIG_KINDS] != NEVER)
{
	const uint64_t pc = RIG_BASE + 4 * (unsigned)(_i / RIG_KINDS);
	struct rig *r = rig_pick((unsigned)_i);
	uint64_t before = 0;

	load_loop(r);
	engine_set_breakpoints(r->e, &pc, 1);
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
	for (unsigned round = 0; round < 3; round++) {
		ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_BREAK);
		ck_assert_uint_eq(rig_pc(r), pc);
		if (round)
			ck_assert_uint_eq(r->budget.done.n[0] - before,
					  per_round[0]);
		before = r->budget.done.n[0];
	}
	/* a limit that ends there is a limit; the breakpoint comes after */
	r->budget.limit.n[0] = before + per_round[0];
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_LIMIT);
	ck_assert_uint_eq(rig_pc(r), pc);
	rig_open(r);
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_BREAK);
	ck_assert_uint_eq(r->budget.done.n[0], 0);
}

static enum engine_next to_loop(struct rig *r, const struct engine_exit *exit)
{
	engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
	return ENGINE_RESUME;
}

/* Past the breakpoint on a page that is not there, to the next one. */
TEST_TIMES(only_the_breakpoint_that_stopped_is_passed, RIG_KINDS)
{
	const uint64_t pcs[] = { RIG_AT(50), RIG_BASE };
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	r->page[50].perms = 0;
	r->script = to_loop;
	engine_set_breakpoints(r->e, pcs, ARRAY_SIZE(pcs));
	ck_assert_int_eq(rig_run(r, RIG_AT(50)), ENGINE_STOP_BREAK);
	ck_assert_uint_eq(r->n_exits, 0);
	ck_assert_int_eq(rig_run(r, UINT64_MAX), ENGINE_STOP_BREAK);
	ck_assert_uint_eq(r->n_exits, 1);
	ck_assert_uint_eq(rig_pc(r), RIG_BASE);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 0);
}

/* Away from it and back, without an instruction in between. */
TEST_TIMES(a_breakpoint_that_is_left_stops_again, RIG_KINDS)
{
	const uint64_t pc = RIG_BASE + 8;
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	engine_set_breakpoints(r->e, &pc, 1);
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_BREAK);
	r->budget.limit.n[PMU_EV_INSNS] = r->budget.done.n[PMU_EV_INSNS];
	ck_assert_int_eq(rig_run(r, RIG_BASE), ENGINE_STOP_LIMIT);
	rig_open(r);
	ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_BREAK);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], 0);
	ck_assert_int_eq(rig_run(r, pc), ENGINE_STOP_BREAK);
	ck_assert_uint_eq(r->budget.done.n[PMU_EV_INSNS], per_round[0]);
}

/* However they are given, each stops, and what is between them does not. */
TEST_TIMES(breakpoints_are_found_in_any_order, RIG_KINDS)
{
	static const uint64_t orders[][3] = {
		{ 3, 0, 7 },
		{ 7, 3, 0 },
		{ 0, 3, 7 },
		{ 7, 0, 3 },
	};
	static const uint64_t sorted[] = { 0, 3, 7 };
	struct rig *r = rig_pick((unsigned)_i);

	load_loop(r);
	for (unsigned o = 0; o < ARRAY_SIZE(orders); o++) {
		uint64_t pcs[3];

		for (unsigned i = 0; i < 3; i++)
			pcs[i] = RIG_BASE + 4 * orders[o][i];
		ck_assert_int_eq(engine_set_breakpoints(r->e, pcs, 3), 0);
		engine_set(r->e, r->ctx[0], ENGINE_PC, RIG_BASE);
		for (unsigned i = 0; i < 6; i++) {
			ck_assert_int_eq(rig_run(r, UINT64_MAX),
					 ENGINE_STOP_BREAK);
			ck_assert_uint_eq(rig_pc(r),
					  RIG_BASE + 4 * sorted[i % 3]);
		}
	}
}

TEST_TIMES(breakpoints_are_limited, RIG_KINDS)
{
	static uint64_t pcs[1025];
	struct rig *r = rig_pick((unsigned)_i);

	for (unsigned i = 0; i < ARRAY_SIZE(pcs); i++)
		pcs[i] = RIG_BASE + 4096 - 2 * i;
	ck_assert_int_eq(engine_set_breakpoints(r->e, pcs, 1025),
			 -ENGINE_EINVAL);
	ck_assert_int_eq(engine_set_breakpoints(r->e, pcs, 1024), 0);
	rig_code(r, 0, loop, ARRAY_SIZE(loop));
	ck_assert_int_eq(rig_run(r, RIG_BASE + 2048), ENGINE_STOP_HOST);
	ck_assert_int_eq(rig_run(r, RIG_BASE + 4096 - 2046), ENGINE_STOP_BREAK);
}

SUITE("engine-counts", .test_case = "counts", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
