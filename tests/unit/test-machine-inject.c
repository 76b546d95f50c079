/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events from outside on the machine over the scripted engine: behind which
 * instruction they act, before what, what they leave alone, and that a replay
 * needs nothing but the trace.
 */
#include <pmu/rule.h>

#include "core/inject.h"
#include "machine-script.h"
#include "view/inspect.h"

enum {
	INSNS = 2,
	LCOFIE = 1 << 13,
	MIE_BIT = 8,
};

static struct error error;

static void begin(const char *settings, const Pmu__V1__Trace *replay)
{
	const struct fixture_config cfg = {
		.m_mode = true,
		.settings = settings,
		.traps = true,
		.replay = replay,
	};

	fixture_init(&f, &cfg);
	fixture_start(&f);
}

static uint32_t inject(struct machine_injection want)
{
	uint32_t number;

	if (!want.n)
		want.n = 1;
	ck_assert_msg(machine_inject(f.m, &want, &number, &error), "%s",
		      error.text);
	return number;
}

static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

/* The n-th injection's record. */
static const Pmu__V1__Record *injected(const Pmu__V1__Trace *t, unsigned n)
{
	return fixture_record(t, PMU__V1__RECORD__KIND_INPUT, n);
}

static unsigned how_often(void)
{
	Pmu__V1__Trace *t = fixture_trace(&f);
	unsigned n = 0;

	while (injected(t, n))
		n++;
	fixture_free_trace(t);
	return n;
}

static const struct place_row {
	const char *why;
	struct machine_injection what;
	unsigned n;	   /* how often in 100 instructions */
	uint64_t insn[3];  /* what had retired, each time */
	uint64_t pc, last; /* the next instruction, and the one before */
} place_rows[] = {
	{ "the first",
	  { .when = INJECT_BEHIND_INSN, .at = 1 },
	  1,
	  { 1 },
	  PC(1),
	  0 },
	{ "the 50th",
	  { .when = INJECT_BEHIND_INSN, .at = 50 },
	  1,
	  { 50 },
	  PC(2),
	  0 },
	{ "the last",
	  { .when = INJECT_BEHIND_INSN, .at = 100 },
	  1,
	  { 100 },
	  PC(0),
	  0 },
	{ "beyond the end",
	  { .when = INJECT_BEHIND_INSN, .at = 101 },
	  0,
	  { 0 },
	  0,
	  0 },
	{ "each 20th",
	  { .when = INJECT_BEHIND_INSN, .at = 20, .repeat = true },
	  5,
	  { 20, 40, 60 },
	  PC(0),
	  0 },
	{ "the first at a pc",
	  { .when = INJECT_BEHIND_PC, .at = PC(0) },
	  1,
	  { 1 },
	  PC(1),
	  PC(0) },
	{ "a jump",
	  { .when = INJECT_BEHIND_PC, .at = PC(3) },
	  1,
	  { 4 },
	  PC(0),
	  PC(3) },
	{ "each time at a pc",
	  { .when = INJECT_BEHIND_PC, .at = PC(2), .repeat = true },
	  25,
	  { 3, 7, 11 },
	  PC(3),
	  PC(2) },
	{ "a pc where nobody comes",
	  { .when = INJECT_BEHIND_PC, .at = PC(7) },
	  0,
	  { 0 },
	  0,
	  0 },
};

TEST_ROWS(it_acts_behind_its_instruction, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	Pmu__V1__Trace *t;

	SCRIPT(loop_ops);
	fake.block = 3;
	begin(_i % 2 ? "max-insns=100" : "max-insns=100 quantum=7", NULL);
	inject(row->what);
	fixture_run(&f, 5, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, 124);
	ck_assert_uint_eq(fixture_status(&f).insn, 100);
	ck_assert_uint_eq(fixture_status(&f).cycle, 100);
	ck_assert_msg(how_often() == row->n, "%s: %u times", row->why,
		      how_often());
	t = fixture_trace(&f);
	for (unsigned i = 0; i < row->n && i < 3; i++) {
		const Pmu__V1__Record *r = injected(t, i);

		ck_assert_msg(r->insn == row->insn[i] && r->pc == row->pc &&
				      r->input->inject->last_pc == row->last,
			      "%s: record %u behind %llu at %#llx", row->why, i,
			      (unsigned long long)r->insn,
			      (unsigned long long)r->pc);
	}
	fixture_free_trace(t);
}

