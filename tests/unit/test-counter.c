/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters: what counts, in which modes, how wide, under which configuration;
 * that a change of configuration touches only the future.
 */
#include "hart-script.h"
#include "counter-state.h"
#include "unit.h"

#define ONES	 UINT64_MAX
#define C(n)	 (MHPMCOUNTER + (n))
#define E(n)	 (MHPMEVENT + (n))
#define INSNS	 UINT64_C(2) /* the selectors */
#define CYCLES	 UINT64_C(1)
#define BRANCHES UINT64_C(5)

static const struct script rows[] = {
	{ "all counters and events are 0 at reset", RULE("C120"), 0, 0, 0,
	  .steps = { PEEK(MCYCLE, 0), PEEK(MINSTRET, 0), PEEK(C(3), 0),
		     PEEK(E(3), 0), RUN(5), PEEK(C(3), 0),
		     PEEK(MINSTRET, 5) } },
	{ "events map to totals", RULE("mhpmevent_enc"), 0, 0, 0,
	  .steps = { POKE(E(3), 0x100000), POKE(E(4), 0x100001),
		     POKE(E(5), 0x100002), POKE(E(6), 0x100003),
		     POKE(E(7), BRANCHES), COUNT(LOADS, 1), COUNT(STORES, 2),
		     COUNT(EXCEPTIONS, 3), COUNT(INTERRUPTS, 4),
		     COUNT(BRANCHES, 5), PEEK(C(3), 1), PEEK(C(4), 2),
		     PEEK(C(5), 3), PEEK(C(6), 4), PEEK(C(7), 5) } },
	{ "two counters of one event both count", RULE("C122"), 0, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(E(4), INSNS), RUN(6),
		     PEEK(C(3), 6), PEEK(C(4), 6), POKE(E(4), CYCLES), RUN(2),
		     PEEK(C(3), 8), PEEK(C(4), 8), COUNT(CYCLES, 3),
		     PEEK(C(4), 11), PEEK(C(3), 8) } },
	{ "re-targeting keeps the value and leaves the old event", RULE("C122"),
	  0, 0, 0,
	  .steps = { POKE(E(3), INSNS), RUN(6), POKE(E(3), BRANCHES), RUN(5),
		     PEEK(C(3), 6), COUNT(BRANCHES, 2), PEEK(C(3), 8) } },
	{ "an unknown event reads back and counts nothing", RULE("C178"), 0, 0,
	  0,
	  .steps = { POKE(E(3), 0x1234), PEEK(E(3), 0x1234), RUN(9),
		     COUNT(LOADS, 9), PEEK(C(3), 0), POKE(E(3), INSNS), RUN(1),
		     PEEK(C(3), 1) } },
	{ "bits 55:32 select too", RULE("C106,C178"), 64, 0, 0,
	  .steps = { POKE(E(3), UINT64_C(1) << 32 | INSNS), RUN(9),
		     PEEK(C(3), 0) } },
	{ "mcountinhibit stops, and starts where it stopped", RULE("C177"), 0,
	  0, 0,
	  .steps = { POKE(E(3), INSNS), RUN(4), POKE(MCOUNTINHIBIT, 0xd),
		     RUN(10), PEEK(MCYCLE, 4), PEEK(MINSTRET, 4), PEEK(C(3), 4),
		     POKE(MCOUNTINHIBIT, 0xc), RUN(1), PEEK(MCYCLE, 5),
		     PEEK(MINSTRET, 4), POKE(MCOUNTINHIBIT, 0), RUN(2),
		     PEEK(MINSTRET, 6), PEEK(C(3), 6) } },
	{ "an inhibited counter takes a value", RULE("mcountinhibit_only_inc"),
	  0, 0, 0,
	  .steps = { POKE(MCOUNTINHIBIT, 4), POKE(MINSTRET, 77), RUN(3),
		     PEEK(MINSTRET, 77), POKE(MCOUNTINHIBIT, 0), RUN(3),
		     PEEK(MINSTRET, 80) } },
	{ "filters by mode", RULE("mhpmevent_inh_op"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS | PMU_EVENT_MINH),
		     POKE(E(4), INSNS | PMU_EVENT_SINH),
		     POKE(E(5), INSNS | PMU_EVENT_UINH),
		     POKE(E(6), INSNS | PMU_EVENT_INH_ALL), RUN(1), MODE(S),
		     RUN(10), MODE(U), RUN(100), PEEK(C(3), 110),
		     PEEK(C(4), 101), PEEK(C(5), 11), PEEK(C(6), 0),
		     PEEK(MINSTRET, 111) } },
	{ "a filter counts only from now on", RULE("C123"), 64, 0, 0,
	  .steps = { RUN(1000), POKE(MINSTRETCFG, PMU_EVENT_MINH),
		     PEEK(MINSTRET, 1000), RUN(5), PEEK(MINSTRET, 1000),
		     MODE(U), RUN(5), PEEK(MINSTRET, 1005), MODE(M),
		     POKE(MINSTRETCFG, 0), PEEK(MINSTRET, 1005), RUN(1),
		     PEEK(MINSTRET, 1006) } },
	{ "cycle and instret have filters of their own", RULE("all_xinh_zero"),
	  64, 0, 0,
	  .steps = { POKE(MCYCLECFG, PMU_EVENT_UINH), MODE(U), RUN(3),
		     PEEK(MCYCLE, 0), PEEK(MINSTRET, 3), MODE(S), RUN(1),
		     PEEK(MCYCLE, 1), PEEK(MINSTRET, 4) } },
	{ "filters on RV32 by the high half", RULE("rv32_high_access"), 32, 0,
	  0,
	  .steps = { POKE(MINSTRETCFGH, PMU_EVENT_MINH >> 32), RUN(3),
		     POKE(MHPMEVENTH + 3, PMU_EVENT_MINH >> 32),
		     POKE(E(3), INSNS), RUN(3), PEEK(MINSTRET, 0),
		     PEEK(C(3), 0), MODE(S), RUN(2), PEEK(C(3), 2) } },
	{ "without Sscofpmf nothing filters, all bits select", RULE("C106"), 64,
	  0, PMU_EXT_SSCOFPMF,
	  .steps = { POKE(E(3), INSNS), RUN(2), PEEK(C(3), 2),
		     POKE(E(3), INSNS | PMU_EVENT_UINH), RUN(2), PEEK(C(3), 2),
		     POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1), PEEK(C(3), 0),
		     PEEK(E(3), INSNS), PEEK(MIP, 0) } },
	{ "without Smcntrpmf cycle and instret count everywhere",
	  RULE("mcyclecfg_op"), 0, 0, PMU_EXT_SMCNTRPMF,
	  .steps = { RUN(1), MODE(S), RUN(1), MODE(U), RUN(1), PEEK(MCYCLE, 3),
		     PEEK(MINSTRET, 3), ILLEGAL_R(MCYCLECFG) } },
	{ "mcycle and minstret have 64 bits, and wrap without an overflow",
	  RULE("C124,C127"), 64, 0, 0,
	  .steps = { POKE(MCYCLE, ONES), POKE(MINSTRET, ONES),
		     LIMIT(INSNS, UINT64_MAX), RUN(3), PEEK(MCYCLE, 2),
		     PEEK(MINSTRET, 2), PEEK(MIP, 0), TAKE(0),
		     PEEK(SCOUNTOVF, 0) } },
	{ "the same on RV32", RULE("C124,C127"), 32, 0, 0,
	  .steps = { POKE(MCYCLE, ONES), POKE(MCYCLEH, ONES), RUN(3),
		     PEEK(MCYCLE, 2), PEEK(MCYCLEH, 0), PEEK(MIP, 0) } },
	{ "a narrow counter: zero-extended, truncated", RULE("C124"), 64, 0, 0,
	  .steps = { POKE(C(3), ONES), PEEK(C(3), 0xffffffffff),
		     POKE(C(3), UINT64_C(1) << 40 | 7), PEEK(C(3), 7) },
	  .width = 40 },
	{ "32 bits or fewer on RV32: the high half is read-only zero",
	  RULE("C124"), 32, 0, 0,
	  .steps = { POKE(C(3), ONES), POKE(MHPMCOUNTERH + 3, ONES),
		     PEEK(C(3), 0xfffff), PEEK(MHPMCOUNTERH + 3, 0),
		     PEEK(HPMCOUNTERH + 3, 0) },
	  .width = 20 },
	{ "cycles per instruction", RULE("mcycle_op"), 0, 0, 0,
	  .steps = { RUN(10), PEEK(MCYCLE, 30), CSRR(MINSTRET, 10),
		     PEEK(MCYCLE, 33), IDLE(5), PEEK(MCYCLE, 38),
		     PEEK(MINSTRET, 11) },
	  .cpi = 3 },
	{ "waiting counts cycles in the mode that waits", RULE("C166"), 64, 0,
	  0,
	  .steps = { POKE(E(3), CYCLES | PMU_EVENT_SINH),
		     POKE(E(4), CYCLES | PMU_EVENT_MINH), MODE(S), IDLE(100),
		     PEEK(C(3), 0), PEEK(C(4), 100), PEEK(MCYCLE, 100),
		     TOTAL(CYCLES, 100), TOTAL(INSNS, 0) } },
	{ "an emulated instruction retires where M is inhibited", RULE("C126"),
	  64, 0, 0,
	  .steps = { POKE(E(3), INSNS | PMU_EVENT_MINH), POKE(E(4), INSNS),
		     POKE(E(5), INSNS | PMU_EVENT_MINH | PMU_EVENT_SINH),
		     POKE(E(6), CYCLES | PMU_EVENT_MINH),
		     POKE(MINSTRETCFG, PMU_EVENT_MINH), MODE(S), EMULATED(),
		     PEEK(C(3), 1), PEEK(C(4), 0), PEEK(C(5), 0), PEEK(C(6), 0),
		     PEEK(MINSTRET, 1), TOTAL(INSNS, 0) } },
	{ "an emulated instruction is not counted by inhibited counters",
	  RULE("C126"), 64, 0, 0,
	  .steps = { POKE(MINSTRETCFG, PMU_EVENT_MINH), POKE(MCOUNTINHIBIT, 4),
		     MODE(U), EMULATED(), PEEK(MINSTRET, 0) } },
	{ "an emulated instruction can overflow", RULE("C126"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS | PMU_EVENT_MINH), POKE(C(3), ONES),
		     MODE(U), EMULATED(), EFFECTS(PMU_FX_COUNT | PMU_FX_IRQ),
		     PEEK(C(3), 0), PEEK(MIP, 0x2000), TAKE(8), EMULATED(),
		     EFFECTS(0) } },
	{ "counting events is no instruction", RULE("C119"), 0, 0, 0,
	  .steps = { COUNT(EXCEPTIONS, 2), COUNT(CYCLES, 2), PEEK(MINSTRET, 0),
		     PEEK(MCYCLE, 2) } },
};

