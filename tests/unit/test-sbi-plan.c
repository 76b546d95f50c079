/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cases on the PMU extension of the SBI test plan, under the plan's names.
 */
#include "fw-fixture.h"

enum {
	MAX_STEPS = 4
};

static const struct plan_row {
	const char *rule, *why;
	struct {
		unsigned fid;
		uint64_t a[4];
		int error;
		int64_t value; /* -1: any */
	} step[MAX_STEPS];     /* the first without a function ends it */
	unsigned n;
} plan_rows[] = {
	{ RULE("PMU-01"),
	  "how many counters there are",
	  { { NUM, { 0 }, 0, 48 } },
	  1 },
	{ RULE("PMU-02"),
	  "what counter 0 is",
	  { { INFO, { 0 }, 0, 0x3fc00 } },
	  1 },
	{ RULE("PMU-03"),
	  "a counter beyond the last",
	  { { INFO, { 48 }, -3, 0 }, { INFO, { UINT64_MAX }, -3, 0 } },
	  2 },
	{ RULE("PMU-04"),
	  "a counter for cycles",
	  { { CFG, { 0, 0xfffffffd, 0, 1 }, 0, 3 } },
	  1 },
	{ RULE("PMU-07"),
	  "configured, then started",
	  { { CFG, { 3, 1, 0, 2 }, 0, 3 }, { START, { 3, 1, 0 }, 0, 0 } },
	  2 },
	{ RULE("PMU-08"),
	  "started twice",
	  { { CFG, { 3, 1, AUTO, 2 }, 0, 3 }, { START, { 3, 1, 0 }, -7, 0 } },
	  2 },
	{ RULE("PMU-09"),
	  "started, then stopped",
	  { { CFG, { 3, 1, AUTO, 2 }, 0, 3 }, { STOP, { 3, 1, 0 }, 0, 0 } },
	  2 },
	{ RULE("PMU-10"),
	  "stopped twice",
	  { { CFG, { 3, 1, AUTO, 2 }, 0, 3 },
	    { STOP, { 3, 1, 0 }, 0, 0 },
	    { STOP, { 3, 1, 0 }, -8, 0 } },
	  3 },
	{ RULE("PMU-11"),
	  "a firmware counter is read",
	  { { CFG, { 32, 1, AUTO, FW_TIMER }, 0, 32 }, { READ, { 32 }, 0, 0 } },
	  2 },
	{ RULE("PMU-12"),
	  "a hardware counter is not",
	  { { CFG, { 3, 1, AUTO, 2 }, 0, 3 }, { READ, { 3 }, -3, 0 } },
	  2 },
	{ RULE("PMU-13"),
	  "an initial value, also of a firmware counter",
	  { { CFG, { 32, 1, 0, FW_TIMER }, 0, 32 },
	    { START, { 32, 1, INIT, 100 }, 0, 0 },
	    { READ, { 32 }, 0, 100 } },
	  3 },
	{ RULE("PMU-14"),
	  "RESET takes the event away",
	  { { CFG, { 3, 1, AUTO, 2 }, 0, 3 },
	    { STOP, { 3, 1, RESET }, 0, 0 },
	    { START, { 3, 1, 0 }, -3, 0 },
	    { CFG, { 3, 1, 0, 5 }, 0, 3 } },
	  4 },
};

TEST_TIMES(the_plans_cases_hold, 2 * ARRAY_SIZE(plan_rows))
{
	const struct plan_row *row = &plan_rows[_i / 2];
	struct opts o = { .profile = _i & 1 };
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	for (unsigned i = 0; i < row->n; i++) {
		uint64_t args[6] = { 0 };
		struct sbi_ret ret;

		memcpy(args, row->step[i].a, sizeof(row->step[i].a));
		ret = bench_call(&b, 0, PMU_EID, row->step[i].fid, args);
		ck_assert_msg(ret.error == row->step[i].error &&
				      (int64_t)ret.value == row->step[i].value,
			      "%s, step %u: %d %lld", row->why, i,
			      (int)ret.error, (long long)ret.value);
	}
	bench_fini(&b);
}

/* Where the letter decides and the reference does something else. */
TEST_TIMES(the_reference_fails_two_cases, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("PMU-05 PMU-06"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 0, 0xfffffffd, 0, 0x1234),
			 _i ? -3 : -2);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 0, 0xfffffffd, 0x100, 1),
			 _i ? 0 : -3);
	bench_fini(&b);
}

/* The counter itself: it goes on from the value of the start. */
TEST_TIMES(a_hardware_counter_starts_from_its_value, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("PMU-13"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, 0, 2);
	PMU(&b, START, 3, 1, INIT, 100);
	bench_run(&b, 0, 11);
	ck_assert_uint_eq(bench_csr(&b, 0, 0xc03), 111);
	bench_fini(&b);
}

SUITE("sbi-plan");
