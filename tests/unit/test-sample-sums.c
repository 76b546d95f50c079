/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of sums of samples by itself: what is one, how many there may be.
 */
#include <string.h>

#include "core/sample-sums.h"
#include "core/state-bytes.h"
#include "unit.h"

static const struct sample_sum first = {
	.pc = 0x80200000,
	.satp = 8,
	.periods = 3,
	.sampler = 1,
	.hart = 2,
	.mode = 1,
};

static const struct other_row {
	const char *what;
	struct sample_sum add; /* to the numbers of the first */
	size_t sums;
} other_rows[] = {
	{ "the same", { 0 }, 1 },	    { "pc", { .pc = 2 }, 2 },
	{ "satp", { .satp = 1 }, 2 },	    { "sampler", { .sampler = 1 }, 2 },
	{ "hart", { .hart = 1 }, 2 },	    { "mode", { .mode = 1 }, 2 },
	{ "periods", { .periods = 1 }, 1 },
};

TEST_ROWS(what_is_added_up, other_rows)
{
	const struct other_row *row = &other_rows[_i];
	struct sample_sums *all = sums_new();
	const struct sample_sum *got;
	struct sample_sum s = first;

	s.pc += row->add.pc;
	s.satp += row->add.satp;
	s.periods += row->add.periods;
	s.sampler = (uint16_t)(s.sampler + row->add.sampler);
	s.hart = (uint16_t)(s.hart + row->add.hart);
	s.mode += row->add.mode;
	sums_add(all, &first);
	sums_add(all, &s);
	ck_assert_msg(sums_sorted(all, &got) == row->sums, "%s", row->what);
	ck_assert_uint_eq(got[0].periods,
			  row->sums == 1 ? 6 + row->add.periods : 3);
	sums_free(all);
}

/* By sampler, hart and mode, then by address space, then by place. */
TEST(the_order_is_that_of_what_they_are)
{
	static const struct sample_sum sorted[] = {
		{ .sampler = 1, .hart = 9, .mode = 3, .satp = 7, .pc = 6 },
		{ .sampler = 2, .hart = 1, .mode = 3, .satp = 7, .pc = 6 },
		{ .sampler = 2, .hart = 2, .mode = 0, .satp = 7, .pc = 6 },
		{ .sampler = 2, .hart = 2, .mode = 1, .satp = 3, .pc = 6 },
		{ .sampler = 2, .hart = 2, .mode = 1, .satp = 4, .pc = 1 },
		{ .sampler = 2, .hart = 2, .mode = 1, .satp = 4, .pc = 2 },
		{ .sampler = 2, .hart = 2, .mode = 1, .satp = 5, .pc = 0 },
	};
	struct sample_sums *all = sums_new();
	const struct sample_sum *got;

	for (size_t i = 0; i < ARRAY_SIZE(sorted); i++)
		sums_add(all, &sorted[i * 3 % ARRAY_SIZE(sorted)]);
	ck_assert_uint_eq(sums_sorted(all, &got), ARRAY_SIZE(sorted));
	ck_assert_mem_eq(got, sorted, sizeof(sorted));
	sums_free(all);
}

/* Far more than one to a slot, and in an order of no kind. */
static uint64_t pc_of(uint64_t i)
{
	return i * 0x9e3779b1 % SUMS_MAX * 4096;
}

static void fill(struct sample_sums *all)
{
	unsigned full = 0; /* times: an assertion for each is slow */

	for (uint64_t i = 0; i < SUMS_MAX; i++) {
		full += sums_are_full(all);
		sums_add(all,
			 &(struct sample_sum){ .pc = pc_of(i), .periods = i });
	}
	ck_assert_uint_eq(full, 0);
	ck_assert(sums_are_full(all));
}

TEST(as_many_as_there_may_be_are_sorted)
{
	struct sample_sums *all = sums_new();
	const struct sample_sum *got;
	unsigned wrong = 0;

	fill(all);
	ck_assert_uint_eq(sums_sorted(all, &got), SUMS_MAX);
	for (uint64_t i = 0; i < SUMS_MAX; i++)
		wrong += got[i].pc != 4096 * i;
	/* those that are known are found again where they are now */
	for (uint64_t i = 0; i < SUMS_MAX; i++)
		sums_add(all,
			 &(struct sample_sum){ .pc = pc_of(i), .periods = 1 });
	ck_assert_uint_eq(sums_sorted(all, &got), SUMS_MAX);
	for (uint64_t i = 0; i < SUMS_MAX; i++)
		wrong += got[pc_of(i) / 4096].periods != i + 1;
	ck_assert_uint_eq(wrong, 0);
	sums_clear(all);
	ck_assert_uint_eq(sums_sorted(all, &got), 0);
	fill(all);
	sums_free(all);
}

TEST(what_was_given_goes_on)
{
	struct sample_sums *a = sums_new(), *b = sums_new();
	const struct sample_sum *got;
	struct state state = { 0 };

	fill(a);
	sums_give(a, &state);
	sums_take(b, &state);
	ck_assert_ptr_null(state.failed);
	sums_add(b, &(struct sample_sum){ .pc = pc_of(5), .periods = 2 });
	ck_assert_uint_eq(sums_sorted(b, &got), SUMS_MAX);
	ck_assert_uint_eq(got[pc_of(5) / 4096].periods, 7);
	state_free(&state);
	sums_free(a);
	sums_free(b);
}

TEST(more_than_there_may_be_are_not_taken)
{
	struct sample_sums *all = sums_new();
	const size_t many = SUMS_MAX + 1;
	struct state state = { 0 };

	state_put(&state, "sums", &many, sizeof(many));
	sums_take(all, &state);
	ck_assert_str_eq(state.failed, "sums");
	state_free(&state);
	sums_free(all);
}

SUITE("sample-sums");
