/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watchpoints on the real engine, in each of its modes: a run that stops behind
 * every load and store is the run that stops nowhere, to the byte of its trace,
 * and stops as often as it has loads and stores. Arguments: guests.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <pmu/event.h>

#include "../unit/unit.h"
#include "board/board.h"
#include "guest-image.h"
#include "machine-fixture.h"
#include "view/inspect.h"

static char **paths;
static int n_paths;
static struct guest guest;

enum {
	MOVES = 500 /* one in so many stops is in another machine */
};

#define ENDS "max-insns=9000 max-cycles=30000 quantum=777 "
static const char *const how[] = { ENDS "engines=2", ENDS "engines=1",
				   ENDS "step-only=on" };

static uint64_t total(struct fixture *f, enum pmu_event event)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < machine_config(f->m)->harts; i++)
		for (int mode = 0; mode < PMU_N_MODES; mode++)
			n += inspect_total(f->m, i, event, (enum pmu_mode)mode);
	return n;
}

/* All there is. */
static void watch_all(struct fixture *f, bool loads, bool stores)
{
	const struct machine_watchpoint all = {
		.bytes = guest.rv32 ? UINT32_MAX : UINT64_MAX,
		.loads = loads,
		.stores = stores,
	};

	ck_assert(machine_set_watchpoints(f->m, &all, 1, NULL));
}

/* What is watched, and what was seen, is so in the machine that goes on. */
static void move(struct fixture *f)
{
	const struct machine_access seen = *fixture_status(f).watched;
	const struct machine_access *now;

	fixture_move(f);
	ck_assert_int_eq(fixture_status(f).cause, CAUSE_WATCHPOINT);
	now = fixture_status(f).watched;
	ck_assert_uint_eq(now->hart, seen.hart);
	ck_assert_uint_eq(now->address, seen.address);
	ck_assert_uint_eq(now->size, seen.size);
	ck_assert(now->store == seen.store);
	ck_assert_uint_eq(now->point.bytes, seen.point.bytes);
}

/* Goes on behind each stop; returns how many there were. */
static uint64_t run_by_stops(struct fixture *f, bool loads, bool stores)
{
	struct machine_status s;
	uint64_t n = 0;

	for (;;) {
		fixture_run(f, 5000, UINT32_MAX);
		s = fixture_status(f);
		if (s.state != MACHINE_PAUSED)
			return n;
		n++;
		ck_assert_int_eq(s.cause, CAUSE_WATCHPOINT);
		ck_assert_uint_gt(s.watched->size, 0);
		ck_assert_uint_le(s.watched->size, 8);
		ck_assert(loads || s.watched->store);
		if (n % MOVES == 0)
			move(f);
		ck_assert(machine_resume(f->m, NULL));
	}
}

/* Guests with atomic ones, which are both, and SCs that fail, which are none.
 */
static bool has_atomics(void)
{
	static const char *const names[] = { "htif-page",    "inorder",
					     "models",	     "overflow-htif",
					     "reservations", "sbi-harts",
					     "sleeper",	     "smp" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (guest_is(&guest, names[i]))
			return true;
	return false;
}

/* Does the last access end the machine, it is not stopped behind it. */
static bool fits(uint64_t n, uint64_t loads, uint64_t stores)
{
	uint64_t most = loads + stores;

	if (n == most || n + 1 == most)
		return true;
	return stores && has_atomics() && n < most && n + 3 >= most / 2;
}

enum {
	MODES = 3
};

/* Each guest in all modes, and with all kinds of accesses. */
TEST_TIMES(a_run_that_stops_behind_accesses_is_the_same, (n_paths * MODES))
{
	int kind = (_i + _i / MODES) % 3;
	bool loads = kind != 1, stores = kind != 2;
	struct fixture_config cfg;
	struct fixture plain, watched;
	uint64_t n;
	char text[GUEST_SETTINGS];

	guest_read(&guest, paths[_i / MODES]);
	guest_configure(&guest, how[_i % MODES], text, &cfg);
	fixture_play(&plain, &cfg, 10000);
	fixture_init(&watched, &cfg);
	ck_assert(machine_start(watched.m, true, NULL));
	watch_all(&watched, loads, stores);
	ck_assert(machine_resume(watched.m, NULL));
	n = run_by_stops(&watched, loads, stores);
	ck_assert_msg(fixture_same(&plain, &watched),
		      "%s, %s: another run after %" PRIu64 " stops", guest.name,
		      text, n);
	ck_assert_msg(fits(n, loads ? total(&plain, PMU_EV_LOADS) : 0,
			   stores ? total(&plain, PMU_EV_STORES) : 0),
		      "%s, %s: %" PRIu64 " stops, loads %d stores %d",
		      guest.name, text, n, loads, stores);
	fixture_fini(&plain);
	fixture_fini(&watched);
	guest_free(&guest);
}

static void begin(int argc, char **argv)
{
	n_paths = guest_paths(argc, argv, &paths);
}

SUITE("watchpoints", .timeout = 120, .begin = begin);
