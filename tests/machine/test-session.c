/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interactive sessions on the real engine: recorded with inputs at any moment,
 * slices of any length, one engine or two and moves to another machine;
 * replayed otherwise; the same bytes. Arguments: guests that can be disturbed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "guest-image.h"
#include "view/inspect.h"
#include "machine-fixture.h"
#include "random-session.h"

static char **paths;
static int n_paths;
static struct guest guest;

enum {
	SESSIONS = 6 /* of each guest */
};

#define ENDS "max-insns=60000 max-cycles=200000 quantum=777 "
static const char *const how[] = { ENDS "engines=2", ENDS "engines=1",
				   ENDS "step-only=on" };

TEST_TIMES(a_session_replays_on_another_engine, (n_paths * SESSIONS))
{
	struct random_session p = { .dice = 1 + 6700417 * (uint64_t)_i,
				    .inputs = 40,
				    .slice = 4000,
				    .registers = !guest_is(&guest, "echo"),
				    .scratch = BOARD_RAM_BASE + (3 << 20),
				    .moves = _i % 2 ? 8 : 0 };
	struct random_pacer pacer;
	struct fixture_config cfg;
	struct fixture live, again;
	char text[GUEST_SETTINGS];
	Pmu__V1__Trace *t;

	guest_read(&guest, paths[_i / SESSIONS]);
	p.sbi = guest_is(&guest, "sbi") || guest_is(&guest, "sse-loop");
	guest_configure(&guest, how[_i % 3], text, &cfg);
	random_pacer_init(&pacer, p.dice, 1000);
	cfg.pacer = _i % 2 ? &pacer.pacer : NULL;
	fixture_init(&live, &cfg);
	fixture_start(&live);
	random_session_run(&live, &p);
	t = fixture_trace(&live);
	guest_configure(&guest, how[(_i + 1) % 3], text, &cfg);
	cfg.replay = t;
	fixture_init(&again, &cfg);
	fixture_start(&again);
	machine_console_eof(again.m);
	fixture_run(&again, 10000, UINT32_MAX);
	ck_assert_msg(fixture_same(&live, &again),
		      "%s: %zu bytes recorded, %zu replayed", guest.name,
		      buf_len(&live.bytes), buf_len(&again.bytes));
	fixture_free_trace(t);
	fixture_fini(&live);
	fixture_fini(&again);
	guest_free(&guest);
}

/* The echo guest polls in three instructions, the first a device access. */
TEST_TIMES(breakpoints_stop_exactly_each_time_round, 3)
{
	struct fixture_config cfg;
	struct fixture f;
	struct inspect_hart h;
	char text[GUEST_SETTINGS];
	uint64_t pc;

	guest_read(&guest, paths[0]);
	ck_assert(guest_is(&guest, "echo"));
	guest_configure(&guest, how[_i], text, &cfg);
	fixture_init(&f, &cfg);
	ck_assert(machine_start(f.m, true, NULL));
	ck_assert(inspect_hart(f.m, 0, &h, NULL));
	pc = h.pc + 4 * 3; /* behind lui, li and the load */
	ck_assert(machine_set_breakpoints(f.m, &pc, 1, NULL));
	for (unsigned i = 0; i < 20; i++) {
		ck_assert(machine_resume(f.m, NULL));
		fixture_run(&f, 1 + 5 * i, UINT32_MAX);
		ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
		ck_assert_uint_eq(fixture_status(&f).insn, 3 + 3 * i);
		ck_assert(inspect_hart(f.m, 0, &h, NULL));
		ck_assert_uint_eq(h.pc, pc);
	}
	fixture_fini(&f);
	guest_free(&guest);
}

static void begin(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("session", .timeout = 120, .begin = begin);
