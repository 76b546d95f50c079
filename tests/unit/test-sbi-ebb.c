/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EBB, our experimental extension: claims take all of a set or nothing, are
 * refused when a counter is busy, and keep the PMU extension's hands off.
 */
#include "fw-fixture.h"

#include <pmu/counter.h>
#include <pmu/ebb-unit.h>
#include <pmu/rule.h>

enum {
	CLAIM,
	RELEASE,
	CLAIMED
};
enum {
	BAD = SBI_ERR_INVALID_PARAM,
	DENIED = SBI_ERR_DENIED,
	RUNS = SBI_ERR_ALREADY_STARTED,
	NONE = SBI_ERR_NOT_SUPPORTED,
};
#define EBB(b, fid, ...) CALL(b, EBB_EID, fid, __VA_ARGS__)

static const struct opts with_ebb = { .with = PMU_EXT_XPMUEBB };

static const struct claim_row {
	const char *why;
	uint64_t base, mask;
	int64_t error;
	uint32_t claimed; /* afterwards */
} claim_rows[] = {
	{ "one", 3, 1, 0, 0x28 },
	{ "a group", 0, 0x18, 0, 0x38 },
	{ "the last", 31, 1, 0, 0x80000020 },
	{ "none", 3, 0, BAD, 0x20 },
	{ "cycle", 0, 1, BAD, 0x20 },
	{ "time", 1, 1, BAD, 0x20 },
	{ "instret", 0, 0xc, BAD, 0x20 },
	{ "one that is not there", 0, 0x40008, BAD, 0x20 },
	{ "the firmware's", 32, 1, BAD, 0x20 },
	{ "beyond them by the mask", 31, 2, BAD, 0x20 },
	{ "a base that wraps", UINT64_MAX, 1, BAD, 0x20 },
	{ "claimed already", 5, 1, DENIED, 0x20 },
	{ "one of them claimed: none", 3, 7, DENIED, 0x20 },
	{ "one of them runs: none", 6, 3, RUNS, 0x20 },
	{ "stopped, with an event", 8, 1, 0, 0x120 },
};

/* 5 is claimed, 6 runs, 8 has an event and stands. */
TEST_ROWS(a_claim_takes_all_or_nothing, claim_rows)
{
	const struct claim_row *row = &claim_rows[_i];
	struct opts o = with_ebb;
	struct bench b;

	shows(RULE("C155 C156 ebb_claim"));
	o.hpm_mask = 0x8003fff8;
	bench_init(&b, &o);
	ck_assert_int_eq(EBB(&b, CLAIM, 5, 1).error, 0);
	ck_assert_uint_eq(PMU(&b, CFG, 6, 1, AUTO, 2).value, 6);
	ck_assert_uint_eq(PMU(&b, CFG, 8, 1, 0, 1).value, 8);
	ck_assert_int_eq(EBB(&b, CLAIM, row->base, row->mask).error,
			 row->error);
	ck_assert_msg(EBB(&b, CLAIMED, 0).value == row->claimed, "%s",
		      row->why);
	ck_assert_uint_eq(pmu_ebb_claimed(b.harts[0]), row->claimed);
	bench_fini(&b);
}

TEST(a_claimed_counter_is_out_of_reach)
{
	struct bench b;

	shows(RULE("C155 ebb_claim"));
	bench_init(&b, &with_ebb);
	PMU(&b, CFG, 3, 1, 0, 2);
	ck_assert_int_eq(EBB(&b, CLAIM, 3, 1).error, 0);
	ck_assert_uint_eq(PMU(&b, CFG, 3, 3, 0, 2).value, 4);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, 2), NONE);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, 2), BAD);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1), BAD);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, RESET), BAD);
	/* The switch of a process takes it for a while. */
	bench_poke(&b, 0, PMU_CSR_SEBBOWN, 0);
	pmu_counter_set_inhibit(b.harts[0], ~UINT32_C(0));
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, 2), NONE);
	ck_assert_int_eq(EBB(&b, CLAIM, 3, 1).error, DENIED);
	ck_assert_uint_eq(EBB(&b, CLAIMED, 0).value, 8);
	bench_fini(&b);
}

/* Held for somebody outside: whoever asks gets the next one. */
TEST(a_counter_that_is_had_outside_is_not_given_though_it_stands)
{
	struct bench b;

	shows(RULE("C23 C155"));
	bench_init(&b, &(struct opts){ 0 });
	pmu_counter_set_delivery(b.harts[0], 3, PMU_DELIVER_HELD);
	pmu_counter_set_inhibit(b.harts[0], ~UINT32_C(0));
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, 2), NONE);
	ck_assert_uint_eq(PMU(&b, CFG, 3, 3, 0, 2).value, 4);
	pmu_counter_set_delivery(b.harts[0], 3, PMU_DELIVER_LCOFI);
	ck_assert_uint_eq(PMU(&b, CFG, 3, 3, 0, 2).value, 3);
	bench_fini(&b);
}

