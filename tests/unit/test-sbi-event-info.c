/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU function 8: conformance H.
 */
#include "fw-fixture.h"

enum {
	LIST = 0x100,
	ENTRY = 16,
	OLD = 0xdead
};

static void put(struct bench *b, unsigned i, uint32_t idx, uint64_t data)
{
	bench_store(b, LIST + i * ENTRY, idx, 4);
	bench_store(b, LIST + i * ENTRY + 4, OLD, 4);
	bench_store(b, LIST + i * ENTRY + 8, data, 8);
}

static uint32_t output(const struct bench *b, unsigned i)
{
	return (uint32_t)bench_load(b, LIST + i * ENTRY + 4, 4);
}

static const struct info_row {
	const char *rule, *why;
	uint32_t idx;
	uint64_t data;
	uint64_t without;
	int spec, opensbi; /* the output, or an error */
} info_rows[] = {
	{ RULE("C86"), "cycles", 1, 0, 0, 1, 1 },
	{ RULE("C86"), "instructions, fixed only", 2, 0, PMU_EXT_SSCOFPMF, 1,
	  1 },
	{ RULE("C86"), "branches", 5, 0, 0, 1, 1 },
	{ RULE("C86"), "cache misses", 4, 0, 0, 0, 0 },
	{ RULE("C86"), "no event", 0, 0, 0, 0, 0 },
	{ RULE("C86"), "unknown", 0x1234, 0, 0, 0, 0 },
	{ RULE("C86"), "raw that counts", 0x20000, 5, 0, 1, 1 },
	{ RULE("C86"), "raw that does not", 0x20000, 6, 0, 0, 0 },
	{ RULE("C86"), "raw 0", 0x30000, 0, 0, 0, 0 },
	{ RULE("C86"), "firmware", FW_TIMER, 0, 0, 1, 1 },
	{ RULE("C86"), "firmware 22", 0xf0016, 0, 0, 0, 0 },
	{ RULE("C86"), "platform's", 0xfffff, 0, 0, 0, 0 },
	{ RULE("C87"), "data of a general event", 5, 77, 0, 1, 1 },
	{ RULE("C87"), "data of a firmware event", FW_TIMER, 77, 0, 1, 1 },
	{ RULE("C83"), "bit 20", 0x100001, 0, 0, -3, 0 },
	{ RULE("C83"), "bit 20, firmware", 0x1f0005, 0, 0, -3, 0 },
	{ RULE("C83"), "bit 31", 0x80000001, 0, 0, -3, 0 },
};

TEST_TIMES(an_entry_is_answered, 2 * ARRAY_SIZE(info_rows))
{
	const struct info_row *row = &info_rows[_i / 2];
	int want = _i & 1 ? row->opensbi : row->spec;
	struct opts o = { .profile = _i & 1, .without = row->without };
	struct sbi_ret ret;
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	put(&b, 0, 1, 0);
	put(&b, 1, row->idx, row->data);
	ret = PMU(&b, EVENTS, RAM_BASE + LIST, 0, 2);
	ck_assert_msg(want < 0 ? ret.error == want : !ret.error, "%s",
		      row->why);
	ck_assert_uint_eq(ret.value, 0);
	/* A whole word, or nothing at all. */
	shows(RULE("C85 C89"));
	ck_assert_uint_eq(output(&b, 0), want < 0 ? OLD : 1);
	ck_assert_msg(output(&b, 1) == (want < 0 ? OLD : (uint32_t)want),
		      "%s: %u", row->why, output(&b, 1));
	ck_assert_uint_eq(bench_load(&b, LIST + ENTRY, 4), row->idx);
	ck_assert_uint_eq(bench_load(&b, LIST + ENTRY + 8, 8), row->data);
	bench_fini(&b);
}

#define HIGH UINT64_C(0x180000000)

