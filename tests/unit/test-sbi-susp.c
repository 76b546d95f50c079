/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SUSP and FWFT: who may sleep and how it wakes, which features there are, what
 * they switch, what a lock keeps. Rows name the table of SBI 3.0 they are from.
 */
#include "fw-fixture.h"

enum {
	HSM_START,
	HSM_STOP,
	HSM_STATUS,
	HSM_SUSPEND
};
enum {
	SET,
	GET
};
enum {
	MISALIGNED,
	LANDING_PAD,
	SHADOW_STACK,
	DOUBLE_TRAP,
	PTE_AD,
	PMLEN
};
enum {
	LOCK = 1,
	DENIED = SBI_ERR_DENIED,
	LOCKED = SBI_ERR_DENIED_LOCKED,
	NO = SBI_ERR_NOT_SUPPORTED,
	BAD = SBI_ERR_INVALID_PARAM,
};
#define RESUME		  (RAM_BASE + 0x200)
#define MISALIGNED_CAUSES ((1u << 4) | (1u << 6))
#define BOTH		  (PMU_EXT_SVADU | PMU_EXT_SVADE)

static enum fw_outcome raw(struct bench *b, unsigned hart, uint32_t eid,
			   const uint64_t a[4], int64_t *ret_error)
{
	uint64_t args[8] = { a[1], a[2], a[3], [6] = a[0], [7] = eid };
	struct sbi_ret ret = { .error = 99 };
	enum fw_outcome out = fw_sbi_call(b->fw, hart, b->now, args, &ret);

	*ret_error = ret.error;
	return out;
}

static void stop_hart(struct bench *b, unsigned hart)
{
	static const uint64_t args[4] = { HSM_STOP };
	int64_t error;

	ck_assert_int_eq(raw(b, hart, HSM_EID, args, &error), FW_GONE);
}

static const struct susp_row {
	const char *why;
	uint64_t type, pc;
	uint64_t without;
	bool others_run;
	int error; /* 0: it sleeps */
} susp_rows[] = {
	{ "to RAM", 0, RESUME, 0, false, 0 },
	{ "32 bits of type", UINT64_C(0x100000000), RESUME, 0, false, 0 },
	{ "reserved type", 1, RESUME, 0, false, BAD },
	{ "reserved type, last", 0x7fffffff, RESUME, 0, false, BAD },
	{ "platform's type", 0x80000000, RESUME, 0, false, BAD },
	{ "type before criteria", 1, RESUME, 0, true, BAD },
	{ "another hart runs", 0, RESUME, 0, true, DENIED },
	{ "criteria before address", 0, 0x1000, 0, true, DENIED },
	{ "no RAM", 0, 0x1000, 0, false, -5 },
	{ "end of RAM", 0, RAM_BASE + RAM_SIZE, 0, false, -5 },
	{ "odd", 0, RESUME + 1, 0, false, -5 },
	{ "half word", 0, RESUME + 2, 0, false, 0 },
	{ "half word without C", 0, RESUME + 2, PMU_EXT_C, false, -5 },
};

TEST_TIMES(a_machine_sleeps_when_it_may, 2 * ARRAY_SIZE(susp_rows))
{
	const struct susp_row *row = &susp_rows[_i / 2];
	const uint64_t args[4] = { 0, row->type, row->pc, 77 };
	struct opts o = { .profile = _i & 1,
			  .n_harts = 2,
			  .without = row->without };
	int64_t error;
	struct bench b;

	bench_init(&b, &o);
	if (!row->others_run)
		stop_hart(&b, 1);
	ck_assert_msg(raw(&b, 0, SUSP_EID, args, &error) ==
			      (row->error ? FW_DONE : FW_GONE),
		      "%s", row->why);
	ck_assert_int_eq(error, row->error ? row->error : 99);
	ck_assert_uint_eq(b.suspends, !row->error);
	if (!row->error) {
		ck_assert(!b.retentive);
		ck_assert_uint_eq(b.pc, row->pc);
		ck_assert_uint_eq(b.opaque, 77);
	}
	bench_fini(&b);
}

TEST(a_suspended_hart_keeps_the_machine_awake)
{
	static const uint64_t nap[4] = { HSM_SUSPEND };
	static const uint64_t sleep[4] = { 0, 0, RESUME };
	struct opts o = { .n_harts = 2 };
	int64_t error;
	struct bench b;

	bench_init(&b, &o);
	raw(&b, 1, HSM_EID, nap, &error);
	ck_assert_int_eq(raw(&b, 0, SUSP_EID, sleep, &error), FW_DONE);
	ck_assert_int_eq(error, DENIED);
	bench_fini(&b);
}

