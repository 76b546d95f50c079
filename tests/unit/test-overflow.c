/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow: at which count, when it asks for an interrupt and when not, and
 * how far the hart may run until then. Every width from 1 to 64.
 */
#include <pmu/error.h>

#include "csr-execute.h"
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	 UINT64_MAX
#define C(n)	 (MHPMCOUNTER + (n))
#define E(n)	 (MHPMEVENT + (n))
#define OF	 PMU_EVENT_OF
#define INSNS	 UINT64_C(2) /* the selectors */
#define CYCLES	 UINT64_C(1)
#define BRANCHES UINT64_C(5)

static const struct script rows[] = {
	{ "an overflow sets OF and LCOFIP once", RULE("C107"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1), PEEK(C(3), 0),
		     PEEK(E(3), OF | INSNS), PEEK(MIP, 0x2000),
		     PEEK(SCOUNTOVF, 8), OVERFLOWED(3, 1), TAKE(8), TAKE(0) } },
	{ "a second overflow with OF set asks for nothing", RULE("C107"), 64, 0,
	  0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1), TAKE(8),
		     POKE(MIP, 0), POKE(C(3), ONES), LIMIT(INSNS, UINT64_MAX),
		     RUN(1), PEEK(C(3), 0), PEEK(MIP, 0),
		     PEEK(E(3), OF | INSNS), TAKE(0) } },
	{ "OF set by software disables, and is no hardware overflow",
	  RULE("C108"), 64, 0, 0,
	  .steps = { POKE(E(3), OF | INSNS), PEEK(MIP, 0), OVERFLOWED(3, 0),
		     POKE(C(3), ONES), RUN(1), PEEK(MIP, 0), OVERFLOWED(3, 0),
		     TAKE(0) } },
	{ "writing 2^n-1, then 0, overflows nothing", RULE("C108"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), POKE(C(3), 0),
		     PEEK(E(3), INSNS), PEEK(MIP, 0), TAKE(0) } },
	{ "writing the event overflows nothing", RULE("C108"), 64, 0, 0,
	  .steps = { POKE(C(3), ONES), POKE(E(3), INSNS), POKE(E(3), CYCLES),
		     PEEK(C(3), ONES), PEEK(MIP, 0), TAKE(0) } },
	{ "writing halves of a full counter overflows nothing", RULE("C138"),
	  32, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES),
		     POKE(MHPMCOUNTERH + 3, ONES), POKE(C(3), 0),
		     POKE(MHPMCOUNTERH + 3, 0), PEEK(MIP, 0), TAKE(0) } },
	{ "clearing LCOFIP leaves OF, clearing OF leaves LCOFIP", RULE("C110"),
	  64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1), POKE(MIP, 0),
		     PEEK(SCOUNTOVF, 8), POKE(MIP, 0x2000), POKE(E(3), INSNS),
		     PEEK(MIP, 0x2000), PEEK(SCOUNTOVF, 0),
		     OVERFLOWED(3, 0) } },
	{ "OF cleared re-arms", RULE("count_overflow_interrupt"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1), TAKE(8),
		     POKE(MIP, 0), POKE(E(3), INSNS), POKE(C(3), ONES - 1),
		     LIMIT(INSNS, 2), RUN(1), PEEK(MIP, 0), LIMIT(INSNS, 1),
		     RUN(1), PEEK(MIP, 0x2000), TAKE(8) } },
	{ "OF stays a hardware overflow while it is rewritten set", RULE("C71"),
	  64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES), RUN(1),
		     POKE(E(3), OF | PMU_EVENT_MINH | INSNS), OVERFLOWED(3, 1),
		     POKE(E(3), INSNS), POKE(E(3), OF | INSNS),
		     OVERFLOWED(3, 0) } },
	{ "an inhibited counter cannot overflow", RULE("C177"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES),
		     POKE(MCOUNTINHIBIT, 8), LIMIT(INSNS, UINT64_MAX), RUN(5),
		     PEEK(MIP, 0), POKE(MCOUNTINHIBIT, 0), LIMIT(INSNS, 1),
		     RUN(1), PEEK(MIP, 0x2000) } },
	{ "a filtered counter cannot overflow", RULE("C177"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS | PMU_EVENT_SINH), POKE(C(3), ONES),
		     MODE(S), LIMIT(INSNS, UINT64_MAX), RUN(5), PEEK(MIP, 0),
		     PEEK(C(3), ONES), MODE(U), LIMIT(INSNS, 1), RUN(1),
		     PEEK(MIP, 0x2000) } },
	{ "counters of one event overflow together", RULE("C122"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(E(31), INSNS), POKE(C(3), ONES),
		     POKE(C(31), ONES), RUN(1), PEEK(SCOUNTOVF, 0x80000008),
		     TAKE(0x80000008) } },
	{ "the nearest counter limits", RULE("C109"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(E(4), INSNS), POKE(E(5), BRANCHES),
		     POKE(C(3), -UINT64_C(100)), POKE(C(4), -UINT64_C(7)),
		     POKE(C(5), -UINT64_C(3)), LIMIT(INSNS, 7),
		     LIMIT(BRANCHES, 3), LIMIT(LOADS, UINT64_MAX),
		     LIMIT(STORES, UINT64_MAX) } },
	{ "cycles limit instructions", RULE("mcycle_op"), 64, 0, 0,
	  .steps = { POKE(E(3), CYCLES), POKE(C(3), -UINT64_C(10)),
		     LIMIT(INSNS, 10), IDLE_LIMIT(10), POKE(E(4), INSNS),
		     POKE(C(4), -UINT64_C(4)), LIMIT(INSNS, 4), IDLE_LIMIT(10),
		     IDLE(9), PEEK(MIP, 0), LIMIT(INSNS, 1), IDLE(1),
		     PEEK(MIP, 0x2000), TAKE(8), IDLE_LIMIT(UINT64_MAX) } },
	{ "cycles limit instructions, rounded up by cpi", RULE("mcycle_op"), 64,
	  0, 0,
	  .steps = { POKE(E(3), CYCLES), POKE(C(3), -UINT64_C(10)),
		     LIMIT(INSNS, 4), IDLE_LIMIT(10), RUN(3), PEEK(MIP, 0),
		     LIMIT(INSNS, 1), RUN(1), PEEK(MIP, 0x2000), PEEK(C(3), 2),
		     POKE(E(3), CYCLES), POKE(C(3), -UINT64_C(9)),
		     LIMIT(INSNS, 3) },
	  .cpi = 3 },
	{ "an empty 64-bit counter has no limit that can be reached",
	  RULE("hpmcounter_overflow"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), LIMIT(INSNS, UINT64_MAX), POKE(C(3), 1),
		     LIMIT(INSNS, UINT64_MAX), POKE(C(3), 2),
		     LIMIT(INSNS, ONES - 1), POKE(E(3), CYCLES), POKE(C(3), 0),
		     LIMIT(INSNS, UINT64_MAX), IDLE_LIMIT(UINT64_MAX) } },
	{ "instructions of three cycles can fill an empty one of cycles",
	  RULE("mcycle_op"), 64, 0, 0,
	  /* a third of 2^64, rounded up */
	  .steps = { POKE(E(3), CYCLES), POKE(C(3), 0),
		     LIMIT(INSNS, UINT64_C(6148914691236517206)),
		     RUN(UINT64_C(6148914691236517205)), PEEK(MIP, 0),
		     LIMIT(INSNS, 1), RUN(1), PEEK(MIP, 0x2000),
		     PEEK(C(3), 2) },
	  .cpi = 3 },
	{ "trap entries overflow cycle counters", RULE("C162"), 64, 0, 0,
	  .steps = { POKE(E(3), CYCLES), POKE(C(3), ONES), POKE(E(4), 0x100002),
		     POKE(C(4), ONES), COUNT(CYCLES, 1), COUNT(EXCEPTIONS, 1),
		     PEEK(SCOUNTOVF, 0x18), TAKE(0x18) } },
	{ "without Sscofpmf nothing overflows", RULE("C106"), 64, 0,
	  PMU_EXT_SSCOFPMF,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES),
		     LIMIT(INSNS, UINT64_MAX), RUN(1), PEEK(C(3), 0),
		     PEEK(E(3), INSNS), PEEK(MIP, 0), TAKE(0) } },
	{ "the overflowing instruction is counted by the other counters",
	  RULE("C176"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), -UINT64_C(5)), RUN(5),
		     PEEK(MINSTRET, 5), PEEK(C(3), 0) } },
};

