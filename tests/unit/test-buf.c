/* SPDX-License-Identifier: BSD-2-Clause */
/* The queue of bytes: what is in it, and when it keeps its memory. */
#include "buf.h"
#include "unit.h"

TEST(a_queue_gives_out_what_was_put_in)
{
	static uint8_t block[5000];
	struct buf b = { 0 };
	unsigned in = 0, out = 0;
	size_t n;

	/* put more than is taken, so that it grows, then take all */
	for (unsigned round = 1; round < 60; round++) {
		n = round * 83 % sizeof(block);
		for (size_t i = 0; i < n; i++)
			block[i] = (uint8_t)in++;
		ck_assert_int_eq(buf_append(&b, block, n), 0);
		for (n = n * 2 / 3; n; n--, buf_consume(&b, 1))
			ck_assert_uint_eq(*buf_head(&b), (uint8_t)out++);
	}
	ck_assert_uint_eq(buf_len(&b), in - out);
	for (; out < in; buf_consume(&b, 1))
		ck_assert_uint_eq(*buf_head(&b), (uint8_t)out++);
	ck_assert_uint_eq(buf_len(&b), 0);
	buf_free(&b);
	buf_free(&b);
}

TEST(an_emptied_large_queue_keeps_no_memory)
{
	struct buf b = { 0 };

	ck_assert_ptr_nonnull(buf_reserve(&b, 1 << 20));
	buf_commit(&b, 1 << 20);
	buf_consume(&b, 1 << 20);
	ck_assert_ptr_null(b.data);
	ck_assert_ptr_null(buf_head(&b));
}

TEST(a_cleared_queue_is_empty_and_keeps_its_memory)
{
	struct buf b = { 0 };
	const uint8_t *data;
	size_t cap;

	buf_clear(&b);
	ck_assert_ptr_nonnull(buf_reserve(&b, 1 << 20));
	buf_commit(&b, 1 << 20);
	buf_consume(&b, 7);
	data = b.data;
	cap = b.cap;
	buf_clear(&b);
	ck_assert_uint_eq(buf_len(&b), 0);
	ck_assert_ptr_eq(buf_reserve(&b, cap), data);
	ck_assert_int_eq(buf_append(&b, "a", 1), 0);
	ck_assert_ptr_eq(buf_head(&b), data);
	buf_free(&b);
}

TEST(room_that_is_there_is_used_up)
{
	struct buf b = { 0 };
	const uint8_t *data;
	size_t cap;

	ck_assert_ptr_nonnull(buf_reserve(&b, 1));
	data = b.data;
	cap = b.cap;
	buf_commit(&b, 1);
	ck_assert_ptr_eq(buf_reserve(&b, cap - 1), data + 1);
	buf_commit(&b, cap - 1);
	ck_assert_uint_eq(b.cap, cap);
	ck_assert_ptr_nonnull(buf_reserve(&b, 1));
	ck_assert_uint_eq(b.cap, 2 * cap);
	ck_assert_uint_eq(buf_len(&b), cap);
	buf_free(&b);
}

TEST(what_no_memory_holds_is_refused_at_once)
{
	static const size_t sizes[] = { SIZE_MAX / 4 + 1, SIZE_MAX / 2,
					SIZE_MAX - 8, SIZE_MAX };
	struct buf b = { 0 };

	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		ck_assert_ptr_null(buf_reserve(&b, sizes[i]));
	ck_assert_int_eq(buf_append(&b, "a", 1), 0);
	ck_assert_ptr_null(buf_reserve(&b, SIZE_MAX - 8));
	ck_assert_uint_eq(buf_len(&b), 1);
	buf_free(&b);
}

SUITE("buf");
