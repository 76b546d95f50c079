/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A build with more of everything than there is: events beyond 32, engine
 * events beyond 4, an extension beyond bit 32.
 */
#include <string.h>

#include <pmu/counter.h>
#include <pmu/csr.h>
#include <pmu/isa.h>

#include "counter-state.h"
#include "settings/isa-string.h"
#include "../unit/unit.h"

enum {
	LAST_LANE = 7,
	LAST_EVENT = 49,
	BEFORE = 5, /* a counter stands so far from its overflow */
};

static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };

/* Counter 3 counts @event, which counter 4 cannot. */
static struct pmu_hart *hart_counting(unsigned event)
{
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_events[4] &= ~(UINT64_C(1) << event);
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	pmu_counter_set_event(h, 3, ROOM_SELECTOR(event));
	pmu_counter_set_event(h, 4, ROOM_SELECTOR(event));
	pmu_counter_set(h, 3, UINT64_MAX - BEFORE + 1);
	return h;
}

TEST(there_are_50_events_and_8_lanes)
{
	ck_assert_int_eq(PMU_N_EVENTS, 50);
	ck_assert_int_eq(PMU_N_ENGINE_EVENTS, 8);
	for (unsigned e = 0; e < PMU_N_EVENTS; e++) {
		const struct pmu_event_desc *d =
			pmu_event_desc((enum pmu_event)e);

		ck_assert_uint_eq(d->event, e);
		ck_assert_ptr_eq(pmu_event_by_selector(d->selector), d);
		ck_assert_ptr_eq(pmu_event_by_name(d->name), d);
	}
}

TEST(the_last_event_counts_and_overflows)
{
	struct pmu_hart *h = hart_counting(LAST_EVENT);
	struct pmu_overflow found[PMU_N_COUNTERS];

	ck_assert(pmu_counter_can(h, 3, (enum pmu_event)LAST_EVENT));
	ck_assert(!pmu_counter_can(h, 4, (enum pmu_event)LAST_EVENT));
	ck_assert(!counter_count(h, (enum pmu_event)LAST_EVENT, BEFORE - 1));
	ck_assert(counter_count(h, (enum pmu_event)LAST_EVENT, 1));
	ck_assert_uint_eq(pmu_hart_take_overflows(h, found), 1);
	ck_assert_uint_eq(found[0].counter, 3);
	ck_assert_uint_eq(pmu_counter_get(h, 4), 0);
	ck_assert_uint_eq(
		pmu_hart_total(h, (enum pmu_event)LAST_EVENT, PMU_MODE_M),
		BEFORE);
	pmu_hart_free(h);
}

TEST(the_last_lane_has_a_limit_and_reaches_it)
{
	struct pmu_hart *h = hart_counting(LAST_LANE);
	struct pmu_progress limit, done = { .n = { [0] = 1 } };

	pmu_hart_limits(h, &limit);
	ck_assert_uint_eq(limit.n[LAST_LANE], BEFORE);
	ck_assert_uint_eq(limit.n[LAST_LANE - 1], UINT64_MAX);
	done.n[LAST_LANE] = BEFORE;
	pmu_hart_advance(h, &done);
	ck_assert(pmu_counter_overflowed(h, 3));
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0);
	pmu_hart_free(h);
}

TEST(an_extension_at_bit_40_is_one_like_others)
{
	const struct pmu_ext_desc *ext, *missing;
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	struct isa isa;
	char text[ISA_TEXT], error[ISA_TEXT];

	ck_assert(!pmu_ext_check(ROOM_EXT, &ext, &missing));
	ck_assert_str_eq(ext->name, "xroom");
	ck_assert_str_eq(missing->name, "zihpm");
	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= ROOM_EXT;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	ck_assert(has(h, ROOM_EXT));
	pmu_hart_free(h);
	isa_print(64, cfg.ext, text);
	ck_assert_ptr_nonnull(strstr(text, "_xroom"));
	ck_assert(isa_parse(text, &isa, error, sizeof(error)));
	ck_assert(isa.ext & ROOM_EXT);
}

SUITE("room");
