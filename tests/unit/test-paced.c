/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An idle machine that somebody holds to another time, here the test's own: it
 * sleeps until then, can be looked at, held and given input meanwhile, and its
 * trace is that of one that nobody holds.
 */
#include "core/sampler.h"
#include "machine-script.h"
#include "random-session.h"

/* A pacer of which the test says how far it is. */
static struct hand {
	struct pacer pacer;
	uint64_t start, passed;
	unsigned begun, asked;
} hand;

static void begin(struct pacer *p, uint64_t start)
{
	ck_assert_ptr_eq(p, &hand.pacer);
	hand.start = start;
	hand.passed = 0;
	hand.begun++;
}

static uint64_t reached(struct pacer *p)
{
	ck_assert_ptr_eq(p, &hand.pacer);
	hand.asked++;
	return hand.start + hand.passed;
}

/* A timer at cycle 5000, for which it waits from cycle 6 on; four more. */
static const struct fake_op timer_ops[] = {
	LI(1, PC(9)),  CSRW(MTVEC, 1), LI(1, 500), WRITE(1, 8, MTIMECMP(0)),
	LI(1, 1 << 7), CSRW(MIE, 1),   WFI,	   NOP,
	PASS,
};

/* A counter that overflows after 100 cycles of a wait for input. */
static const struct fake_op count_ops[] = {
	LI(1, 1),
	CSRW(MHPMEVENT3, 1),
	LI(1, -103ull),
	CSRW(MHPMCOUNTER3, 1),
	WFI,
	NOP,
	PASS,
};

static const struct fake_op wait_ops[] = { NOP, WFI, NOP, PASS };

enum {
	BEGIN = 6,
	END = 5000,
	SLICES = 10
};

static void make(const char *settings)
{
	hand = (struct hand){ .pacer = { begin, reached } };
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = settings,
						   .traps = true,
						   .pacer = &hand.pacer });
	fixture_start(&f);
	fixture_run(&f, 1000, SLICES);
}

static void make_timer(const char *more)
{
	char settings[100];

	snprintf(settings, sizeof(settings), "clock-hz=10M time-hz=1M %s",
		 more);
	SCRIPT(timer_ops);
	make(settings);
}

static uint64_t cycle(void)
{
	return fixture_status(&f).cycle;
}

static void sleeps_until(uint64_t want)
{
	uint64_t until;

	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
	ck_assert(machine_sleeps(f.m, &until));
	ck_assert_uint_eq(until, want);
}

static bool type(char byte)
{
	const struct input in = {
		.kind = INPUT_CONSOLE,
		.console = { (const uint8_t *)&byte, 1 },
	};

	return machine_input(f.m, &in, NULL, NULL);
}

/* The cycle of the input number @n of the trace. */
static uint64_t stamp(unsigned n)
{
	Pmu__V1__Trace *t = fixture_trace(&f);
	const Pmu__V1__Record *r =
		fixture_record(t, PMU__V1__RECORD__KIND_INPUT, n);
	uint64_t at;

	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->cycle, r->input->cycle);
	at = r->cycle;
	fixture_free_trace(t);
	return at;
}

TEST(an_idle_machine_sleeps_until_its_time_has_come)
{
	uint64_t until;

	make_timer("");
	sleeps_until(END);
	ck_assert_uint_eq(cycle(), BEGIN);
	hand.passed = END - BEGIN - 1;
	fixture_run(&f, 1000, SLICES);
	sleeps_until(END);
	ck_assert_uint_eq(cycle(), END - 1);
	hand.passed++;
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert(!machine_sleeps(f.m, &until));
	ck_assert_uint_eq(hand.begun, 1);
	ck_assert_uint_eq(hand.start, BEGIN);
}

/* It is asked once, however much of the slice is left. */
TEST(who_sleeps_does_nothing_else)
{
	make_timer("");
	hand.asked = 0;
	fixture_run(&f, 1000000, 1);
	ck_assert_uint_le(hand.asked, 2);
	sleeps_until(END);
}

