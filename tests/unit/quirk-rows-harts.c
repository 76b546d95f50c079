/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sets the opensbi profile apart in how a call names harts.
 */
#include "quirk-rows.h"

void quirk_stop_hart_1(void)
{
	const uint64_t args[8] = { [6] = 1, [7] = HSM_EID };
	struct sbi_ret ret;

	ck_assert_int_eq(fw_sbi_call(quirk_bench.fw, 1, 0, args, &ret),
			 FW_GONE);
}

/* A legacy call, by its EID, with @mask of harts in memory. */
static int64_t legacy(uint32_t eid, uint64_t mask)
{
	bench_store(&quirk_bench, 0, mask, 8);
	return CALL(&quirk_bench, eid, 0, RAM_BASE).error;
}

static int64_t ipi_to_absent(void)
{
	return legacy(4, 4);
}

static int64_t ipi_to_stopped(void)
{
	quirk_stop_hart_1();
	return legacy(4, 2);
}

static int64_t ipi_among_absent(void)
{
	legacy(4, 5);
	return pmu_irq_pending(quirk_bench.harts[0], 0) >> PMU_IRQ_SSI & 1;
}

static int64_t fence_to_absent(void)
{
	return legacy(6, 4);
}

static int64_t fences_among_absent(void)
{
	legacy(5, 5);
	return quirk_bench.n_fences;
}

/* What lies behind the first word names hart 32, or nobody. */
static int64_t ipi_beyond_a_word(void)
{
	legacy(4, UINT64_C(1) << 32);
	return pmu_irq_pending(quirk_bench.harts[32], 0) >> PMU_IRQ_SSI & 1;
}

static int64_t fence_i_sent(void)
{
	legacy(5, 4);
	return (int64_t)fw_event_total(quirk_bench.fw, 0, 8);
}

static int64_t start_suspended(void)
{
	bench_call(&quirk_bench, 1, HSM_EID, 3, (const uint64_t[6]){ 0 });
	return CALL(&quirk_bench, HSM_EID, 0, 1, RAM_BASE).error;
}

#define WIDE (UINT64_C(1) << 32)

static int64_t ipi_to_sum(void)
{
	CALL(&quirk_bench, IPI_EID, 0, 4, UINT64_MAX - 1);
	return pmu_irq_pending(quirk_bench.harts[0], 0) >> PMU_IRQ_SSI & 1;
}

/* Of the caller, whose id it is not: nobody says that it is not enabled. */
static int64_t inject_wide(void)
{
	return CALL(&quirk_bench, SSE_EID, INJECT, LOCAL, WIDE).error;
}

#define TWO .opts = { .n_harts = 2 }

const struct quirk_row quirk_rows_harts[N_QUIRK_ROWS_HARTS] = {
	{ "legacy_mask_checked", "an IPI", TWO, .look = ipi_to_absent, .off = 0,
	  .on = -3 },
	{ "legacy_mask_checked", "stopped", TWO, .look = ipi_to_stopped,
	  .off = 0, .on = -3 },
	{ "legacy_mask_checked", "nothing sent", TWO, .look = ipi_among_absent,
	  .off = 1, .on = 0 },
	{ "legacy_mask_checked", "a fence", TWO, .look = fence_to_absent,
	  .off = 0, .on = -3 },
	{ "legacy_mask_checked", "nothing fenced", TWO,
	  .look = fences_among_absent, .off = 1, .on = 0 },
	{ "legacy_mask_checked",
	  "one word",
	  { .xlen = 32, .n_harts = 33 },
	  .look = ipi_beyond_a_word,
	  .off = 1,
	  .on = 0 },
	{ "start_stopped_only", "", TWO, .look = start_suspended, .off = -6,
	  .on = -3 },
	{ "suspend_types_known", "retentive, the first",
	  .last = DO(HSM, 3, 0x10000000), .off = -3, .on = -2 },
	{ "suspend_types_known", "the last", .last = DO(HSM, 3, 0x7fffffff),
	  .off = -3, .on = -2 },
	{ "suspend_types_known", "non-retentive, the first",
	  .last = DO(HSM, 3, 0x90000000, RAM_BASE), .off = -3, .on = -2 },
	{ "suspend_types_known", "the last",
	  .last = DO(HSM, 3, UINT64_MAX, RAM_BASE), .off = -3, .on = -2 },
	{ "hart_id_32_bits", "status", .last = DO(HSM, 2, WIDE), .off = -3,
	  .on = 0 },
	{ "hart_id_32_bits", "start", .last = DO(HSM, 0, WIDE, RAM_BASE),
	  .off = -3, .on = -6 },
	{ "hart_id_32_bits", "an IPI", .last = DO(IPI, 0, 1, WIDE), .off = -3,
	  .on = 0 },
	{ "hart_id_32_bits", "a fence", .last = DO(RFENCE, 0, 1, WIDE),
	  .off = -3, .on = 0 },
	{ "hart_id_32_bits", "the sum, 64 bits",
	  .last = DO(IPI, 0, 4, UINT64_MAX - 1), .off = -3, .on = 0 },
	{ "hart_id_32_bits", "the sum, 32 bits",
	  .last = DO(IPI, 0, 4, UINT32_MAX - 1), .off = -3, .on = 0 },
	{ "hart_id_32_bits",
	  "the sum on RV32",
	  { .xlen = 32 },
	  .last = DO(IPI, 0, 4, UINT32_MAX - 1),
	  .off = -3,
	  .on = 0 },
	{ "hart_id_32_bits", "reaches it", .look = ipi_to_sum, .off = 0,
	  .on = 1 },
	{ "hart_id_32_bits", "an event", .look = inject_wide, .off = -3,
	  .on = 0 },
	{ "fence_sent_always", "legacy, refused", .look = fence_i_sent,
	  .off = 0, .on = 1 },
};
