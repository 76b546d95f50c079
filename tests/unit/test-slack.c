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
	cfg.hpm_width[N + 2] = 20;
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

/* Nearer its end than counter N, which has 7 left when it overflows. */
static void arm_another(struct pmu_hart *h)
{
	pmu_counter_set_event(h, 4, pmu_event_desc(PMU_EV_INSNS)->selector);
	pmu_counter_set(h, 4, UINT64_MAX - 1);
	advance(h, 2);
	ck_assert_uint_eq(h->counters[4].overflows, 1);
}

static void stand_still(struct pmu_hart *h)
{
	pmu_counter_set_inhibit(h, 1u << N);
	advance(h, 4);
	pmu_counter_set_inhibit(h, 0);
}

static void filter(struct pmu_hart *h)
{
	uint64_t insns = pmu_event_desc(PMU_EV_INSNS)->selector;

	pmu_counter_set_event(h, N, insns | PMU_EVENT_SINH);
	advance(h, 3);
	pmu_counter_set_event(h, N, insns);
}

/* In a mode that does not count, and in one that does. */
static void inject_elsewhere(struct pmu_hart *h)
{
	pmu_hart_set_mode(h, PMU_MODE_M);
	pmu_hart_inject(h, PMU_EV_INSNS, 5);
	pmu_hart_set_mode(h, PMU_MODE_U);
	pmu_hart_inject(h, PMU_EV_INSNS, 3);
	pmu_hart_set_mode(h, PMU_MODE_S);
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
	{ "another counter", arm_another, ROOM - 2 },
	{ "it stood still", stand_still, ROOM },
	{ "a filter, and none", filter, ROOM },
	{ "what was injected in other modes", inject_elsewhere, ROOM - 3 },
	{ "another hart's state", take_another, 5 },
};

TEST_ROWS(the_next_overflow_is_where_it_is, slack_rows)
{
	struct pmu_hart *h = new_hart(PMU_EV_INSNS, PMU_EVENT_MINH);

	slack_rows[_i].change(h);
	overflows_in(h, slack_rows[_i].n);
	pmu_hart_free(h);
}

/* What would be found if it were not remembered. */
static uint64_t computed(const struct pmu_hart *h, unsigned event)
{
	uint64_t ret = UINT64_MAX;

	for (unsigned n = N; n < 32; n++) {
		const struct counter *c = &h->counters[n];

		if (h->armed[event][h->mode] >> n & 1 &&
		    c->mask - counter_value(h, c) < ret)
			ret = c->mask - counter_value(h, c);
	}
	return ret;
}

/* Returns how many are remembered. */
static unsigned assert_right(const struct pmu_hart *h, unsigned step)
{
	unsigned n = 0;

	for (unsigned e = 0; e < PMU_N_EVENTS; e++) {
		if (h->slack[e].known != 1 + (unsigned)h->mode ||
		    !h->armed[e][h->mode])
			continue;
		ck_assert_msg(h->slack[e].left == computed(h, e),
			      "step %u, event %u: %ju, not %ju", step, e,
			      (uintmax_t)h->slack[e].left,
			      (uintmax_t)computed(h, e));
		n++;
	}
	return n;
}

static void do_anything(struct pmu_hart *h, uint64_t r)
{
	static const enum pmu_event events[] = { PMU_EV_INSNS, PMU_EV_CYCLES,
						 PMU_EV_LOADS };
	enum pmu_event event = events[r >> 8 & 3 ? (r >> 8 & 3) - 1 : 0];
	unsigned n = N + (unsigned)(r >> 16 & 3);
	struct pmu_progress some = { .n = { r >> 20 & 3 } };
	unsigned effects = 0;

	some.n[PMU_EV_LOADS] = r >> 22 & 1 ? some.n[0] : 0;
	switch (r & 15) {
	case 0:
		pmu_counter_set(h, n, UINT64_MAX - (r >> 24 & 31));
		break;
	case 1:
		pmu_counter_set_event(h, n,
				      pmu_event_desc(event)->selector |
					      (r >> 32 & 7) << 60);
		break;
	case 2:
		pmu_counter_set_inhibit(h, (uint32_t)(r >> 24) & 0x78);
		break;
	case 3:
		pmu_hart_set_mode(h, (enum pmu_mode)(r >> 24 & 1));
		break;
	case 4:
		pmu_exec_emulated(h);
		break;
	case 5: /* OF, and with it whether it is armed again */
		pmu_csr_poke(h, (uint16_t)(PMU_CSR_MHPMEVENT3 + n - 3), 0,
			     pmu_event_desc(event)->selector, &effects);
		break;
	case 6:
		pmu_hart_inject(h, event, 1 + (r >> 24 & 7));
		break;
	default:
		pmu_hart_advance(h, &some);
	}
}

TEST(what_is_remembered_is_what_would_be_found)
{
	struct pmu_hart *h = new_hart(PMU_EV_INSNS, 0);
	uint64_t seed = 1;
	unsigned n = 0;

	for (unsigned step = 0; step < 100000; step++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		do_anything(h, seed);
		n += assert_right(h, step);
	}
	ck_assert_uint_gt(n, 10000);
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
