/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What PMU calls do to OF, and that a value written never sets it.
 */
#include <fw/quirk.h>

#include "fw-fixture.h"

#define LCOFI (UINT64_C(1) << PMU_IRQ_LCOFI)

static void clear_lcofip(struct bench *b)
{
	pmu_irq_soft(b->harts[0], PMU_IRQ_LCOFI, false);
}

/* What Linux does: stop, read scountovf, clear sip, start. */
TEST_TIMES(start_clears_an_overflow_that_was_seen, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C55"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1);
	shows(RULE("C64"));
	ck_assert(bench_shows_of(&b, 3));
	clear_lcofip(&b);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1, INIT, UINT64_MAX - 9), 0);
	ck_assert(!bench_shows_of(&b, 3));
	bench_run(&b, 0, 10);
	ck_assert(bench_shows_of(&b, 3));
	bench_fini(&b);
}

TEST_TIMES(start_keeps_an_overflow_that_was_not_seen, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	bench_init(&b, &o);
	shows(RULE("C55 C145"));
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	/* As often as it is started before the interrupt is taken. */
	for (int i = 0; i < 3; i++) {
		PMU(&b, STOP, 3, 1);
		PMU(&b, START, 3, 1);
		ck_assert(bench_shows_of(&b, 3));
		ck_assert(pmu_counter_overflowed(b.harts[0], 3));
	}
	bench_fini(&b);
}

/* OF that S or M took away, and that came again. */
TEST_TIMES(start_keeps_an_overflow_that_came_again, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C55 C136"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1, INIT, UINT64_MAX);
	bench_poke(&b, 0, 0x323, PMU_EVENT_MINH | 2);
	ck_assert(!bench_shows_of(&b, 3));
	bench_run(&b, 0, 1);
	ck_assert(bench_shows_of(&b, 3));
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1);
	ck_assert(bench_shows_of(&b, 3));
	bench_fini(&b);
}

/* Another counter's pending request. */
TEST_TIMES(start_beside_a_pending_request, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C55"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, START, 4, 1);
	ck_assert(bench_shows_of(&b, 4) == _i);
	bench_fini(&b);
}

/*
 * One that the guest has seen, beside another's request: its next one is not
 * silent.
 */
TEST_TIMES(start_clears_what_was_seen_beside_a_pending_request, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C55"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1);
	clear_lcofip(&b);
	bench_overflow(&b, 4);
	PMU(&b, STOP, 4, 1);
	PMU(&b, START, 3, 1, INIT, UINT64_MAX);
	ck_assert(bench_shows_of(&b, 3) == _i);
	clear_lcofip(&b);
	bench_run(&b, 0, 1);
	ck_assert(bench_shows_of(&b, 3));
	ck_assert(pmu_lcofi_asked(b.harts[0], 3) != _i);
	bench_fini(&b);
}

/*
 * Taken, the request is still its own until the guest clears it: LCOFI would
 * come again without an OF.
 */
TEST(start_keeps_an_overflow_until_its_request_is_cleared)
{
	const struct pmu_trap lcofi = { .interrupt = true,
					.cause = PMU_IRQ_LCOFI,
					.given = PMU_MODE_M };
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C55 C145"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	pmu_trap_enter(b.harts[0], &lcofi);
	ck_assert_uint_eq(pmu_lcofi_counters(b.harts[0]), 0);
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1);
	ck_assert(bench_shows_of(&b, 3));
	bench_fini(&b);
}

/* AUTO_START is a start: beside a pending request opensbi keeps OF set. */
TEST_TIMES(auto_start_is_a_start, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C36"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	PMU(&b, CFG, 5, 1, AUTO, 2);
	ck_assert(!bench_shows_of(&b, 5));
	bench_overflow(&b, 3);
	PMU(&b, CFG, 4, 1, AUTO, 2);
	ck_assert(bench_shows_of(&b, 4) == _i);
	/* On one that runs it leaves OF alone, set or not. */
	PMU(&b, CFG, 3, 1, SKIP | AUTO, 2);
	ck_assert(bench_shows_of(&b, 3));
	PMU(&b, CFG, 5, 1, SKIP | AUTO, 2);
	ck_assert(!bench_shows_of(&b, 5));
	bench_fini(&b);
}

