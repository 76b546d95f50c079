/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What sets the opensbi profile apart, flag by flag: each is switched on alone
 * in the spec profile and off alone in the opensbi profile, and must then, and
 * only then, make its difference. Those of software events are
 * quirk-rows-sse.c's, those of how harts are named quirk-rows-harts.c's.
 */
#include <fw/quirk.h>

#include "dt-quirks.h"
#include "quirk-rows.h"

struct bench quirk_bench;
static struct fw_quirks quirks;

static int64_t ask(const struct ask *q)
{
	struct sbi_ret ret = bench_call(&quirk_bench, 0, q->eid, q->fid, q->a);

	return ret.error ? ret.error : (int64_t)ret.value;
}

static int64_t identity(void)
{
	return (int64_t)(CALL(&quirk_bench, BASE_EID, 2, 0).value << 32 |
			 CALL(&quirk_bench, BASE_EID, 1, 0).value);
}

static int64_t page_above_4g(void)
{
	quirk_bench.ram_base = UINT64_C(0x100000000);
	return PMU_ERR(&quirk_bench, SHMEM, 0, 1, 0);
}

static int64_t event_total(unsigned hart, unsigned event)
{
	return (int64_t)fw_event_total(quirk_bench.fw, hart, event);
}

static int64_t ipi_sent(void)
{
	return event_total(0, 6);
}

static int64_t ipi_received(void)
{
	return event_total(1, 7);
}

static int64_t fence_sent(void)
{
	return event_total(0, 8);
}

static int64_t own_fence_received(void)
{
	return event_total(0, 9);
}

static int64_t retired_by_emulation(void)
{
	/* csrr x5, hpmcounter3 */
	struct bench_trap t = { .trap = { .cause = PMU_CAUSE_ILLEGAL },
				.insn = 0xc03022f3 };
	struct fw_regs regs;

	bench_poke(&quirk_bench, 0, 0x306, 0);
	ck_assert_int_eq(bench_trap(&quirk_bench, 0, &t, &regs), FW_DONE);
	return (int64_t)bench_value(&quirk_bench, 3);
}

static struct fw_counter counter(unsigned n)
{
	struct fw_counter c;

	ck_assert(fw_counter_state(quirk_bench.fw, 0, n, &c));
	return c;
}

static int64_t event_of_3(void)
{
	return counter(3).event_idx;
}

static int64_t event_of_3_is_0(void)
{
	return pmu_counter_event(quirk_bench.harts[0], 3) == 0;
}

static int64_t cycle_runs(void)
{
	return counter(0).started;
}

static int64_t cycle_filtered(void)
{
	return (int64_t)(bench_csr(&quirk_bench, 0, 0x321) >> 61 & 1);
}

/* event_get_info of one event: its error, or the entry's output. */
static int64_t info(uint32_t event_idx)
{
	int err;

	bench_store(&quirk_bench, 0, event_idx, 8);
	bench_store(&quirk_bench, 8, 0, 8);
	bench_store(&quirk_bench, 4, 0xdead, 4);
	err = PMU_ERR(&quirk_bench, EVENTS, RAM_BASE, 0, 1);
	return err ? err : (int64_t)bench_load(&quirk_bench, 4, 4);
}

static int64_t info_own(void)
{
	return info(0xf0100);
}

static int64_t info_high(void)
{
	return info(1u << 20 | 2);
}

static int64_t of_of_3(void)
{
	return bench_shows_of(&quirk_bench, 3);
}

static int64_t of_of_4_while_pending(void)
{
	bench_overflow(&quirk_bench, 3);
	ck_assert_int_eq(PMU_ERR(&quirk_bench, START, 4, 1), 0);
	return bench_shows_of(&quirk_bench, 4);
}

static int64_t pending_after_reset_of_3(void)
{
	bench_overflow(&quirk_bench, 3);
	ck_assert_int_eq(PMU_ERR(&quirk_bench, STOP, 3, 1, RESET), 0);
	return bench_csr(&quirk_bench, 0, PMU_CSR_MIP) >> PMU_IRQ_LCOFI & 1;
}