TEST_ROWS(overflows_are_as_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

/* Loops over widths 1 to 64: @_i. */
TEST_RANGE(overflow_is_at_the_width, 1, 65)
{
	const struct script s = { .width = (unsigned)_i };
	struct pmu_hart *h = script_hart(&s, 64);
	uint64_t top = UINT64_MAX >> (64 - _i);
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } }, limits;

	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, top - 1);
	pmu_hart_limits(h, &limits);
	ck_assert_uint_eq(limits.n[PMU_EV_INSNS], 2);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_counter_get(h, 3), top);
	ck_assert(!(pmu_counter_event(h, 3) & OF));
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 0);
	ck_assert(pmu_counter_event(h, 3) & OF);
	ck_assert_uint_eq(h->mip_soft, 0x2000);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_counter_get(h, 3), 1);
	pmu_hart_free(h);
}

/* Steps larger than the counter: it wraps, perhaps more than once. */
TEST_TIMES(a_large_step_overflows, 40)
{
	const struct script s = { .width = 4 };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = (uint64_t)_i } };

	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, 10);
	pmu_hart_advance(h, &p);
	ck_assert_uint_eq(pmu_counter_get(h, 3), (10 + (unsigned)_i) % 16);
	ck_assert_int_eq((pmu_counter_event(h, 3) & OF) != 0, _i >= 6);
	pmu_hart_free(h);
}

