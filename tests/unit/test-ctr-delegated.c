/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that S-mode has by itself (Smcdeleg) under the SBI's hands: each
 * call sees what the last instruction left, and ids stay what they are.
 */
#include "../../guests/common/csr-short.h"
#include "fw-fixture.h"

#define DELEG                                                                  \
	(PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG | PMU_EXT_SMCSRIND |                \
	 PMU_EXT_SSCSRIND)
#define MINH	     PMU_EVENT_MINH
#define ONES	     UINT64_MAX
#define ALL_BUT_TIME UINT64_C(0xfffffffffffd)

enum {
	INSNS = 2,
	BRANCHES = 5,
	PAGE_AT = 0x4000
};

/* A CSR instruction of hart 0's S-mode. */
static uint64_t s_csr(struct bench *b, uint16_t num, bool write, uint64_t value)
{
	struct pmu_csr_req req = { .num = num,
				   .op = PMU_CSR_WRITE,
				   .read = true,
				   .write = write,
				   .value = value };
	unsigned effects = 0;
	uint64_t old = 0;

	ck_assert_int_eq(pmu_csr(b->harts[0], &req, &old, &effects),
			 PMU_CSR_OK);
	return old;
}

static uint64_t s_read(struct bench *b, unsigned n, uint16_t reg)
{
	s_csr(b, SISELECT, true, 0x40 + n);
	return s_csr(b, reg, false, 0);
}

static void s_write(struct bench *b, unsigned n, uint16_t reg, uint64_t value)
{
	s_csr(b, SISELECT, true, 0x40 + n);
	s_csr(b, reg, true, value);
}

static void s_inhibit(struct bench *b, unsigned n, bool stop)
{
	uint64_t old = s_csr(b, SCOUNTINHIBIT, false, 0);

	s_csr(b, SCOUNTINHIBIT, true,
	      (old & ~(UINT64_C(1) << n)) | (uint64_t)stop << n);
}

static void begin(struct bench *b, int i)
{
	struct opts o = { .profile = i & 1, .with = DELEG };

	bench_init(b, &o);
}

/* Started and stopped by S: the answers follow the register. */
TEST_TIMES(inhibits_of_s_are_seen, 2)
{
	struct bench b;

	shows(RULE("C136"));
	begin(&b, _i);
	PMU(&b, CFG, 3, 1, AUTO, INSNS);
	s_inhibit(&b, 3, true);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1), SBI_ERR_ALREADY_STOPPED);
	s_inhibit(&b, 3, false);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1, INIT, 77),
			 SBI_ERR_ALREADY_STARTED);
	bench_run(&b, 0, 5);
	ck_assert_uint_eq(bench_value(&b, 3), 5);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1), 0);
	ck_assert(s_csr(&b, SCOUNTINHIBIT, false, 0) & 8);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1), 0);
	ck_assert(!(s_csr(&b, SCOUNTINHIBIT, false, 0) & 8));
	bench_fini(&b);
}

/* One that S runs without the firmware is nobody's to give or to stop. */
TEST_TIMES(counters_that_s_runs_are_left_alone, 2)
{
	struct bench b;

	shows(RULE("C136 C23 C54"));
	begin(&b, _i);
	s_write(&b, 3, SIREG2, BRANCHES);
	s_inhibit(&b, 3, false);
	ck_assert_uint_eq(PMU(&b, CFG, 3, 3, 0, INSNS).value, 4);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, BRANCHES), -2);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP, BRANCHES), -3);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, RESET), -3);
	PMU(&b, STOP, 0, ALL_BUT_TIME, RESET);
	ck_assert_uint_eq(s_read(&b, 3, SIREG2), BRANCHES);
	ck_assert(!(s_csr(&b, SCOUNTINHIBIT, false, 0) & 8));
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3), MINH | BRANCHES);
	bench_fini(&b);
}

/* S sees what was programmed but for MINH, and changes it. */
TEST_TIMES(events_of_s_are_seen, 2)
{
	struct bench b;

	shows(RULE("C136 C30 C130"));
	begin(&b, _i);
	PMU(&b, CFG, 3, 1, UINH, INSNS);
	ck_assert_uint_eq(s_read(&b, 3, SIREG2) & ~PMU_EVENT_OF,
			  PMU_EVENT_UINH | INSNS);
	PMU(&b, START, 3, 1);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP | UINH, INSNS), 0);
	s_write(&b, 3, SIREG2, BRANCHES);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP | UINH, INSNS),
			 _i ? 0 : -2);
	PMU(&b, STOP, 3, 1);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, SKIP | UINH, INSNS), 0);
	ck_assert_uint_eq(pmu_counter_event(b.harts[0], 3) & ~PMU_EVENT_OF,
			  _i ? MINH | BRANCHES : MINH | PMU_EVENT_UINH | INSNS);
	bench_fini(&b);
}

/* Its values and its OF go into snapshots and starts. */
TEST_TIMES(values_and_overflows_of_s_are_seen, 2)
{
	struct bench b;

	shows(RULE("C136 C71 C55 C173"));
	begin(&b, _i);
	PMU(&b, SHMEM, RAM_BASE + PAGE_AT);
	PMU(&b, CFG, 3, 1, AUTO, INSNS);
	s_write(&b, 3, SIREG, ONES);
	ck_assert(!bench_shows_of(&b, 3));
	bench_run(&b, 0, 3);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP), 0);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 1);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT + 8, 8), 2);
	/* Cleared and set by software it is none. */
	s_write(&b, 3, SIREG2, INSNS);
	s_write(&b, 3, SIREG2, PMU_EVENT_OF | INSNS);
	PMU(&b, STOP, 3, 1, SNAP);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 0);
	/* LCOFIP is pending still, but this OF is not an overflow's. */
	PMU(&b, START, 3, 1);
	ck_assert(bench_shows_of(&b, 3) == _i);
	bench_fini(&b);
}

/* The ids of a hart without delegation, and the counter of the same number. */
TEST_TIMES(ids_are_absolute, 2)
{
	struct opts plain = { .profile = _i };
	struct bench a, b;

	shows(RULE("C136 C9"));
	bench_init(&a, &plain);
	begin(&b, _i);
	ck_assert_uint_eq(PMU(&b, NUM, 0).value, PMU(&a, NUM, 0).value);
	for (unsigned n = 0; n < 48; n++)
		ck_assert_uint_eq(PMU(&b, INFO, n).value,
				  PMU(&a, INFO, n).value);
	ck_assert_uint_eq(PMU(&b, CFG, 7, 1, AUTO, INSNS).value, 7);
	bench_run(&b, 0, 9);
	ck_assert_uint_eq(s_read(&b, 7, SIREG), 9);
	ck_assert_uint_eq(PMU(&b, CFG, 0, ALL_BUT_TIME, AUTO, FW_TIMER).value,
			  32);
	CALL(&b, TIME_EID, 0, 10);
	ck_assert_uint_eq(PMU(&b, READ, 32).value, 1);
	bench_fini(&a);
	bench_fini(&b);
}

SUITE("ctr-delegated");