static int64_t tree_is_read(void)
{
	return read_tree(&quirks, bad_row, has_hart_0);
}

static int64_t there_is_firmware(void)
{
	return !!quirk_bench.fw;
}

static int64_t disabled_is_read(void)
{
	return read_tree(&quirks, disabled_node, has_hart_0);
}

static int64_t first_node_is_hart_1s(void)
{
	return read_tree(&quirks, two_nodes, is_of_first);
}

static int64_t row_256_is_read(void)
{
	return read_tree(&quirks, rows_256, has_row_256);
}

/* Rows */

static const struct quirk_row quirk_rows[] = {
	{ "claims_opensbi", "", .look = identity, .off = 0x100504d5544,
	  .on = 0x1000900000001 },
	{ "ignores_flags", "", .last = PMU_DO(CFG, 3, 1, 0x100, 2), .off = -3,
	  .on = 3 },
	{ "address_32_bits",
	  "",
	  { .xlen = 32 },
	  .look = page_above_4g,
	  .off = 0,
	  .on = -5 },
	{ "clear_ipi_0", "", .pre = { DO(IPI, 0, 1) }, .last = { 3, 0, { 0 } },
	  .off = 1, .on = 0 },
	{ "dbcn_failed", "", .last = DO(DBCN, 0, 1, RAM_BASE, 1), .off = -3,
	  .on = -1 },
	{ "no_ebb",
	  "",
	  { .with = PMU_EXT_XPMUEBB },
	  .last = DO(EBB, 0, 0, 8),
	  .off = 8,
	  .on = -2 },
	{ "fwft_locked_same", "", .pre = { DO(FWFT, 0, 0, 1, 1) },
	  .last = DO(FWFT, 0, 0, 1), .off = 0, .on = -14 },
	{ "ipi_coalesced",
	  "",
	  { .n_harts = 2 },
	  .pre = { DO(IPI, 0, 2), DO(IPI, 0, 2) },
	  .look = ipi_received,
	  .off = 2,
	  .on = 1 },
	{ "fence_sent_always", "itself", .pre = { DO(RFENCE, 0, 1) },
	  .look = fence_sent, .off = 0, .on = 1 },
	{ "fence_sent_always", "refused", .pre = { DO(RFENCE, 0, 32) },
	  .look = fence_sent, .off = 0, .on = 1 },
	{ "fence_as_ipi",
	  "sent",
	  { .n_harts = 2 },
	  .pre = { DO(RFENCE, 0, 2), DO(RFENCE, 0, 2) },
	  .look = ipi_sent,
	  .off = 0,
	  .on = 2 },
	{ "fence_as_ipi",
	  "each is received",
	  { .n_harts = 2 },
	  .pre = { DO(RFENCE, 0, 2), DO(RFENCE, 0, 2) },
	  .look = ipi_received,
	  .off = 0,
	  .on = 2 },
	{ "fence_own_received", "", .pre = { DO(RFENCE, 0, 1) },
	  .look = own_fence_received, .off = 0, .on = 1 },
	{ "fence_any_range", "range",
	  .last = DO(RFENCE, 1, 1, 0, UINT64_MAX - 1, 16), .off = -5, .on = 0 },
	{ "fence_any_range", "ASID", .last = DO(RFENCE, 2, 1, 0, 0, 0, 0x10000),
	  .off = -3, .on = 0 },
	{ "emulated_unretired", "", .pre = { RUN3 },
	  .look = retired_by_emulation, .off = 1, .on = 0 },

	{ "pmu_always", "", .tree = no_node, .last = DO(BASE, 3, PMU_EID),
	  .off = 0, .on = 1 },
	{ "no_snapshot",
	  "",
	  { .auto_snapshot = true },
	  .last = PMU_DO(SHMEM, RAM_BASE),
	  .off = 0,
	  .on = -2 },
	{ "holes_skipped", "", .last = PMU_DO(CFG, 0, 0xa, 0, 2), .off = -3,
	  .on = 3 },
	{ "id_32_bits", "", .last = PMU_DO(INFO, UINT64_C(1) << 32), .off = -3,
	  .on = 0x3fc00 },
	{ "last_answer", "start", .pre = { RUN3, ON4 },
	  .last = PMU_DO(START, 3, 3), .off = -7, .on = 0 },
	{ "last_answer", "stop", .pre = { ON3, RUN4 },
	  .last = PMU_DO(STOP, 3, 3), .off = -8, .on = 0 },
	{ "init_value_for_all", "", .pre = { ON3, ON4 },
	  .last = PMU_DO(START, 3, 3, INIT, 5), .off = -3, .on = 0 },
	{ "two_values_no_shmem", "", .pre = { ON3 },
	  .last = PMU_DO(START, 3, 1, INIT | INIT_SNAP), .off = -3, .on = -9 },
	{ "read_hi_any", "", .last = PMU_DO(READ_HI, 32), .off = -3, .on = 0 },
	{ "skip_match_keeps", "", .pre = { ON3, PMU_DO(CFG, 3, 1, SKIP, 1) },
	  .look = event_of_3, .off = 1, .on = 2 },
	{ "skip_match_keeps", "one that runs", .pre = { RUN3 },
	  .last = PMU_DO(CFG, 3, 1, SKIP, 1), .off = -2, .on = 3 },
	{ "skip_match_skims", "", .pre = { ON3 },
	  .last = PMU_DO(CFG, 3, 1, SKIP, 1u << 20 | 2), .off = -2, .on = 3 },

	{ "no_own_events", "", .look = info_own, .off = 1, .on = 0 },
	{ "no_event_invalid", "", .last = PMU_DO(CFG, 3, 1, 0, 0x40000),
	  .off = -2, .on = -3 },
	{ "event_bits_ignored", "",
	  .last = PMU_DO(CFG, 32, 1, 0, 1u << 20 | FW_TIMER), .off = -2,
	  .on = 32 },
	{ "event_data_ignored", "", .last = PMU_DO(CFG, 3, 1, 0, 2, 1),
	  .off = -2, .on = 3 },
	{ "list_bits_ignored", "", .look = info_high, .off = -3, .on = 0 },
	{ "lowest_counts", "", .pre = { TIMERS, TIMERS, DO(TIME, 0, 99) },
	  .last = PMU_DO(READ, 33), .off = 1, .on = 0 },

	{ "boot_sets_of", "", .look = of_of_3, .off = 0, .on = 1 },
	{ "config_sets_of", "", .pre = { ON3 }, .look = of_of_3, .off = 0,
	  .on = 1 },
	{ "start_sets_of", "", .pre = { ON3, ON4 },
	  .look = of_of_4_while_pending, .off = 0, .on = 1 },
	{ "restart_sets_of", "", .pre = { RUN3, PMU_DO(START, 3, 1) },
	  .look = of_of_3, .off = 0, .on = 1 },
	{ "request_outlives_of", "", .pre = { ON3 },
	  .look = pending_after_reset_of_3, .off = 0, .on = 1 },
	{ "reset_clears_minh", "", .pre = { RUN3, PMU_DO(STOP, 3, 1, RESET) },
	  .look = event_of_3_is_0, .off = 0, .on = 1 },
	{ "fixed_unowned", "again", NO_FILTERS,
	  .pre = { PMU_DO(CFG, 0, 1, 0, 1) }, .last = PMU_DO(CFG, 0, 1, 0, 1),
	  .off = -2, .on = 0 },
	{ "fixed_unowned", "running", NO_FILTERS,
	  .pre = { PMU_DO(CFG, 0, 1, 0, 1) }, .look = cycle_runs, .off = 0,
	  .on = 1 },
	{ "fixed_keeps_filters", "",
	  .pre = { PMU_DO(CFG, 0, 1, SINH, 1), PMU_DO(STOP, 0, 1, RESET) },
	  .look = cycle_filtered, .off = 0, .on = 1 },
	{ "fixed_only", "", NO_FILTERS,
	  .last = PMU_DO(CFG, 0, 0xfffffffd, 0, 2), .off = 3, .on = 2 },
	{ "fixed_needs_filters",
	  "",
	  { .without = PMU_EXT_SMCNTRPMF },
	  .last = PMU_DO(CFG, 0, 1, 0, 1),
	  .off = 0,
	  .on = -2 },
	{ "fixed_outside_set", "", .pre = { ON4 },
	  .last = PMU_DO(CFG, 4, 1, 0, 1), .off = -2, .on = 0 },

	{ "dt_lenient", "read", .look = tree_is_read, .off = 0, .on = 1 },
	{ "dt_lenient",
	  "used",
	  { .tree_may_be_bad = true },
	  .tree = bad_row,
	  .look = there_is_firmware,
	  .off = 0,
	  .on = 1 },
	{ "dt_disabled", "", .look = disabled_is_read, .off = 0, .on = 1 },
	{ "dt_first_node", "", .look = first_node_is_hart_1s, .off = 0,
	  .on = 1 },
	{ "dt_255_rows", "", .look = row_256_is_read, .off = 1, .on = 0 },
};

