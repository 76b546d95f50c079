/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What PMU calls leave alone: other harts, other counters, pending interrupts,
 * and everything when they fail.
 */
#include "fw-fixture.h"

enum {
	N_IDS = 48,
	INSTRUCTIONS = 2,
};
#define LCOFI (UINT64_C(1) << PMU_IRQ_LCOFI)

/* Everything that can be seen of the counters of a hart. */
struct seen {
	uint64_t inhibit, event[32], value[32], mip;
	struct fw_counter counter[64];
};

static void look(struct bench *b, unsigned hart, struct seen *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->inhibit = bench_csr(b, hart, PMU_CSR_MCOUNTINHIBIT);
	ret->mip = bench_csr(b, hart, PMU_CSR_MIP);
	for (unsigned n = 3; n < 32; n++) {
		ret->event[n] = bench_csr(b, hart, (uint16_t)(0x320 + n));
		ret->value[n] = bench_csr(b, hart, (uint16_t)(0xb00 + n));
	}
	for (unsigned n = 0; n < N_IDS; n++)
		fw_counter_state(b->fw, hart, n, &ret->counter[n]);
}

static bool same(const struct seen *a, const struct seen *b)
{
	for (unsigned n = 0; n < N_IDS; n++) {
		const struct fw_counter *x = &a->counter[n],
					*y = &b->counter[n];

		if (x->mapped != y->mapped || x->started != y->started ||
		    x->event_idx != y->event_idx || x->value != y->value ||
		    x->event_data != y->event_data || x->flags != y->flags)
			return false;
	}
	return a->inhibit == b->inhibit && a->mip == b->mip &&
	       !memcmp(a->event, b->event, sizeof(a->event)) &&
	       !memcmp(a->value, b->value, sizeof(a->value));
}

static const struct failing_row {
	const char *rule, *why;
	uint32_t fid;
	uint64_t args[6];
} failing_rows[] = {
	{ RULE("C28"),
	  "an event that nothing counts",
	  CFG,
	  { 0, 0xfffffff8, CLEAR | AUTO, 0x1234 } },
	{ RULE("C28"),
	  "counters that are all taken",
	  CFG,
	  { 3, 1, CLEAR | AUTO | UINH, INSTRUCTIONS } },
	{ RULE("C28"),
	  "SKIP_MATCH of a running one with another event",
	  CFG,
	  { 3, 1, SKIP | CLEAR | AUTO, 1 } },
	{ RULE("C28"),
	  "SKIP_MATCH of one without event",
	  CFG,
	  { 4, 1, SKIP | CLEAR | AUTO, INSTRUCTIONS } },
	{ RULE("C46"),
	  "a range beyond the end",
	  START,
	  { 3, UINT64_MAX, INIT, 5 } },
	{ RULE("C47"), "an unknown flag", START, { 3, 1, 4, 5 } },
	{ RULE("C52"), "a start of what runs", START, { 3, 1, INIT, 5 } },
	{ RULE("C59"), "a start of none", START, { 0, 0, 0 } },
	{ RULE("C60"), "a snapshot without a page", STOP, { 3, 1, SNAP } },
	{ RULE("C54"), "a stop of what has no event", STOP, { 4, 1, RESET } },
	{ RULE("C79"), "a read of a hardware counter", READ, { 3 } },
	{ RULE("C74"), "a page that is none", SHMEM, { 4, 0, 0 } },
};

TEST_ROWS(a_call_that_fails_changes_nothing, failing_rows)
{
	const struct failing_row *row = &failing_rows[_i];
	struct opts o = { 0 };
	struct seen before, after;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, AUTO, INSTRUCTIONS), 0);
	bench_run(&b, 0, 10);
	look(&b, 0, &before);
	ck_assert_msg(bench_call(&b, 0, PMU_EID, row->fid, row->args).error,
		      "%s", row->why);
	look(&b, 0, &after);
	ck_assert_msg(same(&before, &after), "%s", row->why);
	bench_fini(&b);
}

/* The same counter on two harts, and a page of one only. */
TEST(calls_act_on_the_hart_that_makes_them)
{
	struct opts o = { .n_harts = 2 };
	struct seen before, after;
	struct bench b;

	shows(RULE("C5"));
	bench_init(&b, &o);
	fw_hart_boot(b.fw, 1);
	look(&b, 1, &before);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, RAM_BASE, 0, 0), 0);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, AUTO, INSTRUCTIONS), 0);
	bench_run(&b, 0, 10);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP), 0);
	look(&b, 1, &after);
	ck_assert(same(&before, &after));
	ck_assert_int_eq(bench_call(&b, 1, PMU_EID, START,
				    (const uint64_t[6]){ 3, 1, 0 })
				 .error,
			 -3);
	bench_fini(&b);
}

/* The value at the stop stays, and so does the pending request. */
TEST_TIMES(a_stop_keeps_value_and_pending_interrupt, 2)
{
	struct opts o = { .profile = (enum fw_profile)_i };
	struct bench b;

	shows(RULE("C63 C65 C66"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, INSTRUCTIONS), 0);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1, INIT, UINT64_MAX - 1), 0);
	bench_run(&b, 0, 5);
	ck_assert(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, 0), 0);
	bench_run(&b, 0, 100);
	ck_assert_uint_eq(bench_value(&b, 3), 3);
	ck_assert(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, RESET), -8);
	ck_assert_uint_eq(bench_value(&b, 3), 3);
	/* It goes with OF. */
	ck_assert(!(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI) == !_i);
	bench_fini(&b);
}

/* With the value of the start, not the one before it. */
TEST_TIMES(a_start_counts_from_its_value, 2)
{
	struct opts o = { .profile = (enum fw_profile)_i };
	struct bench b;

	shows(RULE("C56"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, CFG, 3, 1, 0, INSTRUCTIONS), 0);
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1, INIT, UINT64_MAX), 0);
	ck_assert(!bench_shows_of(&b, 3));
	ck_assert(!(bench_csr(&b, 0, PMU_CSR_MIP) & LCOFI));
	bench_run(&b, 0, 1);
	ck_assert(bench_shows_of(&b, 3));
	ck_assert_uint_eq(bench_value(&b, 3), 0);
	bench_fini(&b);
}

/* Fixed counters have 64 bits whatever the others have. */
TEST(widths_are_those_of_the_hardware)
{
	struct opts o = { .width = 40 };
	struct bench b;

	shows(RULE("C11"));
	bench_init(&b, &o);
	ck_assert_uint_eq(PMU(&b, INFO, 0).value, 0xc00 | 63 << 12);
	ck_assert_uint_eq(PMU(&b, INFO, 2).value, 0xc02 | 63 << 12);
	ck_assert_uint_eq(PMU(&b, INFO, 3).value, 0xc03 | 39 << 12);
	bench_fini(&b);
}

SUITE("sbi-state");
