/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches to clients, on the machine over the scripted engine: who
 * gets a counter, when its session is told, what stands still meanwhile, and
 * that a replay needs none of them.
 */
#include "ebb-script.h"

TEST(an_overflow_is_told_where_it_happened_and_raises_nothing)
{
	const Pmu__V1__Record *o, *d;
	Pmu__V1__Trace *t;

	shows(RULE("C149 C159"));
	begin("", NULL);
	run(1);
	open_one(1, 0, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert_uint_eq(told(), 1); /* not armed again */
	ck_assert(has_of(3));
	ck_assert_uint_eq(csr(MIP) & LCOFIP, 0);
	t = fixture_trace(&f);
	o = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 0);
	ck_assert_uint_eq(o->overflow->ebb, 1);
	ck_assert(!o->overflow->raised);
	ck_assert_uint_eq(d->ebb_delivery->session, 1);
	ck_assert_uint_eq(d->ebb_delivery->counters, 8);
	ck_assert_uint_eq(d->ebb_delivery->cycle, o->cycle);
	ck_assert_uint_eq(d->cycle, o->cycle);
	ck_assert_uint_eq(d->pc, o->pc);
	fixture_free_trace(t);
}

TEST(an_overflow_while_masked_is_held_once_and_told_when_unmasked)
{
	const Pmu__V1__Record *o, *d;
	Pmu__V1__Trace *t;

	shows(RULE("C150"));
	begin("", NULL);
	run(1);
	open_one(1, RELOADS, 100);
	run(SLICES);
	ck_assert_uint_eq(told(), 0);
	ck_assert(has_of(3));
	simply(EBB_UNMASK, 1);
	ck_assert_uint_eq(told(), 1);
	t = fixture_trace(&f);
	o = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 0);
	ck_assert_ptr_null(
		fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 1));
	ck_assert_uint_eq(d->ebb_delivery->cycle, o->cycle);
	ck_assert_uint_gt(d->cycle, o->cycle + 1000);
	fixture_free_trace(t);
}

/* Who arms it again has seen it: there is nothing to tell any more. */
TEST(a_held_overflow_is_forgotten_when_its_counter_is_armed)
{
	shows(RULE("C150"));
	begin("", NULL);
	run(1);
	open_one(1, 0, 100);
	run(SLICES);
	ck_assert(has_of(3));
	rearm(1, 3, 1u << 30);
	ck_assert(!has_of(3));
	simply(EBB_UNMASK, 1);
	run(1);
	ck_assert_uint_eq(told(), 0);
}

/* Counter 3 overflows first, then 4; one may be armed again before it is told.
 */
static const struct two_row {
	unsigned armed; /* 0: none */
	uint32_t counters;
	unsigned first; /* overflow of the trace */
} two_rows[] = {
	{ 0, 1 << 3 | 1 << 4, 0 },
	{ 3, 1 << 4, 1 },
	{ 4, 1 << 3, 0 },
};

TEST_ROWS(each_held_overflow_has_its_own_cycle, two_rows)
{
	const struct two_row *row = &two_rows[_i];
	const Pmu__V1__Record *o, *d;
	Pmu__V1__Trace *t;

	shows(RULE("C150"));
	begin("", NULL);
	run(1);
	act((struct ebb_act){ .what = EBB_OPEN, .session = 1 });
	add(1, 3, 100);
	add(1, 4, 2000);
	simply(EBB_ENABLE, 1);
	run(SLICES);
	ck_assert(has_of(3) && has_of(4));
	if (row->armed)
		rearm(1, row->armed, 1u << 30);
	simply(EBB_UNMASK, 1);
	run(1);
	ck_assert_uint_eq(told(), 1);
	t = fixture_trace(&f);
	o = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, row->first);
	d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, 0);
	ck_assert_uint_eq(d->ebb_delivery->counters, row->counters);
	ck_assert_uint_eq(d->ebb_delivery->cycle, o->cycle);
	fixture_free_trace(t);
}

/* Whether the handler arms again, and how often it is told after it. */
static const struct inside_row {
	const char *why;
	bool rearms, masks;
	unsigned told;
} inside_rows[] = {
	{ "not armed again: none", false, false, 1 },
	{ "armed again: exactly one, behind the return", true, false, 2 },
	{ "returned masked: held", true, true, 1 },
};