TEST_ROWS(counters_count_as_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

/* pmu_counter_*() take any number and answer for what is not there. */
TEST_TIMES(numbers_without_a_counter_are_harmless, 4)
{
	static const unsigned absent[] = { 1, 9, 32, UINT32_MAX };
	static const struct pmu_timebase tb = { 10, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	unsigned n = absent[_i];

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_mask &= ~(UINT32_C(1) << 9);
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	ck_assert_uint_eq(pmu_counters(h), 0xfffffdfd);
	ck_assert_uint_eq(pmu_counter_width(h, n), 0);
	ck_assert(!pmu_counter_can(h, n, PMU_EV_INSNS));
	pmu_counter_set(h, n, 5);
	ck_assert_uint_eq(pmu_counter_get(h, n), 0);
	pmu_counter_set_event(h, n, ONES);
	ck_assert_uint_eq(pmu_counter_event(h, n), 0);
	ck_assert(!pmu_counter_overflowed(h, n));
	pmu_counter_set_inhibit(h, UINT32_MAX);
	ck_assert_uint_eq(pmu_counter_inhibit(h), 0xfffffdfd);
	pmu_hart_free(h);
}

/* Whatever a hart knows beside its counters, as which of them are to overflow.
 */
TEST(behind_the_last_counter_is_none)
{
	const struct script s = { .add = PMU_EXT_H };
	struct pmu_hart *h = script_hart(&s, 64);

	for (unsigned n = 3; n < 32; n++)
		pmu_counter_set_event(h, n, INSNS);
	ck_assert_uint_eq(pmu_counter_get(h, 32), 0);
	ck_assert_uint_eq(pmu_counter_event(h, 32), 0);
	ck_assert_uint_eq(pmu_counter_width(h, 32), 0);
	pmu_hart_free(h);
}

TEST(structure_says_what_a_counter_can_count)
{
	static const struct pmu_timebase tb = { 10, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_events[4] = 1u << PMU_EV_LOADS;
	cfg.hpm_width[4] = 17;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	ck_assert_uint_eq(pmu_counter_width(h, 0), 64);
	ck_assert_uint_eq(pmu_counter_width(h, 4), 17);
	ck_assert(pmu_counter_can(h, 0, PMU_EV_CYCLES));
	ck_assert(!pmu_counter_can(h, 0, PMU_EV_INSNS));
	ck_assert(pmu_counter_can(h, 2, PMU_EV_INSNS));
	ck_assert(pmu_counter_can(h, 4, PMU_EV_LOADS));
	ck_assert(!pmu_counter_can(h, 4, PMU_EV_STORES));
	ck_assert(!pmu_counter_can(h, 3, PMU_N_EVENTS));
	/* The code of an event that this counter cannot count. */
	shows(RULE("C178"));
	pmu_counter_set_event(h, 4, INSNS);
	counter_count(h, PMU_EV_INSNS, 3);
	ck_assert_uint_eq(pmu_counter_event(h, 4), INSNS);
	ck_assert_uint_eq(pmu_counter_get(h, 4), 0);
	pmu_hart_free(h);
}

TEST(on_rv32_without_sscofpmf_events_have_32_bits)
{
	const struct script s = { .del = PMU_EXT_SSCOFPMF };
	struct pmu_hart *h = script_hart(&s, 32);

	pmu_counter_set_event(h, 3, ONES);
	ck_assert_uint_eq(pmu_counter_event(h, 3), UINT32_MAX);
	pmu_hart_free(h);
}

/* What the firmware model writes is truncated and never overflows. */
TEST(setting_a_counter_truncates)
{
	const struct script s = { .width = 8 };
	struct pmu_hart *h = script_hart(&s, 64);

	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, 0x1ff);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0xff);
	pmu_counter_set(h, 3, 0x100);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0);
	ck_assert_uint_eq(h->mip_soft, 0);
	pmu_hart_free(h);
}

SUITE("counter");
