/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/server/store.c: what is kept, what goes, who is told. */
#include "unit.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "server/store.h"

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
	ck_assert_int_eq(store_new(&store, P_tmpdir, LIMIT, NULL), 0);
}

static void teardown(void)
{
	store_free(store);
}

static int put_one(struct store *s, const uint8_t piece[PIECE])
{
	int err = store_put(s, piece, PIECE);

	if (!err)
		store_commit(s, 1);
	return err;
}

/* A piece whose bytes say which one it is. */
static int append(unsigned number)
{
	uint8_t piece[PIECE];

	memset(piece, (int)number, sizeof(piece));
	return put_one(store, piece);
}

static void fill(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		ck_assert_int_eq(append(i), 0);
}

TEST(a_reader_gets_every_byte_once_and_in_order)
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

TEST(a_reader_from_the_end_sees_only_what_follows)
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

TEST(a_lossless_reader_makes_append_refuse)
{
	struct store_reader r = { .lossless = true };

	store_follow(store, &r, true);
	fill(LIMIT / PIECE);
	ck_assert_int_eq(append(0), -ENOBUFS);
	store_consume(&r, 4 * PIECE, 4);
	ck_assert_int_eq(append(0), 0);
	store_unfollow(&r);
}

TEST(a_reader_that_may_lose_is_told_how_much)
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

TEST(a_late_reader_learns_what_is_gone)
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

TEST(readers_are_told_of_the_end)
{
	struct store_reader r = { .on_data = on_data };

	store_follow(store, &r, true);
	ck_assert(!store_ended(store));
	store_end(store);
	ck_assert(store_ended(store));
	ck_assert_uint_eq(told, 1);
	store_unfollow(&r);
}

/* What stores of one user hold. */
static struct quota *quota;
static struct store_share share;

static uint64_t held(void)
{
	return quota_held(quota, QUOTA_STORE, share.uid);
}

static void make_share(void)
{
	const struct quota_limit limits[N_QUOTAS] = {
		[QUOTA_STORE] = { QUOTA_NONE, LIMIT, 1 },
	};

	ck_assert_int_eq(quota_new(&quota, limits), 0);
	share = (struct store_share){ .quota = quota, .uid = 5 };
}

TEST(a_users_stores_have_one_limit)
{
	struct store *a, *b;
	uint8_t piece[PIECE] = { 0 };
	unsigned n = 0;

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, LIMIT, &share), 0);
	ck_assert_int_eq(store_new(&b, P_tmpdir, LIMIT, &share), 0);
	ck_assert_int_eq(put_one(a, piece), 0);
	while (put_one(b, piece) == 0)
		n++;
	ck_assert_uint_eq(n, LIMIT / PIECE - 1);
	ck_assert_int_eq(put_one(b, piece), -EDQUOT);
	ck_assert_uint_eq(held(), LIMIT);
	ck_assert_ptr_nonnull(strstr(share.why, "--store-per-user"));
	store_free(a);
	ck_assert_int_eq(put_one(b, piece), 0);
	store_free(b);
	ck_assert_uint_eq(held(), 0);
	quota_free(quota);
}

TEST(a_user_whose_stores_are_full_leaves_another_all_of_the_others)
{
	struct store_share second = { .uid = 6 };
	struct store *full, *others;
	uint8_t piece[PIECE] = { 0 };

	make_share();
	second.quota = quota;
	ck_assert_int_eq(store_new(&full, P_tmpdir, LIMIT, &share), 0);
	ck_assert_int_eq(store_new(&others, P_tmpdir, LIMIT, &second), 0);
	store_when_full(full, STORE_HOLDS, NULL);
	store_when_full(others, STORE_HOLDS, NULL);
	while (put_one(full, piece) == 0)
		;
	for (unsigned i = 0; i < LIMIT / PIECE; i++)
		ck_assert_int_eq(put_one(others, piece), 0);
	ck_assert_int_eq(put_one(others, piece), -EDQUOT);
	ck_assert_uint_eq(held(), LIMIT);
	store_free(full);
	ck_assert_int_eq(put_one(others, piece), -EDQUOT);
	ck_assert_uint_eq(quota_held(quota, QUOTA_STORE, second.uid), LIMIT);
	store_free(others);
	quota_free(quota);
}

TEST(a_log_that_slides_gives_its_room_back)
{
	struct store *a;
	uint8_t piece[PIECE] = { 0 };

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, LIMIT / 2, &share), 0);
	for (unsigned i = 0; i < 10 * LIMIT / PIECE; i++)
		ck_assert_int_eq(put_one(a, piece), 0);
	ck_assert_uint_le(held(), LIMIT / 2);
	ck_assert_uint_gt(held(), LIMIT / 4);
	store_free(a);
	ck_assert_uint_eq(held(), 0);
	quota_free(quota);
}

