/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/store.c: what is kept, what goes, who is told. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "store.h"

enum {
	LIMIT = 1 << 20,
	PIECE = 32 << 10
};

static struct store *store;
static unsigned told;

static void on_data(void *data)
{
	told++;
}

static void setup(void)
{
	told = 0;
	ck_assert_int_eq(store_new(&store, P_tmpdir, LIMIT), 0);
}

static void teardown(void)
{
	store_free(store);
}

/* A piece whose bytes say which one it is. */
static int append(unsigned number)
{
	uint8_t piece[PIECE];

	memset(piece, (int)number, sizeof(piece));
	return store_append(store, piece, sizeof(piece), 1);
}

static void fill(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ck_assert_int_eq(append(i), 0);
}

START_TEST(a_reader_gets_every_byte_once_and_in_order)
{
	struct store_reader r = { .lossless = true };
	uint8_t buf[PIECE];
	uint64_t lost;

	fill(3);
	ck_assert_uint_eq(store_follow(store, &r, true), 0);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
		ck_assert_uint_eq(buf[0], i);
		ck_assert_uint_eq(lost, 0);
		store_consume(&r, PIECE, 1);
	}
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), 0);
	store_unfollow(&r);
}
END_TEST

START_TEST(a_reader_from_the_end_sees_only_what_follows)
{
	struct store_reader r = { .on_data = on_data };
	uint8_t buf[PIECE];
	uint64_t lost;

	fill(2);
	store_follow(store, &r, false);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), 0);
	fill(1);
	ck_assert_uint_eq(told, 1);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
	ck_assert_uint_eq(lost, 0);
	store_unfollow(&r);
}
END_TEST

START_TEST(a_lossless_reader_makes_append_refuse)
{
	struct store_reader r = { .lossless = true };

	store_follow(store, &r, true);
	fill(LIMIT / PIECE);
	ck_assert_int_eq(append(0), -ENOBUFS);
	store_consume(&r, 4 * PIECE, 4);
	ck_assert_int_eq(append(0), 0);
	store_unfollow(&r);
}
END_TEST

START_TEST(a_reader_that_may_lose_is_told_how_much)
{
	struct store_reader r = { .lossless = false };
	uint64_t lost, total = 3 * LIMIT / PIECE;
	uint8_t buf[PIECE];

	store_follow(store, &r, true);
	fill((unsigned)total);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
	ck_assert_uint_gt(lost, 0);
	ck_assert_uint_eq(buf[0], lost); /* the piece behind the lost ones */
	ck_assert_uint_eq(r.item, lost);
	ck_assert_uint_eq(store_items(store), total);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
	ck_assert_uint_eq(lost, 0);
	store_unfollow(&r);
}
END_TEST

START_TEST(a_late_reader_learns_what_is_gone)
{
	struct store_reader r = { .lossless = true };
	uint8_t buf[PIECE];
	uint64_t gone, lost;

	fill(2 * LIMIT / PIECE);
	gone = store_follow(store, &r, true);
	ck_assert_uint_gt(gone, 0);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
	ck_assert_uint_eq(lost, 0);
	ck_assert_uint_eq(buf[0], gone);
	store_unfollow(&r);
}
END_TEST

START_TEST(readers_are_told_of_the_end)
{
	struct store_reader r = { .on_data = on_data };

	store_follow(store, &r, true);
	ck_assert(!store_ended(store));
	store_end(store);
	ck_assert(store_ended(store));
	ck_assert_uint_eq(told, 1);
	store_unfollow(&r);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("store");
	TCase *tc = tcase_create("store");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, a_reader_gets_every_byte_once_and_in_order);
	tcase_add_test(tc, a_reader_from_the_end_sees_only_what_follows);
	tcase_add_test(tc, a_lossless_reader_makes_append_refuse);
	tcase_add_test(tc, a_reader_that_may_lose_is_told_how_much);
	tcase_add_test(tc, a_late_reader_learns_what_is_gone);
	tcase_add_test(tc, readers_are_told_of_the_end);
	suite_add_tcase(s, tc);
	return unit_main(s);
}
