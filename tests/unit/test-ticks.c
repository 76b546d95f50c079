/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of a fixed frequency: how many have ticked after so many cycles, at
 * which one the next overflow is, and what passes while the clock stands.
 */
#include <pmu/error.h>
#include <pmu/tick.h>

#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES UINT64_MAX
#define C(n) (MHPMCOUNTER + (n))
#define E(n) (MHPMEVENT + (n))
#define REF  UINT64_C(0xa) /* the selectors */
#define BUS  UINT64_C(7)

/* Two ticks in five cycles; three in ten. */
#define CLOCKS .ref_hz = 400000000, .bus_hz = 300000000

static const struct script rows[] = {
	{ "what has ticked is the share of the cycles, rounded down",
	  RULE("C193"), 0, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(E(4), BUS), RUN(1), PEEK(C(3), 0),
		     PEEK(C(4), 0), RUN(2), PEEK(C(3), 1), PEEK(C(4), 0),
		     RUN(1), PEEK(C(3), 1), PEEK(C(4), 1), RUN(1),
		     PEEK(C(3), 2), PEEK(C(4), 1), RUN(15), PEEK(C(3), 8),
		     PEEK(C(4), 6) },
	  CLOCKS },
	{ "the third tick is in the eighth cycle", RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(C(3), -UINT64_C(3)), LIMIT(INSNS, 8),
		     IDLE_LIMIT(8), RUN(7), PEEK(C(3), ONES), PEEK(MIP, 0),
		     LIMIT(INSNS, 1), IDLE_LIMIT(1), RUN(1), PEEK(C(3), 0),
		     PEEK(MIP, 0x2000), TAKE(8), IDLE_LIMIT(ONES) },
	  CLOCKS },
	{ "the same in the third instruction of three cycles", RULE("C193"), 64,
	  0, 0,
	  .steps = { POKE(E(3), REF), POKE(C(3), -UINT64_C(3)), LIMIT(INSNS, 3),
		     RUN(2), PEEK(C(3), ONES), PEEK(MIP, 0), LIMIT(INSNS, 1),
		     RUN(1), PEEK(C(3), 0), PEEK(MIP, 0x2000) },
	  .cpi = 3, CLOCKS },
	{ "the nearest of both overflows, and of cycles, limits", RULE("C193"),
	  64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(E(4), BUS), POKE(E(5), 1),
		     POKE(C(3), -UINT64_C(8)), POKE(C(4), -UINT64_C(3)),
		     POKE(C(5), -UINT64_C(11)), LIMIT(INSNS, 10),
		     POKE(C(5), -UINT64_C(9)), LIMIT(INSNS, 9), RUN(9),
		     TAKE(0x20), LIMIT(INSNS, 1), RUN(1), TAKE(0x10),
		     LIMIT(INSNS, 10), RUN(10), TAKE(8) },
	  CLOCKS },
	{ "a write of the counter leaves the next tick where it is",
	  RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), RUN(2), POKE(C(3), 100), RUN(1),
		     PEEK(C(3), 101), RUN(1), POKE(C(3), 200), RUN(1),
		     PEEK(C(3), 201) },
	  CLOCKS },
	{ "so does a counter that stands, or begins later", RULE("C193"), 64, 0,
	  0,
	  .steps = { POKE(E(3), REF), POKE(MCOUNTINHIBIT, 8), RUN(4),
		     PEEK(C(3), 0), POKE(MCOUNTINHIBIT, 0), RUN(1),
		     PEEK(C(3), 1), TOTAL(REF_CYCLES, 2) },
	  CLOCKS },
	{ "and a tick that is injected", RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), RUN(2), COUNT(REF_CYCLES, 10),
		     PEEK(C(3), 10), RUN(1), PEEK(C(3), 11), RUN(1),
		     PEEK(C(3), 11), RUN(1), PEEK(C(3), 12) },
	  CLOCKS },
	{ "a tick is of the mode that has its cycle", RULE("C193"), 64, 0, 0,
	  .steps = { RUN(2), MODE(S), RUN(1), TOTAL(REF_CYCLES, 1), MODE(U),
		     RUN(1), TOTAL(BUS_CYCLES, 1), RUN(1), TOTAL(REF_CYCLES, 1),
		     MODE(M), TOTAL(REF_CYCLES, 0), TOTAL(BUS_CYCLES, 0) },
	  CLOCKS },
	{ "a filtered tick is not counted and no limit", RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF | PMU_EVENT_SINH), POKE(C(3), ONES),
		     MODE(S), LIMIT(INSNS, ONES), IDLE_LIMIT(ONES), RUN(10),
		     PEEK(C(3), ONES), MODE(U), LIMIT(INSNS, 3) },
	  CLOCKS },
	{ "a trap entry's cycle ticks", RULE("C162"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(C(3), ONES), RUN(2), PEEK(MIP, 0),
		     FAULT(2), PEEK(C(3), 0), PEEK(MIP, 0x2000) },
	  CLOCKS },
	{ "waiting ticks", RULE("C166"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(E(4), BUS), IDLE(5), PEEK(C(3), 2),
		     PEEK(C(4), 1), IDLE(2), PEEK(C(3), 2), PEEK(C(4), 2) },
	  CLOCKS },
	{ "where the clock stands the bus goes on alone", RULE("C193"), 64, 0,
	  0,
	  .steps = { POKE(E(3), REF), POKE(E(4), BUS), IDLE(5), HALT(5),
		     PEEK(C(3), 2), PEEK(C(4), 3), PEEK(MCYCLE, 5), IDLE(5),
		     PEEK(C(3), 4), PEEK(C(4), 4) },
	  CLOCKS },
	{ "and overflows there at its cycle", RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(C(3), ONES), HALT_LIMIT(ONES),
		     POKE(E(4), BUS), POKE(C(4), -UINT64_C(2)), IDLE_LIMIT(3),
		     HALT_LIMIT(7), HALT(6), PEEK(MIP, 0), HALT_LIMIT(1),
		     LIMIT(INSNS, 1), HALT(1), TAKE(0x10), HALT_LIMIT(ONES),
		     IDLE_LIMIT(3) },
	  CLOCKS },
	{ "a clock of the hart's own frequency ticks in each cycle",
	  RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), REF), POKE(C(3), -UINT64_C(7)), LIMIT(INSNS, 7),
		     RUN(7), PEEK(C(3), 0), TAKE(8) },
	  .ref_hz = 1000000000 },
	{ "one of a hertz ticks once in a second", RULE("C193"), 64, 0, 0,
	  .steps = { POKE(E(3), BUS), POKE(C(3), ONES), IDLE_LIMIT(1000000000),
		     IDLE(999999999), PEEK(C(3), ONES), IDLE(1), PEEK(C(3), 0),
		     TAKE(8) },
	  .bus_hz = 1 },
	{ "one without a frequency cannot be chosen", RULE("C178"), 64, 0, 0,
	  .steps = { POKE(E(3), BUS), POKE(C(3), ONES), LIMIT(INSNS, ONES),
		     IDLE_LIMIT(ONES), HALT_LIMIT(ONES), RUN(100),
		     PEEK(C(3), ONES) },
	  .ref_hz = 400000000 },
};