TEST(a_log_that_holds_keeps_all_and_says_so)
{
	struct store_reader r = { .lossless = true };
	uint8_t piece[PIECE] = { 0 };
	struct store *a;

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, LIMIT / 2, &share), 0);
	store_when_full(a, STORE_HOLDS, NULL);
	for (unsigned i = 0; i < LIMIT / 2 / PIECE; i++)
		ck_assert_int_eq(put_one(a, piece), 0);
	ck_assert_int_eq(put_one(a, piece), -EDQUOT);
	ck_assert_ptr_nonnull(strstr(share.why, "as many as it may"));
	ck_assert_uint_eq(store_follow(a, &r, true), 0);
	store_consume(&r, LIMIT / 2, LIMIT / 2 / PIECE);
	ck_assert_int_eq(put_one(a, piece), -EDQUOT);
	store_unfollow(&r);
	store_free(a);
	quota_free(quota);
}

/* One item of a rotating log's in so many is in its side store, too. */
enum {
	SIDE_EVERY = 3
};

static void put_both(struct store *a, struct store *side, unsigned number)
{
	uint8_t piece[PIECE] = { 0 };

	ck_assert_int_eq(store_put(a, piece, PIECE), 0);
	if (number % SIDE_EVERY == 0)
		ck_assert_int_eq(store_put(side, "side", 4), 0);
	store_commit(a, 1);
	store_commit(side, 1);
}

/* With a limit of its user's, too, which is the smaller one in the second. */
TEST_TIMES(a_log_that_rotates_drops_whole_segments_and_knows_its_side, 2)
{
	uint64_t limit = _i ? 2 * LIMIT : LIMIT / 2, before;
	struct store_place begin;
	struct store *a, *side;

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, limit, &share), 0);
	ck_assert_int_eq(store_new(&side, P_tmpdir, limit, &share), 0);
	store_when_full(a, STORE_ROTATES, side);
	for (unsigned i = 0; i < 10 * LIMIT / PIECE; i++) {
		before = store_place_first(a).offset;
		put_both(a, side, i);
		begin = store_place_first(a);
		ck_assert_uint_eq(begin.offset, begin.item * PIECE);
		ck_assert_uint_eq(begin.offset % (64 << 10), 0);
		ck_assert_uint_eq(begin.side_item,
				  (begin.item + SIDE_EVERY - 1) / SIDE_EVERY);
		ck_assert_uint_eq(begin.side_offset, 4 * begin.side_item);
		ck_assert_uint_ge(begin.offset, before);
		ck_assert_uint_le(held(), LIMIT);
	}
	ck_assert_uint_gt(begin.item, 0);
	ck_assert_uint_ge(store_items(a) - begin.item, LIMIT / 2 / PIECE - 2);
	store_free(a);
	store_free(side);
	ck_assert_uint_eq(held(), 0);
	quota_free(quota);
}

TEST(a_log_that_rotates_waits_for_its_lossless_reader)
{
	struct store_reader r = { .lossless = true };
	unsigned n = 0;

	store_when_full(store, STORE_ROTATES, NULL);
	store_follow(store, &r, true);
	while (append(n) == 0)
		n++;
	ck_assert_uint_eq(n, LIMIT / PIECE);
	ck_assert_int_eq(append(n), -ENOBUFS);
	store_consume(&r, 64 << 10, 2);
	ck_assert_int_eq(append(n), 0);
	ck_assert_uint_eq(store_place_first(store).item, 2);
	store_unfollow(&r);
}

static size_t under_way(void *data)
{
	return *(const size_t *)data;
}

/* What a client has not got yet can still be had when pmud is gone. */
TEST(what_was_read_and_not_sent_does_not_go)
{
	size_t unsent = 64 << 10;
	struct store_reader r = { .lossless = true,
				  .unsent = under_way,
				  .data = &unsent };
	unsigned n = 0;

	store_when_full(store, STORE_ROTATES, NULL);
	store_follow(store, &r, true);
	while (append(n) == 0)
		n++;
	store_consume(&r, 64 << 10, 2);
	ck_assert_int_eq(append(n), -ENOBUFS);
	unsent = UINT32_MAX; /* of other calls, too */
	ck_assert_int_eq(append(n), -ENOBUFS);
	unsent = 1;
	ck_assert_int_eq(append(n), -ENOBUFS);
	unsent = 0;
	ck_assert_int_eq(append(n), 0);
	ck_assert_uint_eq(store_place_first(store).item, 2);
	store_unfollow(&r);
}