/* Not of two, should it pass meanwhile. */
TEST(an_input_is_of_one_time)
{
	make_timer("");
	hand.passed = 100;
	hand.asked = 0;
	ck_assert(type('x'));
	ck_assert_uint_eq(hand.asked, 1);
	ck_assert_uint_eq(cycle(), BEGIN + 100);
}

/* From tick 500 on a second one until tick 700. */
static const struct fake_op twice_ops[] = {
	LI(1, PC(10)),
	CSRW(MTVEC, 1),
	LI(1, 500),
	WRITE(1, 8, MTIMECMP(0)),
	LI(1, 1 << 7),
	CSRW(MIE, 1),
	WFI,
	LI(1, 700),
	WRITE(1, 8, MTIMECMP(0)),
	WFI,
	PASS,
};

TEST(each_wait_has_a_start_of_its_own)
{
	SCRIPT(twice_ops);
	make("clock-hz=10M time-hz=1M");
	hand.passed = 100000; /* late: that time is not made up for */
	fixture_run(&f, 1000, SLICES);
	sleeps_until(7000);
	ck_assert_uint_eq(hand.begun, 2);
	ck_assert_uint_eq(hand.start, END + 3);
	ck_assert_uint_eq(cycle(), END + 3);
	hand.passed = 7000 - END - 3;
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_FINISHER_PASS, 0);
}

TEST(who_comes_late_finds_the_end_and_no_more)
{
	make_timer("");
	hand.passed = 1000 * END;
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_eq(cycle(), END + 4);
}

TEST(who_looks_sees_the_clock_go)
{
	uint64_t until;

	make_timer("");
	hand.passed = 10;
	ck_assert_uint_eq(cycle(), BEGIN);
	machine_look(f.m);
	ck_assert_uint_eq(cycle(), BEGIN + 10);
	sleeps_until(END);
	hand.passed = END;
	machine_look(f.m);
	ck_assert_uint_eq(cycle(), END);
	ck_assert(!machine_sleeps(f.m, &until));
}

/* Looks and strides of any length are in no trace. */
TEST_TIMES(a_paced_run_has_the_trace_of_another, 20)
{
	struct random_pacer pacer;
	struct fixture plain;

	SCRIPT(timer_ops);
	fixture_play(
		&plain,
		&(struct fixture_config){
			.m_mode = true, .settings = "clock-hz=10M time-hz=1M" },
		1000);
	random_pacer_init(&pacer, 1 + (uint64_t)_i, 1 << _i);
	fixture_init(&f, &(struct fixture_config){
				 .m_mode = true,
				 .settings = "clock-hz=10M time-hz=1M",
				 .pacer = &pacer.pacer });
	fixture_start(&f);
	while (fixture_state(&f) == MACHINE_RUNNING) {
		machine_look(f.m);
		fixture_run(&f, 1, 1);
	}
	ck_assert_uint_eq(pacer.begun, 1);
	ck_assert(fixture_same(&plain, &f));
	fixture_fini(&plain);
}

/* The wait goes on behind it: its time does not begin again. */
TEST(an_overflow_on_the_way_does_not_begin_another_stretch)
{
	SCRIPT(count_ops);
	make("");
	sleeps_until(107);
	hand.passed = 103;
	fixture_run(&f, 1000, SLICES);
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	ck_assert_uint_eq(cycle(), 107);
	hand.passed = 500;
	ck_assert(type('x'));
	ck_assert_uint_eq(stamp(0), 4 + 500);
	ck_assert_uint_eq(hand.begun, 1);
}

TEST(an_input_acts_where_the_stretch_has_come_to)
{
	make_timer("");
	hand.passed = 77;
	ck_assert(type('a'));
	hand.passed = 78;
	ck_assert(type('b'));
	sleeps_until(END);
	hand.passed = END + 1;
	ck_assert(type('c'));
	ck_assert_uint_eq(stamp(0), BEGIN + 77);
	ck_assert_uint_eq(stamp(1), BEGIN + 78);
	ck_assert_uint_eq(stamp(2), END);
	ck_assert_uint_eq(hand.begun, 1);
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_FINISHER_PASS, 0);
}

