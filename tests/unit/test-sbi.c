/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The calling convention: which extensions and functions exist, how registers
 * become arguments, and that an ecall writes a0 and a1 alone.
 */
#include "fw-fixture.h"

static const struct ext_row {
	uint32_t eid, n; /* functions */
} ext_rows[] = {
	{ BASE_EID, 7 }, { TIME_EID, 1 },
	{ IPI_EID, 1 },	 { RFENCE_EID, 3 }, /* without H, 3-6 do not exist */
	{ HSM_EID, 4 },	 { SRST_EID, 1 },
	{ DBCN_EID, 3 }, { PMU_EID, 9 },
};

/* In both profiles, on both widths. */
TEST_TIMES(unknown_functions_are_not_supported, 4 * ARRAY_SIZE(ext_rows))
{
	const struct ext_row *row = &ext_rows[_i / 4];
	struct opts o = { .profile = _i & 1, .xlen = _i & 2 ? 32 : 64 };
	struct bench b;

	shows(RULE("C2"));
	if (row->eid == RFENCE_EID)
		shows(RULE("C202"));
	bench_init(&b, &o);
	ck_assert_uint_eq(CALL(&b, BASE_EID, 3, row->eid).value, 1);
	for (uint32_t fid = row->n; fid < row->n + 16; fid++)
		ck_assert_int_eq(CALL(&b, row->eid, fid, 1).error,
				 SBI_ERR_NOT_SUPPORTED);
	ck_assert_int_eq(CALL(&b, row->eid, UINT32_MAX, 0).error,
			 SBI_ERR_NOT_SUPPORTED);
	ck_assert_int_eq(CALL(&b, row->eid, 1u << 31, 0).error,
			 SBI_ERR_NOT_SUPPORTED);
	bench_fini(&b);
}

static const uint32_t unknown_eids[] = {
	9,	    10,		15,	    0x11,	0x735048,
	0x53535345, 0x4d505859, 0x43505043, 0x7fffffff, 0x80000000,
	0x80000010, 0xffffffff, 0x0a000000, 0x09000000,
};

TEST_TIMES(unknown_extensions_are_not_supported, 2)
{
	struct opts o = { .profile = _i & 1 };
	struct bench b;

	bench_init(&b, &o);
	for (unsigned i = 0; i < ARRAY_SIZE(unknown_eids); i++) {
		uint64_t reg = (uint64_t)(int32_t)unknown_eids[i];
		struct sbi_ret ret = CALL(&b, unknown_eids[i], 0, 1);

		ck_assert_int_eq(ret.error, SBI_ERR_NOT_SUPPORTED);
		ck_assert_uint_eq(ret.value, 0);
		ck_assert_uint_eq(CALL(&b, BASE_EID, 3, reg).value, 0);
	}
	bench_fini(&b);
}

static const struct register_row {
	const char *rule, *why;
	unsigned xlen;
	uint64_t a6, a7;
	int64_t error;
} register_rows[] = {
	{ RULE("C2"), "plain", 64, 0, PMU_EID, 0 },
	{ RULE("C198"), "EID with bit 32", 64, 0, PMU_EID | UINT64_C(1) << 32,
	  SBI_ERR_NOT_SUPPORTED },
	{ RULE("C198"), "FID with bit 32", 64, UINT64_C(1) << 32, PMU_EID,
	  SBI_ERR_NOT_SUPPORTED },
	{ RULE("C198"), "FID with bit 63", 64, UINT64_C(1) << 63, PMU_EID,
	  SBI_ERR_NOT_SUPPORTED },
	{ RULE("C2"), "RV32 sees 32 bits", 32, UINT64_C(1) << 32,
	  PMU_EID | UINT64_C(1) << 32, 0 },
};

TEST_ROWS(numbers_are_signed_and_fill_the_register, register_rows)
{
	const struct register_row *row = &register_rows[_i];
	struct opts o = { .xlen = row->xlen };
	uint64_t args[8] = { [6] = row->a6, [7] = row->a7 };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	fw_sbi_call(b.fw, 0, 0, args, &ret);
	ck_assert_msg(ret.error == row->error, "%s: %d", row->why,
		      (int)ret.error);
	bench_fini(&b);
}

