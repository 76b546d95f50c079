/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns: their order, their length.
 */
#include "core/clock.h"
#include "core/sched.h"
#include "unit.h"

static struct sched s;

static void running(unsigned n, unsigned mask)
{
	sched_init(&s, n, 100);
	for (unsigned i = 0; i < n; i++)
		s.status[i] = mask >> i & 1 ? HART_RUNNING : HART_WAITING;
}

static const struct order_row {
	const char *why;
	unsigned n, mask;
	int want[5];
} order_rows[] = {
	{ "one hart always", 1, 1, { 0, 0, 0, 0, 0 } },
	{ "all in order", 4, 15, { 0, 1, 2, 3, 0 } },
	{ "waiting ones are passed over", 4, 10, { 1, 3, 1, 3, 1 } },
	{ "the last alone", 4, 8, { 3, 3, 3, 3, 3 } },
	{ "nobody", 4, 0, { -1, -1, -1, -1, -1 } },
};

TEST_ROWS(turns_go_round, order_rows)
{
	const struct order_row *row = &order_rows[_i];

	running(row->n, row->mask);
	for (int i = 0; i < 5; i++)
		ck_assert_msg(sched_next(&s, 100 * (uint64_t)i) == row->want[i],
			      "%s, turn %d", row->why, i);
}

TEST(a_turn_ends_exactly_at_its_quantum)
{
	running(2, 3);
	ck_assert(sched_due(&s, 5));
	sched_next(&s, 5);
	ck_assert_uint_eq(sched_turn_end(&s), 105);
	ck_assert(!sched_due(&s, 104));
	ck_assert(sched_due(&s, 105));
}

TEST(a_hart_alone_has_no_end_of_turn)
{
	running(1, 1);
	sched_next(&s, 0);
	ck_assert_uint_eq(sched_turn_end(&s), UINT64_MAX);
	ck_assert(!sched_due(&s, UINT64_MAX - 1));
}

TEST(a_turn_at_the_end_of_time_does_not_wrap)
{
	running(2, 3);
	sched_next(&s, UINT64_MAX - 50);
	ck_assert_uint_eq(sched_turn_end(&s), UINT64_MAX);
}

TEST(a_hart_that_waits_hands_the_turn_on)
{
	running(3, 7);
	ck_assert_int_eq(sched_next(&s, 0), 0);
	s.status[0] = HART_WAITING;
	ck_assert(sched_due(&s, 10));
	ck_assert_int_eq(sched_next(&s, 10), 1);
	ck_assert_int_eq(sched_next(&s, 110), 2);
	ck_assert_int_eq(sched_next(&s, 210), 1);
}

/* A long quantum: who has the turn until when. */
static void turn_is(uint64_t now, int hart, uint64_t end)
{
	ck_assert_int_eq(sched_next(&s, now), hart);
	ck_assert_uint_eq(sched_turn_end(&s), end);
}

TEST(what_is_urgent_goes_round_once)
{
	running(3, 7);
	s.quantum = 70000;
	turn_is(0, 0, 70000);
	turn_is(70000, 1, 140000);
	sched_urge(&s);
	ck_assert(sched_due(&s, 70001));
	turn_is(70001, 2, 80001);
	turn_is(80001, 0, 90001);
	turn_is(90001, 1, 160001);
	turn_is(160001, 2, 230001);
}

TEST(an_alarm_is_urgent_when_it_is_reached)
{
	running(2, 3);
	s.quantum = 70000;
	turn_is(0, 0, 70000);
	sched_urge_at(&s, 90000);
	ck_assert_uint_eq(sched_turn_end(&s), 70000);
	sched_urge_at(&s, 500);
	ck_assert(!sched_due(&s, 499));
	ck_assert(sched_due(&s, 500));
	turn_is(500, 1, 10500);
	turn_is(10500, 0, 80500);
}

TEST(a_short_quantum_stays_short)
{
	running(2, 3);
	turn_is(0, 0, 100);
	sched_urge(&s);
	turn_is(1, 1, 101);
}

static const struct calm_row {
	const char *why;
	unsigned n, mask;
	int turns; /* given before */
} calm_rows[] = {
	{ "a hart alone", 1, 1, 1 },
	{ "nobody runs", 2, 0, 1 },
	{ "no turn was given", 2, 3, 0 },
};

TEST_ROWS(nothing_is_urgent_for_nobody, calm_rows)
{
	const struct calm_row *row = &calm_rows[_i];

	running(row->n, row->mask);
	for (int i = 0; i < row->turns; i++)
		sched_next(&s, 0);
	sched_urge(&s);
	ck_assert_msg(!s.over && !s.urgent, "%s", row->why);
}

/* A turn that its hart has left to wait is over anyway. */
TEST(nothing_is_urgent_behind_a_wait)
{
	running(2, 3);
	sched_next(&s, 0);
	s.status[0] = HART_WAITING;
	sched_urge(&s);
	ck_assert(!s.urgent);
}

TEST(the_clock_is_the_running_harts_and_jumps)
{
	struct pmu_timebase tb = { .clock_hz = 1, .time_hz = 1 };
	struct pmu_hart_config cfg;
	struct pmu_hart *a, *b;
	struct clock c = { 0 };

	pmu_hart_config_init(&cfg, 64);
	ck_assert_int_eq(pmu_hart_new(&a, &cfg, &tb), 0);
	ck_assert_int_eq(pmu_hart_new(&b, &cfg, &tb), 0);
	pmu_hart_idle(b, 1000);
	clock_run(&c, a);
	pmu_hart_idle(a, 30);
	ck_assert_uint_eq(clock_now(&c), 30);
	clock_run(&c, b);
	pmu_hart_idle(a, 7);
	ck_assert_uint_eq(clock_now(&c), 30);
	pmu_hart_idle(b, 12);
	ck_assert_uint_eq(clock_now(&c), 42);
	clock_stop(&c);
	pmu_hart_idle(b, 12);
	ck_assert_uint_eq(clock_now(&c), 42);
	clock_jump(&c, 100);
	clock_run(&c, a);
	ck_assert_uint_eq(clock_now(&c), 100);
	pmu_hart_free(a);
	pmu_hart_free(b);
}

SUITE("sched");