TEST_ROWS(a_replay_knows_only_the_trace, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	struct fixture live;
	Pmu__V1__Trace *t;

	SCRIPT(loop_ops);
	fake.block = 3;
	begin("max-insns=100 quantum=9", NULL);
	inject(row->what);
	fixture_run(&f, 5, UINT32_MAX);
	live = f;
	t = fixture_trace(&live);
	begin("max-insns=100 quantum=9", t);
	fixture_run(&f, 1000, UINT32_MAX);
	ck_assert_msg(fixture_same(&live, &f), "%s", row->why);
	fixture_free_trace(t);
	fixture_fini(&live);
}

TEST_ROWS(it_waits_on_in_another_machine, place_rows)
{
	const struct place_row *row = &place_rows[_i];

	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	inject(row->what);
	while (fixture_state(&f) == MACHINE_RUNNING) {
		fixture_run(&f, 3, 1);
		fixture_move(&f);
	}
	ck_assert_msg(how_often() == row->n, "%s: %u times", row->why,
		      how_often());
}

/* Counter 3 wants two more instructions, and its interrupt may come. */
static const struct fake_op overflow_ops[] = {
	LI(1, PC(12)),
	CSRW(MTVEC, 1),
	LI(1, LCOFIE),
	CSRW(MIE, 1),
	LI(1, INSNS),
	CSRW(MHPMEVENT3, 1),
	LI(1, -UINT64_C(1000)),
	CSRW(MHPMCOUNTER3, 1),
	LI(1, MIE_BIT),
	CSRW(MSTATUS, 1),
	NOP, /* the 11th */
	JUMP(10),
	PASS,
};

static const struct fires_row {
	const char *why;
	uint64_t n, insn; /* what has retired when it overflows */
} fires_rows[] = {
	/* li, csrw and the 11th are counted from 1000 on: 997 are left */
	{ "one less: the next one does", 996, 12 },
	{ "exactly", 997, 11 },
	{ "more than all of its width", UINT64_MAX, 11 },
};

TEST_ROWS(an_overflow_interrupts_before_the_next_instruction, fires_rows)
{
	const struct fires_row *row = &fires_rows[_i];
	const Pmu__V1__Record *o, *trap;
	Pmu__V1__Trace *t;

	shows(RULE("mhpmevent_of_op"));
	SCRIPT(overflow_ops);
	begin("max-insns=40", NULL);
	inject((struct machine_injection){ .event = PMU_EV_INSNS,
					   .n = row->n,
					   .when = INJECT_BEHIND_PC,
					   .at = PC(10) });
	fixture_run(&f, 1000, UINT32_MAX);
	t = fixture_trace(&f);
	ck_assert_uint_eq(injected(t, 0)->insn, 11);
	o = fixture_record(t, PMU__V1__RECORD__KIND_OVERFLOW, 0);
	trap = fixture_record(t, PMU__V1__RECORD__KIND_TRAP, 0);
	ck_assert(o && trap);
	ck_assert_uint_eq(o->insn, row->insn);
	ck_assert_uint_eq(o->overflow->last_pc, PC(row->insn - 1));
	ck_assert_uint_eq(o->cycle, row->insn);
	ck_assert_uint_eq(trap->insn, row->insn);
	ended(CAUSE_FINISHER_PASS, 0);
	fixture_free_trace(t);
}

/* The instruction at 2 traps once, and its handler comes back to it. */
static const struct fake_op trap_ops[] = {
	LI(1, PC(5)),
	CSRW(MTVEC, 1),
	INSN(FAKE_CSRRS(0, 0x5ff, 0)), /* no such CSR */
	NOP,
	PASS,
};

TEST(an_instruction_that_traps_is_waited_for)
{
	SCRIPT(trap_ops);
	begin("max-insns=40", NULL);
	inject((struct machine_injection){ .when = INJECT_BEHIND_PC,
					   .at = PC(2) });
	fixture_run(&f, 1000, UINT32_MAX);
	ck_assert_uint_eq(how_often(), 0);
	ck_assert_ptr_nonnull(machine_injection(f.m, 1));
}

/* Hart 0 waits until its timer, at time 10: cycle 1000. */
static const struct fake_op wait_ops[] = {
	LI(1, 10), WRITE(1, 8, MTIMECMP(0)), LI(1, 0x80), CSRW(MIE, 1), WFI,
	PASS,
};

