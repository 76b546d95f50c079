/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shared ring: whole or not at all, around its end, with indexes that the
 * other side forged, in files that are no ring.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shared/ring.h"
#include "unit.h"

static struct ring producer, consumer;

/* mmap() with offsets of 64 bits; the linker sends it here. */
void *__real_mmap64(void *at, size_t len, int prot, int flags, int fd,
		    off_t offset);
void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd,
		    off_t offset);

/* No limit of the process: Valgrind, too, would run into it. */
static bool no_memory;

void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd,
		    off_t offset)
{
	if (!no_memory)
		return __real_mmap64(at, len, prot, flags, fd, offset);
	errno = ENOMEM;
	return MAP_FAILED;
}

/* Looks at what is there and takes it. */
static int64_t take(struct ring *r, void *buf, size_t cap)
{
	int64_t have = ring_peek(r, buf, cap);

	if (have > 0)
		ring_skip(r, (size_t)have);
	return have;
}

static void setup(void)
{
	int fd;

	ck_assert_int_eq(ring_create(&consumer, RING_MIN, &fd), 0);
	ck_assert_int_eq(ring_open(&producer, fd), 0);
	close(fd);
}

static void teardown(void)
{
	ring_close(&producer);
	ring_close(&consumer);
}

TEST(bytes_come_out_in_order_around_the_end)
{
	static uint8_t in[10007], out[10007];
	uint8_t next = 0;

	for (int round = 0; round < 200; round++) {
		for (size_t i = 0; i < sizeof(in); i++)
			in[i] = next++;
		ck_assert_int_eq(ring_put(&producer, in, sizeof(in)), 0);
		ck_assert_int_eq(take(&consumer, out, sizeof(out)),
				 sizeof(out));
		ck_assert_mem_eq(out, in, sizeof(in));
	}
	ck_assert_int_eq(take(&consumer, out, sizeof(out)), 0);
}

TEST(a_full_ring_refuses_and_says_when_there_is_room)
{
	static uint8_t bytes[RING_MIN];

	ck_assert_int_eq(ring_put(&producer, bytes, RING_MIN), 0);
	ck_assert_int_eq(ring_put(&producer, bytes, 1), -ENOBUFS);
	ck_assert(!ring_must_wake_producer(&consumer));
	ck_assert(ring_wait_space(&producer, 1));
	ck_assert_int_eq(take(&consumer, bytes, 100), 100);
	ck_assert(ring_must_wake_producer(&consumer));
	ck_assert(!ring_must_wake_producer(&consumer));
	ck_assert(!ring_wait_space(&producer, 100));
	ck_assert_int_eq(ring_put(&producer, bytes, 101), -ENOBUFS);
	ck_assert_int_eq(ring_put(&producer, bytes, 100), 0);
}

TEST(more_than_the_ring_holds_is_an_error)
{
	static uint8_t bytes[RING_MIN + 1];

	ck_assert_int_eq(ring_put(&producer, bytes, sizeof(bytes)), -EMSGSIZE);
}

TEST(an_empty_ring_wakes_its_reader_once)
{
	ck_assert(ring_wait_data(&consumer, 0));
	ck_assert_int_eq(ring_put(&producer, "x", 1), 0);
	ck_assert(ring_must_wake_consumer(&producer));
	ck_assert(!ring_must_wake_consumer(&producer));
	ck_assert(!ring_wait_data(&consumer, 0));
}

TEST(a_reader_is_not_woken_for_nothing)
{
	ck_assert(ring_wait_data(&consumer, 0));
	ck_assert(!ring_must_wake_consumer(&producer));
	ck_assert_int_eq(ring_put(&producer, "x", 1), 0);
	ck_assert(ring_must_wake_consumer(&producer));
	ck_assert(!ring_wait_data(&consumer, 0));
	ring_skip(&consumer, 1);
	ck_assert(ring_wait_data(&consumer, 0));
	ck_assert(!ring_must_wake_consumer(&producer));
	/* it still waits */
	ck_assert_int_eq(ring_put(&producer, "y", 1), 0);
	ck_assert(ring_must_wake_consumer(&producer));
}

/* It looks again before it waits: nobody has to tell it of that. */
TEST(a_reader_that_was_busy_sees_what_it_was_not_woken_for)
{
	ck_assert_int_eq(ring_put(&producer, "x", 1), 0);
	ck_assert(!ring_must_wake_consumer(&producer));
	ck_assert(!ring_wait_data(&consumer, 0));
	ck_assert(!ring_must_wake_consumer(&producer));
}

/* The indexes of the head page: the producer's, then the consumer's. */
enum {
	HEAD,
	TAIL
};

static void forge(struct ring *r, int which, uint64_t value)
{
	memcpy((uint8_t *)r->shared + 64 * which, &value, sizeof(value));
}

static const uint64_t forged[] = { RING_MIN + 1, 1ull << 32, 1ull << 63 };

TEST_ROWS(a_forged_head_is_refused_by_the_consumer, forged)
{
	uint8_t byte;

	forge(&consumer, HEAD, forged[_i]);
	ck_assert_int_eq(take(&consumer, &byte, 1), -EPROTO);
}