TEST_ROWS(ticks_are_exact, rows)
{
	script_run(&rows[_i]);
}

/* 2^60 cycles at 999,999,999 Hz of 10^9, worked out by hand. */
TEST_TIMES(nothing_is_lost_however_the_cycles_are_cut, 3)
{
	static const struct script s = { .ref_hz = 999999999 };
	const uint64_t all = UINT64_C(1) << 60, step = all >> (4 * _i);
	struct pmu_hart *h = script_hart(&s, 64);

	for (uint64_t done = 0; done < all; done += step)
		pmu_hart_idle(h, step);
	ck_assert_uint_eq(pmu_hart_total(h, PMU_EV_REF_CYCLES, PMU_MODE_M),
			  UINT64_C(1152921503453925471));
	pmu_hart_free(h);
}

/* More than 64 bits of cycles away. */
TEST(an_overflow_out_of_reach_is_no_limit)
{
	static const struct script s = { .ref_hz = 1 };
	struct pmu_hart *h = script_hart(&s, 64);

	pmu_counter_set_event(h, 3, REF);
	ck_assert_uint_eq(pmu_hart_idle_limit(h), UINT64_MAX);
	/* 2^64 / 10^9 ticks, rounded down: there, and one more */
	pmu_counter_set(h, 3, -UINT64_C(18446744073));
	ck_assert_uint_eq(pmu_hart_idle_limit(h),
			  UINT64_C(18446744073000000000));
	pmu_counter_set(h, 3, -UINT64_C(18446744074));
	ck_assert_uint_eq(pmu_hart_idle_limit(h), UINT64_MAX);
	pmu_hart_free(h);
}

static const struct hz_row {
	uint64_t hz;
	int want;
} hz_rows[] = {
	{ 0, 0 },
	{ 1, 0 },
	{ 1000, 0 },
	{ 1001, -PMU_EINVAL },
};

TEST_ROWS(a_frequency_is_not_above_the_clocks, hz_rows)
{
	const struct hz_row *row = &hz_rows[_i];
	const struct pmu_timebase tb = { 1000, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h = NULL;

	for (unsigned t = 0; t < PMU_N_TICKS; t++) {
		pmu_hart_config_init(&cfg, 64);
		cfg.tick_hz[t] = row->hz;
		ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), row->want);
		if (!row->want)
			pmu_hart_free(h);
	}
}

/* A state is taken by a hart of the same frequencies alone. */
TEST(a_state_goes_on_ticking_where_it_was)
{
	static const struct script one = { .ref_hz = 400000000 },
				   other = { .ref_hz = 400000001 };
	struct pmu_hart *from = script_hart(&one, 64),
			*to = script_hart(&one, 64),
			*not = script_hart(&other, 64);
	uint8_t *state = calloc(1, pmu_hart_state_size());

	ck_assert_ptr_nonnull(state);
	pmu_hart_idle(from, 2);
	pmu_hart_give(from, state);
	ck_assert_int_eq(pmu_hart_take(not, state), -PMU_EINVAL);
	ck_assert_int_eq(pmu_hart_take(to, state), 0);
	pmu_hart_idle(to, 1);
	ck_assert_uint_eq(pmu_hart_total(to, PMU_EV_REF_CYCLES, PMU_MODE_M), 1);
	free(state);
	pmu_hart_free(from);
	pmu_hart_free(to);
	pmu_hart_free(not );
}

SUITE("ticks");
