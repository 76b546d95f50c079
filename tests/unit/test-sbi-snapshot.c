/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The snapshot page: conformance F.
 */
#include "fw-fixture.h"

enum {
	PAGE_AT = 0x4000,
	PAGE = 0x1000,
	VALUES = PAGE_AT + 8,
	JUNK = 0xa5
};

#define ONES UINT64_MAX
#define HIGH UINT64_C(0x180000000)

static const struct shmem_row {
	const char *rule, *why;
	unsigned xlen;
	uint64_t ram, lo, hi, flags;
	int spec, opensbi;
	bool on; /* spec */
} shmem_rows[] = {
	{ RULE("C74"), "a page", 64, RAM_BASE, RAM_BASE, 0, 0, 0, 0, true },
	{ RULE("C74"), "flags", 64, RAM_BASE, RAM_BASE, 0, 1, -3, -3, false },
	{ RULE("C74"), "not aligned", 64, RAM_BASE, RAM_BASE + 8, 0, 0, -3, -3,
	  false },
	{ RULE("C74"), "lo -1 alone", 64, RAM_BASE, ONES, 0, 0, -3, -3, false },
	{ RULE("C74"), "hi -1 alone", 64, RAM_BASE, RAM_BASE, ONES, 0, -5, -5,
	  false },
	{ RULE("C74"), "hi on RV64", 64, RAM_BASE, RAM_BASE, 1, 0, -5, -5,
	  false },
	{ RULE("C74"), "no RAM", 64, RAM_BASE, 0x1000, 0, 0, -5, -5, false },
	{ RULE("C74"), "0", 64, RAM_BASE, 0, 0, 0, -5, -5, false },
	{ RULE("C74"), "behind RAM", 64, RAM_BASE, RAM_BASE + RAM_SIZE, 0, 0,
	  -5, -5, false },
	{ RULE("C74"), "off", 64, RAM_BASE, ONES, ONES, 0, 0, 0, false },
	{ RULE("C201"), "off with flags", 64, RAM_BASE, ONES, ONES, 1, -3, -3,
	  false },
	{ RULE("C74"), "off on RV32", 32, RAM_BASE, UINT32_MAX, UINT32_MAX, 0,
	  0, 0, false },
	{ RULE("C141"), "34 bits on RV32", 32, HIGH, RAM_BASE, 1, 0, 0, -5,
	  true },
	{ RULE("C141"), "35 bits on RV32", 32, HIGH, RAM_BASE, 5, 0, -5, -5,
	  false },
};

static int set_page(struct bench *b)
{
	memset(b->ram, JUNK, sizeof(b->ram));
	return PMU_ERR(b, SHMEM, RAM_BASE + PAGE_AT, 0, 0);
}

TEST_TIMES(the_page_is_checked, 2 * ARRAY_SIZE(shmem_rows))
{
	const struct shmem_row *row = &shmem_rows[_i / 2];
	struct opts o = { .profile = _i & 1, .xlen = row->xlen };
	struct bench b;
	struct sbi_ret ret;

	shows(row->rule);
	bench_init(&b, &o);
	b.ram_base = row->ram;
	ret = PMU(&b, SHMEM, row->lo, row->hi, row->flags);
	ck_assert_msg(ret.error == (_i & 1 ? row->opensbi : row->spec), "%s",
		      row->why);
	shows(RULE("C190"));
	ck_assert_uint_eq(ret.value, 0);
	if (!(_i & 1))
		ck_assert_int_eq(PMU_ERR(&b, STOP, 0, 1, SNAP),
				 row->on ? 0 : -9);
	bench_fini(&b);
}

/* A property of the machine. */
TEST_TIMES(without_snapshot_there_is_no_page, 2)
{
	struct opts o = { .profile = _i, .no_snapshot = true };
	struct bench b;

	shows(RULE("C77"));
	bench_init(&b, &o);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, RAM_BASE), -2);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, RAM_BASE, 0, 1), -2);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, ONES, ONES), -2);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 0, 1, SNAP), -9);
	bench_fini(&b);
}

/* Every byte of the page but these entries is as it was. */
static void check_rest(const struct bench *b, unsigned first, uint64_t entries)
{
	for (unsigned i = first; i < PAGE; i++)
		if (i < 8 || i >= 8 + 512 || !(entries >> (i - 8) / 8 & 1))
			ck_assert_msg(b->ram[PAGE_AT + i] == JUNK, "byte %u",
				      i);
}

