/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State that is given and taken: what no guest of the other tests of it keeps
 * (test-moves.c, test-session.c, test-replay.c), and who may not take it.
 */
#include <string.h>

#include "core/machine-state.h"
#include "machine-script.h"
#include "view/inspect.h"

#define MTIME (BOARD_CLINT_BASE + 0xbff8)

static const struct fake_op loop_ops[] = { NOP, NOP, NOP, JUMP(0) };

static uint64_t x(unsigned n)
{
	struct hart_state s;

	ck_assert(inspect_registers(f.m, 0, &s, NULL));
	return s.x[n];
}

static const struct fake_op mtime_ops[] = {
	LI(1, 1000000),
	WRITE(1, 8, MTIME),
	NOP,
	NOP,
	NOP,
	NOP,
	READ(2, 8, MTIME),
	PASS,
};

TEST(time_that_a_guest_has_moved_stays_so)
{
	SCRIPT(mtime_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 1, 3);
	fixture_move(&f);
	fixture_run(&f, 1000, UINT32_MAX);
	ended(CAUSE_FINISHER_PASS, 0);
	ck_assert_uint_ge(x(2), 1000000);
}

TEST(breakpoints_and_their_stop_stay)
{
	const uint64_t pc = PC(2);
	struct inspect_hart h;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(machine_set_breakpoints(f.m, &pc, 1, NULL));
	fixture_start(&f);
	for (unsigned i = 0; i < 4; i++) {
		fixture_run(&f, 1, UINT32_MAX);
		fixture_move(&f);
		ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
		ck_assert_uint_eq(fixture_status(&f).insn, 2 + 4 * i);
		ck_assert(inspect_hart(f.m, 0, &h, NULL));
		ck_assert_uint_eq(h.pc, pc);
		ck_assert(machine_resume(f.m, NULL));
		fixture_move(&f);
	}
}

TEST(a_step_under_way_ends_where_it_would)
{
	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_pause(f.m, NULL));
	ck_assert(machine_step(
		f.m,
		&(struct machine_step){ .insns = 10, .hart = STEP_NEXT_HART },
		NULL));
	fixture_run(&f, 1, 4);
	fixture_move(&f);
	fixture_run(&f, 1, UINT32_MAX);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_STEP);
	ck_assert_uint_eq(fixture_status(&f).insn, 10);
}

static const struct fake_op trap_ops[] = { INSN(0), NOP };

TEST(the_note_of_a_trap_loop_stays)
{
	char note[256];

	SCRIPT(trap_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	fixture_run(&f, 500, 1000);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	strcpy(note, machine_note(f.m, 0));
	fixture_move(&f);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	ck_assert_str_eq(machine_note(f.m, 0), note);
}

/* A machine that is not yet running is one, too. */
TEST(images_and_inputs_wait_in_the_other_machine)
{
	struct input in = { .kind = INPUT_CONSOLE,
			    .cycle = 5,
			    .console = { (const uint8_t *)"ab", 2 } };

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true,
						   .settings = "max-insns=9" });
	ck_assert(machine_queue(f.m, &in, NULL));
	fixture_move(&f);
	ck_assert_uint_eq(machine_queued(f.m), 1);
	fixture_start(&f);
	fixture_run(&f, 100, UINT32_MAX);
	ended(CAUSE_MAX_INSNS, EXIT_LIMIT);
	ck_assert_uint_eq(machine_queued(f.m), 0);
}

/* Who may not take it */

static const struct other_row {
	const char *why;
	unsigned harts;
	uint64_t memory;
	bool m_mode;
	const char *key, *value;
	const char *what; /* does not fit; NULL: it does */
} other_rows[] = {
	{ "the same", 2, 4 << 20, true, "xlen", "64", NULL },
	{ "other harts", 3, 4 << 20, true, "xlen", "64", "config" },
	{ "other memory", 2, 8 << 20, true, "xlen", "64", "config" },
	{ "another start", 2, 4 << 20, false, "xlen", "64", "config" },
	{ "another XLEN", 2, 4 << 20, true, "xlen", "32", "config" },
	{ "another quantum", 2, 4 << 20, true, "quantum", "99", "config" },
	{ "an extension more", 2, 4 << 20, true, "hart1.sstc", "on", "hart" },
	{ "another host's slice", 2, 4 << 20, true, "engines", "1", NULL },
};

static void configure(struct machine_config *ret, const struct other_row *row)
{
	char why[SETTINGS_ERROR];

	*ret = (struct machine_config){ .harts = row->harts,
					.memory = row->memory,
					.m_mode = row->m_mode };
	settings_init(&ret->settings);
	ck_assert(settings_set(&ret->settings, row->key, row->value, why));
}

TEST_ROWS(state_is_for_a_machine_of_the_same_configuration, other_rows)
{
	const struct other_row *row = &other_rows[_i];
	struct recorder recorder = { 0 };
	struct state state = { 0 };
	struct machine_config cfg;
	struct machine *m;
	struct error e;
	bool taken;

	SCRIPT(loop_ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true, .harts = 2 });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	configure(&cfg, row);
	ck_assert(machine_new(&m, &cfg, &recorder, &e));
	taken = machine_take(m, &state, &e);
	ck_assert_msg(taken == !row->what, "%s", row->why);
	if (!taken) {
		ck_assert_int_eq(e.kind, ERROR_INVALID);
		ck_assert_str_eq(e.reason, "BAD_STATE");
		ck_assert_msg(strstr(e.text, row->what), "%s: %s", row->why,
			      e.text);
	}
	machine_free(m);
	state_free(&state);
}

/* Wherever it is cut off. */
TEST(half_a_state_is_refused)
{
	struct recorder recorder = { 0 };
	struct state state = { 0 };
	struct machine *m;
	struct error e;
	size_t n;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	n = state.n;
	for (unsigned i = 0; i < 40; i++) {
		state.n = n * i / 40;
		state.at = 0;
		state.failed = NULL;
		ck_assert(machine_new(&m, machine_config(f.m), &recorder, &e));
		ck_assert(!machine_take(m, &state, &e));
		machine_free(m);
	}
	state_free(&state);
}

TEST(a_machine_that_has_started_takes_none)
{
	struct state state = { 0 };
	struct error e;

	SCRIPT(loop_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	fixture_start(&f);
	ck_assert(machine_give(f.m, &state, &e));
	ck_assert(!machine_take(f.m, &state, &e));
	ck_assert_str_eq(e.reason, "ALREADY_STARTED");
	state_free(&state);
}

SUITE("machine-state", .teardown = teardown);
