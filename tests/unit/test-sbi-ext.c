/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * BASE, TIME, IPI, RFENCE, SRST, DBCN and the legacy calls. What of it counts
 * as a firmware event is test-fw-events.c's.
 */
#include "fw-fixture.h"

TEST_TIMES(base_tells_who_we_are, 4)
{
	struct opts o = { .profile = _i & 1, .xlen = _i & 2 ? 32 : 64 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 0, 0).value, 0x03000000);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 1, 0).value,
			  _i & 1 ? 1 : 0x504d5544);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 2, 0).value,
			  _i & 1 ? 0x10009 : 0x100);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 4, 0).value, 0x123);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 5, 0).value, 0x456);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 6, 0).value, 0x789);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 3, 4).value, 1);
	bench_fini(&b);
}

static bool stip(const struct bench *b, unsigned hart)
{
	return pmu_irq_pending(b->harts[hart], b->now) >> PMU_IRQ_STI & 1;
}

/* 10 cycles are a tick. */
TEST(a_timer_rises_at_its_tick)
{
	struct opts o = { .n_harts = 2 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(fw_timer_next(b.fw, 0), UINT64_MAX);
	b.now = 55;
	ck_assert_int_eq(CALL(&b, TIME_EID, 0, 8).error, 0);
	ck_assert_uint_eq(b.timer_changes, 1);
	ck_assert_uint_eq(fw_timer_next(b.fw, 0), 80);
	ck_assert_uint_eq(fw_timer_next(b.fw, 1), UINT64_MAX);
	fw_timer_run(b.fw, 79);
	ck_assert(!stip(&b, 0));
	fw_timer_run(b.fw, 80);
	ck_assert(stip(&b, 0));
	ck_assert(!stip(&b, 1));
	ck_assert_uint_eq(fw_timer_next(b.fw, 0), UINT64_MAX);
	bench_fini(&b);
}

static const struct timer_row {
	const char *why;
	uint64_t deadline;
	bool pending; /* after a call at tick 5 */
} timer_rows[] = {
	{ "past", 0, true },
	{ "now", 5, true },
	{ "next tick", 6, false },
	{ "never", UINT64_MAX, false },
};

TEST_TIMES(set_timer_decides_about_the_pending_bit, 2 * ARRAY_SIZE(timer_rows))
{
	const struct timer_row *row = &timer_rows[_i / 2];
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	b.now = 59;
	pmu_irq_soft(b.harts[0], PMU_IRQ_STI, _i & 1);
	CALL(&b, TIME_EID, 0, row->deadline);
	ck_assert_msg(stip(&b, 0) == row->pending, "%s", row->why);
	bench_fini(&b);
}

TEST_TIMES(with_sstc_the_timer_is_stimecmp, 2)
{
	struct opts o = { .with = PMU_EXT_SSTC, .xlen = _i ? 32 : 64 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert(!stip(&b, 0));
	CALL(&b, TIME_EID, 0, 3, 2);
	ck_assert_uint_eq(pmu_stimecmp(b.harts[0]),
			  _i ? UINT64_C(0x200000003) : 3);
	ck_assert_uint_eq(fw_timer_next(b.fw, 0), UINT64_MAX);
	ck_assert_uint_eq(fw_event_total(b.fw, 0, 5), 1);
	bench_fini(&b);
}

static const struct mask_row {
	const char *why;
	unsigned xlen;
	uint64_t mask, base;
	int error;
	unsigned harts; /* that get the interrupt */
} mask_rows[] = {
	{ "one", 64, 1, 0, 0, 1 },
	{ "two, by base", 64, 3, 1, 0, 6 },
	{ "all", 64, 0, UINT64_MAX, 0, 7 },
	{ "all, mask ignored", 64, UINT64_MAX, UINT64_MAX, 0, 7 },
	{ "all on RV32", 32, 0, UINT32_MAX, 0, 7 },
	{ "nobody", 64, 0, 0, 0, 0 },
	{ "nobody, far", 64, 0, 1000, 0, 0 },
	{ "absent", 64, 8, 0, SBI_ERR_INVALID_PARAM, 0 },
	{ "one of them absent", 64, 9, 0, SBI_ERR_INVALID_PARAM, 0 },
	{ "absent base", 64, 1, 3, SBI_ERR_INVALID_PARAM, 0 },
	{ "wrapping", 64, 4, UINT64_MAX - 1, SBI_ERR_INVALID_PARAM, 0 },
	{ "wrapping on RV32", 32, 4, UINT32_MAX - 1, SBI_ERR_INVALID_PARAM, 0 },
	{ "stopped", 64, 8, 0, SBI_ERR_INVALID_PARAM, 0 },
};

static unsigned ssip(const struct bench *b, unsigned n)
{
	unsigned set = 0;

	for (unsigned i = 0; i < n; i++)
		if (pmu_irq_pending(b->harts[i], 0) >> PMU_IRQ_SSI & 1)
			set |= 1u << i;
	return set;
}

TEST_ROWS(hart_masks_are_checked, mask_rows)
{
	const struct mask_row *row = &mask_rows[_i];
	struct opts o = { .n_harts = 4, .xlen = row->xlen };
	uint64_t args[8] = { [6] = 1, [7] = HSM_EID };
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	/* Hart 3 is stopped: nobody may name it. */
	ck_assert_int_eq(fw_sbi_call(b.fw, 3, 0, args, &ret), FW_GONE);
	ck_assert_msg(CALL(&b, IPI_EID, 0, row->mask, row->base).error ==
			      row->error,
		      "%s", row->why);
	ck_assert_msg(ssip(&b, 4) == row->harts, "%s", row->why);
	ck_assert_msg(b.ipis_sent == row->harts, "%s", row->why);
	ck_assert_int_eq(CALL(&b, RFENCE_EID, 1, row->mask, row->base).error,
			 row->error);
	ck_assert_uint_eq(b.n_fences, (unsigned)__builtin_popcount(row->harts));
	bench_fini(&b);
}

TEST(fences_reach_the_harts_named)
{
	struct opts o = { .n_harts = 3 };
	struct bench b;

	bench_init(&b, &o);
	for (uint32_t fid = 0; fid < 3; fid++)
		ck_assert_int_eq(
			CALL(&b, RFENCE_EID, fid, 4, 0, 0x1000, 0x2000, 7)
				.error,
			0);
	ck_assert_uint_eq(b.n_fences, 3);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_uint_eq(b.fences[i].hart, 2);
		ck_assert_int_eq(b.fences[i].kind, i);
	}
	bench_fini(&b);
}

static const struct reset_row {
	uint64_t type, reason;
	bool ok;
} reset_rows[] = {
	{ 0, 0, true },
	{ 1, 1, true },
	{ 2, 0, true },
	{ 3, 0, false },
	{ 0, 2, false },
	{ 0xf0000000, 0, false },
	{ 0, 0xe0000000, false },
	{ UINT64_C(0x100000000), UINT64_C(0x700000001), true }, /* 32 bits */
};

TEST_ROWS(resets_that_exist_do_not_return, reset_rows)
{
	const struct reset_row *row = &reset_rows[_i];
	uint64_t args[8] = { row->type, row->reason, [7] = SRST_EID };
	struct opts o = { 0 };
	struct sbi_ret ret = { .error = 99 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(fw_sbi_call(b.fw, 0, 0, args, &ret),
			 row->ok ? FW_GONE : FW_DONE);
	ck_assert_uint_eq(b.resets, row->ok);
	ck_assert_int_eq(ret.error, row->ok ? 99 : SBI_ERR_INVALID_PARAM);
	ck_assert_uint_eq(b.reset.type, row->ok ? (uint32_t)row->type : 0);
	ck_assert_uint_eq(b.reset.reason, row->ok ? (uint32_t)row->reason : 0);
	bench_fini(&b);
}

#define HIGH UINT64_C(0x180000000) /* 34 bits */

static const struct dbcn_row {
	const char *rule, *why;
	unsigned xlen;
	uint64_t ram, len, lo, hi;
	int spec, opensbi;
} dbcn_rows[] = {
	{ RULE("C141"), "plain", 64, RAM_BASE, 5, RAM_BASE, 0, 0, 0 },
	{ RULE("C141"), "nothing", 64, RAM_BASE, 0, 0, 0, 0, 0 },
	{ RULE("C141"), "no RAM", 64, RAM_BASE, 5, 0, 0, -3, -3 },
	{ RULE("C141"), "past the end", 64, RAM_BASE, 5,
	  RAM_BASE + RAM_SIZE - 4, 0, -3, -3 },
	{ RULE("C141"), "longer than RAM", 64, RAM_BASE, UINT64_MAX, RAM_BASE,
	  0, -3, -3 },
	{ RULE("C141"), "beyond RV64", 64, RAM_BASE, 5, RAM_BASE, 1, -3, -1 },
	{ RULE("C141"), "34 bits on RV32", 32, HIGH, 5, RAM_BASE, 1, 0, -1 },
	{ RULE("C141"), "35 bits on RV32", 32, HIGH, 5, RAM_BASE, 5, -3, -1 },
};

TEST_TIMES(console_buffers_are_checked, 2 * ARRAY_SIZE(dbcn_rows))
{
	const struct dbcn_row *row = &dbcn_rows[_i / 2];
	int want = _i & 1 ? row->opensbi : row->spec;
	struct opts o = { .profile = _i & 1, .xlen = row->xlen };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	b.ram_base = row->ram;
	memcpy(b.ram, "hello", 5);
	ret = CALL(&b, DBCN_EID, 0, row->len, row->lo, row->hi);
	ck_assert_msg(ret.error == want, "%s: %d", row->why, (int)ret.error);
	ck_assert_uint_eq(ret.value, want ? 0 : row->len);
	ck_assert_str_eq(b.out, want || !row->len ? "" : "hello");
	b.in = "abc";
	ret = CALL(&b, DBCN_EID, 1, row->len, row->lo, row->hi);
	ck_assert_int_eq(ret.error, want);
	ck_assert_uint_eq(ret.value, want || !row->len ? 0 : 3);
	ck_assert_int_eq(
		memcmp(b.ram, want || !row->len ? "hello" : "abclo", 5), 0);
	bench_fini(&b);
}

TEST(long_writes_are_cut_into_pieces)
{
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	memset(b.ram, 'y', 5000);
	ck_assert_uint_eq(CALL(&b, DBCN_EID, 0, 5000, RAM_BASE).value, 5000);
	ck_assert_uint_eq(b.out_len, 5000);
	ck_assert_uint_eq(CALL(&b, DBCN_EID, 0, RAM_SIZE, RAM_BASE).value,
			  32768);
	ck_assert_uint_eq(CALL(&b, DBCN_EID, 2, 0x141).value, 0);
	ck_assert_uint_eq(b.out_len, 5000 + 32768 + 1);
	bench_fini(&b);
}

TEST(legacy_console_moves_a_byte)
{
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(CALL(&b, 1, 0, 0x141).error, 0);
	ck_assert_str_eq(b.out, "A");
	ck_assert_int_eq(CALL(&b, 2, 0, 0).error, -1);
	b.in = "z";
	ck_assert_int_eq(CALL(&b, 2, 0, 0).error, 'z');
	ck_assert_int_eq(CALL(&b, 2, 0, 0).error, -1);
	bench_fini(&b);
}

TEST_TIMES(legacy_clear_ipi_tells_what_was_pending, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(CALL(&b, 3, 0, 0).error, 0);
	CALL(&b, IPI_EID, 0, 1, 0);
	ck_assert_uint_eq(ssip(&b, 1), 1);
	ck_assert_int_eq(CALL(&b, 3, 0, 0).error, _i ? 0 : 1);
	ck_assert_uint_eq(ssip(&b, 1), 0);
	bench_fini(&b);
}

/* A firmware feature is bits of a CSR, and leaves the others as they are. */
static const struct feature_row {
	const char *why;
	unsigned xlen;
	uint64_t feature;
	uint16_t csr;
	uint64_t bits;
	unsigned fences; /* of the hart, for each change */
} feature_rows[] = {
	{ "misaligned exceptions", 64, 0, 0x302, 0x50, 0 },
	{ "misaligned exceptions of RV32", 32, 0, 0x302, 0x50, 0 },
	{ "updates of A and D", 64, 4, 0x30a, UINT64_C(1) << 61, 1 },
	{ "updates of A and D on RV32", 32, 4, 0x31a, 1u << 29, 1 },
};

TEST_ROWS(a_feature_is_its_bits_and_no_others, feature_rows)
{
	const struct feature_row *row = &feature_rows[_i];
	struct opts o = { .xlen = row->xlen,
			  .with = PMU_EXT_SVADU | PMU_EXT_SSTC };
	struct bench b;
	uint64_t all;

	bench_init(&b, &o);
	bench_poke(&b, 0, row->csr, UINT64_MAX >> (64 - row->xlen));
	all = bench_csr(&b, 0, row->csr);
	ck_assert_msg((all & row->bits) == row->bits && all != row->bits, "%s",
		      row->why);
	ck_assert_int_eq(CALL(&b, 0x46574654, 1, row->feature).value, 1);
	ck_assert_int_eq(CALL(&b, 0x46574654, 0, row->feature, 0).error, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, row->csr), all & ~row->bits);
	ck_assert_uint_eq(b.n_fences, row->fences);
	ck_assert_int_eq(CALL(&b, 0x46574654, 1, row->feature).value, 0);
	ck_assert_int_eq(CALL(&b, 0x46574654, 0, row->feature, 1).error, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, row->csr), all);
	bench_poke(&b, 0, row->csr, 0);
	ck_assert_int_eq(CALL(&b, 0x46574654, 0, row->feature, 1).error, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, row->csr), row->bits);
	ck_assert_uint_eq(b.n_fences, 3 * row->fences);
	bench_fini(&b);
}

