/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames: cut at every byte, too long, too many. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire/frame.h"
#include "no-memory.h"
#include "pmu/v1/common.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "frame-fixture.h"
#include "unit.h"

/* The linker sends these calls here, too: so many are interrupted first. */
ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __wrap_read(int fd, void *buf, size_t n);
ssize_t __real_send(int fd, const void *buf, size_t n, int flags);
ssize_t __wrap_send(int fd, const void *buf, size_t n, int flags);

static unsigned interrupts;

static bool is_interrupted(void)
{
	if (!interrupts)
		return false;
	interrupts--;
	errno = EINTR;
	return true;
}

ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	return is_interrupted() ? -1 : __real_read(fd, buf, n);
}

ssize_t __wrap_send(int fd, const void *buf, size_t n, int flags)
{
	return is_interrupted() ? -1 : __real_send(fd, buf, n, flags);
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

/* Writes the sample as a frame to @buf: what a reader would see of it. */
static size_t sample_frame(uint8_t *buf, size_t cap)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	ssize_t n;
	int fd[2];

	connect_ends(fd);
	ck_assert_int_eq(put(&out, &s.base), 0);
	ck_assert_int_eq(frame_flush(&out, fd[0]), 0);
	n = read(fd[1], buf, cap);
	ck_assert_int_gt(n, FRAME_PREFIX);
	frame_out_free(&out);
	close_ends(fd);
	return (size_t)n;
}

/* Has @in read @bytes. */
static void feed(struct frame_in *in, const int fd[2], const void *bytes,
		 size_t len)
{
	if (!len)
		return;
	ck_assert_int_eq(write(fd[0], bytes, len), (ssize_t)len);
	ck_assert_int_eq(frame_read(in, fd[1]), 1);
}

TEST(a_frame_cut_anywhere_waits_for_its_rest)
{
	uint8_t bytes[256];
	size_t n = sample_frame(bytes, sizeof(bytes));
	int fd[2];

	connect_ends(fd);
	for (size_t cut = 0; cut < n; cut++) {
		struct frame_in in = { 0 };
		const uint8_t *msg;
		size_t len;

		feed(&in, fd, bytes, cut);
		ck_assert_int_eq(frame_next(&in, &msg, &len), 0);
		feed(&in, fd, bytes + cut, n - cut);
		ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
		ck_assert_uint_eq(len, n - FRAME_PREFIX);
		ck_assert(!memcmp(msg, bytes + FRAME_PREFIX, len));
		ck_assert_int_eq(frame_next(&in, &msg, &len), 0);
		frame_in_free(&in);
	}
	close_ends(fd);
}

/* There is always half a frame left: what was read makes room for the next. */
TEST(a_reader_needs_no_more_room_with_time)
{
	uint8_t bytes[256];
	size_t n = sample_frame(bytes, sizeof(bytes)), len, room = 0;
	struct frame_in in = { 0 };
	const uint8_t *msg;
	int fd[2];

	connect_ends(fd);
	feed(&in, fd, bytes, n / 2);
	for (unsigned i = 0; i < 20000; i++) {
		feed(&in, fd, bytes + n / 2, n - n / 2);
		feed(&in, fd, bytes, n / 2);
		ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
		ck_assert_uint_eq(len, n - FRAME_PREFIX);
		ck_assert(!memcmp(msg, bytes + FRAME_PREFIX, len));
		room = room ? room : in.bytes.cap;
	}
	ck_assert_uint_le(in.bytes.cap, room);
	frame_in_free(&in);
	close_ends(fd);
}

TEST(what_was_freed_is_empty_and_can_be_used)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	uint8_t bytes[256];
	size_t n = sample_frame(bytes, sizeof(bytes)), len;
	const uint8_t *msg;
	int fd[2];

	connect_ends(fd);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(frame_next(&in, &msg, &len), 0);
		feed(&in, fd, bytes, n);
		ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
		frame_in_free(&in);
		ck_assert_uint_eq(frame_pending(&out), 0);
		ck_assert_int_eq(put(&out, &s.base), 0);
		ck_assert_uint_eq(frame_pending(&out), n);
		frame_out_free(&out);
	}
	close_ends(fd);
}

