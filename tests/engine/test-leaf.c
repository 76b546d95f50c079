/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of leaves by itself, without an engine. */
#include "../unit/unit.h"
#include "engine/unicorn/leaf.h"

static struct engine_walk walk_of(uint64_t n)
{
	return (struct engine_walk){
		.vaddr = n << 12,
		.access = PMU_ACCESS_LOAD,
		.paddr = (n + 1) << 12,
		.perms = PMU_PERM_R,
	};
}

TEST(a_table_is_full_at_its_bound_and_not_before)
{
	struct leaves l = { 0 };
	struct engine_walk walk;
	size_t at = 0, n = 0;

	ck_assert(leaves_init(&l));
	for (uint64_t i = 0; i < LEAF_MAX; i++) {
		ck_assert(!leaves_are_full(&l));
		walk = walk_of(i * 513);
		ck_assert(leaf_keep(&l, &walk));
	}
	ck_assert(leaves_are_full(&l));
	for (uint64_t i = 0; i < LEAF_MAX; i++) {
		const struct leaf *leaf =
			leaf_find(&l, i * 513 << 12, PMU_ACCESS_LOAD);

		ck_assert_ptr_nonnull(leaf);
		ck_assert_uint_eq(leaf->paddr, (i * 513 + 1) << 12);
	}
	while (leaf_next(&l, &at))
		n++;
	ck_assert_uint_eq(n, LEAF_MAX);
	leaves_drop(&l);
	ck_assert(!leaves_are_full(&l));
	ck_assert_ptr_null(leaf_find(&l, 0, PMU_ACCESS_LOAD));
	leaves_fini(&l);
}

TEST(neighbours_lie_together)
{
	struct leaves l = { 0 };
	size_t at = 0;

	ck_assert(leaves_init(&l));
	for (uint64_t i = 0; i < 16; i++) {
		struct engine_walk walk = walk_of(0x12340 + (i * 7 + 3) % 16);

		ck_assert(leaf_keep(&l, &walk));
	}
	for (uint64_t i = 0; i < 16; i++) {
		const struct leaf *leaf = leaf_next(&l, &at);

		ck_assert_uint_eq(leaf->key, (0x12340 + i) << 12);
		ck_assert(i == 0 || at % 16 == i + 1 || at % 16 == 0);
	}
	leaves_fini(&l);
}

static const struct keep_row {
	const char *why;
	uint64_t paddr;
	uint8_t perms;
	bool device, want;
} keep_rows[] = {
	{ "as it was", 0x1000, PMU_PERM_R, false, true },
	{ "more rights", 0x1000, PMU_PERM_R | PMU_PERM_W, false, true },
	{ "another right", 0x1000, PMU_PERM_X, false, false },
	{ "elsewhere", 0x2000, PMU_PERM_R, false, false },
	{ "a device", 0x1000, PMU_PERM_R, true, false },
};

TEST_ROWS(what_others_may_go_by_is_told, keep_rows)
{
	const struct keep_row *row = &keep_rows[_i];
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(0);

	ck_assert(leaves_init(&l));
	ck_assert(leaf_keep(&l, &walk));
	walk.paddr = row->paddr;
	walk.perms = row->perms;
	walk.device = row->device;
	ck_assert_msg(leaf_keep(&l, &walk) == row->want, "%s", row->why);
	leaves_fini(&l);
}

TEST(fetches_of_a_mode_of_their_own_have_leaves_of_their_own)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);

	ck_assert(leaves_init(&l));
	l.space = leaf_space(3, 1);
	ck_assert(leaf_keep(&l, &walk));
	walk.access = PMU_ACCESS_FETCH;
	walk.perms = PMU_PERM_X;
	walk.paddr = 0x5000;
	ck_assert(leaf_keep(&l, &walk));
	ck_assert_uint_eq(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD)->paddr,
			  8 << 12);
	ck_assert_uint_eq(leaf_find(&l, 7 << 12, PMU_ACCESS_FETCH)->paddr,
			  0x5000);
	l.space = leaf_space(1, 3);
	ck_assert_ptr_null(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD));
	leaves_fini(&l);
}

