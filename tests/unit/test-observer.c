/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Observers of a hart: at which count they tell, how far the hart may run until
 * then, and that no counter is moved by them.
 */
#include <pmu/error.h>
#include <pmu/observer.h>

#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

enum {
	ALL = (1 << PMU_N_MODES) - 1
};

static struct pmu_hart *h;

static void setup(void)
{
	static const struct pmu_timebase tb = { .clock_hz = 1000000000,
						.time_hz = 10000000 };
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	cfg.trap_cycles = 25;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
}

static void teardown(void)
{
	pmu_hart_free(h);
}

static void observe(unsigned n, enum pmu_event event, unsigned modes,
		    uint64_t period)
{
	const struct pmu_observer o = { event, modes, period };

	ck_assert_int_eq(pmu_hart_observe(h, n, &o), 0);
}

static void retire(uint64_t n)
{
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = n } };

	pmu_hart_advance(h, &p);
}

static uint64_t limit(enum pmu_event event)
{
	struct pmu_progress p;

	pmu_hart_limits(h, &p);
	return p.n[event];
}

/* How many periods observer @n completed since the last time. */
static uint64_t taken(unsigned n)
{
	struct pmu_sample found[PMU_MAX_OBSERVERS];
	unsigned all = pmu_hart_take_samples(h, UINT32_MAX, found);

	for (unsigned i = 0; i < all; i++)
		if (found[i].observer == n)
			return found[i].periods;
	return 0;
}

TEST(an_observer_tells_at_its_period_again_and_again)
{
	observe(0, PMU_EV_INSNS, ALL, 10);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 10);
	retire(9);
	ck_assert_uint_eq(taken(0), 0);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 1);
	retire(1);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 10);
	ck_assert_uint_eq(taken(0), 1);
	ck_assert_uint_eq(taken(0), 0);
	retire(10);
	ck_assert_uint_eq(taken(0), 1);
}

TEST(what_takes_several_periods_at_once_tells_how_many)
{
	struct pmu_trap trap = { .cause = PMU_CAUSE_ILLEGAL };

	observe(3, PMU_EV_CYCLES, ALL, 10);
	pmu_trap_enter(h, &trap);
	ck_assert_uint_eq(taken(3), 2);
	retire(4);
	ck_assert_uint_eq(taken(3), 0);
	retire(1);
	ck_assert_uint_eq(taken(3), 1);
}

TEST(only_its_modes_count)
{
	observe(0, PMU_EV_INSNS, 1 << PMU_MODE_U, 5);
	retire(100);
	ck_assert_uint_eq(taken(0), 0);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), UINT64_MAX);
	pmu_hart_set_mode(h, PMU_MODE_U);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 5);
	retire(5);
	ck_assert_uint_eq(taken(0), 1);
}

TEST(the_nearest_of_counters_and_observers_limits)
{
	uint64_t value;

	observe(0, PMU_EV_INSNS, ALL, 100);
	observe(1, PMU_EV_CYCLES, ALL, 60);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 60);
	ck_assert_uint_eq(pmu_hart_idle_limit(h), 60);
	pmu_counter_set_event(h, 3, 2);
	pmu_counter_set(h, 3, -UINT64_C(7));
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 7);
	retire(7);
	value = pmu_counter_get(h, 3);
	ck_assert_uint_eq(value, 0);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 53);
	ck_assert_uint_eq(taken(0) + taken(1), 0);
}

/* It is at one instruction: how much of it there was is told in the end. */
TEST(no_observer_ends_a_wait)
{
	observe(0, PMU_EV_CYCLES, ALL, 1);
	observe(1, PMU_EV_CYCLES, ALL, 60);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 1);
	ck_assert_uint_eq(pmu_hart_idle_limit(h), 1);
	ck_assert_uint_eq(pmu_hart_wait_limit(h), UINT64_MAX);
	pmu_hart_idle(h, 1000);
	pmu_hart_idle(h, 234);
	pmu_counter_set_event(h, 3, 1);
	pmu_counter_set(h, 3, -UINT64_C(7));
	ck_assert_uint_eq(pmu_hart_wait_limit(h), 7);
	ck_assert_uint_eq(taken(0), 1234);
}

/* Those of others stay where they are. */
TEST(what_some_have_found_is_taken)
{
	struct pmu_sample found[PMU_MAX_OBSERVERS];

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		observe(i, PMU_EV_CYCLES, ALL, 1 + i % 2);
	pmu_hart_idle(h, 10);
	ck_assert_uint_eq(pmu_hart_take_samples(h, 1 << 3 | 1 << 4, found), 2);
	ck_assert_uint_eq(found[0].observer, 3);
	ck_assert_uint_eq(found[0].periods, 5);
	ck_assert_uint_eq(found[1].observer, 4);
	ck_assert_uint_eq(found[1].periods, 10);
	ck_assert_uint_eq(pmu_hart_take_samples(h, 1 << 3 | 1 << 4, found), 0);
	ck_assert_uint_eq(pmu_hart_take_samples(h, UINT32_MAX, found),
			  PMU_MAX_OBSERVERS - 2);
}

TEST(counters_see_nothing_of_observers)
{
	struct pmu_overflow found[PMU_N_COUNTERS];

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		observe(i, PMU_EV_INSNS, ALL, 1);
	pmu_counter_set_event(h, 3, 2);
	retire(1);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 1);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, found), 0);
	ck_assert_uint_eq(h->mip_soft, 0);
	/* the last counter disarmed leaves the observers armed */
	pmu_counter_set_event(h, 3, 0);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 1);
	ck_assert_uint_eq(taken(15), 1);
}

TEST(an_emulated_instruction_is_seen_as_by_a_counter)
{
	observe(0, PMU_EV_INSNS, 1 << PMU_MODE_S, 1);
	observe(1, PMU_EV_INSNS, ALL, 1);
	pmu_hart_set_mode(h, PMU_MODE_S);
	pmu_exec_emulated(h);
	ck_assert_uint_eq(taken(0), 1);
	pmu_exec_emulated(h);
	ck_assert_uint_eq(taken(1), 0);
}

TEST(a_reset_leaves_them_and_a_period_of_0_removes_one)
{
	observe(0, PMU_EV_INSNS, ALL, 8);
	retire(3);
	pmu_hart_reset(h);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), 5);
	observe(0, PMU_EV_INSNS, ALL, 0);
	ck_assert_uint_eq(limit(PMU_EV_INSNS), UINT64_MAX);
}

static const struct wrong_row {
	const char *why;
	unsigned number;
	struct pmu_observer o;
} wrong_rows[] = {
	{ "there are 16", PMU_MAX_OBSERVERS, { PMU_EV_INSNS, ALL, 1 } },
	{ "no such event", 0, { PMU_N_EVENTS, ALL, 1 } },
	{ "no such mode", 0, { PMU_EV_INSNS, ALL + 1, 1 } },
};

TEST_ROWS(what_cannot_be_observed_is_refused, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];

	ck_assert_msg(pmu_hart_observe(h, row->number, &row->o) == -PMU_EINVAL,
		      "%s", row->why);
}

SUITE("observer", .setup = setup, .teardown = teardown);
