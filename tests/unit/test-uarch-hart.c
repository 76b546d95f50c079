/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What models find, told to a hart: by which of its modes it is counted, what
 * overflows and which samples are due by it, and whose addresses are
 * translated.
 */
#include <pmu/model-events.h>

#include "hart-state.h"
#include "hart-script.h"
#include "unit.h"

enum {
	ALL = (1 << PMU_N_MODES) - 1,
	L1D_LOADS = 0x10000,
	STALLED_BACKEND = 9,
};

static struct pmu_hart *h;

static void setup(void)
{
	static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
	struct pmu_hart_config cfg;

	pmu_hart_config_init(&cfg, 64);
	cfg.ext |= PMU_EXT_H | PMU_EXT_SHCOUNTERENW;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		cfg.hpm_events[n] = (UINT64_C(1) << PMU_N_EVENTS) - 1;
	PREPARING(ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0));
}

static void teardown(void)
{
	pmu_hart_free(h);
}

static void observe(unsigned n, unsigned event, unsigned modes, uint64_t period)
{
	const struct pmu_observer o = { (enum pmu_event)event, modes, period };

	PREPARING(ck_assert_int_eq(pmu_hart_observe(h, n, &o), 0));
}

static const struct pmu_uarch_found a_load = { .n = 1,
					       .event = { PMU_UA_L1D_LOADS } };
static const struct pmu_uarch_found two_loads_and_a_miss = {
	.n = 3,
	.event = { PMU_UA_L1D_LOADS, PMU_UA_L1D_LOAD_MISSES, PMU_UA_L1D_LOADS }
};

TEST_RANGE(an_observer_of_a_model_is_found_in_each_mode, 0,
	   PMU_N_UARCH_EVENTS *PMU_N_MODES)
{
	unsigned event = PMU_EV_UARCH + (unsigned)_i / PMU_N_MODES;

	ck_assert(!pmu_hart_observes_model(h));
	observe(5, event, 1u << _i % PMU_N_MODES, 7);
	ck_assert(pmu_hart_observes_model(h));
	observe(5, event, 1u << _i % PMU_N_MODES, 0);
	ck_assert(!pmu_hart_observes_model(h));
}

TEST_RANGE(one_of_another_event_is_none, 0, PMU_EV_UARCH)
{
	observe(0, (unsigned)_i, ALL, 7);
	ck_assert(!pmu_hart_observes_model(h));
}

TEST(what_was_chosen_once_stays_until_reset)
{
	ck_assert(!pmu_hart_chose_model(h));
	pmu_counter_set_event(h, 3, 2);
	ck_assert(!pmu_hart_chose_model(h));
	pmu_counter_set_event(h, 3, L1D_LOADS);
	pmu_counter_set_event(h, 3, 0);
	ck_assert(pmu_hart_chose_model(h));
	pmu_hart_reset(h);
	ck_assert(!pmu_hart_chose_model(h));
}

TEST_TIMES(what_happens_counts_in_the_mode_of_the_hart, PMU_N_MODES)
{
	const enum pmu_event loads = pmu_event_of_model(PMU_UA_L1D_LOADS);

	pmu_counter_set_event(h, 3, L1D_LOADS);
	pmu_hart_set_mode(h, (enum pmu_mode)_i);
	ck_assert(!pmu_hart_happened(h, &two_loads_and_a_miss));
	for (unsigned m = 0; m < PMU_N_MODES; m++) {
		unsigned here = m == (unsigned)_i;
		enum pmu_mode mode = (enum pmu_mode)m;

		ck_assert_uint_eq(pmu_hart_total(h, loads, mode), 2 * here);
		ck_assert_uint_eq(pmu_hart_total(h, loads + 1, mode), here);
		ck_assert_uint_eq(pmu_hart_total(h, loads + 2, mode), 0);
		ck_assert_uint_eq(pmu_hart_observed_total(h, loads, mode), 0);
		ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_UARCH, mode), 0);
	}
	ck_assert_uint_eq(pmu_counter_get(h, 3), 2);
}

/* Only what comes to 0 has: not what is near it, where the counter began. */
TEST_RANGE(a_counter_that_goes_on_does_not_overflow, 0, 4)
{
	pmu_counter_set_event(h, 3, L1D_LOADS);
	pmu_counter_set(h, 3, (uint64_t)_i);
	ck_assert(!pmu_hart_happened(h, &a_load));
	ck_assert_uint_eq(pmu_counter_get(h, 3), (uint64_t)_i + 1);
}

