/* SPDX-License-Identifier: BSD-2-Clause */
/* symbols/symbol-index.c beside its definition, over small tables by dice. */
#include <stdlib.h>
#include <string.h>

#include "symbol-index.h"
#include "unit.h"

enum {
	MOST = 12,   /* symbols of a table */
	PLACES = 24, /* addresses that they begin at */
	TABLES = 1000,
};

static int allocations_left = -1; /* until there is no memory; -1: no end */

void *__wrap_calloc(size_t n, size_t size);
void *__real_calloc(size_t n, size_t size);

void *__wrap_calloc(size_t n, size_t size)
{
	if (!allocations_left)
		return NULL;
	if (allocations_left > 0)
		allocations_left--;
	return __real_calloc(n, size);
}

static uint64_t seed;

static uint64_t below(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed >> 11) % n;
}

struct table {
	struct symbol_extent all[MOST];
	size_t n;
};

/* The best first. */
static const char *const names[] = { "c", "bb", "_a", "__a_end" };

static size_t name_number(const char *name)
{
	size_t i = 0;

	while (names[i] != name)
		i++;
	return i;
}

/* Some have no size, some begin together, some reach over others. */
static struct table draw(void)
{
	struct table t = { .n = below(MOST + 1) };

	for (size_t i = 0; i < t.n; i++)
		t.all[i] = (struct symbol_extent){
			.start = below(PLACES),
			.size = below(2) * below(PLACES / 2),
			.section_end = below(PLACES),
			.rank = (uint32_t)below(3),
			.name = names[below(ARRAY_SIZE(names))],
			.number = (uint32_t)i + 1,
		};
	for (size_t i = 0; i < t.n; i++)
		t.all[i].key = symbol_alias_key(t.all[i].name);
	return t;
}

static bool reaches(const struct symbol_extent *e, uint64_t at)
{
	return e->size && at >= e->start && at - e->start < e->size;
}

/* Of two with a size, or two without, that an address may be in. */
static bool is_better(const struct symbol_extent *a,
		      const struct symbol_extent *b)
{
	if (a->start != b->start)
		return a->start > b->start;
	if (!a->size && a->section_end != b->section_end)
		return a->section_end > b->section_end;
	if (a->rank != b->rank)
		return a->rank > b->rank;
	if (a->size != b->size)
		return a->size < b->size;
	if (a->name != b->name)
		return name_number(a->name) < name_number(b->name);
	return a->number < b->number;
}

static uint32_t by_definition(const struct table *t, uint64_t at)
{
	const struct symbol_extent *sized = NULL, *mark = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct symbol_extent *e = &t->all[i];

		if (reaches(e, at) && (!sized || is_better(e, sized)))
			sized = e;
		if (!e->size && e->start <= at && (!mark || is_better(e, mark)))
			mark = e;
	}
	if (sized || !mark)
		return sized ? sized->number : 0;
	for (size_t i = 0; i < t->n; i++)
		if (t->all[i].size && t->all[i].start <= at &&
		    t->all[i].start + t->all[i].size > mark->start)
			return 0;
	return at < mark->section_end ? mark->number : 0;
}

TEST(every_address_is_in_the_symbol_of_the_definition)
{
	unsigned found = 0, marks = 0;

	seed = 1;
	for (unsigned i = 0; i < TABLES; i++) {
		const struct table t = draw();
		struct table sorted = t;
		struct symbol_index *x = symbol_index_new(sorted.all, t.n);

		PREPARING(ck_assert_ptr_nonnull(x));
		for (uint64_t at = 0; at < 2 * PLACES; at++) {
			uint32_t want = by_definition(&t, at);
			uint32_t got = symbol_index_find(x, at);

			ck_assert_msg(got == want,
				      "table %u, %ju: %u instead of %u", i,
				      (uintmax_t)at, got, want);
			found += got != 0;
			marks += got && !t.all[got - 1].size;
		}
		symbol_index_free(x);
	}
	/* the dice throw some of each */
	ck_assert_uint_gt(marks, TABLES);
	ck_assert_uint_gt(found - marks, TABLES);
}

TEST(one_may_reach_to_the_end)
{
	struct symbol_extent all[] = {
		{ .start = UINT64_MAX - 9,
		  .size = 100,
		  .number = 1,
		  .name = "" },
		{ .start = UINT64_MAX - 4, .size = 2, .number = 2, .name = "" },
	};
	struct symbol_index *x = symbol_index_new(all, 2);

	ck_assert_ptr_nonnull(x);
	ck_assert_uint_eq(symbol_index_find(x, UINT64_MAX - 10), 0);
	ck_assert_uint_eq(symbol_index_find(x, UINT64_MAX - 9), 1);
	ck_assert_uint_eq(symbol_index_find(x, UINT64_MAX - 3), 2);
	ck_assert_uint_eq(symbol_index_find(x, UINT64_MAX - 2), 1);
	ck_assert_uint_eq(symbol_index_find(x, UINT64_MAX - 1), 1);
	symbol_index_free(x);
}

TEST(without_memory_there_is_none)
{
	struct table t = { .n = MOST };
	struct symbol_index *x = NULL;
	int n = 0;

	for (size_t i = 0; i < t.n; i++)
		t.all[i].name = "";
	do {
		allocations_left = n;
		x = symbol_index_new(t.all, t.n);
		allocations_left = -1;
	} while (!x && n++ < 10);
	ck_assert_int_eq(n, 4);
	symbol_index_free(x);
	symbol_index_free(NULL);
}

SUITE("symbol-index");