TEST(what_was_put_is_seen_when_it_is_committed)
{
	struct store_reader r = { .lossless = true, .on_data = on_data };
	uint8_t buf[PIECE];
	uint64_t lost;

	store_follow(store, &r, true);
	ck_assert_int_eq(store_put(store, "first", 5), 0);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), 0);
	ck_assert_int_eq(store_put(store, "again", 5), 0);
	store_commit(store, 1);
	store_commit(store, 1); /* nothing was put */
	ck_assert_uint_eq(told, 1);
	ck_assert_uint_eq(store_items(store), 1);
	ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), 5);
	ck_assert_mem_eq(buf, "again", 5);
	ck_assert_int_eq(store_put(store, "never", 5), 0);
	store_take_back(store);
	store_commit(store, 1);
	ck_assert_uint_eq(store_items(store), 1);
	store_unfollow(&r);
}

TEST(what_is_taken_back_is_no_users)
{
	uint8_t piece[PIECE] = { 0 };
	struct store *a;

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, LIMIT, &share), 0);
	ck_assert_int_eq(store_put(a, piece, PIECE), 0);
	ck_assert_uint_eq(held(), PIECE);
	store_take_back(a);
	ck_assert_uint_eq(held(), 0);
	ck_assert_int_eq(store_put(a, piece, PIECE), 0);
	ck_assert_int_eq(store_put(a, piece, 1), 0); /* instead */
	ck_assert_uint_eq(held(), 1);
	store_free(a);
	ck_assert_uint_eq(held(), 0);
	quota_free(quota);
}

/* However small it may be, two marks are enough to slide. */
TEST_RANGE(a_small_log_slides, 2, 5)
{
	const uint64_t limit = (uint64_t)_i * 2 * PIECE;
	uint8_t piece[PIECE] = { 0 };
	struct store *a;

	make_share();
	ck_assert_int_eq(store_new(&a, P_tmpdir, limit, &share), 0);
	for (unsigned i = 0; i < 20; i++)
		ck_assert_int_eq(put_one(a, piece), 0);
	ck_assert_uint_le(held(), limit);
	ck_assert_uint_gt(held(), limit - 2 * PIECE);
	store_free(a);
	quota_free(quota);
}

/* Wherever the reader is. */
TEST(what_is_not_committed_is_not_read)
{
	struct store_reader r = { .lossless = true, .on_data = on_data };
	uint8_t buf[2 * PIECE];
	uint64_t lost;

	fill(2);
	store_follow(store, &r, true);
	store_consume(&r, PIECE, 1);
	ck_assert_int_eq(store_put(store, "never", 5), 0);
	ck_assert_int_eq(store_read(&r, buf, sizeof(buf), &lost), PIECE);
	ck_assert_int_eq(buf[PIECE - 1], 1);
	store_consume(&r, PIECE, 1);
	ck_assert_int_eq(store_read(&r, buf, sizeof(buf), &lost), 0);
	store_unfollow(&r);
}

/* The system's own refusal, and that the bytes are there afterwards. */
TEST(a_file_that_may_not_grow_refuses_until_it_may)
{
	struct rlimit old, tight = { .rlim_cur = 2 * PIECE + 100 };
	struct store_reader r = { .lossless = true };
	uint8_t buf[PIECE];
	uint64_t lost;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	tight.rlim_max = old.rlim_max;
	fill(2);
	setrlimit(RLIMIT_FSIZE, &tight);
	ck_assert_int_eq(append(2), -EFBIG);
	ck_assert_int_eq(append(2), -EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	ck_assert_int_eq(append(2), 0);
	store_follow(store, &r, true);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(store_read(&r, buf, PIECE, &lost), PIECE);
		ck_assert(buf[0] == i && buf[PIECE - 1] == i);
		store_consume(&r, PIECE, 1);
	}
	store_unfollow(&r);
}

static const struct pass_row {
	const char *why;
	int err;
	bool may_pass;
} pass_rows[] = {
	{ "a reader goes on", -ENOBUFS, true },
	{ "the disk gets room", -ENOSPC, true },
	{ "the user's quota, pmud's or the system's", -EDQUOT, true },
	{ "a file's greatest size is raised", -EFBIG, true },
	{ "memory is free again", -ENOMEM, true },
	{ "a broken disk stays broken", -EIO, false },
	{ "a read-only one, too", -EROFS, false },
	{ "no trace becomes none", -EPROTO, false },
};

TEST_ROWS(what_passes_is_waited_for, pass_rows)
{
	const struct pass_row *row = &pass_rows[_i];

	ck_assert_msg(store_may_pass(row->err) == row->may_pass, "%s",
		      row->why);
}

TEST(why_there_is_no_store_is_told)
{
	struct store *none = NULL;

	ck_assert_int_eq(store_new(&none, "/nowhere", LIMIT, NULL), -ENOENT);
	ck_assert_int_eq(store_new(&none, "/dev/null", LIMIT, NULL), -ENOTDIR);
	ck_assert_ptr_null(none);
}

SUITE("store", .setup = setup, .teardown = teardown);