/* Several of one instruction that overflow stop the hart once. */
TEST(an_overflow_stops_at_its_instruction)
{
	struct pmu_overflow found[PMU_N_COUNTERS];

	for (unsigned n = 3; n < 6; n++)
		pmu_counter_set_event(h, n, L1D_LOADS);
	pmu_counter_set(h, 3, -UINT64_C(2));
	pmu_counter_set(h, 4, -UINT64_C(4));
	pmu_counter_set(h, 5, -UINT64_C(1000));
	ck_assert(!pmu_hart_happened(h, &a_load));
	ck_assert_uint_eq(pmu_hart_take_overflows(h, found), 0);
	ck_assert(pmu_hart_happened(h, &two_loads_and_a_miss));
	ck_assert_uint_eq(pmu_hart_take_overflows(h, found), 1);
	ck_assert(pmu_hart_happened(h, &a_load));
	ck_assert(!pmu_hart_happened(h, &a_load));
	ck_assert_uint_eq(pmu_counter_get(h, 3), 3);
	ck_assert_uint_eq(pmu_counter_get(h, 4), 1);
}

/* Observers see what another instance finds. */
TEST(what_the_guests_instance_finds_is_no_sample)
{
	observe(0, PMU_EV_UARCH + PMU_UA_L1D_LOADS, ALL, 1);
	ck_assert(!pmu_hart_happened(h, &a_load));
	pmu_counter_set_event(h, 3, L1D_LOADS);
	pmu_counter_set(h, 3, UINT64_MAX);
	ck_assert(pmu_hart_happened(h, &a_load));
}

static const struct stall_row {
	const char *why;
	uint32_t front, back;
	unsigned period; /* of an observer of waits for loads; 0: none */
	bool stop;
} stall_rows[] = {
	{ "a counter that does not overflow", 100, 4, 0, false },
	{ "by all that is waited", 0, 5, 0, true },
	{ "in vain for what comes in front", 5, 0, 0, false },
	{ "a sample is not due", 0, 2, 3, false },
	{ "a sample is due", 0, 3, 3, true },
	{ "not for what comes in front", 3, 0, 3, false },
	{ "nothing", 0, 0, 1, false },
};

TEST_WHERE(a_wait_stops_by_counters_and_samples, 0,
	   ARRAY_SIZE(stall_rows) * PMU_MAX_OBSERVERS,
	   stall_rows[_i / PMU_MAX_OBSERVERS].period ||
		   _i % PMU_MAX_OBSERVERS == 0)
{
	const struct stall_row *row = &stall_rows[_i / PMU_MAX_OBSERVERS];
	const struct pmu_uarch_found f = { .stalled = { row->front,
							row->back } };

	pmu_counter_set_event(h, 3, STALLED_BACKEND);
	pmu_counter_set(h, 3, -UINT64_C(5));
	if (row->period)
		observe((unsigned)_i % PMU_MAX_OBSERVERS,
			PMU_EV_STALLED_BACKEND, ALL, row->period);
	ck_assert_msg(pmu_hart_stalled(h, &f) == row->stop, "%s", row->why);
	ck_assert_uint_eq(
		pmu_hart_total(h, PMU_EV_STALLED_FRONTEND, PMU_MODE_M),
		row->front);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_STALLED_BACKEND, PMU_MODE_M),
			  row->back);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_CYCLES, PMU_MODE_M), 0);
}

TEST(what_is_observed_moves_nothing)
{
	const enum pmu_event loads = pmu_event_of_model(PMU_UA_L1D_LOADS);

	pmu_counter_set_event(h, 3, L1D_LOADS);
	pmu_hart_set_mode(h, PMU_MODE_VS);
	pmu_hart_observed(h, &two_loads_and_a_miss);
	pmu_hart_observed(h, &a_load);
	for (unsigned m = 0; m < PMU_N_MODES; m++) {
		enum pmu_mode mode = (enum pmu_mode)m;
		unsigned here = m == PMU_MODE_VS;

		ck_assert_uint_eq(pmu_hart_observed_total(h, loads, mode),
				  3 * here);
		ck_assert_uint_eq(pmu_hart_observed_total(h, loads + 1, mode),
				  here);
		ck_assert_uint_eq(pmu_hart_observed_total(h, loads + 2, mode),
				  0);
		ck_assert_uint_eq(pmu_hart_total(h, loads, mode), 0);
		ck_assert_uint_eq(
			pmu_hart_observed_total(h, PMU_EV_UARCH, mode), 0);
	}
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0);
}

