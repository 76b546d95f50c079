/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When firmware events count, on which hart, by how much: conformance I. Those
 * that traps raise are test-fw-events-trap.c's, HFENCE test-sbi-rfence.c's.
 */
#include "fw-fixture.h"

enum {
	N_HARTS = 3,
	SSIP = 1 << 1
};
enum {
	TIMER = 5,
	IPI_SENT,
	IPI_RCVD,
	FENCE_SENT,
	FENCE_RCVD,
	SFENCE_SENT,
	SFENCE_RCVD,
	ASID_SENT,
	ASID_RCVD
};

/* Calls of hart 0; what an event's totals of harts 0 and 1 become. */
static const struct count_row {
	const char *rule, *why;
	struct {
		uint32_t eid, fid;
		uint64_t a[3];
		unsigned times;
	} call;
	unsigned event;
	uint64_t spec[2], opensbi[2];
} count_rows[] = {
	{ RULE("C95"),
	  "set_timer",
	  { TIME_EID, 0, { 100 }, 2 },
	  TIMER,
	  { 2, 0 },
	  { 2, 0 } },
	{ RULE("C95"),
	  "disarm",
	  { TIME_EID, 0, { UINT64_MAX }, 1 },
	  TIMER,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C95"),
	  "legacy set_timer",
	  { 0, 0, { 100 }, 1 },
	  TIMER,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "IPI to self",
	  { IPI_EID, 0, { 1, 0 }, 1 },
	  IPI_SENT,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C92"),
	  "IPI to another",
	  { IPI_EID, 0, { 2, 0 }, 1 },
	  IPI_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "IPI to all",
	  { IPI_EID, 0, { 0, UINT64_MAX }, 1 },
	  IPI_SENT,
	  { 2, 0 },
	  { 2, 0 } },
	{ RULE("C92"),
	  "IPI to nobody",
	  { IPI_EID, 0, { 0, 0 }, 1 },
	  IPI_SENT,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C92"),
	  "IPI that fails",
	  { IPI_EID, 0, { 0x12, 0 }, 1 },
	  IPI_SENT,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C93"),
	  "three IPIs before it runs",
	  { IPI_EID, 0, { 2, 0 }, 3 },
	  IPI_RCVD,
	  { 0, 3 },
	  { 0, 1 } },
	{ RULE("C93"),
	  "IPI to self",
	  { IPI_EID, 0, { 1, 0 }, 1 },
	  IPI_RCVD,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C92"),
	  "fence is no IPI",
	  { RFENCE_EID, 0, { 2, 0 }, 2 },
	  IPI_SENT,
	  { 0, 0 },
	  { 2, 0 } },
	{ RULE("C93"),
	  "fence is no IPI",
	  { RFENCE_EID, 0, { 2, 0 }, 2 },
	  IPI_RCVD,
	  { 0, 0 },
	  { 0, 2 } },
	{ RULE("C92"),
	  "fence.i to another",
	  { RFENCE_EID, 0, { 2, 0 }, 1 },
	  FENCE_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "fence.i to all, one call",
	  { RFENCE_EID, 0, { 0, UINT64_MAX }, 1 },
	  FENCE_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "fence.i to self",
	  { RFENCE_EID, 0, { 1, 0 }, 1 },
	  FENCE_SENT,
	  { 0, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "fence.i to nobody",
	  { RFENCE_EID, 0, { 0, 0 }, 1 },
	  FENCE_SENT,
	  { 0, 0 },
	  { 1, 0 } },
	{ RULE("C92"),
	  "fence.i that fails",
	  { RFENCE_EID, 0, { 0x10, 0 }, 1 },
	  FENCE_SENT,
	  { 0, 0 },
	  { 1, 0 } },
	{ RULE("C93"),
	  "fence.i",
	  { RFENCE_EID, 0, { 3, 0 }, 1 },
	  FENCE_RCVD,
	  { 0, 1 },
	  { 1, 1 } },
	{ RULE("C93"),
	  "fence.i that fails",
	  { RFENCE_EID, 0, { 0x13, 0 }, 1 },
	  FENCE_RCVD,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C94"),
	  "sfence.vma",
	  { RFENCE_EID, 1, { 2, 0 }, 1 },
	  SFENCE_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C94"),
	  "sfence.vma",
	  { RFENCE_EID, 1, { 2, 0 }, 1 },
	  SFENCE_RCVD,
	  { 0, 1 },
	  { 0, 1 } },
	{ RULE("C94"),
	  "sfence.vma with ASID",
	  { RFENCE_EID, 2, { 2, 0 }, 1 },
	  ASID_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C94"),
	  "sfence.vma with ASID",
	  { RFENCE_EID, 2, { 2, 0 }, 1 },
	  ASID_RCVD,
	  { 0, 1 },
	  { 0, 1 } },
	{ RULE("C94"),
	  "sfence.vma is no hfence",
	  { RFENCE_EID, 1, { 2, 0 }, 1 },
	  18,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C202"),
	  "hfence.gvma",
	  { RFENCE_EID, 4, { 2, 0 }, 1 },
	  14,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C202"),
	  "hfence.vvma",
	  { RFENCE_EID, 6, { 2, 0 }, 1 },
	  18,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C202"),
	  "hfence.vvma is no IPI",
	  { RFENCE_EID, 6, { 2, 0 }, 1 },
	  IPI_SENT,
	  { 0, 0 },
	  { 0, 0 } },
	{ RULE("C95"),
	  "legacy IPI to all",
	  { 4, 0, { 0 }, 1 },
	  IPI_SENT,
	  { 2, 0 },
	  { 2, 0 } },
	{ RULE("C95"),
	  "legacy fence.i to all",
	  { 5, 0, { 0 }, 1 },
	  FENCE_SENT,
	  { 1, 0 },
	  { 1, 0 } },
	{ RULE("C95"),
	  "legacy sfence.vma to all",
	  { 6, 0, { 0 }, 1 },
	  SFENCE_RCVD,
	  { 0, 1 },
	  { 1, 1 } },
	{ RULE("C95"),
	  "legacy sfence.vma with ASID",
	  { 7, 0, { 0 }, 1 },
	  ASID_SENT,
	  { 1, 0 },
	  { 1, 0 } },
};

TEST_TIMES(events_count_where_they_happen, 2 * ARRAY_SIZE(count_rows))
{
	const struct count_row *row = &count_rows[_i / 2];
	const uint64_t *want = _i & 1 ? row->opensbi : row->spec;
	struct opts o = { .profile = _i & 1, .n_harts = N_HARTS };
	uint64_t args[6] = { row->call.a[0], row->call.a[1], row->call.a[2] };
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	for (unsigned i = 0; i < row->call.times; i++)
		bench_call(&b, 0, row->call.eid, row->call.fid, args);
	for (unsigned h = 0; h < 2; h++)
		ck_assert_msg(fw_event_total(b.fw, h, row->event) == want[h],
			      "%s %s, %s, hart %u: %llu", row->rule, row->why,
			      _i & 1 ? "opensbi" : "spec", h,
			      (unsigned long long)fw_event_total(b.fw, h,
								 row->event));
	bench_fini(&b);
}

/* A legacy mask has hartids, not places: 64 and beyond have no bit. */
TEST_TIMES(a_legacy_mask_ends_with_hartid_63, 2)
{
	static const uint64_t args[6] = { RAM_BASE };
	struct opts o = { .profile = _i, .n_harts = 2, .first_hartid = 63 };
	struct bench b;

	shows(RULE("LEG-04"));
	bench_init(&b, &o);
	/* the reference refuses a hart that is not there */
	bench_store(&b, 0, UINT64_C(1) << 63 | (_i ? 0 : 3), 8);
	ck_assert_int_eq(bench_call(&b, 1, 4, 0, args).error, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_MIP) & SSIP, SSIP);
	ck_assert_uint_eq(bench_csr(&b, 1, PMU_CSR_MIP) & SSIP, 0);
	bench_fini(&b);
}