/* Nothing else tells a replay when it came, and so nothing else counts it. */
TEST(waiting_for_input_only_input_moves_the_clock)
{
	SCRIPT(wait_ops);
	make("");
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	hand.passed = 100;
	machine_look(f.m);
	ck_assert_uint_eq(cycle(), 1);
	ck_assert(type('x'));
	ck_assert_uint_eq(stamp(0), 101);
	fixture_run(&f, 1000, SLICES);
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	hand.passed = 200;
	machine_console_eof(f.m);
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_DEADLOCK, EXIT_DEADLOCK);
	ck_assert_uint_eq(cycle(), 101);
}

/* However long nobody types, one sample tells of it, as in a replay. */
TEST(waiting_for_input_is_one_sample)
{
	const struct machine_sampler cycles = { .name = "cycles",
						.event = PMU_EV_CYCLES,
						.modes = 1 << PMU_MODE_M,
						.period = 10 };
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;
	struct error e;

	SCRIPT(wait_ops);
	make("");
	ck_assert(machine_start_sampling(f.m, 1, &cycles, 1, &e));
	fixture_run(&f, 1000, SLICES);
	ck_assert_int_eq(fixture_state(&f), MACHINE_WAITING);
	hand.passed = 12345;
	ck_assert(type('x'));
	fixture_run(&f, 1000, SLICES);
	hand.passed = 12367;
	ck_assert(type('y'));
	t = fixture_trace(&f);
	for (int i = 0; i < 2; i++) {
		r = fixture_record(t, PMU__V1__RECORD__KIND_SAMPLE, i);
		ck_assert_uint_eq(r->sample->periods, i ? 2 : 1234);
		ck_assert_uint_eq(r->cycle, stamp(i));
		ck_assert_uint_eq(r->sample->last_pc, PC(1));
	}
	fixture_free_trace(t);
	ck_assert_uint_eq(machine_stop_sampling(f.m, 1), 2);
}

TEST(an_input_that_is_refused_moves_nothing)
{
	unsigned n = 0;

	SCRIPT(wait_ops);
	make("");
	while (type('x'))
		n++;
	ck_assert_uint_eq(n, BOARD_CONSOLE_QUEUE);
	hand.passed = 100;
	ck_assert(!type('x'));
	ck_assert_uint_eq(cycle(), 1);
}

TEST(an_input_comes_no_later_than_the_last_cycle)
{
	SCRIPT(wait_ops);
	make("max-cycles=60");
	hand.passed = 100;
	ck_assert(type('x'));
	ck_assert_uint_eq(stamp(0), 60);
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
}

TEST(a_pause_holds_the_clock_and_the_rest_begins_anew)
{
	uint64_t until;

	make_timer("");
	hand.passed = 100;
	ck_assert(machine_pause(f.m, NULL));
	ck_assert(!machine_sleeps(f.m, &until));
	hand.passed = 300;
	machine_look(f.m);
	ck_assert_uint_eq(cycle(), BEGIN + 100);
	ck_assert(machine_resume(f.m, NULL));
	fixture_run(&f, 1000, SLICES);
	sleeps_until(END);
	ck_assert_uint_eq(hand.begun, 2);
	ck_assert_uint_eq(hand.start, BEGIN + 100);
	hand.passed = END - BEGIN - 100;
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_FINISHER_PASS, 0);
}

TEST(run_until_a_cycle_sleeps_until_it)
{
	const struct machine_until until = { UNTIL_CYCLE, 1234 };

	make_timer("");
	ck_assert(machine_pause(f.m, NULL));
	ck_assert(machine_run_until(f.m, &until, NULL));
	fixture_run(&f, 1000, SLICES);
	sleeps_until(1234);
	hand.passed = END;
	fixture_run(&f, 1000, SLICES);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_UNTIL);
	ck_assert_uint_eq(cycle(), 1234);
}

TEST(a_limit_of_cycles_is_slept_for_too)
{
	make_timer("max-cycles=100");
	sleeps_until(100);
	hand.passed = 94;
	fixture_run(&f, 1000, SLICES);
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(cycle(), 100);
}

SUITE("paced", .teardown = teardown);