TEST_TIMES(legacy_masks_lie_in_memory, 2)
{
	struct opts o = { .n_harts = 3, .xlen = _i ? 32 : 64 };
	struct bench b;

	bench_init(&b, &o);
	bench_store(&b, 0x101, 5, 8);
	CALL(&b, 4, 0, RAM_BASE + 0x101);
	ck_assert_uint_eq(ssip(&b, 3), 5);
	CALL(&b, 5, 0, RAM_BASE + 0x101);
	CALL(&b, 7, 0, RAM_BASE + 0x101);
	ck_assert_uint_eq(b.n_fences, 4);
	ck_assert_int_eq(b.fences[1].kind, FW_FENCE_I);
	ck_assert_int_eq(b.fences[3].kind, FW_SFENCE_VMA_ASID);
	bench_fini(&b);
}

/* Sv39: 0x40201000 is the third page of RAM, 0x40202000 is not mapped. */
static void map_pages(struct bench *b)
{
	const uint64_t ppn = RAM_BASE >> 12;
	enum {
		TABLE = 1,
		RW = 0x7
	};

	bench_store(b, 0x8000 + 8, (ppn + 9) << 10 | TABLE, 8);
	bench_store(b, 0x9000 + 8, (ppn + 10) << 10 | TABLE, 8);
	bench_store(b, 0xa000 + 8, (ppn + 2) << 10 | RW, 8);
	bench_poke(b, 0, 0x180, UINT64_C(8) << 60 | (ppn + 8));
}