/* Configuring anew clears OF in spec, sets it in opensbi. */
TEST_TIMES(config_decides_about_of, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C37 C64"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1, RESET);
	ck_assert(!bench_shows_of(&b, 3));
	PMU(&b, CFG, 3, 1, 0, 2);
	ck_assert(bench_shows_of(&b, 3) == _i);
	shows(RULE("C71"));
	ck_assert(!pmu_counter_overflowed(b.harts[0], 3));
	bench_fini(&b);
}

/*
 * OF that only keeps the interrupt off is no overflow, also where one had set
 * it before a start that the guest has seen.
 */
TEST_TIMES(what_keeps_the_interrupt_off_is_no_overflow, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C71"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1);
	PMU(&b, START, 3, 1, INIT, 5);
	ck_assert(pmu_counter_overflowed(b.harts[0], 3));
	PMU(&b, STOP, 3, 1);
	clear_lcofip(&b);
	bench_overflow(&b, 4);
	PMU(&b, START, 3, 1, INIT, 5);
	ck_assert(bench_shows_of(&b, 3) == _i);
	ck_assert(!pmu_counter_overflowed(b.harts[0], 3));
	bench_fini(&b);
}

TEST(nor_is_what_a_configuration_sets)
{
	struct fw_quirks quirks = fw_profile_quirks(FW_PROFILE_SPEC);
	struct opts o = { .quirks = &quirks };
	struct bench b;

	shows(RULE("C71"));
	quirks.config_sets_of = true;
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	PMU(&b, STOP, 3, 1);
	ck_assert(pmu_counter_overflowed(b.harts[0], 3));
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 5), 0);
	ck_assert(bench_shows_of(&b, 3));
	ck_assert(!pmu_counter_overflowed(b.harts[0], 3));
	bench_fini(&b);
}

static void reset(struct bench *b)
{
	PMU(b, STOP, 3, 1, RESET);
}

static void configure_anew(struct bench *b)
{
	PMU(b, STOP, 3, 1);
	ck_assert_int_eq(PMU_ERR(b, CFG, 3, 1, SKIP, 5), 0);
}

static void give_to_another(struct bench *b)
{
	PMU(b, STOP, 3, 1, RESET);
	ck_assert_int_eq(PMU_ERR(b, CFG, 3, 1, 0, 2), 0);
	ck_assert_int_eq(PMU_ERR(b, START, 3, 1, INIT, 5), 0);
}

/* What takes OF from a counter with a pending overflow. */
static void (*const takers[])(struct bench *) = { reset, configure_anew,
						  give_to_another };

/*
 * Linux drops a counter and takes another with interrupts off. The interrupt of
 * the one that is gone would stop it, and nobody would start it again.
 */
TEST_TIMES(a_request_goes_with_its_of, 6)
{
	struct opts o = { .profile = _i % 2 };
	struct bench b;

	shows(RULE("C66 C145"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	ck_assert(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI);
	takers[_i / 2](&b);
	ck_assert(!(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI) == !o.profile);
	bench_fini(&b);
}

/* But another counter's, and what the guest itself took OF from, stay. */
TEST_TIMES(no_other_request_goes, 3)
{
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C66"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, 0, 2);
	bench_overflow(&b, 3);
	bench_overflow(&b, 4);
	takers[_i](&b);
	ck_assert(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI);
	ck_assert(!pmu_lcofi_asked(b.harts[0], 3));
	ck_assert(pmu_lcofi_asked(b.harts[0], 4));
	bench_poke(&b, 0, 0x324, PMU_EVENT_MINH | 2);
	PMU(&b, STOP, 4, 1, RESET);
	ck_assert(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI);
	bench_fini(&b);
}

/* A value loses the bits that the counter lacks. */
TEST(a_narrow_counter_truncates_its_value)
{
	struct opts o = { .width = 40 };
	struct bench b;

	shows(RULE("C57 C124"));
	bench_init(&b, &o);
	ck_assert_uint_eq(PMU(&b, INFO, 3).value, 0xc03 | 39 << 12);
	ck_assert_uint_eq(PMU(&b, INFO, 2).value, 0xc02 | 63 << 12);
	PMU(&b, CFG, 3, 1, 0, 2);
	PMU(&b, START, 3, 1, INIT, UINT64_MAX);
	ck_assert_uint_eq(bench_value(&b, 3), (UINT64_C(1) << 40) - 1);
	ck_assert(!bench_shows_of(&b, 3));
	bench_run(&b, 0, 1);
	ck_assert_uint_eq(bench_value(&b, 3), 0);
	ck_assert(bench_shows_of(&b, 3));
	bench_fini(&b);
}

SUITE("ctr-overflow");