static const struct version_row {
	uint32_t version, eid, fid;
	int64_t error;
} version_rows[] = {
	{ 0x03000000, PMU_EID, EVENTS, SBI_ERR_INVALID_PARAM },
	{ 0x02000000, PMU_EID, EVENTS, SBI_ERR_NOT_SUPPORTED },
	{ 0x02000000, PMU_EID, SHMEM, SBI_ERR_INVALID_PARAM },
	{ 0x01000000, PMU_EID, SHMEM, SBI_ERR_NOT_SUPPORTED },
	{ 0x02000000, PMU_EID, READ_HI, SBI_ERR_INVALID_PARAM },
	{ 0x01000000, PMU_EID, READ_HI, SBI_ERR_NOT_SUPPORTED },
	{ 0x01000000, PMU_EID, NUM, 0 },
	{ 0x00000002, PMU_EID, NUM, SBI_ERR_NOT_SUPPORTED },
	{ 0x01000000, DBCN_EID, 2, SBI_ERR_NOT_SUPPORTED },
	{ 0x01000000, SUSP_EID, 0, SBI_ERR_NOT_SUPPORTED },
	{ 0x02000000, SUSP_EID, 0, SBI_ERR_INVALID_ADDRESS },
	{ 0x02000000, FWFT_EID, 1, SBI_ERR_NOT_SUPPORTED },
	{ 0x03000000, FWFT_EID, 1, 0 },
	{ 0x00000002, HSM_EID, 2, 0 },
	{ 0x00000002, HSM_EID, 3, SBI_ERR_NOT_SUPPORTED },
	{ 0x00000002, BASE_EID, 0, 0 },
	{ 0x00000001, BASE_EID, 0, SBI_ERR_NOT_SUPPORTED },
	{ 0x00000001, 3, 0, 0 },
};

TEST_ROWS(functions_appear_with_their_version, version_rows)
{
	const struct version_row *row = &version_rows[_i];
	struct opts o = { .version = row->version };
	uint64_t args[6] = { row->eid == PMU_EID ? 1 : 0 };
	struct bench b;

	shows(RULE("C199"));
	bench_init(&b, &o);
	ck_assert_int_eq(bench_call(&b, 0, row->eid, row->fid, args).error,
			 row->error);
	bench_fini(&b);
}

/* On RV32 a 64-bit argument takes two registers, junk stays out. */
TEST(rv32_pairs_are_joined)
{
	struct opts o = { .xlen = 32 };
	struct bench b;

	shows(RULE("C3"));
	bench_init(&b, &o);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER, 0, 0);
	ck_assert_int_eq(PMU_ERR(&b, START, 32, 1, INIT, 0x11111111, 0x22222222,
				 0x33333333),
			 0);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 0x11111111);
	ck_assert_uint_eq(PMU(&b, READ_HI, 32).value, 0x22222222);
	CALL(&b, TIME_EID, 0, 5, 1);
	ck_assert_uint_eq(fw_timer_next(b.fw, 0),
			  ((UINT64_C(1) << 32) + 5) * 10);
	bench_fini(&b);
}

TEST(rv64_has_no_pairs)
{
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER, 0, 77);
	PMU(&b, START, 32, 1, INIT, UINT64_C(0x2222222211111111), 77, 77);
	ck_assert_uint_eq(PMU(&b, READ, 32).value,
			  UINT64_C(0x2222222211111111));
	ck_assert_uint_eq(PMU(&b, READ_HI, 32).value, 0);
	bench_fini(&b);
}

/* a1 is 0 on errors, nothing else is written; RV32 answers are signed. */
TEST_TIMES(an_ecall_writes_a0_and_a1, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = 0x80001000 },
		.x = { [10] = 99, [16] = INFO, [17] = PMU_EID },
	};
	struct fw_regs regs;
	struct bench b;

	shows(RULE("C1"));
	bench_init(&b, &o);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.pc, 0x80001004);
	ck_assert_uint_eq(regs.n, 2);
	ck_assert_uint_eq(regs.reg[0].x, 10);
	ck_assert_int_eq((int64_t)regs.reg[0].value, SBI_ERR_INVALID_PARAM);
	ck_assert_uint_eq(regs.reg[1].x, 11);
	ck_assert_uint_eq(regs.reg[1].value, 0);
	t.x[10] = 32;
	bench_trap(&b, 0, &t, &regs);
	ck_assert_uint_eq(regs.reg[1].value, _i ? UINT64_C(0xffffffff8003f000)
						: UINT64_C(0x800000000003f000));
	bench_fini(&b);
}

/* Legacy calls ignore a6 and write a0 alone. */
TEST(a_legacy_ecall_writes_a0)
{
	struct opts o = { 0 };
	struct bench_trap t = {
		.trap = { .cause = PMU_CAUSE_ECALL_S, .pc = 0x80001000 },
		.x = { [10] = 'x', [16] = 0x1234567890, [17] = 1 },
	};
	struct fw_regs regs;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(bench_trap(&b, 0, &t, &regs), FW_DONE);
	ck_assert_uint_eq(regs.n, 1);
	ck_assert_uint_eq(regs.reg[0].value, 0);
	ck_assert_str_eq(b.out, "x");
	bench_fini(&b);
}

SUITE("sbi");