TEST(fetches_of_the_same_mode_have_leaves_in_common)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);

	ck_assert(leaves_init(&l));
	l.space = leaf_space(2, 2);
	walk.perms |= PMU_PERM_X;
	ck_assert(leaf_keep(&l, &walk));
	ck_assert_ptr_eq(leaf_find(&l, 7 << 12, PMU_ACCESS_FETCH),
			 leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD));
	ck_assert_ptr_nonnull(leaf_find(&l, 7 << 12, PMU_ACCESS_FETCH));
	leaves_fini(&l);
}

/* Each pair of modes, as MPRV makes them, knows nothing of the others. */
TEST_TIMES(spaces_are_told_apart, LEAF_SPACES *LEAF_SPACES)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);

	ck_assert(leaves_init(&l));
	l.space = leaf_space((uint8_t)(_i % LEAF_SPACES),
			     (uint8_t)(_i / LEAF_SPACES));
	ck_assert(leaf_keep(&l, &walk));
	for (int i = 0; i < LEAF_SPACES * LEAF_SPACES; i++) {
		l.space = leaf_space((uint8_t)(i % LEAF_SPACES),
				     (uint8_t)(i / LEAF_SPACES));
		ck_assert_msg((leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD) !=
			       NULL) == (i == _i),
			      "%d", i);
	}
	leaves_fini(&l);
}

/* More kinds of keys than are kept: any fence drops all. */
TEST_RANGE(a_fence_reaches_all_spaces, 1, LEAF_SPACES)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);

	ck_assert(leaves_init(&l));
	for (unsigned i = 0; i < (unsigned)_i; i++) {
		l.space = leaf_space((uint8_t)i, (uint8_t)i);
		ck_assert(leaf_keep(&l, &walk));
	}
	ck_assert(leaves_fence(&l, 7 << 12 | 5));
	for (unsigned i = 0; i < (unsigned)_i; i++) {
		l.space = leaf_space((uint8_t)i, (uint8_t)i);
		ck_assert_ptr_null(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD));
	}
	ck_assert(!leaves_fence(&l, 7 << 12));
	/* it can come back, elsewhere, and nobody goes by what it was */
	walk.paddr = 0x9000;
	ck_assert(leaf_keep(&l, &walk));
	ck_assert_uint_eq(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD)->paddr,
			  0x9000);
	leaves_fini(&l);
}

/* What has come of a page that was walked with SUM, before SUM is cleared. */
static const struct sum_row {
	const char *why;
	bool fenced, again, without, dropped;
	unsigned gone; /* how many leaves are forgotten */
} sum_rows[] = {
	{ .why = "nothing", .gone = 1 },
	{ .why = "a fence", .fenced = true },
	{ .why = "another walk", .again = true, .gone = 1 },
	{ .why = "a fence, and another walk",
	  .fenced = true,
	  .again = true,
	  .gone = 1 },
	{ .why = "a walk without", .without = true },
	{ .why = "a walk without, and one with",
	  .without = true,
	  .again = true,
	  .gone = 1 },
	{ .why = "all was dropped", .dropped = true },
	{ .why = "all was dropped, and another walk",
	  .dropped = true,
	  .again = true,
	  .gone = 1 },
};

static void come_of(struct leaves *l, struct engine_walk walk,
		    const struct sum_row *row)
{
	if (row->fenced)
		leaves_fence(l, walk.vaddr);
	if (row->dropped)
		leaves_drop(l);
	if (row->without) {
		walk.by_sum = false;
		ck_assert(leaf_keep(l, &walk));
		walk.by_sum = true;
	}
	if (row->again)
		ck_assert(leaf_keep(l, &walk));
}