static const struct list_row {
	const char *rule, *why;
	unsigned xlen;
	uint64_t ram, lo, hi, n, flags;
	int spec, opensbi;
} list_rows[] = {
	{ RULE("C83"), "good", 64, RAM_BASE, RAM_BASE, 0, 1, 0, 0, 0 },
	{ RULE("C83"), "all of RAM", 64, RAM_BASE, RAM_BASE, 0, RAM_SIZE / 16,
	  0, 0, 0 },
	{ RULE("C83"), "flags", 64, RAM_BASE, RAM_BASE, 0, 1, 1, -3, -3 },
	{ RULE("C83"), "not aligned", 64, RAM_BASE, RAM_BASE + 8, 0, 1, 0, -3,
	  -3 },
	{ RULE("C84"), "no entries", 64, RAM_BASE, RAM_BASE, 0, 0, 0, -3, -3 },
	{ RULE("C83"), "no entries before no RAM", 64, RAM_BASE, 0, 0, 0, 0, -3,
	  -3 },
	{ RULE("C83"), "hi on RV64", 64, RAM_BASE, RAM_BASE, 1, 1, 0, -5, -5 },
	{ RULE("C88"), "address 0", 64, RAM_BASE, 0, 0, 1, 0, -5, -5 },
	{ RULE("C88"), "one too many", 64, RAM_BASE, RAM_BASE, 0,
	  RAM_SIZE / 16 + 1, 0, -5, -5 },
	{ RULE("C88"), "size overflows", 64, RAM_BASE, RAM_BASE, 0,
	  UINT64_C(1) << 60, 0, -5, -5 },
	{ RULE("C88"), "size overflows to one", 64, RAM_BASE, RAM_BASE, 0,
	  (UINT64_C(1) << 60) + 1, 0, -5, -5 },
	{ RULE("C88"), "wraps", 64, RAM_BASE, UINT64_MAX - 15, 0, 2, 0, -5,
	  -5 },
	{ RULE("C141"), "34 bits on RV32", 32, HIGH, RAM_BASE, 1, 1, 0, 0, -5 },
};

TEST_TIMES(the_list_is_checked, 2 * ARRAY_SIZE(list_rows))
{
	const struct list_row *row = &list_rows[_i / 2];
	struct opts o = { .profile = _i & 1, .xlen = row->xlen };
	int want = _i & 1 ? row->opensbi : row->spec;
	uint8_t before[RAM_SIZE];
	struct bench b;

	shows(row->rule);
	bench_init(&b, &o);
	b.ram_base = row->ram;
	memcpy(before, b.ram, sizeof(before));
	ck_assert_msg(PMU_ERR(&b, EVENTS, row->lo, row->hi, row->n,
			      row->flags) == want,
		      "%s", row->why);
	ck_assert_int_eq(memcmp(before, b.ram, sizeof(before)), 0);
	bench_fini(&b);
}

/* Whatever is configured now. */
TEST_TIMES(busy_counters_change_nothing, 2)
{
	struct opts o = { .profile = _i, .hpm_mask = 8, .fw_counters = 1 };
	struct bench b;

	shows(RULE("C86"));
	bench_init(&b, &o);
	PMU(&b, CFG, 3, 1, AUTO, 5);
	PMU(&b, CFG, 4, 1, AUTO, FW_TIMER);
	PMU(&b, CFG, 0, 1, AUTO, 1);
	put(&b, 0, 5, 0);
	put(&b, 1, FW_TIMER + 1, 0);
	put(&b, 2, 1, 0);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 3), 0);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(output(&b, i), 1);
	bench_fini(&b);
}

/* Several chunks, the bad entry in the last. */
TEST(a_long_list_is_checked_first)
{
	struct opts o = { 0 };
	struct bench b;

	shows(RULE("C89"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < 200; i++)
		put(&b, i, i == 199 ? 0x100001 : 1 + i % 5, 0);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 200), -3);
	for (unsigned i = 0; i < 200; i++)
		ck_assert_uint_eq(output(&b, i), OLD);
	put(&b, 199, 1, 0);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 200), 0);
	for (unsigned i = 0; i < 199; i++)
		ck_assert_uint_eq(output(&b, i), i % 5 < 2 || i % 5 == 4);
	bench_fini(&b);
}