/* Relative to the base, so is the bitmap. */
TEST_TIMES(stop_writes_the_set, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C68 C69 C70 C71 C73"));
	bench_init(&b, &o);
	ck_assert_int_eq(set_page(&b), 0);
	check_rest(&b, 0, 0);
	for (unsigned i = 0; i < 3; i++)
		PMU(&b, CFG, 5, 7, 0, 2);
	bench_overflow(&b, 6);
	PMU(&b, START, 5, 1, INIT, 100);
	PMU(&b, START, 7, 1, INIT, 200);
	bench_run(&b, 0, 3);
	check_rest(&b, 0, 0);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 5, 3, SNAP), 0);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 2);
	ck_assert_uint_eq(bench_load(&b, VALUES, 8), 103);
	ck_assert_uint_eq(bench_load(&b, VALUES + 8, 8), 3);
	check_rest(&b, 8, 3);
	/* A bit of an earlier call does not stay. */
	ck_assert_int_eq(PMU_ERR(&b, STOP, 7, 1, SNAP), 0);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 0);
	ck_assert_uint_eq(bench_load(&b, VALUES, 8), 203);
	bench_fini(&b);
}

/* Those that were stopped too, but none without a mapping. */
TEST_TIMES(stop_writes_stopped_counters, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C67 C196"));
	bench_init(&b, &o);
	set_page(&b);
	PMU(&b, CFG, 3, 3, 0, 2);
	PMU(&b, CFG, 3, 3, AUTO, 2);
	bench_run(&b, 0, 3);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 7, SNAP), _i ? 0 : -8);
	ck_assert_uint_eq(bench_load(&b, VALUES, 8), 0);
	ck_assert_uint_eq(bench_load(&b, VALUES + 8, 8), 3);
	check_rest(&b, 8, 3);
	bench_fini(&b);
}

TEST(without_a_mapping_nothing_is_written)
{
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C54"));
	bench_init(&b, &o);
	set_page(&b);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 7, SNAP), -3);
	check_rest(&b, 0, 0);
	bench_fini(&b);
}

/* Value and overflow first, then the mapping goes. */
TEST_TIMES(reset_comes_after_the_snapshot, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C72"));
	bench_init(&b, &o);
	set_page(&b);
	PMU(&b, CFG, 3, 1, 0, 2);
	bench_overflow(&b, 3);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP | RESET), 0);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 1);
	ck_assert(!bench_shows_of(&b, 3));
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1), -3);
	bench_fini(&b);
}

/* Never OF that only keeps the interrupt off. */
TEST(an_of_that_no_overflow_set_is_not_shown)
{
	struct opts o = { .profile = FW_PROFILE_OPENSBI };
	struct bench b;

	shows(RULE("C71"));
	bench_init(&b, &o);
	set_page(&b);
	PMU(&b, CFG, 3, 1, 0, 2);
	ck_assert(bench_shows_of(&b, 3));
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP), -8);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 0);
	bench_fini(&b);
}

/* Nor without Sscofpmf any counter; firmware counters are their values. */
TEST_TIMES(firmware_counters_have_no_overflow, 2)
{
	struct opts o = { .without = _i ? PMU_EXT_SSCOFPMF : 0 };
	struct bench b;

	shows(RULE("C71 C196"));
	bench_init(&b, &o);
	set_page(&b);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER);
	PMU(&b, CFG, 0, ~UINT64_C(7) & UINT32_MAX, 0, 5);
	PMU(&b, START, 3, 1, INIT, ONES);
	PMU(&b, START, 32, 1, INIT, ONES);
	CALL(&b, TIME_EID, 0, 5);
	CALL(&b, TIME_EID, 0, 5);
	PMU(&b, STOP, 3, UINT64_C(1) << 29 | 1, SNAP);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 0);
	ck_assert_uint_eq(bench_load(&b, VALUES, 8), ONES);
	ck_assert_uint_eq(bench_load(&b, VALUES + 29 * 8, 8), 1);
	bench_fini(&b);
}

/* Those that it starts, and no others. */
TEST_TIMES(start_loads_what_it_starts, 2)
{
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C76"));
	bench_init(&b, &o);
	set_page(&b);
	for (unsigned i = 0; i < 3; i++)
		PMU(&b, CFG, 4, 7, i == 1 ? AUTO : 0, 2);
	PMU(&b, CFG, 32, 1, 0, FW_TIMER);
	for (unsigned i = 0; i < 4; i++)
		bench_store(&b, VALUES + 8 * i, 1000 * (i + 1), 8);
	ck_assert_int_eq(PMU_ERR(&b, START, 4, 15, INIT_SNAP), _i ? 0 : -7);
	ck_assert_uint_eq(bench_value(&b, 4), 1000);
	ck_assert_uint_eq(bench_value(&b, 5), 0);
	ck_assert_uint_eq(bench_value(&b, 6), 3000);
	shows(RULE("C196"));
	ck_assert_uint_eq(bench_value(&b, 7), 0);
	PMU(&b, START, 32, 1, INIT_SNAP);
	ck_assert_uint_eq(bench_value(&b, 32), 1000);
	bench_fini(&b);
}