/* In its own space alone; and from a table that was given as well. */
TEST_ROWS(what_holds_by_sum_is_forgotten_with_it, sum_rows)
{
	const struct sum_row *row = &sum_rows[_i];
	struct leaves l = { 0 }, to = { 0 };
	struct engine_walk walk = walk_of(7), other = walk_of(8);
	const struct leaf *leaf;
	uint64_t vaddr = 0;
	size_t at = 0;

	ck_assert(leaves_init(&l) && leaves_init(&to));
	walk.by_sum = true;
	l.space = leaf_space(1, 1);
	ck_assert(leaf_keep(&l, &walk));
	come_of(&l, walk, row);
	ck_assert(leaf_keep(&l, &other));
	walk.by_sum = false;
	l.space = to.space = leaf_space(2, 2);
	ck_assert(leaf_keep(&l, &walk));
	while ((leaf = leaf_next(&l, &at)) != NULL)
		leaf_put(&to, leaf);
	for (unsigned i = 0; i < row->gone; i++) {
		ck_assert_msg(leaves_pop_by_sum(&l, &vaddr), "%s", row->why);
		ck_assert_uint_eq(vaddr, 7 << 12);
		ck_assert_msg(leaves_pop_by_sum(&to, &vaddr), "%s", row->why);
		ck_assert_uint_eq(vaddr, 7 << 12);
	}
	ck_assert_msg(!leaves_pop_by_sum(&l, &vaddr), "%s", row->why);
	ck_assert_msg(!leaves_pop_by_sum(&to, &vaddr), "%s", row->why);
	ck_assert_ptr_nonnull(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD));
	l.space = leaf_space(1, 1);
	ck_assert((leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD) != NULL) ==
		  (row->without && !row->again));
	ck_assert_ptr_nonnull(leaf_find(&l, 8 << 12, PMU_ACCESS_LOAD));
	/* and a second time */
	walk.by_sum = true;
	ck_assert(leaf_keep(&l, &walk));
	ck_assert_msg(leaves_pop_by_sum(&l, &vaddr), "%s", row->why);
	ck_assert(!leaves_pop_by_sum(&l, &vaddr));
	leaves_fini(&l);
	leaves_fini(&to);
}

/* As often as it likes. */
TEST(a_page_holds_by_sum_again_and_again)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);
	uint64_t vaddr;

	ck_assert(leaves_init(&l));
	for (unsigned i = 0; i < 2 * LEAF_ENTRIES; i++) {
		walk.by_sum = i % 2;
		ck_assert(leaf_keep(&l, &walk));
		if (i % 3 == 0)
			leaves_fence(&l, walk.vaddr);
	}
	ck_assert_uint_eq(l.n_by_sum, 1);
	walk.by_sum = true;
	ck_assert(leaf_keep(&l, &walk));
	ck_assert(leaves_pop_by_sum(&l, &vaddr));
	ck_assert(!leaves_pop_by_sum(&l, &vaddr));
	leaves_fini(&l);
}

TEST(a_table_that_was_given_is_fenced_like_the_one_it_was)
{
	struct leaves l = { 0 }, to = { 0 };
	struct engine_walk page = walk_of(7), super = walk_of(1 << 20);
	const struct leaf *leaf;
	size_t at = 0;

	ck_assert(leaves_init(&l) && leaves_init(&to));
	super.leaf_bits = 21;
	ck_assert(leaf_keep(&l, &page) && leaf_keep(&l, &super));
	while ((leaf = leaf_next(&l, &at)) != NULL)
		leaf_put(&to, leaf);
	ck_assert_uint_eq(to.n, l.n);
	ck_assert(!leaves_fence(&to, 8 << 12));
	ck_assert(leaves_fence(&to, 7 << 12));
	ck_assert_ptr_nonnull(
		leaf_find(&to, UINT64_C(1) << 32, PMU_ACCESS_LOAD));
	ck_assert(leaves_fence(&to, (UINT64_C(1) << 32) + (1 << 20)));
	ck_assert_uint_eq(to.n, 0);
	leaves_fini(&l);
	leaves_fini(&to);
}

TEST(what_was_dropped_does_not_come_back_when_the_count_of_drops_wraps)
{
	struct leaves l = { 0 };
	struct engine_walk walk = walk_of(7);

	ck_assert(leaves_init(&l));
	ck_assert(leaf_keep(&l, &walk)); /* in the first of all epochs */
	l.epoch = UINT32_MAX;
	leaves_drop(&l);
	ck_assert_ptr_null(leaf_find(&l, 7 << 12, PMU_ACCESS_LOAD));
	leaves_fini(&l);
}

SUITE("engine-leaf", .test_case = "leaf");
