/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that wait: how many, how long, and that their room is given back. */
#include <errno.h>

#include "wire/frame.h"
#include "pmu/v1/common.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "frame-fixture.h"
#include "unit.h"

TEST(a_reader_that_never_reads_meets_a_limit)
{
	Pmu__V1__ConsoleOutput big = PMU__V1__CONSOLE_OUTPUT__INIT;
	struct frame_out out = { 0 };
	int rc;

	big.data.len = 1 << 20;
	big.data.data = calloc(1, big.data.len);
	do {
		rc = put(&out, &big.base);
		ck_assert_uint_le(frame_pending(&out), FRAME_OUT_LIMIT);
	} while (rc == 0);
	ck_assert_int_eq(rc, -ENOBUFS);
	free(big.data.data);
	frame_out_free(&out);
}

/* Room for @len bytes of a message, its head's length and its head. */
static struct frame_body filling(size_t len, const ProtobufCMessage *head)
{
	len -= 4 + protobuf_c_message_get_packed_size(head);
	return (struct frame_body){ .bytes = calloc(1, len), .len = len };
}

TEST(the_longest_message_is_queued)
{
	Pmu__V1__Setting s = sample();
	struct frame_body body = filling(FRAME_MAX, &s.base);
	struct frame_out out = { 0 };
	uint32_t len;

	ck_assert_int_eq(frame_put(&out, &s.base, &body), 0);
	ck_assert_int_eq(frame_peek(&out.bytes, FRAME_MAX, &len), FRAME_READY);
	ck_assert_uint_eq(len, FRAME_MAX);
	body.len++;
	ck_assert_int_eq(frame_put(&out, &s.base, &body), -EMSGSIZE);
	ck_assert_uint_eq(frame_pending(&out), FRAME_PREFIX + FRAME_MAX);
	free((void *)body.bytes);
	frame_out_free(&out);
}

TEST(as_much_waits_as_the_limit_says)
{
	Pmu__V1__Setting s = sample();
	struct frame_body body = filling(FRAME_MAX - FRAME_PREFIX, &s.base);
	struct frame_out out = { 0 };

	for (size_t n = 1; n <= 4; n++) {
		ck_assert_int_eq(frame_put(&out, &s.base, &body), 0);
		ck_assert_uint_eq(frame_pending(&out), n * FRAME_MAX);
	}
	ck_assert_uint_eq(frame_pending(&out), FRAME_OUT_LIMIT);
	frame_out_free(&out);
	for (size_t n = 1; n < 4; n++)
		ck_assert_int_eq(frame_put(&out, &s.base, &body), 0);
	/* one byte less would have fitted */
	free((void *)body.bytes);
	body = filling(FRAME_MAX - FRAME_PREFIX + 1, &s.base);
	ck_assert_int_eq(frame_put(&out, &s.base, &body), -ENOBUFS);
	ck_assert_uint_eq(frame_pending(&out), 3 * FRAME_MAX);
	free((void *)body.bytes);
	frame_out_free(&out);
}

TEST(a_message_above_the_limit_is_not_queued)
{
	Pmu__V1__ConsoleOutput big = PMU__V1__CONSOLE_OUTPUT__INIT;
	struct frame_out out = { 0 };

	big.data.len = FRAME_MAX;
	big.data.data = calloc(1, big.data.len);
	ck_assert_int_eq(put(&out, &big.base), -EMSGSIZE);
	ck_assert_uint_eq(frame_pending(&out), 0);
	free(big.data.data);
}

TEST(a_full_socket_keeps_the_rest)
{
	Pmu__V1__ConsoleOutput big = PMU__V1__CONSOLE_OUTPUT__INIT;
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	const uint8_t *msg;
	size_t len;
	int fd[2];

	connect_ends(fd);
	big.data.len = 2 << 20;
	big.data.data = calloc(1, big.data.len);
	ck_assert_int_eq(put(&out, &big.base), 0);
	ck_assert_int_eq(frame_flush(&out, fd[0]), 1);
	while (frame_next(&in, &msg, &len) == 0) {
		ck_assert_int_ge(frame_flush(&out, fd[0]), 0);
		ck_assert_int_ge(frame_read(&in, fd[1]), 0);
	}
	ck_assert_uint_gt(len, big.data.len);
	free(big.data.data);
	frame_in_free(&in);
	frame_out_free(&out);
	close_ends(fd);
}

/* Both queues give their memory back when what was long is through. */
TEST(what_was_long_is_given_back)
{
	static const uint8_t bytes[1 << 20];
	const struct frame_body body = { .bytes = bytes, .len = sizeof(bytes) };
	Pmu__V1__Setting s = sample();
	struct frame_out out = { 0 };
	struct frame_in in = { 0 };
	const uint8_t *got;
	size_t len;
	int fd[2];

	connect_ends(fd);
	ck_assert_int_eq(frame_put(&out, &s.base, &body), 0);
	while (frame_pending(&out)) {
		ck_assert_int_ge(frame_flush(&out, fd[0]), 0);
		ck_assert_int_eq(frame_read(&in, fd[1]), 1);
	}
	while (!frame_next(&in, &got, &len))
		ck_assert_int_eq(frame_read(&in, fd[1]), 1);
	ck_assert_uint_gt(len, sizeof(bytes));
	ck_assert_int_eq(frame_next(&in, &got, &len), 0);
	ck_assert_uint_le(in.bytes.cap, 64 << 10);
	ck_assert_uint_le(out.bytes.cap, 64 << 10);
	frame_in_free(&in);
	frame_out_free(&out);
	close_ends(fd);
}

SUITE("frame-queue");