TEST(it_keeps_its_event_and_runs)
{
	struct bench b;

	shows(RULE("ebb_claim"));
	bench_init(&b, &with_ebb);
	PMU(&b, CFG, 3, 1, UINH, 2);
	pmu_counter_set_event(b.harts[0], 3,
			      pmu_counter_event(b.harts[0], 3) | PMU_EVENT_OF);
	EBB(&b, CLAIM, 3, 1);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3),
			  PMU_EVENT_UINH | PMU_EVENT_MINH | 2);
	ck_assert_uint_eq(pmu_counter_inhibit(b.harts[0]) & 8, 0);
	bench_run(&b, 0, 5);
	ck_assert_uint_eq(pmu_counter_get(b.harts[0], 3), 5);
	bench_fini(&b);
}

TEST(a_release_gives_it_back)
{
	struct bench b;

	shows(RULE("C157 ebb_permit"));
	bench_init(&b, &with_ebb);
	EBB(&b, CLAIM, 0, 0x18);
	ck_assert_int_eq(EBB(&b, RELEASE, 0, 0x28).error, BAD);
	ck_assert_int_eq(EBB(&b, RELEASE, 0, 0).error, BAD);
	ck_assert_int_eq(EBB(&b, RELEASE, 3, 1).error, 0);
	ck_assert_uint_eq(EBB(&b, CLAIMED, 0).value, 0x10);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_MEBBEN), 0x10);
	ck_assert_uint_eq(pmu_counter_inhibit(b.harts[0]) & 0x18, 8);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), PMU_EVENT_MINH);
	ck_assert_uint_eq(PMU(&b, CFG, 3, 3, 0, 2).value, 3);
	ck_assert_int_eq(EBB(&b, CLAIM, 3, 1).error, 0);
	bench_fini(&b);
}

static const struct offer_row {
	const char *why;
	enum fw_profile profile;
	uint64_t with;
	bool offered;
} offer_rows[] = {
	{ "with the extension", FW_PROFILE_SPEC, PMU_EXT_XPMUEBB, true },
	{ "without", FW_PROFILE_SPEC, 0, false },
	{ "as the reference", FW_PROFILE_OPENSBI, PMU_EXT_XPMUEBB, false },
};

TEST_TIMES(it_is_offered_where_there_is_something, 2 * ARRAY_SIZE(offer_rows))
{
	const struct offer_row *row = &offer_rows[_i / 2];
	struct opts o = { .profile = row->profile,
			  .xlen = _i & 1 ? 32 : 64,
			  .with = row->with | PMU_EXT_SMSTATEEN };
	struct bench b;

	shows(RULE("C159 ebb_discover ebb_stateen"));
	bench_init(&b, &o);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 3, EBB_EID).value, row->offered);
	ck_assert_msg((EBB(&b, CLAIM, 3, 1).error == 0) == row->offered, "%s",
		      row->why);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_MSTATEEN0) & 1,
			  row->offered);
	bench_fini(&b);
}

TEST(each_hart_has_its_own)
{
	struct opts o = with_ebb;
	struct bench b;

	shows(RULE("ebb_claim"));
	o.n_harts = 2;
	bench_init(&b, &o);
	EBB(&b, CLAIM, 3, 1);
	ck_assert_uint_eq(pmu_ebb_claimed(b.harts[0]), 8);
	ck_assert_uint_eq(pmu_ebb_claimed(b.harts[1]), 0);
	bench_fini(&b);
}

/* One of two has the extension: the calls are there, and its own to use. */
TEST_TIMES(any_hart_that_has_it_is_enough, 2)
{
	const unsigned able = (unsigned)_i, other = 1 - able;
	const uint64_t ebb[6] = { EBB_EID }, three[6] = { 3, 1 },
		       none[6] = { 0 };
	struct opts o = with_ebb;
	struct bench b;

	shows(RULE("ebb_discover"));
	o.n_harts = 2;
	o.plain_first = able == 1;
	o.plain_hart = other;
	bench_init(&b, &o);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_eq(bench_call(&b, i, BASE_EID, 3, ebb).value, 1);
	ck_assert_int_eq(bench_call(&b, other, EBB_EID, CLAIM, three).error,
			 BAD);
	ck_assert_int_eq(bench_call(&b, other, EBB_EID, RELEASE, three).error,
			 BAD);
	ck_assert_int_eq(bench_call(&b, able, EBB_EID, CLAIM, three).error, 0);
	ck_assert_uint_eq(bench_call(&b, able, EBB_EID, CLAIMED, none).value,
			  8);
	ck_assert_uint_eq(bench_call(&b, other, EBB_EID, CLAIMED, none).value,
			  0);
	bench_fini(&b);
}

SUITE("sbi-ebb");