/* SUSP System Resume Register State; what is not in it stays. */
TEST(a_machine_wakes_as_a_hart_does)
{
	static const uint64_t sleep[4] = { 0, 0, RESUME };
	struct opts o = { 0 };
	int64_t error;
	struct bench b;

	shows(RULE("C197"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, UINH, 2);
	PMU(&b, START, 3, 1, INIT, 10);
	bench_poke(&b, 0, PMU_CSR_SSTATUS, 2);
	bench_poke(&b, 0, PMU_CSR_SATP, UINT64_C(8) << 60 | 1);
	ck_assert_int_eq(raw(&b, 0, SUSP_EID, sleep, &error), FW_GONE);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), PMU_MODE_M);
	fw_hart_resumed(b.fw, 0);
	ck_assert_int_eq(pmu_hart_mode(b.harts[0]), PMU_MODE_S);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SSTATUS) & 2, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_SATP), 0);
	bench_run(&b, 0, 5);
	ck_assert_uint_eq(bench_value(&b, 3), 15);
	bench_fini(&b);
}

/* FWFT Feature Types, Set Errors, Get Errors. */
static const struct feature_row {
	const char *why;
	uint64_t feature, value, flags;
	int set, get;
	uint64_t with;
} feature_rows[] = {
	{ "misaligned, on", MISALIGNED, 1, 0, 0, 0, 0 },
	{ "misaligned, off", MISALIGNED, 0, 0, 0, 0, 0 },
	{ "on and locked", MISALIGNED, 1, LOCK, 0, 0, 0 },
	{ "32 bits of feature", UINT64_C(0x100000000), 1, 0, 0, 0, 0 },
	{ "value 2", MISALIGNED, 2, 0, BAD, 0, 0 },
	{ "value above 32 bits", MISALIGNED, UINT64_C(1) << 63, 0, BAD, 0, 0 },
	{ "flag 1", MISALIGNED, 1, 2, BAD, 0, 0 },
	{ "the last flag", MISALIGNED, 1, UINT64_C(1) << 63, BAD, 0, 0 },
	{ "landing pad", LANDING_PAD, 1, 0, NO, NO, 0 },
	{ "shadow stack", SHADOW_STACK, 1, 0, NO, NO, 0 },
	{ "double trap", DOUBLE_TRAP, 1, 0, NO, NO, 0 },
	{ "pointer masking", PMLEN, 7, 0, NO, NO, 0 },
	{ "A and D without Svadu", PTE_AD, 1, 0, NO, NO, 0 },
	{ "A and D", PTE_AD, 1, 0, 0, 0, BOTH },
	{ "missing, before flags", LANDING_PAD, 1, 2, NO, NO, 0 },
	{ "reserved", 6, 0, 0, DENIED, DENIED, 0 },
	{ "reserved, last", 0x3fffffff, 0, 0, DENIED, DENIED, 0 },
	{ "the platform's", 0x40000000, 0, 0, DENIED, DENIED, 0 },
	{ "global", 0x80000000, 0, 0, DENIED, DENIED, 0 },
	{ "global, sign-extended", UINT64_MAX, 0, 0, DENIED, DENIED, 0 },
	{ "reserved, before flags", 6, 0, 2, DENIED, DENIED, 0 },
};

TEST_TIMES(features_are_those_of_the_hart, 2 * ARRAY_SIZE(feature_rows))
{
	const struct feature_row *row = &feature_rows[_i / 2];
	struct opts o = { .profile = _i & 1,
			  .without = row->with ? 0 : BOTH,
			  .with = row->with };
	struct sbi_ret ret;
	struct bench b;

	bench_init(&b, &o);
	ret = CALL(&b, FWFT_EID, SET, row->feature, row->value, row->flags);
	ck_assert_msg(ret.error == row->set, "%s: set %d", row->why,
		      (int)ret.error);
	ret = CALL(&b, FWFT_EID, GET, row->feature);
	ck_assert_msg(ret.error == row->get, "%s: get %d", row->why,
		      (int)ret.error);
	ck_assert_uint_eq(ret.value, !row->set && !row->get && row->value);
	bench_fini(&b);
}

static uint64_t feature(struct bench *b, unsigned n)
{
	struct sbi_ret ret = CALL(b, FWFT_EID, GET, n);

	ck_assert_int_eq(ret.error, 0);
	return ret.value;
}

