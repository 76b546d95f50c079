/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which mappings are told for words of a stack and of registers, any of which
 * may be an address of code, and how far they are looked for.
 */
#include <string.h>

#include "control/mappings.h"
#include "core/machine-read.h"
#include "counted-reads.h"
#include "mappings-image.h"
#include "mappings-told.h"
#include "tasks-image.h"
#include "unit.h"

#define PROG	   "10000-91000+3000 /usr/bin/prog 74565\n"
#define OTHER_AREA "200000-201000+0  0\n"

enum {
	FLAGS_CODE = 0x75,
	FLAGS_DATA = 0x73,
	MOST = 200, /* words */
};

static void begin(const struct tasks_isa *isa)
{
	tasks_begin(isa);
	mapped_begin();
}

/* What is told for a stack of these, in the guest's words. */
static const char *told_for(const uint64_t *words, size_t n)
{
	static uint8_t stack[MOST * 8];
	size_t size = tasks_isa->xlen / 8;

	ck_assert_uint_le(n, MOST);
	for (size_t i = 0; i < n; i++)
		memcpy(stack + i * size, &words[i], size);
	mappings_asked.stack = stack;
	mappings_asked.n_stack = n * size;
	mappings_told_of(NULL, 0);
	mappings_asked.n_stack = 0;
	return mappings_text;
}

static const struct word_row {
	const char *why, *want;
	uint64_t word, flags; /* of the area of a file */
} word_rows[] = {
	{ "code", PROG, MAPPED_START, FLAGS_CODE },
	{ "its last instruction", PROG, MAPPED_END - 2, FLAGS_CODE },
	{ "behind it", "", MAPPED_END, FLAGS_CODE },
	{ "an address of no instruction", "", MAPPED_START + 1, FLAGS_CODE },
	{ "data", "", MAPPED_START, FLAGS_DATA },
	{ "nothing", "", 0, FLAGS_CODE },
	{ "beyond all", "", UINT64_MAX - 1, FLAGS_CODE },
};

TEST_ROWS(of_words_code_is_told, word_rows)
{
	const struct word_row *row = &word_rows[_i];

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		begin(&tasks_isas[i]);
		mapped_put(MAPPED_AREA, AT_VM_FLAGS, row->flags);
		ck_assert_msg(strcmp(told_for(&row->word, 1), row->want) == 0,
			      "%s: %s", row->why, mappings_text);
		tasks_end();
	}
}

TEST(where_an_instruction_was_data_is_told_too)
{
	begin(RV64);
	mapped_put(MAPPED_AREA, AT_VM_FLAGS, FLAGS_DATA);
	ck_assert_str_eq(mappings_told(MAPPED_START), PROG);
	tasks_end();
}

TEST(all_that_words_lead_to_is_told_once)
{
	const uint64_t words[] = { 2, MAPPED_START + 8, MAPPED_OTHER_START,
				   MAPPED_START };

	for (unsigned i = 0; i < TASKS_ISAS; i++) {
		begin(&tasks_isas[i]);
		ck_assert_str_eq(told_for(words, 4), PROG OTHER_AREA);
		ck_assert_str_eq(told_for(words, 4), "");
		ck_assert_str_eq(mappings_told(MAPPED_START), "");
		tasks_end();
	}
}

TEST(registers_come_first)
{
	const uint64_t registers[] = { MAPPED_OTHER_START, MAPPED_START };

	begin(RV64);
	mappings_asked.word = registers;
	mappings_asked.n_words = 1;
	ck_assert_str_eq(told_for(&registers[1], 1), OTHER_AREA PROG);
	tasks_end();
}

TEST(a_part_of_a_word_is_none)
{
	const uint64_t words[] = { 0, MAPPED_START };
	uint8_t stack[sizeof(words)];

	begin(RV64);
	memcpy(stack, words, sizeof(words));
	mappings_asked.stack = stack;
	for (mappings_asked.n_stack = 0; mappings_asked.n_stack < sizeof(stack);
	     mappings_asked.n_stack++)
		ck_assert_str_eq(mappings_told_of(NULL, 0), "");
	ck_assert_str_eq(mappings_told_of(NULL, 0), PROG);
	tasks_end();
}

/* How far they are looked for: reads of the machine's memory are counted. */

static unsigned reads_for(const uint64_t *words, size_t n)
{
	counted_reads = 0;
	told_for(words, n);
	return counted_reads;
}

static const struct place_row {
	const char *why;
	uint64_t first, last;
} place_rows[] = {
	{ "small numbers", 0, 0xffe },
	{ "what is free below a mapping", 0x1000, MAPPED_START - 2 },
	{ "mapped", MAPPED_START, MAPPED_END - 2 },
	{ "free between two", MAPPED_END, MAPPED_OTHER_START - 2 },
	{ "the kernel's", MAPPED_OTHER_END + 2, UINT64_MAX - 1 },
};

/* Free as mapped: each place is the tree's one. */
TEST_ROWS(a_place_is_looked_up_once, place_rows)
{
	const struct place_row *row = &place_rows[_i];
	const uint64_t words[] = { row->first, row->last, row->first + 8 };

	begin(RV64);
	told_for(words, 1);
	ck_assert_uint_gt(reads_for(words, 1), reads_for(words, 0));
	ck_assert_msg(reads_for(words, 3) == reads_for(words, 1), "%s",
		      row->why);
	for (unsigned i = 0; i < ARRAY_SIZE(place_rows); i++) {
		const uint64_t both[] = { row->first, place_rows[i].last };

		ck_assert_msg((reads_for(both, 2) > reads_for(both, 1)) ==
				      (&place_rows[i] != row),
			      "%s, and %s", row->why, place_rows[i].why);
	}
	tasks_end();
}

/* Of what cannot be read no place is known: each is one of its own. */
static void spoil(void)
{
	mapped_point(MAPPED_AREA, AT_AREA_MM, 0);
}

TEST(so_many_places_are_looked_up_and_no_more)
{
	uint64_t words[MOST];

	begin(RV64);
	spoil();
	for (unsigned i = 0; i < MOST; i++)
		words[i] = MAPPED_START + 2 * i;
	ck_assert_uint_gt(reads_for(words, 32), reads_for(words, 31));
	ck_assert_uint_eq(reads_for(words, 33), reads_for(words, 32));
	ck_assert_uint_eq(reads_for(words, MOST), reads_for(words, 32));
	words[31] = MAPPED_OTHER_START;
	ck_assert_str_eq(told_for(words, MOST), OTHER_AREA);
	tasks_end();
}

TEST(what_stands_behind_them_is_not_known)
{
	uint64_t words[33];

	begin(RV64);
	spoil();
	for (unsigned i = 0; i < 32; i++)
		words[i] = MAPPED_START + 2 * i;
	words[32] = MAPPED_OTHER_START;
	ck_assert_str_eq(told_for(words, 33), "");
	ck_assert_str_eq(told_for(words + 1, 32), OTHER_AREA);
	tasks_end();
}

SUITE("mappings-words", .setup = mappings_setup);