TEST_ROWS(a_forged_tail_is_refused_by_the_producer, forged)
{
	forge(&producer, TAIL, forged[_i]);
	ck_assert_int_eq(ring_put(&producer, "x", 1), -EPROTO);
}

TEST(a_consumer_never_believes_its_own_index_back)
{
	uint8_t byte = 0;

	ck_assert_int_eq(ring_put(&producer, "ab", 2), 0);
	ck_assert_int_eq(take(&consumer, &byte, 1), 1);
	forge(&consumer, TAIL, 0);
	ck_assert_int_eq(take(&consumer, &byte, 1), 1);
	ck_assert_int_eq(byte, 'b');
}

static const struct file_row {
	const char *why;
	off_t size;
	int seals;
} file_rows[] = {
	{ "not sealed", 4096 + RING_MIN, 0 },
	{ "may shrink", 4096 + RING_MIN, F_SEAL_GROW | F_SEAL_SEAL },
	{ "empty", 0, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL },
	{ "no power of two", 4096 + RING_MIN + 4096,
	  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL },
	{ "too small", 4096 + RING_MIN / 2,
	  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL },
};

TEST_ROWS(a_file_that_is_no_ring_is_refused, file_rows)
{
	const struct file_row *row = &file_rows[_i];
	int fd = memfd_create("x", MFD_ALLOW_SEALING);
	struct ring r;

	ck_assert_int_eq(ftruncate(fd, row->size), 0);
	ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, row->seals), 0);
	ck_assert_msg(ring_open(&r, fd) == -EINVAL, "%s", row->why);
	close(fd);
}

TEST_TIMES(sizes_out_of_range_are_refused, 4)
{
	static const uint64_t sizes[] = { 0, RING_MIN / 2, RING_MIN + 1,
					  2ull * RING_MAX };
	struct ring r;
	int fd;

	ck_assert_int_eq(ring_create(&r, sizes[_i], &fd), -EINVAL);
}

TEST(what_is_looked_at_stays_until_it_is_skipped)
{
	uint8_t out[8] = { 0 };

	ck_assert_int_eq(ring_waiting(&consumer), 0);
	ck_assert_int_eq(ring_put(&producer, "abcdef", 6), 0);
	ck_assert_int_eq(ring_waiting(&consumer), 6);
	for (int again = 0; again < 2; again++) {
		ck_assert_int_eq(ring_peek(&consumer, out, 4), 4);
		ck_assert_mem_eq(out, "abcd", 4);
	}
	ring_skip(&consumer, 4);
	ck_assert(ring_wait_data(&consumer, 2)); /* these two were seen */
	ck_assert(!ring_wait_data(&consumer, 0));
	ck_assert_int_eq(take(&consumer, out, sizeof(out)), 2);
	ck_assert_mem_eq(out, "ef", 2);
	ck_assert_int_eq(ring_waiting(&consumer), 0);
}

TEST(how_far_it_is_is_told_beside_the_data)
{
	uint64_t insn, cycle;

	ring_told(&consumer, &insn, &cycle);
	ck_assert(!insn && !cycle);
	ring_tell(&producer, 5, 7);
	ring_tell(&producer, UINT64_MAX, 8);
	ring_told(&consumer, &insn, &cycle);
	ck_assert(insn == UINT64_MAX && cycle == 8);
	ck_assert_int_eq(ring_waiting(&consumer), 0);
}

TEST(a_ring_that_cannot_be_mapped_leaves_nothing)
{
	struct ring r;
	int fd = -1, other = dup(0), mine, rc;

	close(other);
	no_memory = true;
	rc = ring_create(&r, RING_MIN, &fd);
	no_memory = false;
	ck_assert_int_eq(rc, -ENOMEM);
	ck_assert_int_eq(fd, -1);
	mine = dup(0); /* the next free one, if it was closed */
	ck_assert_int_eq(mine, other);
	close(mine);
	ck_assert_int_eq(ring_create(&r, RING_MIN, &fd), 0);
	no_memory = true;
	rc = ring_open(&producer, fd);
	no_memory = false;
	ck_assert_int_eq(rc, -ENOMEM);
	ring_close(&r);
	close(fd);
}

/* A file that may not grow so far. */
TEST(a_ring_that_has_no_room_leaves_nothing)
{
	struct rlimit limit, less;
	struct ring r = { 0 };
	int fd = -1, next = dup(0), after, rc;

	close(next);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &limit);
	less = limit;
	less.rlim_cur = RING_MIN;
	setrlimit(RLIMIT_FSIZE, &less);
	rc = ring_create(&r, RING_MIN, &fd);
	setrlimit(RLIMIT_FSIZE, &limit);
	signal(SIGXFSZ, SIG_DFL);
	ck_assert_int_eq(rc, -EFBIG);
	ck_assert_int_eq(fd, -1);
	ck_assert_ptr_null(r.shared);
	after = dup(0);
	close(after);
	ck_assert_int_eq(after, next);
}

SUITE("ring", .setup = setup, .teardown = teardown);