/* As many whole words of XLEN as there are harts, and not a byte more. */
static const struct mask_row {
	unsigned xlen, n_harts, bytes;
} mask_rows[] = {
	{ 32, 1, 4 },  { 32, 32, 4 }, { 32, 33, 8 },
	{ 32, 64, 8 }, { 64, 1, 8 },  { 64, 64, 8 },
};

TEST_ROWS(a_legacy_mask_is_as_long_as_the_harts_need, mask_rows)
{
	const struct mask_row *row = &mask_rows[_i];
	unsigned last = row->n_harts - 1;
	uint64_t offset = RAM_SIZE - row->bytes;
	const uint64_t args[6] = { RAM_BASE + offset };
	struct opts o = { .xlen = row->xlen, .n_harts = row->n_harts };
	struct bench b;

	shows(RULE("LEG-04"));
	bench_init(&b, &o);
	/* behind it is no memory */
	bench_store(&b, offset, UINT64_C(1) << last, row->bytes);
	ck_assert_int_eq(bench_call(&b, 0, 4, 0, args).error, 0);
	for (unsigned i = 0; i < row->n_harts; i++)
		ck_assert_uint_eq(bench_csr(&b, i, PMU_CSR_MIP) & SSIP,
				  i == last ? SSIP : 0);
	bench_fini(&b);
}