TEST(a_wait_is_one_instruction)
{
	const Pmu__V1__Record *r;
	Pmu__V1__Trace *t;

	SCRIPT(wait_ops);
	begin("max-insns=40", NULL);
	inject((struct machine_injection){ .when = INJECT_BEHIND_PC,
					   .at = PC(4) });
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
	t = fixture_trace(&f);
	r = injected(t, 0);
	ck_assert_ptr_nonnull(r);
	ck_assert_uint_eq(r->insn, 5);
	ck_assert_uint_ge(r->cycle, 1000);
	ck_assert_uint_eq(r->pc, PC(5));
	fixture_free_trace(t);
}

TEST(the_totals_have_them_and_the_run_is_the_same)
{
	SCRIPT(loop_ops);
	begin("max-insns=1000", NULL);
	for (int e = 0; e < PMU_EV_STALLED_FRONTEND; e++)
		inject((struct machine_injection){
			.event = (enum pmu_event)e,
			.n = 5000,
			.when = INJECT_BEHIND_INSN,
			.at = 500,
		});
	fixture_run(&f, 77, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, 124);
	ck_assert_uint_eq(fixture_status(&f).insn, 1000);
	ck_assert_uint_eq(fixture_status(&f).cycle, 1000);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_INSNS, PMU_MODE_M),
			  6000);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_CYCLES, PMU_MODE_M),
			  6000);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_LOADS, PMU_MODE_M),
			  5000);
}

TEST(now_is_where_the_machine_stands)
{
	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	fixture_run(&f, 10, 1);
	ck_assert_uint_eq(inject((struct machine_injection){ .n = 3 }), 0);
	ck_assert(machine_pause(f.m, &error));
	ck_assert_uint_eq(inject((struct machine_injection){ .n = 4 }), 0);
	ck_assert_uint_eq(how_often(), 2);
	ck_assert_uint_eq(inspect_total(f.m, 0, PMU_EV_INSNS, PMU_MODE_M) -
				  fixture_status(&f).insn,
			  7);
}

/* Hart 0 goes round at 5, hart 1 at 2. */
static const struct fake_op apart_ops[] = {
	CSRR(1, MHARTID), LOOP(1, 5), NOP, NOP, JUMP(2), NOP, NOP, JUMP(5),
};

static const struct hart_row {
	const char *why;
	unsigned hart, pc, n;
} hart_rows[] = {
	{ "its own hart comes there", 1, 3, 1 },
	{ "another hart alone comes there", 1, 6, 0 },
	{ "both do", 1, 1, 1 },
};

TEST_ROWS(another_hart_at_its_pc_goes_on, hart_rows)
{
	const struct hart_row *row = &hart_rows[_i];
	const struct fixture_config cfg = {
		.m_mode = true,
		.harts = 2,
		.settings = "max-insns=100 quantum=7",
	};
	Pmu__V1__Trace *t;

	SCRIPT(apart_ops);
	fixture_init(&f, &cfg);
	fixture_start(&f);
	inject((struct machine_injection){ .hart = row->hart,
					   .when = INJECT_BEHIND_PC,
					   .at = PC(row->pc) });
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, 124);
	ck_assert_msg(how_often() == row->n, "%s", row->why);
	t = fixture_trace(&f);
	if (row->n) {
		ck_assert_uint_eq(injected(t, 0)->hart, row->hart);
		ck_assert_uint_eq(injected(t, 0)->pc, PC(row->pc + 1));
	}
	fixture_free_trace(t);
}

/* A breakpoint at its pc holds first, and each is there once. */
TEST(breakpoints_hold_at_its_pc_as_ever)
{
	const uint64_t pc = PC(2);

	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	ck_assert(machine_set_breakpoints(f.m, &pc, 1, NULL));
	inject((struct machine_injection){
		.when = INJECT_BEHIND_PC, .at = pc, .repeat = true });
	for (unsigned i = 0; i < 5; i++) {
		fixture_run(&f, 1000, UINT32_MAX);
		ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
		ck_assert_uint_eq(fixture_status(&f).insn, 2 + 4 * i);
		ck_assert_uint_eq(how_often(), i);
		ck_assert(machine_resume(f.m, NULL));
	}
}

