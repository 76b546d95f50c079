/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of injections that wait by itself: which is due when, of whom. */
#include "core/injections.h"
#include "core/state-bytes.h"
#include "unit.h"

#include <pmu/counter.h>

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
static struct injections *all;
static struct hart harts[2];

static void setup(void)
{
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	all = injections_new();
	for (unsigned i = 0; i < 2; i++) {
		harts[i].index = i;
		PREPARING(ck_assert_int_eq(
			pmu_hart_new(&harts[i].pmu, &cfg, &tb), 0));
	}
}

static void teardown(void)
{
	for (unsigned i = 0; i < 2; i++)
		pmu_hart_free(harts[i].pmu);
	injections_free(all);
}

static void retire(unsigned hart, uint64_t n)
{
	const struct pmu_progress p = { .n = { [PMU_EV_INSNS] = n } };

	pmu_hart_advance(harts[hart].pmu, &p);
}

static uint32_t add(unsigned hart, uint64_t due)
{
	const struct machine_injection what = {
		.hart = hart,
		.when = INJECT_BEHIND_INSN,
		.event = PMU_EV_LOADS,
		.n = 100 + due,
		.at = due,
	};

	return injections_add(all, &what, due);
}

static uint32_t add_pc(unsigned hart, uint64_t pc, bool repeat)
{
	const struct machine_injection what = { .hart = hart,
						.when = INJECT_BEHIND_PC,
						.n = 1,
						.at = pc,
						.repeat = repeat };

	return injections_add(all, &what, 0);
}

/* Whichever was wanted first. */
TEST_TIMES(the_nearest_of_a_hart_is_next, 3)
{
	static const uint64_t due[] = { 50, 20, 30 };

	ck_assert_uint_eq(injections_next(all, &harts[0]), UINT64_MAX);
	for (unsigned i = 0; i < 3; i++)
		add(0, due[(i + (unsigned)_i) % 3]);
	add(1, 10);
	add_pc(0, 0x1000, false);
	ck_assert_uint_eq(injections_next(all, &harts[0]), 20);
	ck_assert_uint_eq(injections_next(all, &harts[1]), 10);
}

TEST(one_that_is_due_is_taken_once)
{
	struct input in;

	add(1, 5);
	add(0, 5);
	add(0, 4);
	ck_assert(!injections_take(all, &harts[0], &in));
	retire(0, 3);
	ck_assert(!injections_take(all, &harts[0], &in));
	retire(0, 1);
	ck_assert(injections_take(all, &harts[0], &in));
	ck_assert_int_eq(in.kind, INPUT_INJECT);
	ck_assert_uint_eq(in.hart, 0);
	ck_assert_int_eq(in.inject.event, PMU_EV_LOADS);
	ck_assert_uint_eq(in.inject.n, 104);
	ck_assert_uint_eq(in.inject.last_pc, 0);
	ck_assert(!injections_take(all, &harts[0], &in));
	retire(0, 5);
	ck_assert(injections_take(all, &harts[0], &in));
	ck_assert_uint_eq(in.inject.n, 105);
	ck_assert(!injections_take(all, &harts[0], &in));
	ck_assert(injections_any(all));
	retire(1, 5);
	ck_assert(injections_take(all, &harts[1], &in));
	ck_assert_uint_eq(in.hart, 1);
	ck_assert(!injections_any(all));
}

TEST(one_at_a_pc_is_due_behind_it)
{
	bool fresh;
	struct input in;

	add_pc(0, 0x1000, true);
	add_pc(1, 0x2000, false);
	retire(0, 7);
	ck_assert(!injections_meet(all, &harts[0], 0x1004, &fresh));
	ck_assert(injections_meet(all, &harts[0], 0x2000, &fresh));
	ck_assert(!fresh); /* another hart's */
	ck_assert(injections_meet(all, &harts[0], 0x1000, &fresh));
	ck_assert(fresh);
	ck_assert(injections_meet(all, &harts[0], 0x1000, &fresh));
	ck_assert(!fresh);
	ck_assert_uint_eq(injections_next(all, &harts[0]), 8);
	ck_assert_uint_eq(injections_next(all, &harts[1]), UINT64_MAX);
	ck_assert(!injections_take(all, &harts[0], &in));
	retire(0, 1);
	ck_assert(injections_take(all, &harts[0], &in));
	ck_assert_uint_eq(in.inject.last_pc, 0x1000);
	/* it waits on, for the next time */
	ck_assert_uint_eq(injections_next(all, &harts[0]), UINT64_MAX);
	ck_assert_uint_eq(injections_at_pc(all), 2);
	ck_assert_uint_eq(injections_find(all, 1)->times, 1);
}

/* Of either order in the list. */
TEST_TIMES(who_goes_on_elsewhere_has_not_been_there, 6)
{
	bool fresh, first = _i >= 3;

	_i %= 3;
	if (first)
		add(0, 90);
	add_pc(0, 0x1000, false);
	if (!first)
		add(0, 90);
	injections_meet(all, &harts[0], 0x1000, &fresh);
	ck_assert_uint_eq(injections_next(all, &harts[0]), 1);
	injections_moved(all, &harts[1]);
	ck_assert_uint_eq(injections_next(all, &harts[0]), 1);
	if (_i == 1)
		retire(0, 1); /* but for one that has retired */
	if (_i == 2)
		injections_reset(all);
	else
		injections_moved(all, &harts[0]);
	ck_assert_uint_eq(injections_next(all, &harts[0]), _i == 1 ? 1 : 90);
}

