/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of keys: who leaves a full set, by each policy, key by key. What is
 * drawn at random is frozen here, for a recorded run must meet it again.
 */
#include <string.h>

#include <pmu/uarch.h>

#include "uarch/assoc.h"
#include "unit.h"

enum {
	WORDS = 256,
	FREE = 99, /* nobody left */
	N_KEYS = 32
};

/* Eight or four ways of one set are full; who leaves then, by way. */
static const struct random_row {
	uint32_t ways;
	uint8_t out[N_KEYS];
} random_rows[] = {
	{ 8, { 6, 1, 1, 4, 0, 6, 4, 6, 5, 3, 7, 7, 0, 3, 0, 1,
	       0, 7, 1, 7, 7, 6, 5, 0, 2, 0, 3, 2, 7, 4, 6, 1 } },
	{ 4, { 2, 1, 1, 0, 0, 2, 0, 2, 1, 3, 3, 3, 0, 3, 0, 1,
	       0, 3, 1, 3, 3, 2, 1, 0, 2, 0, 3, 2, 3, 0, 2, 1 } },
};

TEST_ROWS(chance_is_the_same_for_ever, random_rows)
{
	const struct random_row *row = &random_rows[_i];
	uint64_t words[WORDS] = { 0 }, at[8];
	struct assoc a = { .sets = 1,
			   .ways = row->ways,
			   .replacement = PMU_REPLACE_RANDOM,
			   .words = words };
	struct assoc_victim v;

	for (uint32_t way = 0; way < row->ways; way++) {
		assoc_put(&a, (struct assoc_key){ way, 0 }, &v);
		ck_assert(!v.any);
		at[way] = way;
	}
	/* that one was used changes nothing */
	for (uint32_t way = row->ways; way-- > 0;)
		ck_assert(assoc_find(&a, (struct assoc_key){ way, 0 }));
	for (unsigned i = 0; i < N_KEYS; i++) {
		assoc_put(&a, (struct assoc_key){ 100 + i, 0 }, &v);
		ck_assert(v.any);
		ck_assert_uint_eq(v.key.number, at[row->out[i]]);
		at[row->out[i]] = 100 + i;
	}
}

/* Keys that are touched in turn, of one set of four; who leaves by each. */
static const struct order_row {
	const char *why;
	uint8_t replacement;
	uint8_t keys[12], out[12];
	unsigned n;
} order_rows[] = {
	{ "the least recently used",
	  PMU_REPLACE_LRU,
	  { 1, 2, 3, 4, 1, 5, 3, 6, 7, 8, 9, 1 },
	  { FREE, FREE, FREE, FREE, FREE, 2, FREE, 4, 1, 5, 3, 6 },
	  12 },
	{ "of the half less recently used",
	  PMU_REPLACE_PLRU,
	  { 1, 2, 3, 4, 1, 5, 3, 6, 7, 8, 9 },
	  { FREE, FREE, FREE, FREE, FREE, 3, 2, 4, 1, 5, 3 },
	  11 },
};

TEST_ROWS(a_full_set_loses_one_by_its_policy, order_rows)
{
	const struct order_row *row = &order_rows[_i];
	uint64_t words[WORDS] = { 0 };
	struct assoc a = { .sets = 1,
			   .ways = 4,
			   .replacement = row->replacement,
			   .words = words };

	for (unsigned i = 0; i < row->n; i++) {
		const struct assoc_key key = { row->keys[i], 7 };
		struct assoc_victim v = { .any = false };

		if (!assoc_find(&a, key))
			assoc_put(&a, key, &v);
		ck_assert_msg((v.any ? v.key.number : FREE) == row->out[i],
			      "%s: at %u, %llu leaves", row->why, i,
			      (unsigned long long)v.key.number);
		if (v.any)
			ck_assert_uint_eq(v.key.space, 7);
	}
}

/* The number's lowest bits are the set's; the rest and the space, the key. */
TEST_TIMES(sets_and_spaces_are_apart, 3)
{
	uint64_t words[WORDS] = { 0 };
	struct assoc a = {
		.sets = 4, .ways = 2, .replacement = (uint8_t)_i, .words = words
	};

	ck_assert_uint_eq(assoc_words(&a), 1 + 4 + 4 * 2 * 2);
	for (uint64_t n = 0; n < 4; n++) {
		ck_assert_uint_eq(assoc_set(&a, (struct assoc_key){ 8 + n, 0 }),
				  n);
		for (uint64_t space = 0; space < 2; space++)
			ck_assert(!assoc_touch(
				&a, (struct assoc_key){ 8 + n, space }));
	}
	for (uint64_t n = 0; n < 4; n++) {
		for (uint64_t space = 0; space < 2; space++)
			ck_assert(assoc_find(
				&a, (struct assoc_key){ 8 + n, space }));
		ck_assert(!assoc_find(&a, (struct assoc_key){ 8 + n, 2 }));
		ck_assert(!assoc_find(&a, (struct assoc_key){ 12 + n, 0 }));
	}
	for (size_t i = assoc_words(&a); i < WORDS; i++)
		ck_assert_uint_eq(words[i], 0);
}

TEST(a_table_that_is_not_there_has_no_words)
{
	const struct assoc a = { .ways = 4 };

	ck_assert_uint_eq(assoc_words(&a), 0);
}

SUITE("assoc");
