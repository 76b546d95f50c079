/* SPDX-License-Identifier: BSD-2-Clause */
/* Arrays that grow: how far, and what is left when there is no memory. */
#include <stdlib.h>

#include "array.h"
#include "unit.h"

static bool counts;	  /* not what else the program has */
static size_t asked;	  /* of realloc(), the last time */
static unsigned reallocs; /* how often */
static bool no_memory;

void *__wrap_realloc(void *p, size_t size);
void *__real_realloc(void *p, size_t size);

void *__wrap_realloc(void *p, size_t size)
{
	if (!counts)
		return __real_realloc(p, size);
	asked = size;
	reallocs++;
	return no_memory ? NULL : __real_realloc(p, size);
}

struct element {
	uint32_t number[3];
};

static bool room_for(struct element **array, size_t *room, size_t i)
{
	bool good;

	counts = true;
	good = ARRAY_ROOM(*array, room, i);
	counts = false;
	return good;
}

static void setup(void)
{
	no_memory = false;
	reallocs = 0;
}

/* Adding one by one: when there is a realloc(), and for how many elements. */
static const struct growth_row {
	const char *why;
	size_t had, i;
	size_t want; /* room behind it */
} growth_rows[] = {
	{ "the first one", 0, 0, 64 },
	{ "there is room", 64, 0, 64 },
	{ "the last place", 64, 63, 64 },
	{ "one more", 64, 64, 128 },
	{ "twice what there is, whatever that is", 3, 3, 6 },
};

TEST_ROWS(room_is_doubled_when_it_is_used_up, growth_rows)
{
	const struct growth_row *row = &growth_rows[_i];
	struct element *array = NULL;
	size_t room = row->had;

	if (row->had)
		array = malloc(row->had * sizeof(*array));
	ck_assert_msg(room_for(&array, &room, row->i), "%s", row->why);
	ck_assert_msg(room == row->want, "%s: %zu", row->why, room);
	ck_assert_uint_eq(reallocs, row->want > row->had ? 1 : 0);
	if (reallocs)
		ck_assert_uint_eq(asked, row->want * sizeof(*array));
	free(array);
}

TEST(what_is_there_stays)
{
	struct element *array = NULL;
	size_t room = 0, n = 5000;

	for (size_t i = 0; i < n; i++) {
		ck_assert(room_for(&array, &room, i));
		array[i].number[2] = (uint32_t)i;
	}
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(array[i].number[2], i);
	ck_assert_uint_eq(reallocs, 8); /* 64 to 8192 */
	free(array);
}

TEST(without_memory_all_is_as_before)
{
	struct element *array = NULL;
	const struct element *had;
	size_t room = 0;

	ck_assert(room_for(&array, &room, 0));
	array[0].number[0] = 7;
	had = array;
	no_memory = true;
	ck_assert(!room_for(&array, &room, 64));
	ck_assert_ptr_eq(array, had);
	ck_assert_uint_eq(room, 64);
	ck_assert_uint_eq(array[0].number[0], 7);
	ck_assert(room_for(&array, &room, 63));
	free(array);
}

/* More bytes than a size_t counts: malloc() would be asked for few. */
TEST(what_no_size_counts_is_refused_at_once)
{
	static const size_t rooms[] = {
		SIZE_MAX / 2 / sizeof(struct element) + 1, SIZE_MAX / 2
	};
	struct element *array = NULL;

	for (unsigned i = 0; i < ARRAY_SIZE(rooms); i++) {
		size_t room = rooms[i];

		ck_assert(!room_for(&array, &room, room));
		ck_assert_uint_eq(room, rooms[i]);
		ck_assert_ptr_null(array);
	}
	ck_assert_uint_eq(reallocs, 0);
}

SUITE("array", .setup = setup);