TEST(a_sample_is_due_by_what_is_watched_in_this_mode)
{
	struct pmu_sample found[PMU_MAX_OBSERVERS];

	observe(15, PMU_EV_UARCH + PMU_UA_L1D_LOADS, 1 << PMU_MODE_S, 3);
	ck_assert(!pmu_hart_sampled(h, &two_loads_and_a_miss));
	pmu_hart_set_mode(h, PMU_MODE_S);
	ck_assert(!pmu_hart_sampled(h, &two_loads_and_a_miss));
	ck_assert(pmu_hart_sampled(h, &two_loads_and_a_miss));
	/* of another event: what is due was told before */
	ck_assert(!pmu_hart_sampled(
		h, &(struct pmu_uarch_found){
			   .n = 1, .event = { PMU_UA_L1D_STORES } }));
	ck_assert_uint_eq(pmu_hart_take_samples(h, UINT32_MAX, found), 1);
	ck_assert_uint_eq(found[0].observer, 15);
	ck_assert_uint_eq(found[0].periods, 1);
	ck_assert_uint_eq(
		pmu_hart_total(h, PMU_EV_UARCH + PMU_UA_L1D_LOADS, PMU_MODE_S),
		0);
}

/* The first event of all is none that was found. */
TEST(nothing_found_is_no_sample)
{
	observe(0, PMU_EV_UARCH, ALL, 1);
	ck_assert(!pmu_hart_sampled(h, &(struct pmu_uarch_found){ 0 }));
	ck_assert(!pmu_hart_sampled(h, &two_loads_and_a_miss));
	ck_assert(pmu_hart_sampled(h, &(struct pmu_uarch_found){ .n = 1 }));
}

/* Registers of page tables; 8 in the highest digit is Sv39 or Sv39x4. */
#define SV39 (UINT64_C(8) << 60)

static const struct space_row {
	const char *why;
	uint64_t satp, vsatp, hgatp;
	unsigned translated; /* bit m: enum pmu_mode m */
} space_rows[] = {
	{ "none", 0, 0, 0, 0 },
	{ "S and U have satp", SV39 | 5, 0, 0,
	  1 << PMU_MODE_S | 1 << PMU_MODE_U },
	{ "guests have vsatp", 0, SV39 | 5, 0,
	  1 << PMU_MODE_VS | 1 << PMU_MODE_VU },
	{ "or hgatp", 0, 0, SV39 | 4, 1 << PMU_MODE_VS | 1 << PMU_MODE_VU },
	{ "all but M-mode", SV39, SV39, SV39, ALL & ~(1 << PMU_MODE_M) },
};

TEST_TIMES(addresses_are_translated_below_m_mode,
	   ARRAY_SIZE(space_rows) * PMU_N_MODES)
{
	const struct space_row *row = &space_rows[_i / PMU_N_MODES];
	enum pmu_mode mode = (enum pmu_mode)(_i % PMU_N_MODES);
	struct pmu_space space;

	h->satp = row->satp;
	h->vsatp = row->vsatp;
	h->hgatp = row->hgatp;
	space = pmu_hart_space(h, mode);
	ck_assert_msg(space.translated == (row->translated >> mode & 1), "%s",
		      row->why);
	if (mode == PMU_MODE_S || mode == PMU_MODE_U)
		ck_assert_uint_eq(space.tag, row->satp);
	if (mode == PMU_MODE_M)
		ck_assert_uint_eq(space.tag, 0);
}

/* Neither by what both stages have, nor by what they have exchanged. */
TEST(guests_of_other_tables_have_other_spaces)
{
	static const uint64_t pairs[][2] = {
		{ SV39 | 1, SV39 | 1 }, { SV39 | 1, SV39 | 2 },
		{ SV39 | 2, SV39 | 1 }, { SV39 | 2, SV39 | 2 },
		{ SV39 | 1, 0 },	{ 0, SV39 | 1 },
		{ SV39 | 3, 0 },	{ 0, SV39 | 3 },
		{ 1, SV39 | 1 },	{ 1, SV39 | 3 },
	};
	uint64_t tags[ARRAY_SIZE(pairs)];

	for (unsigned i = 0; i < ARRAY_SIZE(pairs); i++) {
		h->vsatp = pairs[i][0];
		h->hgatp = pairs[i][1];
		tags[i] = pmu_hart_space(h, PMU_MODE_VS).tag;
		ck_assert_uint_eq(tags[i], pmu_hart_space(h, PMU_MODE_VU).tag);
		for (unsigned j = 0; j < i; j++)
			ck_assert_uint_ne(tags[i], tags[j]);
	}
}

TEST_TIMES(addresses_have_as_many_bits_as_the_hart, PMU_N_MODES)
{
	static const struct script any;
	struct pmu_hart *rv32 = script_hart(&any, 32);

	ck_assert(pmu_hart_space(rv32, (enum pmu_mode)_i).narrow);
	ck_assert(!pmu_hart_space(h, (enum pmu_mode)_i).narrow);
	pmu_hart_free(rv32);
}

SUITE("uarch-hart", .setup = setup, .teardown = teardown);