/* Once it has run, the next signal is another interrupt. */
TEST(opensbi_counts_interrupts_handled)
{
	static const uint64_t to_1[6] = { 2, 0 };
	struct opts o = { .profile = FW_PROFILE_OPENSBI, .n_harts = 2 };
	struct bench b;

	shows(RULE("C93"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < 3; i++) {
		bench_call(&b, 0, IPI_EID, 0, to_1);
		bench_call(&b, 0, IPI_EID, 0, to_1);
		bench_run(&b, 1, 10);
	}
	ck_assert_uint_eq(fw_event_total(b.fw, 0, IPI_SENT), 6);
	ck_assert_uint_eq(fw_event_total(b.fw, 1, IPI_RCVD), 3);
	bench_fini(&b);
}

/* What was sent to an earlier life of a hart is not this one's. */
TEST(a_hart_that_starts_has_handled_no_interrupt)
{
	static const uint64_t to_1[6] = { 2, 0 }, start_1[6] = { 1, RAM_BASE };
	const uint64_t stop[8] = { [6] = 1, [7] = HSM_EID };
	struct opts o = { .profile = FW_PROFILE_OPENSBI, .n_harts = 2 };
	struct sbi_ret ret;
	struct bench b;

	shows(RULE("C93 C197"));
	bench_init(&b, &o);
	bench_call(&b, 0, IPI_EID, 0, to_1);
	ck_assert_int_eq(fw_sbi_call(b.fw, 1, 0, stop, &ret), FW_GONE);
	ck_assert_int_eq(bench_call(&b, 0, HSM_EID, 0, start_1).error, 0);
	bench_call(&b, 0, IPI_EID, 0, to_1);
	ck_assert_uint_eq(fw_event_total(b.fw, 1, IPI_RCVD), 2);
	bench_fini(&b);
}

/* Running counters only, all of them or the lowest. */
TEST_TIMES(running_counters_see_events, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C91"));
	bench_init(&b, &o);
	PMU(&b, CFG, 32, 15, 0, FW_TIMER);
	PMU(&b, CFG, 32, 15, AUTO, FW_TIMER);
	PMU(&b, CFG, 32, 15, AUTO, FW_TIMER);
	PMU(&b, CFG, 32, 15, AUTO, FW_TIMER + 1);
	CALL(&b, TIME_EID, 0, 100);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 0);
	ck_assert_uint_eq(PMU(&b, READ, 33).value, 1);
	ck_assert_uint_eq(PMU(&b, READ, 34).value, _i ? 0 : 1);
	ck_assert_uint_eq(PMU(&b, READ, 35).value, 0);
	PMU(&b, STOP, 33, 1);
	CALL(&b, TIME_EID, 0, 100);
	ck_assert_uint_eq(PMU(&b, READ, 33).value, 1);
	ck_assert_uint_eq(PMU(&b, READ, 34).value, _i ? 1 : 2);
	bench_fini(&b);
}

