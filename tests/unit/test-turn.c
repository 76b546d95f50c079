/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns move the clock: by the hart that has one, by jumps while nobody has,
 * and by moments that take no time.
 */
#include "core/turn.h"
#include "unit.h"

enum {
	HARTS = 2
};

static struct turn *t;
static struct pmu_hart *harts[HARTS];
static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

static void setup(void)
{
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	for (unsigned i = 0; i < HARTS; i++) {
		ck_assert_int_eq(pmu_hart_new(&harts[i], &cfg, &timebase), 0);
		pmu_hart_reset(harts[i]);
	}
	t = turn_new(HARTS, 100);
}

static void teardown(void)
{
	turn_free(t);
	for (unsigned i = 0; i < HARTS; i++)
		pmu_hart_free(harts[i]);
}

static uint64_t now(void)
{
	return clock_now(turn_clock(t));
}

static void run(struct pmu_hart *h, uint64_t insns)
{
	struct pmu_progress done = { 0 };

	done.n[PMU_EV_INSNS] = insns;
	pmu_hart_advance(h, &done);
}

TEST(nobody_runs_before_anybody_may)
{
	ck_assert_int_eq(turn_hart(t), -1);
	ck_assert(turn_is_over(t));
	ck_assert_int_eq(turn_next(t), -1);
	ck_assert_uint_eq(now(), 0);
	ck_assert_uint_eq(turn_upcoming(t), 0);
}

TEST(the_clock_is_moved_by_the_hart_whose_turn_it_is)
{
	turn_set_status(t, 0, HART_RUNNING);
	turn_set_status(t, 1, HART_RUNNING);
	ck_assert_int_eq(turn_next(t), 0);
	turn_begin(t, harts[0]);
	run(harts[0], 60);
	run(harts[1], 1000);
	ck_assert_uint_eq(now(), 60);
	ck_assert(!turn_is_over(t));
	ck_assert_uint_eq(turn_end(t), 100);
	run(harts[0], 40);
	ck_assert(turn_is_over(t));
	ck_assert_int_eq(turn_next(t), 1);
	turn_begin(t, harts[1]);
	run(harts[1], 5);
	ck_assert_uint_eq(now(), 105);
	ck_assert_uint_eq(turn_present(t), 1);
}

TEST(a_hart_that_leaves_stops_the_clock_and_its_turn)
{
	turn_set_status(t, 0, HART_RUNNING);
	turn_next(t);
	turn_begin(t, harts[0]);
	run(harts[0], 10);
	turn_leave(t, harts[1]);
	ck_assert(!turn_is_over(t));
	turn_leave(t, harts[0]);
	ck_assert(turn_is_over(t));
	run(harts[0], 10);
	ck_assert_uint_eq(now(), 10);
	turn_set_status(t, 0, HART_WAITING);
	ck_assert_int_eq(turn_next(t), -1);
	ck_assert_uint_eq(turn_present(t), 0);
	ck_assert_uint_eq(turn_upcoming(t), 1);
	turn_jump(t, 500);
	ck_assert_uint_eq(now(), 500);
}

TEST(moments_are_those_of_the_present_cycle)
{
	turn_set_status(t, 0, HART_RUNNING);
	ck_assert_uint_eq(turn_moment(t), 0);
	turn_next(t);
	turn_begin(t, harts[0]);
	ck_assert_uint_eq(turn_moment(t), 1);
	turn_next_moment(t);
	ck_assert_uint_eq(turn_moment(t), 2);
	run(harts[0], 1);
	ck_assert_uint_eq(turn_moment(t), 0);
	turn_next_moment(t);
	ck_assert_uint_eq(turn_moment(t), 1);
}

SUITE("turn", .setup = setup, .teardown = teardown);