/* The trap goes to S-mode where the firmware would have handed it on. */
TEST_TIMES(misaligned_exceptions_are_delegated, 2)
{
	struct opts o = { .xlen = _i ? 32 : 64 };
	struct pmu_trap trap = { .cause = PMU_CAUSE_LOAD_MISALIGNED };
	uint64_t before;
	struct bench b;

	bench_init(&b, &o);
	before = bench_csr(&b, 0, PMU_CSR_MEDELEG);
	ck_assert_uint_eq(feature(&b, MISALIGNED), 0);
	CALL(&b, FWFT_EID, SET, MISALIGNED, 1);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_MEDELEG),
			  before | MISALIGNED_CAUSES);
	ck_assert_int_eq(pmu_trap_target(b.harts[0], &trap), PMU_MODE_S);
	CALL(&b, FWFT_EID, SET, MISALIGNED, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, PMU_CSR_MEDELEG), before);
	bench_fini(&b);
}

/* menvcfg.ADUE; what the hart has translated is forgotten. */
TEST_TIMES(a_and_d_bits_are_the_hardwares, 2)
{
	struct opts o = { .with = BOTH, .xlen = _i ? 32 : 64 };
	uint16_t csr = _i ? PMU_CSR_MENVCFGH : PMU_CSR_MENVCFG;
	unsigned bit = _i ? 29 : 61;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_uint_eq(feature(&b, PTE_AD), 0);
	CALL(&b, FWFT_EID, SET, PTE_AD, 1);
	ck_assert_uint_eq(bench_csr(&b, 0, csr) >> bit & 1, 1);
	ck_assert_uint_eq(feature(&b, PTE_AD), 1);
	ck_assert_uint_eq(b.n_fences, 1);
	ck_assert_int_eq(b.fences[0].kind, FW_SFENCE_VMA);
	CALL(&b, FWFT_EID, SET, PTE_AD, 1);
	ck_assert_uint_eq(b.n_fences, 1);
	CALL(&b, FWFT_EID, SET, PTE_AD, 0);
	ck_assert_uint_eq(bench_csr(&b, 0, csr) >> bit & 1, 0);
	bench_fini(&b);
}

/* Each feature has a lock of its own. */
TEST_TIMES(a_lock_is_for_one_feature, 2)
{
	const unsigned locked = _i ? PTE_AD : MISALIGNED;
	const unsigned other = _i ? MISALIGNED : PTE_AD;
	struct opts o = { .with = BOTH };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, locked, 1, LOCK).error, 0);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, locked, 0).error, LOCKED);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, other, 1).error, 0);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, other, 0).error, 0);
	bench_fini(&b);
}

/* Svadu alone begins with it on. */
TEST(svadu_alone_begins_with_hardware_updating)
{
	struct opts o = { .with = PMU_EXT_SVADU, .without = PMU_EXT_SVADE };
	struct bench b;

	shows(RULE("C121"));
	bench_init(&b, &o);
	ck_assert_uint_eq(feature(&b, PTE_AD), 1);
	bench_fini(&b);
}

/* FWFT Firmware Features Set Flags: until the hart is reset, for it alone. */
TEST_TIMES(a_lock_holds_until_the_hart_is_reset, 2)
{
	enum fw_profile profile = _i ? FW_PROFILE_OPENSBI : FW_PROFILE_SPEC;
	static const uint64_t nap[4] = { HSM_SUSPEND, 0x80000000, RESUME };
	struct opts o = { .n_harts = 2, .profile = profile };
	const uint64_t on[6] = { MISALIGNED, 1 }, off[6] = { 0 };
	int64_t error;
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, MISALIGNED, 1, LOCK).error, 0);
	raw(&b, 0, HSM_EID, nap, &error);
	fw_hart_resumed(b.fw, 0);
	ck_assert_uint_eq(feature(&b, MISALIGNED), 1);
	for (uint64_t value = 0; value < 3; value++)
		for (uint64_t flags = 0; flags < 2; flags++)
			ck_assert_int_eq(CALL(&b, FWFT_EID, SET, MISALIGNED,
					      value, flags)
						 .error,
					 value == 1 && !_i ? 0 : LOCKED);
	ck_assert_uint_eq(feature(&b, MISALIGNED), 1);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, MISALIGNED, 0, 2).error, BAD);
	ck_assert_int_eq(bench_call(&b, 1, FWFT_EID, SET, on).error, 0);
	ck_assert_int_eq(bench_call(&b, 1, FWFT_EID, SET, off).error, 0);
	stop_hart(&b, 0);
	bench_call(&b, 1, HSM_EID, HSM_START, (const uint64_t[6]){ 0, RESUME });
	ck_assert_uint_eq(feature(&b, MISALIGNED), 0);
	ck_assert_int_eq(CALL(&b, FWFT_EID, SET, MISALIGNED, 1).error, 0);
	bench_fini(&b);
}

SUITE("sbi-susp");
