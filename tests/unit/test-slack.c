/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is remembered of how far the next overflow is, and everything but
 * counting that makes it another: the limit and the overflow are where they
 * would be if nothing were remembered.
 */
#include "unit.h"

#include <stdlib.h>

#include <pmu/model-events.h>

#include "counter-state.h"

enum {
	N = 3,
	ROOM = 9, /* before it is remembered */
};

static const struct pmu_timebase timebase = { .clock_hz = 1, .time_hz = 1 };

/* Counter N has ROOM left of @event, of which one is counted already. */
static struct pmu_hart *new_hart(enum pmu_event event, uint64_t filter)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_events[N] = (UINT64_C(1) << PMU_N_EVENTS) - 1;
	PREPARING(ck_assert_int_eq(pmu_hart_new(&h, &cfg, &timebase), 0));
	pmu_hart_set_mode(h, PMU_MODE_S);
	pmu_counter_set_event(h, N, pmu_event_desc(event)->selector | filter);
	pmu_counter_set(h, N, UINT64_MAX - ROOM);
	counter_count(h, event, 1);
	ck_assert_uint_eq(h->slack[event].known, 1 + PMU_MODE_S);
	ck_assert_uint_eq(h->slack[event].left, ROOM - 1);
	return h;
}

static void advance(struct pmu_hart *h, uint64_t insns)
{
	pmu_hart_advance(h, &(struct pmu_progress){ .n = { insns } });
}

/* It overflows with the @n-th instruction from here. */
static void overflows_in(struct pmu_hart *h, uint64_t n)
{
	struct pmu_progress limit;

	pmu_hart_limits(h, &limit);
	ck_assert_uint_eq(limit.n[PMU_EV_INSNS], n);
	advance(h, n - 1);
	ck_assert_uint_eq(h->counters[N].overflows, 0);
	pmu_hart_limits(h, &limit);
	ck_assert_uint_eq(limit.n[PMU_EV_INSNS], 1);
	advance(h, 1);
	ck_assert_uint_eq(h->counters[N].overflows, 1);
}

static void nothing(struct pmu_hart *h)
{
}

static void write_counter(struct pmu_hart *h)
{
	pmu_counter_set(h, N, UINT64_MAX - 3);
}

static void emulate(struct pmu_hart *h)
{
	pmu_exec_emulated(h);
}

/* The same counter goes on in another mode, and comes back. */
static void visit_user(struct pmu_hart *h)
{
	pmu_hart_set_mode(h, PMU_MODE_U);
	advance(h, 2);
	pmu_hart_set_mode(h, PMU_MODE_S);
}

/* In M-mode it does not count. */
static void visit_machine(struct pmu_hart *h)
{
	pmu_hart_set_mode(h, PMU_MODE_M);
	advance(h, 5);
	pmu_hart_set_mode(h, PMU_MODE_S);
}

static void arm_another(struct pmu_hart *h)
{
	pmu_counter_set_event(h, 4, pmu_event_desc(PMU_EV_INSNS)->selector);
	pmu_counter_set(h, 4, UINT64_MAX - 100);
	pmu_counter_set_inhibit(h, 1u << 4);
}

/* The state of another hart, whose counter is nearer its end. */
static void take_another(struct pmu_hart *h)
{
	struct pmu_hart *other = new_hart(PMU_EV_INSNS, PMU_EVENT_MINH);
	void *state = malloc(pmu_hart_state_size());

	pmu_counter_set(other, N, UINT64_MAX - 4);
	pmu_hart_give(other, state);
	ck_assert_int_eq(pmu_hart_take(h, state), 0);
	free(state);
	pmu_hart_free(other);
}

static const struct slack_row {
	const char *what;
	void (*change)(struct pmu_hart *h);
	uint64_t n; /* instructions to the overflow */
} slack_rows[] = {
	{ "nothing", nothing, ROOM },
	{ "a write", write_counter, 4 },
	{ "one that firmware emulates", emulate, ROOM - 1 },
	{ "another mode that counts", visit_user, ROOM - 2 },
	{ "another one that does not", visit_machine, ROOM },
	{ "another counter", arm_another, ROOM },
	{ "another hart's state", take_another, 5 },
};

TEST_ROWS(the_next_overflow_is_where_it_is, slack_rows)
{
	struct pmu_hart *h = new_hart(PMU_EV_INSNS, PMU_EVENT_MINH);

	slack_rows[_i].change(h);
	overflows_in(h, slack_rows[_i].n);
	pmu_hart_free(h);
}

TEST(an_observer_that_comes_later_counts)
{
	struct pmu_hart *h = new_hart(PMU_EV_INSNS, PMU_EVENT_MINH);
	struct pmu_observer o = { PMU_EV_INSNS, 1u << PMU_MODE_S, 2 };
	struct pmu_sample sample[PMU_MAX_OBSERVERS];

	ck_assert_int_eq(pmu_hart_observe(h, 0, &o), 0);
	advance(h, 2);
	ck_assert_uint_eq(pmu_hart_take_samples(h, 1, sample), 1);
	pmu_hart_free(h);
}

/* Events of a model are counted elsewhere, and by injection here. */
TEST(what_models_find_is_taken_off)
{
	const enum pmu_event event = PMU_EV_UARCH;
	const struct pmu_uarch_found found = { .n = 1 };
	struct pmu_hart *h = new_hart(event, 0);

	ck_assert(!pmu_hart_happened(h, &found));
	pmu_hart_inject(h, event, ROOM - 2);
	ck_assert_uint_eq(h->counters[N].overflows, 0);
	pmu_hart_inject(h, event, 1);
	ck_assert_uint_eq(h->counters[N].overflows, 1);
	pmu_hart_free(h);
}

SUITE("slack");