TEST_ROWS(an_overflow_inside_the_handler_never_nests, inside_rows)
{
	const struct inside_row *row = &inside_rows[_i];

	shows(RULE("C151 C152"));
	begin("", NULL);
	run(1);
	open_one(1, 0, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	if (row->rearms)
		rearm(1, 3, 5);
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
	ck_assert(has_of(3));
	act((struct ebb_act){
		.what = EBB_RETURN, .session = 1, .masked = row->masks });
	ck_assert_msg(told() == row->told, "%s", row->why);
	run(SLICES);
	ck_assert_msg(told() == row->told, "%s", row->why);
}

TEST(a_machine_that_reloads_tells_every_overflow)
{
	const Pmu__V1__Record *d;
	Pmu__V1__Trace *t;
	uint64_t first;

	begin("", NULL);
	run(1);
	open_one(1, RELOADS, 100);
	first = now() + 100;
	simply(EBB_UNMASK, 1);
	run(SLICES);
	t = fixture_trace(&f);
	for (unsigned i = 0; i < 100; i++) {
		d = fixture_record(t, PMU__V1__RECORD__KIND_EBB_DELIVERY, i);
		ck_assert_uint_eq(d->cycle, first + 100 * i);
	}
	fixture_free_trace(t);
}

static void write_memory(uint64_t value)
{
	const struct input in = {
		.kind = INPUT_MEMORY_WRITE,
		.memory_write = { .address = BASE + 4096,
				  .bytes = (const uint8_t *)&value,
				  .len = sizeof(value) },
	};

	ck_assert_msg(machine_input(f.m, &in, NULL, &error), "%s", error.text);
}

/* A handler that counts in memory and arms again, @n times. */
static void handle(uint32_t session, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		run(SLICES);
		ck_assert(machine_frozen(f.m));
		write_memory(i);
		rearm(session, 3, 100 + i);
		simply(EBB_RETURN, session);
	}
}

TEST(a_frozen_machine_stands_until_its_handler_returns)
{
	const struct input csr_write = { .kind = INPUT_CSR_WRITE,
					 .csr_write = { MHPMCOUNTER3 + 1, 7 } };
	uint64_t cycle;

	begin("", NULL);
	run(1);
	open_one(1, FREEZES, 100);
	cycle = now() + 100;
	ck_assert(!machine_input(f.m, &csr_write, NULL, &error));
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert_uint_eq(now(), cycle);
	ck_assert_int_eq(fixture_state(&f), MACHINE_RUNNING);
	ck_assert_uint_eq(fixture_status(&f).ebb->number, 1);
	ck_assert(machine_input(f.m, &csr_write, NULL, &error));
	ck_assert_uint_eq(csr(MHPMCOUNTER3 + 1), 7);
	ck_assert(machine_pause(f.m, &error));
	simply(EBB_RETURN, 1);
	ck_assert_ptr_null(fixture_status(&f).ebb);
	ck_assert_int_eq(fixture_state(&f), MACHINE_PAUSED);
	ck_assert(machine_resume(f.m, &error));
	run(1);
	ck_assert_uint_gt(now(), cycle);
}

static uint64_t insns_of(unsigned hart)
{
	struct inspect_hart h = { 0 };

	ck_assert(inspect_hart(f.m, hart, &h, &error));
	return h.insn;
}

TEST(all_harts_stand_while_the_handler_of_one_runs)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.harts = 3,
		.settings = "quantum=30",
		.traps = true,
	};
	uint64_t insns[3];

	SCRIPT(loop_ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	run(1);
	open_one(1, FREEZES, 1000);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert(machine_frozen(f.m));
	for (unsigned i = 0; i < 3; i++)
		insns[i] = insns_of(i);
	run(SLICES);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(insns_of(i), insns[i]);
	simply(EBB_RETURN, 1);
	run(SLICES);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_gt(insns_of(i), insns[i]);
}

/* A counter that nobody uses, as a guest may have left it. */
static const struct left_row {
	uint64_t event, value;
	bool inhibited;
} left_rows[] = {
	{ 0, 77, false },
	{ 0, 78, true },
	{ INSNS, 79, true },
	{ UINT64_C(1) << 62 | 1, UINT64_MAX, true },
};

static void write_csr(uint16_t number, uint64_t value)
{
	const struct input in = { .kind = INPUT_CSR_WRITE,
				  .csr_write = { number, value } };

	PREPARING(ck_assert(machine_pause(f.m, &error)));
	PREPARING(ck_assert_msg(machine_input(f.m, &in, NULL, &error), "%s",
				error.text));
	PREPARING(ck_assert(machine_resume(f.m, &error)));
}