/* Silently. */
TEST(firmware_counters_wrap)
{
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C82"));
	bench_init(&b, &o);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER);
	PMU(&b, START, 32, 1, INIT, UINT64_MAX);
	CALL(&b, TIME_EID, 0, UINT64_MAX);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 0);
	ck_assert(!(pmu_irq_pending(b.harts[0], 0) >> PMU_IRQ_LCOFI));
	bench_fini(&b);
}

/* Two calls on RV32, and nothing is latched between them. */
TEST_TIMES(halves_are_read_one_by_one, 2)
{
	struct opts o = { .profile = _i, .xlen = 32 };
	struct bench b;

	shows(RULE("C81 C3"));
	bench_init(&b, &o);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER);
	PMU(&b, START, 32, 1, INIT, UINT32_MAX, 7);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, UINT32_MAX);
	ck_assert_uint_eq(PMU(&b, READ_HI, 32).value, 7);
	CALL(&b, TIME_EID, 0, 100, 0);
	ck_assert_uint_eq(PMU(&b, READ_HI, 32).value, 8);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 0);
	bench_fini(&b);
}

static bool is_seven(void *platform, uint64_t event_data)
{
	return event_data == 7 || event_data == 8;
}

/* The platform's own events. */
TEST_TIMES(platform_events_are_counted_by_their_data, 2)
{
	static const struct fw_platform_ops ops = { .has_platform_event =
							    is_seven };
	struct opts o = { .profile = _i, .platform = &ops };
	struct bench b;

	shows(RULE("C34 C44 C98"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 32, 3, 0, 0xfffff, 6), _i ? -3 : -2);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 32, 3, AUTO, 0xfffff, 7), 0);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 32, 3, AUTO | CLEAR, 0xfffff, 8), 0);
	fw_platform_event(b.fw, 0, 8, 5);
	fw_platform_event(b.fw, 1, 8, 5);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 0);
	ck_assert_uint_eq(PMU(&b, READ, 33).value, 5);
	bench_fini(&b);
}

TEST(totals_out_of_range_are_zero)
{
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	CALL(&b, TIME_EID, 0, 100);
	ck_assert_uint_eq(fw_event_total(b.fw, 1, TIMER), 0);
	ck_assert_uint_eq(fw_event_total(b.fw, 0, FW_N_EVENTS), 0);
	bench_fini(&b);
}

/* A firmware that is made anew goes on where the one before it was. */
static const struct totals_row {
	unsigned before, now;
} totals_rows[] = { { 1, 1 }, { 2, 1 }, { 1, 2 }, { 3, 3 } };

TEST_ROWS(totals_are_taken_over, totals_rows)
{
	const struct totals_row *row = &totals_rows[_i];
	struct opts old = { .n_harts = row->before },
		    o = { .n_harts = row->now };
	struct bench before, b;

	bench_init(&before, &old);
	bench_init(&b, &o);
	for (unsigned i = 0; i < row->before; i++)
		for (unsigned n = 0; n <= i; n++)
			bench_call(&before, i, TIME_EID, 0,
				   (const uint64_t[6]){ 100 });
	fw_event_totals_take(b.fw, before.fw);
	for (unsigned i = 0; i < row->now; i++) {
		ck_assert_uint_eq(fw_event_total(b.fw, i, TIMER),
				  i < row->before ? i + 1 : 0);
		ck_assert_uint_eq(fw_event_total(b.fw, i, TIMER + 1), 0);
	}
	bench_fini(&before);
	bench_fini(&b);
}

SUITE("fw-events");