enum {
	N_OWN = ARRAY_SIZE(quirk_rows),
	N_ROWS = N_OWN + N_QUIRK_ROWS_SSE + N_QUIRK_ROWS_HARTS
};

static const struct quirk_row *row_at(unsigned i)
{
	if (i < N_OWN)
		return &quirk_rows[i];
	i -= N_OWN;
	return i < N_QUIRK_ROWS_SSE ? &quirk_rows_sse[i]
				    : &quirk_rows_harts[i - N_QUIRK_ROWS_SSE];
}

static const struct fw_quirk_desc *find(const char *name)
{
	for (unsigned i = 0; i < FW_N_QUIRKS; i++)
		if (!strcmp(fw_quirk_desc(i)->name, name))
			return fw_quirk_desc(i);
	ck_abort_msg("%s is no quirk", name);
	return NULL;
}

/* In both profiles, as it is there and switched. */
TEST_TIMES(a_quirk_alone_makes_its_difference, 4 * N_ROWS)
{
	const struct quirk_row *row = row_at((unsigned)_i / 4);
	const struct fw_quirk_desc *desc = find(row->flag);
	struct opts o = row->opts;
	int64_t got;
	bool *flag;

	quirks = fw_profile_quirks((enum fw_profile)(_i & 1));
	flag = (bool *)((char *)&quirks + desc->at);
	shows(*desc->rule == 'C' ? desc->rule : NULL);
	ck_assert_int_eq(*flag, _i & 1);
	*flag ^= _i >> 1 & 1;
	o.quirks = &quirks;
	o.dtb = row->tree ? row->tree() : NULL;
	bench_init(&quirk_bench, &o);
	for (unsigned i = 0; i < ARRAY_SIZE(row->pre); i++)
		if (row->pre[i].eid)
			ask(&row->pre[i]);
	got = row->look ? row->look() : ask(&row->last);
	ck_assert_msg(got == (*flag ? row->on : row->off),
		      "%s %s, %s of %s: %lld", row->flag, row->why,
		      *flag ? "on" : "off", _i & 1 ? "opensbi" : "spec",
		      (long long)got);
	bench_fini(&quirk_bench);
	free((void *)o.dtb);
}

TEST_TIMES(every_quirk_has_a_row, FW_N_QUIRKS)
{
	const struct fw_quirk_desc *d = fw_quirk_desc((unsigned)_i);
	bool found = false;

	for (unsigned i = 0; i < N_ROWS; i++)
		found = found || !strcmp(row_at(i)->flag, d->name);
	ck_assert_msg(found, "%s", d->name);
	ck_assert_uint_eq(d->at, (unsigned)_i);
	ck_assert(d->what[strlen(d->what) - 1] == '.');
}

SUITE("fw-quirks");