TEST(legacy_masks_are_translated)
{
	struct opts o = { .n_harts = 3, .with = PMU_EXT_SVADU };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = 0x40201100 },
		.x = { [10] = 0x40201ffc, [17] = 4 },
	};
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	map_pages(&b);
	bench_store(&b, 0x2ff0, 6, 8);
	ck_assert_int_eq(CALL(&b, 4, 0, 0x40201ff0).error, 0);
	ck_assert_uint_eq(ssip(&b, 3), 6);
	ck_assert_uint_eq(bench_load(&b, 0xa008, 1) & 0xc0, 0x40);
	/* The second half of this one lies on the page that is missing. */
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x142), PMU_CAUSE_LOAD_PAGE);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x143), 0x40202000);
	bench_fini(&b);
}

/* The table that is to lead to it lies where no memory is. */
TEST(a_legacy_mask_without_a_table_is_an_access_fault)
{
	struct opts o = { .n_harts = 2 };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = 0x40201100 },
		.x = { [10] = 0x40201ffc, [17] = 4 },
	};
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 0, 0x180,
		   UINT64_C(8) << 60 | (RAM_BASE + RAM_SIZE) >> 12);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x142), PMU_CAUSE_LOAD_ACCESS);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x143), 0x40201ffc);
	ck_assert_uint_eq(ssip(&b, 2), 0);
	bench_fini(&b);
}

