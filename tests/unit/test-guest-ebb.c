/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest/ebb.c on CSRs that are played, for RV64 and, where __riscv_xlen is 32,
 * for RV32: what no guest of ours shows, as each defines whose unit it is and
 * how a claim is asked for, and how a counter that runs is written and read.
 */
#include "unit.h"

#include <string.h>

#include "ebb-csrs-played.h"

enum {
	N_CSRS = 0x1000,
	WORDS = 8 /* accesses that are kept */
};

/* Of ebb-entry.S. */
extern const char ebb_entry[];
const char ebb_entry[1] = { 0 };
unsigned long ebb_dispatch(void);

static unsigned long csrs[N_CSRS];
static struct access {
	unsigned csr;
	unsigned long value;
} writes[WORDS];
static unsigned n_writes;
static unsigned carries; /* reads of a low half behind which it carries */

unsigned long played_read(unsigned csr)
{
	unsigned long value = csrs[csr];

	if (csr == EBB_CSR_CTR(3) && carries) {
		carries--;
		csrs[EBB_CSR_CTRH(3)]++;
	}
	return value;
}

void played_write(unsigned csr, unsigned long value)
{
	if (__riscv_xlen == 32)
		value = (uint32_t)value;
	csrs[csr] = value;
	if (n_writes < WORDS)
		writes[n_writes++] = (struct access){ csr, value };
}

static void setup(void)
{
	memset(csrs, 0, sizeof(csrs));
	memset(writes, 0, sizeof(writes));
	n_writes = carries = 0;
}

static void written(unsigned i, unsigned csr, unsigned long value)
{
	if (__riscv_xlen == 32)
		value = (uint32_t)value;
	ck_assert_uint_lt(i, n_writes);
	ck_assert_uint_eq(writes[i].csr, csr);
	ck_assert_uint_eq(writes[i].value, value);
}

static const struct open_row {
	const char *why;
	unsigned long own, mask;
	long want;
} open_rows[] = {
	{ "one of those that it has", 0x18, 0x08, 0 },
	{ "all of them", 0x18, 0x18, 0 },
	{ "none is asked for", 0x18, 0, -1 },
	{ "one that it has not", 0x18, 0x20, -1 },
	{ "that and one that it has", 0x18, 0x28, -1 },
	{ "it has none", 0, 0x08, -1 },
};

TEST_ROWS(what_is_opened_is_what_there_is, open_rows)
{
	csrs[EBB_CSR_OWN] = open_rows[_i].own;
	ck_assert_msg(ebb_open(open_rows[_i].mask) == open_rows[_i].want, "%s",
		      open_rows[_i].why);
	ck_assert_uint_eq(n_writes, 0);
}

TEST(what_is_closed_is_frozen)
{
	csrs[EBB_CSR_FRZ] = 0x08;
	ck_assert_int_eq(ebb_close(0x10), 0);
	ck_assert_uint_eq(csrs[EBB_CSR_FRZ], 0x18);
}

static unsigned long handled;

static void handler(unsigned long overflown)
{
	ck_assert_uint_eq(csrs[EBB_CSR_OVF], 0x18);
	handled = overflown;
}

TEST(a_branch_comes_to_the_handler_and_arms_the_unit)
{
	ebb_handler(handler, 0x5);
	written(0, EBB_CSR_HR, (unsigned long)ebb_entry);
	written(1, EBB_CSR_CTL, 0x5);
	ck_assert_ptr_nonnull(ebb_self());
	ck_assert_ptr_eq(ebb_self(), ebb_self());
	csrs[EBB_CSR_OVF] = 0x18;
	ck_assert_uint_eq(ebb_dispatch(), 0x5);
	ck_assert_uint_eq(handled, 0x18);
	ck_assert_uint_eq(csrs[EBB_CSR_OVF], 0);
	ck_assert_uint_eq(ebb_self()->branches, 1);
}

TEST(branches_are_let_through_and_kept_back)
{
	ebb_enable();
	ck_assert_uint_eq(csrs[EBB_CSR_CS], EBB_GE | EBB_PE);
	ebb_disable();
	ck_assert_uint_eq(csrs[EBB_CSR_CS], EBB_PE);
}

TEST_RANGE(each_counter_is_its_own, 3, 32)
{
	unsigned n = (unsigned)_i;
	uint64_t value = UINT64_C(0x123456789abcdef0);

	ebb_set_value(n, value);
	ck_assert_uint_eq(ebb_value(n), value);
	written(0, EBB_CSR_CTR(n), __riscv_xlen == 32 ? 0 : value);
	ebb_load(n, 5);
	ck_assert_uint_eq(ebb_value(n), (uint64_t)-5);
}

TEST(there_is_no_counter_before_or_behind_them)
{
	ebb_set_value(2, 7);
	ebb_set_value(32, 7);
	ck_assert_uint_eq(n_writes, 0);
	csrs[EBB_CSR_CTR(2)] = csrs[EBB_CSR_CTR(32)] = 7;
	ck_assert_uint_eq(ebb_value(2), 0);
	ck_assert_uint_eq(ebb_value(32), 0);
}

/* RV64 has one access for each. */
TEST(halves_of_a_counter_that_runs_belong_together)
{
	ebb_set_value(3, UINT64_C(0x5fffffff0));
	if (__riscv_xlen == 32) {
		ck_assert_uint_eq(n_writes, 3);
		written(0, EBB_CSR_CTR(3), 0);
		written(1, EBB_CSR_CTRH(3), 5);
		written(2, EBB_CSR_CTR(3), 0xfffffff0);
		carries = 2;
		ck_assert_uint_eq(ebb_value(3), UINT64_C(0x7fffffff0));
	} else {
		ck_assert_uint_eq(n_writes, 1);
		ck_assert_uint_eq(ebb_value(3), UINT64_C(0x5fffffff0));
	}
}

SUITE("guest-ebb", .setup = setup);
