/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is kept of the memory that a call accesses: core/call-memory.c. A row
 * is a script: each step as often as it says, one behind the other in memory or
 * apart, and the accesses that are told of it.
 */
#include <string.h>

#include "core/call-memory.h"
#include "unit.h"

enum {
	MAX_STEPS = 6,
	APART = 0x100000, /* from one access that is apart to the next */
};
#define AT UINT64_C(0x80000000)

static struct call_memory *memory;

static void setup(void)
{
	memory = call_memory_new();
	PREPARING(ck_assert_ptr_nonnull(memory));
}

static void teardown(void)
{
	call_memory_free(memory);
}

struct step {
	char what; /* Read, Write, or Apart of both: read elsewhere */
	size_t len;
	unsigned times;
};

struct told {
	uint64_t paddr, len;
	size_t n_bytes;
	bool written;
};

static const struct script_row {
	const char *name;
	struct step step[MAX_STEPS];
	size_t n;
	struct told told[4]; /* the first of them, or */
	struct told last;
	uint64_t more, more_read, more_written;
} script_rows[] = {
	{ "nothing", .n = 0 },
	{ "one", { { 'R', 8, 1 } }, 1, { { AT, 8, 8, false } } },
	{ "a write", { { 'W', 8, 1 } }, 1, { { AT, 8, 8, true } } },
	{ "one behind the other is one",
	  { { 'R', 8, 3 } },
	  1,
	  { { AT, 24, 24, false } } },
	{ "reads and writes are two",
	  { { 'R', 8, 2 }, { 'W', 4, 2 }, { 'R', 1, 1 } },
	  3,
	  { { AT, 16, 16, false },
	    { AT + 16, 8, 8, true },
	    { AT + 24, 1, 1, false } } },
	{ "apart are two",
	  { { 'A', 8, 2 } },
	  2,
	  { { AT + APART, 8, 8, false }, { AT + 2 * APART, 8, 8, false } } },
	{ "no bytes are none", { { 'R', 0, 3 }, { 'W', 0, 1 } }, .n = 0 },
	{ "of none nothing follows",
	  { { 'R', 4, 1 }, { 'W', 0, 1 }, { 'R', 4, 1 } },
	  1,
	  { { AT, 8, 8, false } } },
	{ "a page", { { 'R', 4096, 1 } }, 1, { { AT, 4096, 4096, false } } },
	{ "a byte more",
	  { { 'R', 4097, 1 } },
	  1,
	  { { AT, 4097, 4096, false } } },
	{ "a byte more, piece by piece",
	  { { 'W', 4095, 1 }, { 'W', 2, 1 }, { 'W', 1, 5 } },
	  1,
	  { { AT, 4102, 4096, true } } },
	{ "as many bytes as a call has",
	  { { 'A', 4096, 4 }, { 'A', 1, 1 } },
	  5,
	  .last = { AT + 5 * APART, 1, 0, false } },
	{ "one byte less, and one more",
	  { { 'A', 4096, 3 }, { 'A', 4095, 1 }, { 'A', 2, 1 } },
	  5,
	  .last = { AT + 5 * APART, 2, 1, false } },
	/* what is left out in the middle is not made up for behind it */
	{ "those behind what was left out are left out",
	  { { 'A', 4096, 3 }, { 'A', 4095, 1 }, { 'W', 4, 2 } },
	  5,
	  .last = { AT, 8, 1, true } },
	{ "as many accesses as a call has",
	  { { 'A', 1, 256 } },
	  256,
	  .last = { AT + 256 * APART, 1, 1, false } },
	{ "the last of them can be longer",
	  { { 'A', 1, 255 }, { 'W', 2, 2 } },
	  256,
	  .last = { AT, 4, 4, true } },
	{ "more than that are counted",
	  { { 'A', 1, 257 }, { 'W', 3, 2 } },
	  256,
	  .last = { AT + 256 * APART, 1, 1, false },
	  .more = 3,
	  .more_read = 1,
	  .more_written = 6 },
	/* though it would go on where the last one that is told ends */
	{ "what comes behind those is of them",
	  { { 'A', 1, 255 }, { 'W', 2, 1 }, { 'A', 1, 1 }, { 'W', 2, 1 } },
	  256,
	  .last = { AT, 2, 2, true },
	  .more = 2,
	  .more_read = 1,
	  .more_written = 2 },
};

/* A byte says where it is, and never what is next to it. */
static uint8_t byte_at(uint64_t paddr)
{
	return (uint8_t)(paddr * 7 + (paddr >> 8) + (paddr >> 16));
}

static uint64_t take(const struct step *s, uint64_t at, uint64_t *apart)
{
	static uint8_t bytes[8192];
	uint64_t paddr = at;

	if (s->what == 'A')
		paddr = *apart += APART;
	for (size_t i = 0; i < s->len; i++)
		bytes[i] = byte_at(paddr + i);
	if (s->what == 'W')
		call_memory_written(memory, paddr, bytes, s->len);
	else
		call_memory_read(memory, paddr, bytes, s->len);
	/* what is kept is no longer the caller's */
	memset(bytes, 0xee, sizeof(bytes));
	return s->what == 'A' ? at : at + s->len;
}

static const struct record_memory *play(const struct script_row *row)
{
	uint64_t at = AT, apart = AT;

	call_memory_begin(memory);
	for (size_t i = 0; i < MAX_STEPS; i++)
		for (unsigned k = 0; k < row->step[i].times; k++)
			at = take(&row->step[i], at, &apart);
	return call_memory_end(memory);
}

static void check(const struct record_access *got, const struct told *want)
{
	ck_assert_uint_eq(got->paddr, want->paddr);
	ck_assert_uint_eq(got->len, want->len);
	ck_assert_uint_eq(got->n_bytes, want->n_bytes);
	ck_assert_int_eq(got->written, want->written);
}

static void check_all(const struct script_row *row,
		      const struct record_memory *told)
{
	ck_assert_msg(told->n == row->n, "%s: %zu", row->name, told->n);
	for (size_t i = 0; i < row->n && i < 4 && row->told[i].len; i++)
		check(&told->access[i], &row->told[i]);
	if (row->last.len)
		check(&told->access[row->n - 1], &row->last);
	ck_assert_uint_eq(told->more, row->more);
	ck_assert_uint_eq(told->more_read, row->more_read);
	ck_assert_uint_eq(told->more_written, row->more_written);
	for (size_t i = 0; i < told->n; i++)
		for (size_t k = 0; k < told->access[i].n_bytes; k++)
			ck_assert_uint_eq(told->access[i].bytes[k],
					  byte_at(told->access[i].paddr + k));
}

TEST_ROWS(accesses_are_told_within_their_limits, script_rows)
{
	check_all(&script_rows[_i], play(&script_rows[_i]));
}

/* The one before leaves nothing. */
TEST_ROWS(each_call_begins_anew, script_rows)
{
	for (size_t i = 0; i < ARRAY_SIZE(script_rows); i++) {
		play(&script_rows[_i]);
		check_all(&script_rows[i], play(&script_rows[i]));
	}
}

/* A client's call, or a walk of a table for what is no call. */
TEST(what_is_accessed_for_no_call_is_nobodys)
{
	const struct record_memory *told;

	call_memory_read(memory, AT, "abc", 3);
	call_memory_begin(memory);
	told = call_memory_end(memory);
	ck_assert_uint_eq(told->n, 0);
	call_memory_written(memory, AT, "abc", 3);
	ck_assert_uint_eq(told->n, 0);
	ck_assert_uint_eq(told->more, 0);
}

SUITE("call-memory", .setup = setup, .teardown = teardown);