TEST(what_waits_is_listed_and_can_be_cancelled)
{
	const struct machine_injection *w;

	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	ck_assert_ptr_null(machine_injection(f.m, 1));
	ck_assert_uint_eq(
		inject((struct machine_injection){ .when = INJECT_BEHIND_PC,
						   .at = PC(1),
						   .repeat = true }),
		1);
	ck_assert_uint_eq(inject((struct machine_injection){
				  .when = INJECT_BEHIND_INSN, .at = 90 }),
			  2);
	fixture_run(&f, 1, 20);
	w = machine_injection(f.m, 1);
	ck_assert_uint_eq(w->number, 1);
	ck_assert_uint_eq(w->times, how_often());
	ck_assert_uint_ge(w->times, 2);
	ck_assert(machine_cancel_injection(f.m, 1, &error));
	ck_assert(!machine_cancel_injection(f.m, 1, &error));
	ck_assert_str_eq(error.reason, "NO_SUCH_INJECTION");
	w = machine_injection(f.m, 1);
	ck_assert_uint_eq(w->number, 2);
	ck_assert_ptr_null(machine_injection(f.m, 3));
}

static const struct wrong_row {
	const char *why;
	struct machine_injection what;
	const char *reason;
} wrong_rows[] = {
	{ "no such hart", { .hart = 1, .n = 1 }, "NO_SUCH_HART" },
	{ "no such event", { .event = PMU_N_EVENTS, .n = 1 }, "NO_SUCH_EVENT" },
	{ "no event", { .n = 0 }, "BAD_VALUE" },
	{ "no such hart, later",
	  { .hart = 64, .n = 1, .when = INJECT_BEHIND_INSN, .at = 1000 },
	  "NO_SUCH_HART" },
	{ "no such event, later",
	  { .event = PMU_N_EVENTS,
	    .n = 1,
	    .when = INJECT_BEHIND_INSN,
	    .at = 1000 },
	  "NO_SUCH_EVENT" },
	{ "instruction 0",
	  { .n = 1, .when = INJECT_BEHIND_INSN },
	  "BAD_VALUE" },
	{ "one that has retired",
	  { .n = 1, .when = INJECT_BEHIND_INSN, .at = 10 },
	  "HAS_RETIRED" },
	{ "an odd pc",
	  { .n = 1, .when = INJECT_BEHIND_PC, .at = PC(0) + 1 },
	  "BAD_VALUE" },
	{ "a pc that no scheme translates",
	  { .n = 1, .when = INJECT_BEHIND_PC, .at = UINT64_C(1) << 62 },
	  "BAD_VALUE" },
	{ "an event of a model that there is not",
	  { .event = PMU_EV_UARCH, .n = 1 },
	  "BAD_VALUE" },
	{ "now, again and again", { .n = 1, .repeat = true }, "FIELD_MISSING" },
};

TEST_ROWS(what_cannot_be_is_refused_with_its_reason, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];
	uint32_t number;

	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	fixture_run(&f, 10, 4);
	ck_assert_uint_ge(fixture_status(&f).insn, 10);
	ck_assert_msg(!machine_inject(f.m, &row->what, &number, &error), "%s",
		      row->why);
	ck_assert_msg(!strcmp(error.reason, row->reason), "%s: %s", row->why,
		      error.text);
	ck_assert_uint_eq(how_often(), 0);
}

TEST(a_high_half_address_is_taken_unmapped_as_it_is)
{
	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	inject((struct machine_injection){
		.when = INJECT_BEHIND_PC, .at = UINT64_C(0xffffffff80001234) });
	ck_assert(!machine_is_code(f.m, 0, UINT64_C(0xffffffff80001234)));
	ck_assert(machine_is_code(f.m, 0, PC(0)));
}

TEST(so_many_wait_and_no_more)
{
	struct machine_injection want = { .n = 1,
					  .when = INJECT_BEHIND_INSN,
					  .at = 99 };
	uint32_t number;

	SCRIPT(loop_ops);
	begin("max-insns=100", NULL);
	for (unsigned i = 0; i < INJECT_MAX_WAITING; i++)
		inject(want);
	ck_assert(!machine_inject(f.m, &want, &number, &error));
	ck_assert_str_eq(error.reason, "TOO_MANY");
	fixture_run(&f, 1000, UINT32_MAX);
	ck_assert_uint_eq(how_often(), INJECT_MAX_WAITING);
	ck_assert(!machine_inject(f.m, &want, &number, &error));
	ck_assert_str_eq(error.reason, "WRONG_STATE");
	want.when = INJECT_NOW;
	ck_assert(!machine_inject(f.m, &want, &number, &error));
	ck_assert_str_eq(error.reason, "WRONG_STATE");
}

SUITE("machine-inject", .teardown = teardown);
