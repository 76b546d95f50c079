/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory writes from outside through a hart's translation: all of one is done,
 * or nothing.
 */
#include <string.h>

#include <pmu/csr-number.h>

#include "core/machine-read.h"
#include "machine-script.h"

enum {
	PAGE = 4096,
	ROOT = 0x300000, /* behind RAM's base */
	MIDDLE = ROOT + PAGE,
	TABLE = MIDDLE + PAGE, /* maps itself at 0, DATA behind it */
	DATA = TABLE + PAGE,
	POINTER = 0x01,
	LEAF = 0xc7, /* D A W R V */
	RESULT = 0xaa,
};

static const struct fake_op loop_ops[] = {
	NOP, NOP, NOP, { FAKE_JUMP, 0, 0, 0, BOARD_S_ENTRY }
};

static void put(unsigned at, uint64_t to, uint64_t flags)
{
	const uint64_t pte = (BASE + to) >> 12 << 10 | flags;
	struct input in = {
		.kind = INPUT_MEMORY_WRITE,
		.memory_write = { BASE + at, (const uint8_t *)&pte, 8, false },
	};
	struct error e;

	ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text);
}

static void set_satp(void)
{
	struct input in = {
		.kind = INPUT_CSR_WRITE,
		.csr_write = { PMU_CSR_SATP,
			       UINT64_C(8) << 60 | (BASE + ROOT) >> 12 },
	};
	struct error e;

	ck_assert_msg(machine_input(f.m, &in, NULL, &e), "%s", e.text);
}

/* Paused in S-mode, with three levels of tables. */
static void setup(void)
{
	fake = (struct fake_script){ .ops = loop_ops,
				     .n = ARRAY_SIZE(loop_ops),
				     .base = BOARD_S_ENTRY,
				     .block = 1 };
	fixture_init(&f, &(struct fixture_config){ .address = BOARD_S_ENTRY,
						   .image = loop_ops,
						   .image_size = 16 });
	ck_assert(machine_start(f.m, true, NULL));
	put(ROOT, MIDDLE, POINTER);
	put(MIDDLE, TABLE, POINTER);
	put(TABLE, TABLE, LEAF);
	put(TABLE + 8, DATA, LEAF);
	set_satp();
}

static bool write_all(uint64_t vaddr, size_t len, struct error *e)
{
	static uint8_t bytes[4 * PAGE];
	struct input in = { .kind = INPUT_MEMORY_WRITE,
			    .memory_write = { vaddr, bytes, len, true } };

	memset(bytes, RESULT, sizeof(bytes));
	return machine_input(f.m, &in, NULL, e);
}

static uint8_t byte_at(unsigned at)
{
	uint8_t byte;

	ck_assert(machine_read_memory(f.m, BASE + at, &byte, 1));
	return byte;
}

/* Its first page is the table that says where the second one is. */
TEST(a_write_over_its_own_translation_is_done_whole)
{
	struct error e;

	ck_assert_msg(write_all(0, 2 * PAGE, &e), "%s", e.text);
	ck_assert_uint_eq(byte_at(TABLE + 8), RESULT);
	ck_assert_uint_eq(byte_at(DATA), RESULT);
	ck_assert_uint_eq(byte_at(DATA + PAGE - 1), RESULT);
	ck_assert(!write_all(PAGE, 1, &e));
}

TEST(a_write_that_ends_nowhere_writes_nothing)
{
	struct error e;

	ck_assert(!write_all(PAGE, 2 * PAGE, &e));
	ck_assert_str_eq(e.reason, "NO_MEMORY_THERE");
	ck_assert_uint_eq(byte_at(DATA), 0);
}

/* Behind each other for the hart, and not in memory; from the end of one on. */
TEST(each_page_of_a_write_goes_where_it_is)
{
	const unsigned first = DATA + 4 * PAGE, second = DATA + 2 * PAGE;
	struct error e;

	put(TABLE + 8, first, LEAF);
	put(TABLE + 16, second, LEAF);
	put(TABLE + 24, DATA, LEAF);
	ck_assert_msg(write_all(2 * PAGE - 4, PAGE + 7, &e), "%s", e.text);
	ck_assert_uint_eq(byte_at(first + PAGE - 5), 0);
	ck_assert_uint_eq(byte_at(first + PAGE - 4), RESULT);
	ck_assert_uint_eq(byte_at(first + PAGE), 0);
	ck_assert_uint_eq(byte_at(second - 1), 0);
	ck_assert_uint_eq(byte_at(second), RESULT);
	ck_assert_uint_eq(byte_at(second + PAGE - 1), RESULT);
	ck_assert_uint_eq(byte_at(second + PAGE), 0);
	ck_assert_uint_eq(byte_at(DATA + 2), RESULT);
	ck_assert_uint_eq(byte_at(DATA + 3), 0);
}

SUITE("memory-write", .setup = setup, .teardown = teardown);