/* Beyond repair, and so it stays. */
static const struct refused_row {
	const char *why;
	uint8_t bytes[FRAME_PREFIX];
	size_t len;
	int want;
} refused_rows[] = {
	{ "the limit itself", { 0, 0, 0x41, 0, 0 }, 5, 0 },
	{ "a length above the limit", { 0, 0, 0x41, 0, 1 }, 5, -EMSGSIZE },
	{ "the greatest length", { 0, 255, 255, 255, 255 }, 5, -EMSGSIZE },
	{ "compressed, at its first byte", { 1 }, 1, -EPROTO },
	{ "an unknown flag, at its first byte", { 2 }, 1, -EPROTO },
};

TEST_ROWS(a_prefix_that_cannot_be_is_refused, refused_rows)
{
	const struct refused_row *row = &refused_rows[_i];
	struct frame_in in = { 0 };
	const uint8_t *msg;
	size_t len;
	int fd[2];

	connect_ends(fd);
	feed(&in, fd, row->bytes, row->len);
	for (int i = 0; i < 2; i++)
		ck_assert_msg(frame_next(&in, &msg, &len) == row->want, "%s",
			      row->why);
	frame_in_free(&in);
	close_ends(fd);
}

/* Its bytes may be looked at until the next is asked for, or read. */
TEST(a_message_stays_until_the_next_is_asked_for)
{
	uint8_t bytes[256];
	size_t n = sample_frame(bytes, sizeof(bytes)), len;
	struct frame_in in = { 0 };
	const uint8_t *msg;
	int fd[2];

	connect_ends(fd);
	ck_assert_int_eq(write(fd[0], bytes, n), (ssize_t)n);
	feed(&in, fd, bytes, n);
	ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
	ck_assert_uint_eq(buf_len(&in.bytes), 2 * n);
	ck_assert_int_eq(frame_read(&in, fd[1]), 0);
	ck_assert_uint_eq(buf_len(&in.bytes), n);
	ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
	ck_assert_mem_eq(msg, bytes + FRAME_PREFIX, len);
	ck_assert_int_eq(frame_next(&in, &msg, &len), 0);
	ck_assert_uint_eq(buf_len(&in.bytes), 0);
	frame_in_free(&in);
	close_ends(fd);
}

TEST(frames_pass_through_a_socket_until_its_end)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	const uint8_t *msg;
	size_t len;
	int fd[2];

	connect_ends(fd);
	ck_assert_int_eq(frame_read(&in, fd[1]), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(put(&out, &s.base), 0);
	ck_assert_int_eq(frame_flush(&out, fd[0]), 0);
	ck_assert_int_eq(frame_read(&in, fd[1]), 1);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
	ck_assert_int_eq(frame_next(&in, &msg, &len), 0);
	close(fd[0]);
	/* of an earlier call: an end is no error and says none */
	errno = EINTR;
	ck_assert_int_eq(frame_read(&in, fd[1]), -ECONNRESET);
	errno = EAGAIN;
	ck_assert_int_eq(frame_read(&in, fd[1]), -ECONNRESET);
	close(fd[1]);
	frame_in_free(&in);
	frame_out_free(&out);
}

TEST(what_is_interrupted_goes_on)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	const uint8_t *msg;
	size_t len;
	int fd[2];

	connect_ends(fd);
	ck_assert_int_eq(put(&out, &s.base), 0);
	interrupts = 2;
	ck_assert_int_eq(frame_flush(&out, fd[0]), 0);
	ck_assert_uint_eq(interrupts, 0);
	interrupts = 2;
	ck_assert_int_eq(frame_read(&in, fd[1]), 1);
	ck_assert_uint_eq(interrupts, 0);
	ck_assert_int_eq(frame_next(&in, &msg, &len), 1);
	frame_in_free(&in);
	frame_out_free(&out);
	close_ends(fd);
}

