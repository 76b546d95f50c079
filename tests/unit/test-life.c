/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A machine's states: each event in each of them, the exit code of each cause,
 * and texts that stay or go.
 */
#include "core/life.h"
#include "../../daemon/server/pmud-config.h"
#include "unit.h"

static struct life *l;

/* Brings it where it can be brought. */
static void reach(enum machine_state state)
{
	life_free(l);
	l = life_new(false);
	if (state == MACHINE_NEW)
		return;
	life_start(l);
	if (state == MACHINE_PAUSED)
		life_stop(l, CAUSE_PAUSE);
	else if (state == MACHINE_WAITING)
		life_wait(l);
	else if (state == MACHINE_ENDED)
		life_stop(l, CAUSE_SHUTDOWN);
	else if (state == MACHINE_CRASHED)
		life_stop(l, CAUSE_CRASH);
	ck_assert_int_eq(life_state(l), state);
}

static void teardown(void)
{
	life_free(l);
	l = NULL;
}

static const struct state_row {
	enum machine_state state;
	bool pauses, ends, crashes, goes_on;
	enum machine_state woken;
	const char *name;
} state_rows[] = {
	{ MACHINE_NEW, false, false, false, false, MACHINE_NEW,
	  "x: the machine has not started" },
	{ MACHINE_RUNNING, true, true, true, false, MACHINE_RUNNING,
	  "x: the machine is running" },
	{ MACHINE_PAUSED, false, false, false, true, MACHINE_PAUSED,
	  "x: the machine is paused" },
	{ MACHINE_WAITING, true, false, false, false, MACHINE_RUNNING,
	  "x: the machine is waiting" },
	{ MACHINE_ENDED, false, false, false, false, MACHINE_ENDED,
	  "x: the machine has ended" },
	{ MACHINE_CRASHED, false, false, false, false, MACHINE_CRASHED,
	  "x: the machine has crashed" },
};

TEST_ROWS(each_state_allows_what_its_row_says, state_rows)
{
	const struct state_row *row = &state_rows[_i];
	struct error e;

	reach(row->state);
	ck_assert(life_may_stop(l, CAUSE_PAUSE) == row->pauses);
	ck_assert(life_may_stop(l, CAUSE_STEP) == row->pauses);
	ck_assert(life_may_stop(l, CAUSE_HTIF) == row->ends);
	ck_assert(life_may_stop(l, CAUSE_CRASH) == row->crashes);
	ck_assert(!life_refuse(l, "x", &e));
	ck_assert_str_eq(e.text, row->name);
	ck_assert_str_eq(e.reason, "WRONG_STATE");
	life_wake(l);
	ck_assert_int_eq(life_state(l), row->woken);
	reach(row->state);
	ck_assert(life_go_on(l) == row->goes_on);
	ck_assert_int_eq(life_state(l),
			 row->goes_on ? MACHINE_RUNNING : row->state);
}

static const struct end_row {
	enum machine_cause cause;
	int code, want;
} end_rows[] = {
	{ CAUSE_SHUTDOWN, 9, 0 },	{ CAUSE_FINISHER_PASS, 0, 0 },
	{ CAUSE_FINISHER_FAIL, 7, 7 },	{ CAUSE_HTIF, 300, 300 },
	{ CAUSE_SYSTEM_FAILURE, 0, 1 }, { CAUSE_REBOOT, 0, 122 },
	{ CAUSE_MAX_INSNS, 0, 124 },	{ CAUSE_MAX_CYCLES, 0, 124 },
	{ CAUSE_DEADLOCK, 0, 125 },	{ CAUSE_TRAP_LOOP, 0, 125 },
};

TEST_ROWS(an_end_has_the_exit_code_of_its_cause, end_rows)
{
	const struct end_row *row = &end_rows[_i];
	enum machine_cause met = CAUSE_NONE;

	reach(MACHINE_RUNNING);
	ck_assert(!life_end_now(l, &met));
	ck_assert(life_end_soon(l, row->cause, row->code));
	ck_assert_int_eq(life_state(l), MACHINE_RUNNING);
	ck_assert_int_eq(life_cause(l), CAUSE_NONE);
	ck_assert(life_end_now(l, &met));
	ck_assert_int_eq(met, row->cause);
	ck_assert_int_eq(life_cause(l), row->cause);
	ck_assert_int_eq(life_state(l), MACHINE_ENDED);
	ck_assert_int_eq(life_exit_code(l), row->want);
}