/* The fault is the guest's, at its ecall; an instrument gets an error. */
TEST(a_legacy_mask_may_fault)
{
	struct opts o = { .n_harts = 2 };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = 0x80001234 },
		.x = { [10] = 0x1000, [17] = 4 },
	};
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	bench_poke(&b, 0, 0x105, 0x80004000);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.pc, 0x80004000);
	ck_assert_uint_eq(regs.n, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x141), 0x80001234);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x142), PMU_CAUSE_LOAD_ACCESS);
	ck_assert_uint_eq(bench_csr(&b, 0, 0x143), 0x1000);
	ck_assert_uint_eq(ssip(&b, 2), 0);
	ck_assert_int_eq(CALL(&b, 4, 0, 0x1000).error, SBI_ERR_INVALID_ADDRESS);
	bench_fini(&b);
}

TEST(legacy_shutdown_does_not_return)
{
	uint64_t args[8] = { [7] = 8 };
	struct opts o = { 0 };
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(fw_sbi_call(b.fw, 0, 0, args, &ret), FW_GONE);
	ck_assert_uint_eq(b.resets, 1);
	ck_assert_uint_eq(b.reset.type, 0);
	ck_assert_int_eq(fw_sbi_call(b.fw, 1, 0, args, &ret), FW_DONE);
	ck_assert_int_eq(ret.error, SBI_ERR_FAILED);
	bench_fini(&b);
}

SUITE("sbi-ext");