TEST(they_are_found_by_number_and_forgotten)
{
	for (uint32_t n = 1; n <= 4; n++)
		ck_assert_uint_eq(add(n % 2, 10 * n), n);
	ck_assert(injections_cancel(all, 2));
	ck_assert(!injections_cancel(all, 2));
	ck_assert(!injections_cancel(all, 5));
	ck_assert_uint_eq(injections_find(all, 0)->number, 1);
	ck_assert_uint_eq(injections_find(all, 2)->number, 3);
	ck_assert_uint_eq(injections_find(all, 4)->at, 40);
	ck_assert_ptr_null(injections_find(all, 5));
	ck_assert_uint_eq(add(0, 50), 5); /* no number twice */
	ck_assert(injections_cancel(all, 5) && injections_cancel(all, 1) &&
		  injections_cancel(all, 4) && injections_cancel(all, 3));
	ck_assert(!injections_any(all));
}

TEST(one_that_was_forgotten_is_met_no_more)
{
	bool fresh;

	add_pc(0, 0x1000, true);
	ck_assert(injections_cancel(all, 1));
	ck_assert(!injections_meet(all, &harts[0], 0x1000, &fresh));
	ck_assert(!fresh);
	ck_assert_uint_eq(injections_next(all, &harts[0]), UINT64_MAX);
	ck_assert_uint_eq(injections_at_pc(all), 0);
}

/* All of them are looked at, and nothing behind. */
TEST(a_full_list_has_an_end)
{
	uint64_t pcs[INJECT_MAX_WAITING];
	struct input in;
	bool fresh;

	for (unsigned i = 0; i < INJECT_MAX_WAITING; i++)
		add_pc(0, 0x1000 + 4 * i, false);
	ck_assert_uint_eq(injections_pcs(all, pcs, INJECT_MAX_WAITING),
			  INJECT_MAX_WAITING);
	ck_assert_uint_eq(injections_at_pc(all), INJECT_MAX_WAITING);
	ck_assert(!injections_meet(all, &harts[0], 0x5000, &fresh));
	ck_assert(injections_meet(all, &harts[0], pcs[INJECT_MAX_WAITING - 1],
				  &fresh));
	ck_assert_uint_eq(injections_next(all, &harts[0]), 1);
	injections_moved(all, &harts[0]);
	ck_assert_uint_eq(injections_next(all, &harts[0]), UINT64_MAX);
	injections_reset(all);
	ck_assert(!injections_take(all, &harts[0], &in));
	ck_assert_ptr_null(injections_find(all, INJECT_MAX_WAITING + 1));
	ck_assert(!injections_cancel(all, INJECT_MAX_WAITING + 1));
}

TEST(there_is_room_for_so_many)
{
	for (unsigned i = 0; i < INJECT_MAX_WAITING; i++) {
		ck_assert(!injections_full(all));
		add(0, 1 + i);
	}
	ck_assert(injections_full(all));
	ck_assert(injections_cancel(all, INJECT_MAX_WAITING));
	ck_assert(!injections_full(all));
}

/* The number that tells of them changes with the pcs alone. */
TEST(the_pcs_are_listed)
{
	uint64_t pcs[4] = { 0 };
	uint32_t version = injections_version(all);

	add(0, 5);
	ck_assert_uint_eq(injections_version(all), version);
	add_pc(0, 0x1000, false);
	ck_assert_uint_ne(injections_version(all), version);
	add_pc(1, 0x2000, false);
	ck_assert_uint_eq(injections_at_pc(all), 2);
	ck_assert_uint_eq(injections_pcs(all, pcs, 4), 2);
	ck_assert_uint_eq(pcs[0], 0x1000);
	ck_assert_uint_eq(pcs[1], 0x2000);
	ck_assert_uint_eq(pcs[2], 0);
	ck_assert_uint_eq(injections_pcs(all, pcs, 1), 1);
	version = injections_version(all);
	injections_cancel(all, 2);
	ck_assert_uint_ne(injections_version(all), version);
	ck_assert_uint_eq(injections_pcs(all, pcs, 4), 1);
	ck_assert_uint_eq(pcs[0], 0x2000);
	version = injections_version(all);
	injections_cancel(all, 1);
	ck_assert_uint_eq(injections_version(all), version);
}

/* Every @at-th, as long as its number has room. */
TEST(a_repeated_one_is_due_again)
{
	struct machine_injection what = {
		.when = INJECT_BEHIND_INSN, .n = 1, .at = 20, .repeat = true
	};
	struct input in;

	injections_add(all, &what, 20);
	retire(0, 20);
	ck_assert(injections_take(all, &harts[0], &in));
	ck_assert(!injections_take(all, &harts[0], &in));
	ck_assert_uint_eq(injections_next(all, &harts[0]), 40);
	ck_assert_uint_eq(injections_find(all, 1)->times, 1);
	injections_cancel(all, 1);
	what.at = UINT64_MAX;
	injections_add(all, &what, 5);
	ck_assert(injections_take(all, &harts[0], &in));
	ck_assert(!injections_any(all));
}

TEST(another_list_goes_on_with_them)
{
	struct injections *other = injections_new();
	struct state state = { 0 };

	add(0, 5);
	add_pc(1, 0x2000, true);
	injections_give(all, &state);
	injections_take_all(other, &state);
	ck_assert_ptr_null(state.failed);
	ck_assert_uint_eq(injections_next(other, &harts[0]), 5);
	ck_assert_uint_eq(injections_at_pc(other), 1);
	ck_assert(injections_cancel(other, 2));
	state_free(&state);
	injections_free(other);
}

SUITE("injections", .setup = setup, .teardown = teardown);