TEST_RANGE(a_reboot_is_no_end_where_the_machine_reboots, REBOOT_COLD,
	   REBOOT_DEVICE + 1)
{
	enum machine_cause met;
	enum reboot_kind kind;

	life_free(l);
	l = life_new(true);
	life_start(l);
	ck_assert(!life_reboot_now(l, &kind));
	for (int times = 0; times < 2; times++) {
		ck_assert(life_end_soon(l, CAUSE_REBOOT, _i));
		ck_assert(!life_end_soon(l, CAUSE_SHUTDOWN, 0));
		ck_assert(life_reboot_now(l, &kind));
		ck_assert_int_eq((int)kind, _i);
		ck_assert(!life_reboot_now(l, &kind));
		ck_assert(!life_end_now(l, &met));
		ck_assert_int_eq(life_state(l), MACHINE_RUNNING);
	}
	ck_assert(life_end_soon(l, CAUSE_SHUTDOWN, 0));
	ck_assert(!life_reboot_now(l, &kind));
	ck_assert(life_end_now(l, &met));
}

TEST(a_reboot_is_an_end_elsewhere)
{
	enum reboot_kind kind;
	enum machine_cause met;

	reach(MACHINE_RUNNING);
	ck_assert(life_end_soon(l, CAUSE_REBOOT, REBOOT_COLD));
	ck_assert(!life_reboot_now(l, &kind));
	ck_assert(life_end_now(l, &met));
	ck_assert_int_eq(life_exit_code(l), EXIT_REBOOT);
}

TEST(the_first_doom_counts)
{
	enum machine_cause met;

	reach(MACHINE_RUNNING);
	ck_assert(life_end_soon(l, CAUSE_FINISHER_FAIL, 3));
	ck_assert(!life_end_soon(l, CAUSE_SHUTDOWN, 0));
	ck_assert(life_end_now(l, &met));
	ck_assert_int_eq(life_cause(l), CAUSE_FINISHER_FAIL);
	ck_assert_int_eq(life_exit_code(l), 3);
}

/* Nothing is lost of an end that a pause comes before. */
TEST(a_doom_outlives_a_pause)
{
	enum machine_cause met;

	reach(MACHINE_RUNNING);
	life_end_soon(l, CAUSE_HTIF, 5);
	life_stop(l, CAUSE_PAUSE);
	ck_assert_int_eq(life_cause(l), CAUSE_PAUSE);
	ck_assert(life_go_on(l));
	ck_assert(life_end_now(l, &met));
	ck_assert_int_eq(met, CAUSE_HTIF);
	ck_assert_int_eq(life_exit_code(l), 5);
}

TEST(a_crash_has_its_code)
{
	reach(MACHINE_CRASHED);
	ck_assert_int_eq(life_cause(l), CAUSE_CRASH);
	ck_assert_int_eq(life_exit_code(l), EXIT_CRASH);
}

static const struct move_row {
	enum machine_cause cause, moved;
} move_rows[] = {
	{ CAUSE_BREAKPOINT, CAUSE_PAUSE },
	{ CAUSE_UNTIL, CAUSE_PAUSE },
	{ CAUSE_STEP, CAUSE_STEP },
	{ CAUSE_PAUSE, CAUSE_PAUSE },
};

TEST_ROWS(a_machine_that_is_moved_stands_at_its_stop_no_more, move_rows)
{
	reach(MACHINE_RUNNING);
	life_stop(l, move_rows[_i].cause);
	life_move(l);
	ck_assert_int_eq(life_cause(l), move_rows[_i].moved);
}

TEST(a_text_for_now_goes_when_the_machine_goes_on)
{
	reach(MACHINE_PAUSED);
	ck_assert_str_eq(life_detail(l), "");
	life_tell_for_now(l, "a step");
	ck_assert_str_eq(life_detail(l), "a step");
	life_go_on(l);
	ck_assert_str_eq(life_detail(l), "");
	life_tell(l, "a warning");
	life_stop(l, CAUSE_PAUSE);
	life_go_on(l);
	ck_assert_str_eq(life_detail(l), "a warning");
}

TEST(a_text_for_now_goes_when_the_machine_wakes)
{
	reach(MACHINE_RUNNING);
	life_tell_for_now(l, "a step");
	life_wait(l);
	ck_assert_str_eq(life_detail(l), "a step");
	life_wake(l);
	ck_assert_str_eq(life_detail(l), "");
	/* one that is paused does not go on by that */
	life_stop(l, CAUSE_STEP);
	life_tell_for_now(l, "a step");
	life_wake(l);
	ck_assert_str_eq(life_detail(l), "a step");
}

/* The server, too, says how a machine has ended whose process is gone. */
TEST(a_process_that_is_gone_has_a_crash_as_exit_code)
{
	ck_assert_int_eq(EXIT_MACHINE_CRASHED, EXIT_CRASH);
}

SUITE("life", .teardown = teardown);