/* Of several overflows before LCOFIP is cleared, the first one raised it. */
TEST(a_record_says_whether_it_raised_lcofip)
{
	const struct script s = { .why = "two counters of one event" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } };
	struct pmu_overflow ovf[PMU_N_COUNTERS];

	for (unsigned n = 3; n < 6; n++)
		pmu_counter_set_event(h, n, INSNS);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_counter_set(h, 4, UINT64_MAX);
	pmu_counter_set(h, 5, UINT64_MAX - 1);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 2);
	ck_assert(ovf[0].raised && !ovf[1].raised);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 1);
	ck_assert(ovf[0].counter == 5 && !ovf[0].raised);
	pmu_hart_free(h);
}

/* Also when the instruction that overflows is the one that clears it. */
TEST(a_csr_access_raises_lcofip_only_once)
{
	const struct script s = { .why = "csrc mip" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_csr_req req = {
		.num = MIP, .op = PMU_CSR_CLEAR, .write = true, .value = 0x2000
	};
	struct pmu_overflow ovf[PMU_N_COUNTERS];
	unsigned effects = 0;
	uint64_t old;

	shows(RULE("C161"));
	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_irq_soft(h, PMU_IRQ_LCOFI, true);
	ck_assert_int_eq(csr_execute(h, &req, &old, &effects), PMU_CSR_OK);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 1);
	ck_assert(!ovf[0].raised);
	ck_assert_uint_eq(h->mip_soft, 0x2000);
	pmu_hart_free(h);
}

TEST(a_record_says_what_overflowed)
{
	const struct script s = { .cpi = 4 };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 2 } };
	struct pmu_overflow ovf[PMU_N_COUNTERS];

	pmu_counter_set_event(h, 9, CYCLES | PMU_EVENT_MINH);
	pmu_counter_set(h, 9, UINT64_MAX - 4);
	pmu_counter_set_event(h, 4, INSNS);
	pmu_counter_set(h, 4, UINT64_MAX - 1);
	pmu_hart_set_mode(h, PMU_MODE_U);
	pmu_hart_advance(h, &p);
	pmu_hart_set_mode(h, PMU_MODE_M);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 2);
	ck_assert_uint_eq(ovf[0].counter, 4);
	ck_assert_uint_eq(ovf[0].value, 0);
	ck_assert_uint_eq(ovf[1].counter, 9);
	ck_assert_uint_eq(ovf[1].mode, PMU_MODE_U);
	ck_assert_uint_eq(ovf[1].value, 3);
	ck_assert_uint_eq(ovf[1].event, OF | PMU_EVENT_MINH | CYCLES);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 0);
	pmu_hart_free(h);
}

