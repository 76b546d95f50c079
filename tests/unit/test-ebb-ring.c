/* SPDX-License-Identifier: BSD-2-Clause */
/* proto/shared/ebb-ring.c: the descriptors of a session's rings, handed over.
 */
#include "shared/ebb-ring.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/ring.h"
#include "unit.h"

static int pair[2];

static void setup(void)
{
	ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair),
		0);
}

static void teardown(void)
{
	close(pair[0]);
	close(pair[1]);
}

/* The lowest number that is free: nothing was left open below it. */
static int lowest(void)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	close(fd);
	return fd;
}

TEST(both_sides_have_the_same_memory_and_wake_each_other)
{
	struct ebb_channel client, machine, got;
	struct ring put = { 0 }, take = { 0 };
	int before = lowest();
	uint32_t number;
	char bytes[8];

	ck_assert_int_eq(ebb_channel_make(&client, &machine), 0);
	ck_assert_int_eq(ebb_channel_send(pair[0], 7, &machine), 0);
	ebb_channel_close(&machine);
	ck_assert_int_eq(ebb_channel_receive(pair[1], &number, &got), 0);
	ck_assert_uint_eq(number, 7);
	ck_assert_int_eq(ring_map(&put, got.said, EBB_SAID_RING), 0);
	ck_assert_int_eq(ring_open(&take, client.said), 0);
	ck_assert_int_eq(ring_put(&put, "hello", 6), 0);
	ck_assert_int_eq(ring_peek(&take, bytes, sizeof(bytes)), 6);
	ck_assert_str_eq(bytes, "hello");
	ck_assert_int_eq(write(client.wake, "x", 1), 1);
	ck_assert_int_eq(read(got.wake, bytes, sizeof(bytes)), 1);
	ebb_channel_close(&client);
	ck_assert_int_eq(read(got.wake, bytes, sizeof(bytes)), 0);
	ring_close(&put);
	ring_close(&take);
	ebb_channel_close(&got);
	ck_assert_int_eq(lowest(), before);
}

/* It is of six, and of none of them where one cannot be had. */
TEST(without_descriptors_there_is_no_channel)
{
	struct ebb_channel client, machine;
	struct rlimit limit, low;
	int before = lowest(), err = -EMFILE;
	unsigned failed = 0;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	low = limit;
	for (low.rlim_cur = (rlim_t)before; err; low.rlim_cur++) {
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
		err = ebb_channel_make(&client, &machine);
		ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
		failed += err == -EMFILE;
		ck_assert(!err || err == -EMFILE);
		ck_assert((client.said < 0) == (err < 0));
		ck_assert((machine.wake < 0) == (err < 0));
		ebb_channel_close(&client);
		ebb_channel_close(&machine);
		ck_assert_int_eq(lowest(), before);
	}
	ck_assert_uint_gt(failed, 0); /* 6, less where valgrind counts */
}

/* What comes instead of three descriptors and a number. */
static const struct packet_row {
	const char *why;
	size_t bytes;
	int fds;
	int err;
} packet_rows[] = {
	{ "no descriptors", 4, 0, -EPROTO },
	{ "one descriptor", 4, 1, -EPROTO },
	{ "four descriptors", 4, 4, -EPROTO },
	{ "half a number", 2, 3, -EPROTO },
	{ "as it should be", 4, 3, 0 },
};

static void send_packet(const struct packet_row *row)
{
	char room[CMSG_SPACE(4 * sizeof(int))] = { 0 };
	struct iovec iov = { (char[8]){ 0 }, row->bytes };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	const int fds[4] = { 0, 0, 0, 0 };
	struct cmsghdr head = {
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN((size_t)row->fds * sizeof(int)),
	};

	if (row->fds) {
		memcpy(room, &head, sizeof(head));
		memcpy(room + CMSG_LEN(0), fds, (size_t)row->fds * sizeof(int));
		msg.msg_control = room;
		msg.msg_controllen = CMSG_SPACE((size_t)row->fds * sizeof(int));
	}
	ck_assert_int_ge(sendmsg(pair[0], &msg, 0), 0);
}

TEST_ROWS(what_is_no_channel_is_refused_and_nothing_stays_open, packet_rows)
{
	const struct packet_row *row = &packet_rows[_i];
	struct ebb_channel got = ebb_channel_none();
	int before = lowest();
	uint32_t number;

	send_packet(row);
	ck_assert_msg(ebb_channel_receive(pair[1], &number, &got) == row->err,
		      "%s", row->why);
	ebb_channel_close(&got);
	ck_assert_int_eq(lowest(), before);
}

TEST(nothing_and_the_end_are_told_apart)
{
	struct ebb_channel got;
	uint32_t number;

	ck_assert_int_eq(ebb_channel_receive(pair[1], &number, &got), -EAGAIN);
	shutdown(pair[0], SHUT_RDWR);
	ck_assert_int_eq(ebb_channel_receive(pair[1], &number, &got),
			 -ECONNRESET);
}

SUITE("ebb-ring", .setup = setup, .teardown = teardown);
