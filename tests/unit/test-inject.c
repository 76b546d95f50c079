/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events from outside: totals, counters and observers have them as if they had
 * happened, and what the hart did is what it did.
 */
#include <pmu/counter.h>
#include <pmu/error.h>
#include <pmu/observer.h>
#include <pmu/rule.h>

#include "hart-state.h"
#include "unit.h"

enum {
	N = 3, /* the counter */
	WIDTH = 8
};

static struct pmu_hart *h;

static void setup(void)
{
	static const struct pmu_timebase tb = { .clock_hz = 1000000000,
						.time_hz = 10000000 };
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_width[N] = WIDTH;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
}

static void teardown(void)
{
	pmu_hart_free(h);
}

TEST(every_event_has_them_in_the_present_mode_alone)
{
	pmu_hart_set_mode(h, PMU_MODE_S);
	for (int e = 0; e < PMU_N_EVENTS; e++) {
		ck_assert_int_eq(pmu_hart_inject(h, (enum pmu_event)e, 5), 0);
		for (int m = 0; m < PMU_N_MODES; m++)
			ck_assert_uint_eq(pmu_hart_total(h, (enum pmu_event)e,
							 (enum pmu_mode)m),
					  m == PMU_MODE_S ? 5 : 0);
	}
	ck_assert_uint_eq(pmu_counter_get(h, 0), 5);
	ck_assert_uint_eq(pmu_counter_get(h, 2), 5);
}

TEST(what_the_hart_did_stays)
{
	for (int e = 0; e < PMU_N_EVENTS; e++)
		pmu_hart_inject(h, (enum pmu_event)e, 1000);
	ck_assert_uint_eq(pmu_hart_insns(h), 0);
	ck_assert_uint_eq(pmu_hart_cycles(h), 0);
	ck_assert_uint_eq(pmu_hart_traps(h), 0);
	pmu_hart_idle(h, 7);
	ck_assert_uint_eq(pmu_hart_cycles(h), 7);
}

static const struct overflow_row {
	const char *why;
	const char *rule;
	uint64_t value, event, n;
	uint64_t after;
	unsigned overflows;
} overflow_rows[] = {
	{ "one less is none", RULE("mhpmevent_of_op"), 0xf0, 1, 15, 0xff, 0 },
	{ "exactly to 0", RULE("mhpmevent_of_op"), 0xf0, 1, 16, 0, 1 },
	{ "beyond", RULE("mhpmevent_of_op"), 0xf0, 1, 17, 1, 1 },
	{ "the width of it is one", RULE("mhpmevent_of_op"), 0x20, 1, 0x100,
	  0x20, 1 },
	{ "many widths are one", RULE("mhpmevent_of_op"), 0, 1, UINT64_MAX,
	  0xff, 1 },
	{ "none while OF is set", RULE("mhpmevent_of_op"), 0xf0,
	  PMU_EVENT_OF | 1, 16, 0, 0 },
	{ "not counted in this mode", RULE("mhpmevent_enc"), 0xf0,
	  PMU_EVENT_MINH | 1, 16, 0xf0, 0 },
	{ "another event", RULE("mhpmevent_enc"), 0xf0, 2, 16, 0xf0, 0 },
	{ "none at all", RULE("mhpmevent_enc"), 0xff, 1, 0, 0xff, 0 },
};

TEST_ROWS(a_counter_overflows_as_by_the_event, overflow_rows)
{
	const struct overflow_row *row = &overflow_rows[_i];

	shows(row->rule);
	struct pmu_overflow found[PMU_N_COUNTERS];
	unsigned n;

	pmu_counter_set_event(h, N, row->event);
	pmu_counter_set(h, N, row->value);
	ck_assert_int_eq(pmu_hart_inject(h, PMU_EV_CYCLES, row->n), 0);
	ck_assert_msg(pmu_counter_get(h, N) == row->after, "%s: %#llx",
		      row->why, (unsigned long long)pmu_counter_get(h, N));
	n = pmu_hart_take_overflows(h, found);
	ck_assert_msg(n == row->overflows, "%s: %u overflows", row->why, n);
	ck_assert_msg(!(h->mip_soft & IRQ_LCOFI) == !n, "%s", row->why);
}

TEST(an_observer_sees_all_of_its_periods)
{
	struct pmu_sample found[PMU_MAX_OBSERVERS];

	pmu_hart_observe(
		h, 0,
		&(struct pmu_observer){ PMU_EV_LOADS, 1 << PMU_MODE_M, 10 });
	pmu_hart_inject(h, PMU_EV_LOADS, 35);
	ck_assert_uint_eq(pmu_hart_take_samples(h, UINT32_MAX, found), 1);
	ck_assert_uint_eq(found[0].periods, 3);
}

TEST(what_is_no_event_is_refused)
{
	ck_assert_int_eq(pmu_hart_inject(h, PMU_N_EVENTS, 1), -PMU_EINVAL);
}

SUITE("inject", .setup = setup, .teardown = teardown);