/* Another page replaces the first, an error leaves it. */
TEST(a_registration_is_replaced_or_kept)
{
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C75 C201"));
	bench_init(&b, &o);
	set_page(&b);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, 8), -3);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, 0), -5);
	ck_assert_int_eq(PMU_ERR(&b, SHMEM, ONES, ONES, 1), -3);
	PMU(&b, STOP, 0, 1, SNAP);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 0);
	PMU(&b, SHMEM, RAM_BASE);
	bench_store(&b, PAGE_AT, 7, 8);
	PMU(&b, STOP, 0, 1, SNAP);
	ck_assert_uint_eq(bench_load(&b, PAGE_AT, 8), 7);
	ck_assert_uint_eq(bench_load(&b, 0, 8), 0);
	PMU(&b, SHMEM, ONES, ONES);
	ck_assert_int_eq(PMU_ERR(&b, START, 0, 1, INIT_SNAP), -9);
	ck_assert_int_eq(PMU_ERR(&b, STOP, 0, 1, SNAP), -9);
	bench_fini(&b);
}

/* What CPU hotplug asks: off at any time, and each hart for itself. */
TEST_TIMES(each_hart_has_its_page, 4)
{
	static const uint64_t page[6] = { RAM_BASE }, off[6] = { ONES, ONES };
	static const uint64_t stop[6] = { 0, 1, SNAP };
	struct opts o = { .profile = _i & 1,
			  .n_harts = 2,
			  .no_snapshot = _i > 1 };
	int none = _i > 1 ? -2 : 0;
	struct bench b;

	shows(RULE("C78 C5"));
	bench_init(&b, &o);
	for (unsigned hart = 0; hart < 2; hart++) {
		ck_assert_int_eq(
			bench_call(&b, hart, PMU_EID, SHMEM, off).error, none);
		ck_assert_int_eq(
			bench_call(&b, hart, PMU_EID, SHMEM, page).error, none);
	}
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(bench_call(&b, 1, PMU_EID, SHMEM, off).error,
				 none);
	ck_assert_int_eq(bench_call(&b, 1, PMU_EID, STOP, stop).error, -9);
	ck_assert_int_eq(bench_call(&b, 0, PMU_EID, STOP, stop).error,
			 none ? -9 : 0);
	bench_fini(&b);
}

static void told(const struct bench *b, const char *want)
{
	char text[160];

	fw_refusal_text(fw_refusal(b->fw), text, sizeof(text));
	ck_assert_str_eq(text, want);
}

/* It was RAM when it was registered. */
TEST(a_page_that_cannot_be_used_is_named)
{
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	ck_assert_int_eq(set_page(&b), 0);
	PMU(&b, CFG, 3, 1, 0, 2);
	b.ram_bytes = PAGE_AT;
	ck_assert_int_eq(PMU_ERR(&b, START, 3, 1, INIT_SNAP), -1);
	told(&b, "the snapshot memory at 0x80004000 cannot be read");
	ck_assert_int_eq(PMU_ERR(&b, STOP, 3, 1, SNAP), -1);
	told(&b, "the snapshot memory at 0x80004000 cannot be written");
	bench_fini(&b);
}

static const struct mistake_row {
	const char *rule, *why;
	uint64_t base;
	bool page, told;
} mistake_rows[] = {
	{ RULE("C77"), "64 * 64, with a page", 4096, true, true },
	{ RULE("C77"), "without one", 4096, false, false },
	{ RULE("C77"), "some other base", 4095, true, false },
};

TEST_ROWS(a_base_that_linux_takes_by_mistake_is_told, mistake_rows)
{
	const struct mistake_row *row = &mistake_rows[_i];
	struct opts o = { 0 };
	struct bench b;

	bench_init(&b, &o);
	if (row->page)
		ck_assert_int_eq(set_page(&b), 0);
	shows(row->rule);
	ck_assert_int_eq(PMU_ERR(&b, START, row->base, 1, 0), -3);
	ck_assert_msg(b.mistakes == row->told, "%s", row->why);
	bench_fini(&b);
}

SUITE("sbi-snapshot");