/* Nobody waits for a list that is as long as a large machine's RAM. */
TEST_TIMES(a_list_has_a_limit, 2)
{
	struct opts o = { .profile = _i };
	const uint64_t most = 65536;
	struct bench b;

	shows(RULE("C83 C89"));
	bench_init(&b, &o);
	b.ram_bytes = (most + 1) * ENTRY;
	put(&b, 0, 1, 0);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE, 0, most + 1), -1);
	ck_assert_uint_eq(output(&b, 0), OLD);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE, 0, most + 2), -5);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE, 0, most), 0);
	ck_assert_uint_eq(output(&b, 0), 1);
	bench_fini(&b);
}

/* Once it has returned the memory is the caller's. */
TEST_TIMES(the_list_is_left_alone_afterwards, 2)
{
	struct opts o = { .profile = _i };
	uint8_t before[RAM_SIZE];
	struct bench b;

	shows(RULE("C90"));
	bench_init(&b, &o);
	put(&b, 0, 1, 0);
	put(&b, 1, FW_TIMER, 0);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 2), 0);
	memset(b.ram + LIST, 0x5a, 2 * ENTRY);
	memcpy(before, b.ram, sizeof(before));
	PMU(&b, CFG, 3, 1, AUTO, 1);
	PMU(&b, CFG, 32, 1, AUTO, FW_TIMER);
	CALL(&b, TIME_EID, 0, 100);
	bench_run(&b, 0, 100);
	PMU(&b, STOP, 3, 1, RESET);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 0), -3);
	ck_assert_int_eq(memcmp(before, b.ram, sizeof(before)), 0);
	bench_fini(&b);
}

static bool is_seven(void *platform, uint64_t event_data)
{
	return event_data == 7;
}

/* Of these event_data says which one it is. */
TEST_TIMES(platform_events_are_told, 2)
{
	static const struct fw_platform_ops ops = { .has_platform_event =
							    is_seven };
	struct opts o = { .profile = _i, .platform = &ops };
	struct bench b;

	shows(RULE("C87 C98"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < 3; i++)
		put(&b, i, 0xfffff, 6 + i);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 3), 0);
	for (unsigned i = 0; i < 3; i++)
		ck_assert_uint_eq(output(&b, i), i == 1);
	bench_fini(&b);
}

/* Answers of one call are remembered, by more than part of their event. */
TEST_TIMES(answers_are_not_mixed_up, 2)
{
	static const struct {
		uint32_t idx;
		uint64_t data;
		unsigned want;
	} entries[] = {
		{ 0x20000, 5, 1 },
		{ 0x20000, 5 + 256, 0 },
		{ 0x30000, 5, 1 },
		{ 0x20000, 5 + 4096, 0 },
		{ 5, 0, 1 },
		{ 5, 256, 1 },
		{ 0xf0005, 0, 1 },
		{ 0xf0105, 0, 0 },
		{ 1, UINT64_C(1) << 40, 1 },
		{ 0x20000, UINT64_C(1) << 40, 0 },
	};
	struct opts o = { .profile = _i };
	struct bench b;

	shows(RULE("C86 C87"));
	bench_init(&b, &o);
	for (unsigned i = 0; i < 200; i++)
		put(&b, i, entries[i % ARRAY_SIZE(entries)].idx,
		    entries[i % ARRAY_SIZE(entries)].data);
	ck_assert_int_eq(PMU_ERR(&b, EVENTS, RAM_BASE + LIST, 0, 200), 0);
	for (unsigned i = 0; i < 200; i++)
		ck_assert_uint_eq(output(&b, i),
				  entries[i % ARRAY_SIZE(entries)].want);
	bench_fini(&b);
}

SUITE("sbi-event-info");