/* Each overflow, with and without Sscofpmf; nothing is there to be read. */
TEST_TIMES(an_observer_learns_of_what_software_does_not, 4)
{
	struct script s = { .width = 4 };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 16 } };
	struct pmu_overflow ovf[PMU_N_COUNTERS];
	struct pmu_progress limit;
	uint64_t config = _i & 1 ? INSNS | OF : INSNS;

	if (_i & 2)
		h->cfg.ext &= ~PMU_EXT_SSCOFPMF;
	if (_i & 2)
		config = INSNS;
	ck_assert_int_eq(pmu_counter_set_delivery(h, 3, PMU_DELIVER_OBSERVER),
			 0);
	pmu_counter_set_event(h, 3, config);
	pmu_counter_set(h, 3, 10);
	for (unsigned i = 1; i < 4; i++) {
		pmu_hart_limits(h, &limit);
		ck_assert_uint_eq(limit.n[PMU_EV_INSNS], i == 1 ? 6 : 16);
		p.n[PMU_EV_INSNS] = limit.n[PMU_EV_INSNS];
		pmu_hart_advance(h, &p);
		ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 1);
		ck_assert(!ovf[0].raised);
		ck_assert_uint_eq(ovf[0].event, config);
		ck_assert_uint_eq(pmu_counter_overflows(h, 3), i);
		ck_assert_uint_eq(pmu_counter_event(h, 3), config);
		ck_assert_uint_eq(h->mip_soft, 0);
		ck_assert(!pmu_counter_overflowed(h, 3));
	}
	pmu_hart_free(h);
}

/* OF is set, once until it is cleared; LCOFI is nobody's. */
TEST(an_overflow_that_is_held_raises_nothing)
{
	struct script s = { .width = 4 };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 40 } };
	struct pmu_overflow ovf[PMU_N_COUNTERS];

	ck_assert_int_eq(pmu_counter_set_delivery(h, 3, PMU_DELIVER_HELD), 0);
	pmu_counter_set_event(h, 3, INSNS);
	for (unsigned i = 1; i < 3; i++) {
		pmu_hart_advance(h, &p);
		ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 1);
		ck_assert(!ovf[0].raised);
		ck_assert_uint_eq(ovf[0].event, INSNS | OF);
		ck_assert(pmu_counter_overflowed(h, 3));
		ck_assert_uint_eq(h->mip_soft, 0);
		pmu_hart_advance(h, &p);
		ck_assert_uint_eq(pmu_hart_take_overflows(h, ovf), 0);
		ck_assert_uint_eq(pmu_counter_overflows(h, 3), i);
		pmu_counter_set_event(h, 3, INSNS);
		pmu_counter_set(h, 3, 0);
	}
	pmu_hart_free(h);
}