TEST(an_error_of_the_socket_is_told)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };

	ck_assert_int_eq(put(&out, &s.base), 0);
	ck_assert_int_eq(frame_flush(&out, -1), -EBADF);
	ck_assert_uint_gt(frame_pending(&out), 0);
	ck_assert_int_eq(frame_read(&in, -1), -EBADF);
	frame_in_free(&in);
	frame_out_free(&out);
}

/* Nothing is lost: the same is asked again when there is some. */
TEST(without_memory_nothing_is_begun)
{
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	int fd[2];

	connect_ends(fd);
	left = 0;
	ck_assert_int_eq(put(&out, &s.base), -ENOMEM);
	ck_assert_uint_eq(frame_pending(&out), 0);
	ck_assert_int_eq(put(&out, &s.base), 0);
	ck_assert_int_eq(frame_flush(&out, fd[0]), 0);
	left = 0;
	ck_assert_int_eq(frame_read(&in, fd[1]), -ENOMEM);
	ck_assert_int_eq(frame_read(&in, fd[1]), 1);
	left = 0;
	ck_assert_int_eq(frame_append(&(struct buf){ 0 }, &s.base), -1);
	left = 0;
	ck_assert_int_eq(frame_append_bytes(&(struct buf){ 0 }, "x", 1), -1);
	frame_in_free(&in);
	frame_out_free(&out);
	close_ends(fd);
}

/* The body as a message, and as the bytes that it is. */
TEST_TIMES(a_head_and_a_body_come_apart_again, 2)
{
	Pmu__V1__Setting s = sample();
	struct frame_body body = { .message = _i ? NULL : &s.base };
	struct frame_body got_head, got_body;
	struct frame_out out = { 0 };
	uint8_t packed[64];
	const uint8_t *bytes;
	uint32_t len;

	body.len = _i ? pmu__v1__setting__pack(&s, packed) : 0;
	body.bytes = packed;
	ck_assert_int_eq(frame_put(&out, &s.base, &body), 0);
	ck_assert_int_eq(frame_peek(&out.bytes, FRAME_MAX, &len), FRAME_READY);
	bytes = buf_head(&out.bytes) + FRAME_PREFIX;
	ck_assert(frame_split(bytes, len, &got_head, &got_body));
	body.len = pmu__v1__setting__pack(&s, packed);
	ck_assert_uint_eq(got_head.len, body.len);
	ck_assert_mem_eq(got_head.bytes, packed, body.len);
	ck_assert_uint_eq(got_body.len, body.len);
	ck_assert_mem_eq(got_body.bytes, packed, body.len);
	ck_assert_uint_eq(len, 4 + 2 * body.len);
	frame_out_free(&out);
}

static const struct split_row {
	const char *why;
	const char *bytes;
	size_t len;
	bool good;
	size_t head, body;
} split_rows[] = {
	{ "nothing", "", 0, false, 0, 0 },
	{ "half a length", "\0\0\0", 3, false, 0, 0 },
	{ "empty ones", "\0\0\0\0", 4, true, 0, 0 },
	{ "a head alone", "\2\0\0\0ab", 6, true, 2, 0 },
	{ "a body alone", "\0\0\0\0ab", 6, true, 0, 2 },
	{ "a head that is longer than all", "\3\0\0\0ab", 6, false, 0, 0 },
	{ "a head without end", "\xff\xff\xff\xff", 4, false, 0, 0 },
};

TEST_ROWS(a_length_of_a_head_is_not_believed, split_rows)
{
	const struct split_row *row = &split_rows[_i];
	struct frame_body head = { 0 }, body = { 0 };

	ck_assert_msg(frame_split((const uint8_t *)row->bytes, row->len, &head,
				  &body) == row->good,
		      "%s", row->why);
	ck_assert_uint_eq(head.len, row->head);
	ck_assert_uint_eq(body.len, row->body);
}

SUITE("frame");