TEST_ROWS(a_counter_is_given_back_as_it_was, left_rows)
{
	const struct left_row *row = &left_rows[_i];

	begin("", NULL);
	run(1);
	write_csr(MCOUNTINHIBIT, row->inhibited ? 1 << 3 : 0);
	write_csr(MHPMEVENT3, row->event);
	write_csr(MHPMCOUNTER3, row->value);
	open_one(1, RELOADS, 100);
	ck_assert_uint_eq(csr(MCOUNTINHIBIT), 0);
	ck_assert_uint_eq(csr(MHPMCOUNTER3), -UINT64_C(100));
	run(SLICES);
	simply(EBB_CLOSE, 1);
	ck_assert_uint_eq(csr(MHPMEVENT3), row->event);
	ck_assert_uint_eq(csr(MHPMCOUNTER3), row->value);
	ck_assert_uint_eq(csr(MCOUNTINHIBIT), row->inhibited ? 1 << 3 : 0);
	/* and its overflows raise the guest's interrupt again */
	write_csr(MCOUNTINHIBIT, 0);
	write_csr(MHPMEVENT3, INSNS);
	write_csr(MHPMCOUNTER3, -UINT64_C(5));
	run(SLICES);
	ck_assert_uint_eq(csr(MIP) & LCOFIP, LCOFIP);
}

/* What lets a machine go whose client does not return. */
static const enum ebb_what releases[] = { EBB_CLOSE, EBB_DEATH, EBB_DISABLE };

TEST_ROWS(a_session_that_ends_lets_the_machine_go, releases)
{
	shows(RULE("C157"));
	begin("", NULL);
	run(1);
	open_one(1, FREEZES, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert(machine_frozen(f.m));
	simply(releases[_i], 1);
	ck_assert(!machine_frozen(f.m));
	ck_assert(!has_of(3));
	ck_assert_uint_eq(csr(MHPMEVENT3), 0);
	run(SLICES);
	ck_assert_uint_eq(told(), 1);
}

TEST_ROWS(a_session_that_ends_lets_go_for_itself_alone, releases)
{
	begin("", NULL);
	run(1);
	open_one(1, FREEZES, 100);
	act((struct ebb_act){ .what = EBB_OPEN, .session = 2, .freezes = 1 });
	add(2, 4, 1000);
	simply(EBB_ENABLE, 2);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert(machine_frozen(f.m));
	simply(releases[_i], 2);
	ck_assert(machine_frozen(f.m));
	ck_assert_uint_eq(fixture_status(&f).ebb->number, 1);
	simply(EBB_RETURN, 1);
	ck_assert(!machine_frozen(f.m));
}

TEST(two_frozen_runs_are_the_same_and_a_replay_needs_no_client)
{
	static const char settings[] = "max-insns=100000 quantum=97";
	struct fixture first;
	Pmu__V1__Trace *t;

	for (int i = 0; i < 2; i++) {
		begin(settings, NULL);
		/* the first slice ends at the same place in each */
		fixture_run(&f, 300, 1);
		open_one(1, FREEZES, 100);
		simply(EBB_UNMASK, 1);
		handle(1, 40);
		simply(EBB_CLOSE, 1);
		fixture_run(&f, 777, FOREVER);
		ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
		if (i == 0)
			first = f;
	}
	ck_assert(fixture_same(&first, &f));
	t = fixture_trace(&first);
	fixture_fini(&f);
	begin(settings, t);
	fixture_run(&f, 123, FOREVER);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert(fixture_same(&first, &f));
	fixture_free_trace(t);
	fixture_fini(&first);
}

TEST(a_replay_goes_on_where_a_client_never_returned)
{
	static const char settings[] = "max-insns=10000";
	Pmu__V1__Trace *t;

	begin(settings, NULL);
	fixture_run(&f, 300, 1);
	open_one(1, FREEZES, 100);
	simply(EBB_UNMASK, 1);
	run(SLICES);
	ck_assert(machine_frozen(f.m));
	t = fixture_trace(&f);
	fixture_fini(&f);
	begin(settings, t);
	fixture_run(&f, 123, FOREVER);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(told(), 1);
	fixture_free_trace(t);
}

TEST(a_machine_that_ran_on_repeats_from_its_trace)
{
	static const char settings[] = "max-insns=100000 quantum=97";
	struct fixture first;
	Pmu__V1__Trace *t;

	begin(settings, NULL);
	run(3);
	open_one(1, RELOADS, 100);
	run(2);
	simply(EBB_UNMASK, 1);
	run(5);
	rearm(1, 3, 31);
	fixture_move(&f);
	run(7);
	simply(EBB_DEATH, 1);
	fixture_run(&f, 1000, FOREVER);
	ck_assert_uint_gt(told(), 10);
	first = f;
	t = fixture_trace(&first);
	begin(settings, t);
	fixture_run(&f, 123, FOREVER);
	ck_assert(fixture_same(&first, &f));
	fixture_free_trace(t);
	fixture_fini(&first);
}

SUITE("machine-ebb", .teardown = teardown);