/* A CSR instruction that overflows one brings no interrupt either. */
TEST(a_csr_access_delivers_to_an_observer)
{
	const struct script s = { .why = "csrc mip" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_csr_req req = {
		.num = MIP, .op = PMU_CSR_CLEAR, .write = true, .value = 0x2000
	};
	struct pmu_why why;
	unsigned effects = 0;
	uint64_t old;

	pmu_counter_set_delivery(h, 3, PMU_DELIVER_OBSERVER);
	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_irq_soft(h, PMU_IRQ_LCOFI, true);
	ck_assert_int_eq(csr_execute(h, &req, &old, &effects), PMU_CSR_OK);
	ck_assert_uint_eq(pmu_counter_overflows(h, 3), 1);
	ck_assert_uint_eq(h->mip_soft, 0);
	ck_assert(effects & PMU_FX_COUNT);
	pmu_counter_explain(h, 3, &why);
	ck_assert(!why.raises);
	pmu_hart_free(h);
}

/* What software asks for by mip is none of the counter's that had asked. */
TEST(a_request_that_mip_takes_back_is_for_no_counter)
{
	const struct script s = { .why = "csrw mip" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 1 } };
	unsigned effects = 0;

	shows(RULE("C110"));
	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set(h, 3, UINT64_MAX);
	pmu_hart_advance(h, &p);
	ck_assert_uint_eq(pmu_lcofi_counters(h), 8);
	ck_assert_int_eq(pmu_csr_poke(h, MIP, 0, 0x2000, &effects), 0);
	ck_assert_uint_eq(pmu_lcofi_counters(h), 8);
	ck_assert_int_eq(pmu_csr_poke(h, MIP, 0, 0, &effects), 0);
	ck_assert_int_eq(pmu_csr_poke(h, MIP, 0, 0x2000, &effects), 0);
	ck_assert_uint_eq(pmu_lcofi_counters(h), 0);
	pmu_hart_free(h);
}

/* A delivery tells of it, and clears nothing: it is so until software does. */
TEST(a_request_is_its_counters_until_it_is_gone)
{
	const struct script s = { .why = "withdrawn, cleared" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_progress p = { .n = { [PMU_EV_INSNS] = 1 } };

	shows(RULE("C110"));
	for (unsigned n = 3; n < 5; n++) {
		pmu_counter_set_event(h, n, INSNS);
		pmu_counter_set(h, n, UINT64_MAX);
		ck_assert(!pmu_lcofi_asked(h, n));
	}
	pmu_hart_advance(h, &p);
	pmu_lcofi_delivered(h);
	ck_assert(pmu_lcofi_asked(h, 3) && pmu_lcofi_asked(h, 4));
	ck_assert(!pmu_lcofi_asked(h, 5));
	ck_assert(!pmu_lcofi_asked(h, PMU_N_COUNTERS));
	pmu_counter_set_event(h, 4, INSNS);
	pmu_counter_set(h, 4, UINT64_MAX);
	pmu_hart_advance(h, &p);
	pmu_lcofi_withdraw(h, 8);
	ck_assert(!pmu_lcofi_asked(h, 3) && pmu_lcofi_asked(h, 4));
	pmu_irq_soft(h, PMU_IRQ_LCOFI, false);
	pmu_irq_soft(h, PMU_IRQ_LCOFI, true);
	ck_assert(!pmu_lcofi_asked(h, 4));
	pmu_hart_free(h);
}

/* Three of them so far; a refusal leaves what was. */
TEST(only_what_exists_is_offered_for_delivery)
{
	static const struct pmu_timebase tb = { 1000000000, 10000000, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;

	pmu_hart_config_init(&cfg, 64);
	cfg.hpm_mask = 1u << 3;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	for (int d = 0; d <= PMU_N_DELIVERIES; d++) {
		bool offered =
			d == PMU_DELIVER_LCOFI ||
			(d >= PMU_DELIVER_OBSERVER && d < PMU_N_DELIVERIES);
		int want = offered ? 0 : -PMU_EINVAL;
		enum pmu_delivery delivery = (enum pmu_delivery)d;

		ck_assert(pmu_delivery_offered(delivery) == offered);
		ck_assert_int_eq(pmu_counter_set_delivery(h, 3, delivery),
				 want);
		ck_assert_int_eq(pmu_counter_set_delivery(h, 4, delivery),
				 -PMU_EINVAL);
		ck_assert_int_eq(pmu_counter_delivery(h, 3),
				 d < PMU_DELIVER_OBSERVER ? PMU_DELIVER_LCOFI
				 : d < PMU_N_DELIVERIES	  ? delivery
							  : PMU_DELIVER_HELD);
	}
	ck_assert_int_eq(pmu_counter_set_delivery(h, 32, PMU_DELIVER_LCOFI),
			 -PMU_EINVAL);
	ck_assert_int_eq(pmu_counter_delivery(h, 32), PMU_DELIVER_LCOFI);
	pmu_hart_free(h);
}

SUITE("overflow");
