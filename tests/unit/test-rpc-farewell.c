/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/grpc/farewell.c: a connection that is refused is told why. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

void __real_ev_timer_start(struct ev_loop *loop, ev_timer *w);
void __wrap_ev_timer_start(struct ev_loop *loop, ev_timer *w);

static struct peer peer;
static bool hurries; /* a second is a millisecond */

void __wrap_ev_timer_start(struct ev_loop *loop, ev_timer *w)
{
	if (hurries)
		w->at /= 1000;
	__real_ev_timer_start(loop, w);
}

static void setup(void)
{
	service_start(NULL);
	service.refuse = "you have 7 connections";
}

static void open_and_run(struct peer *p)
{
	peer_open(p, service.server, service.loop, 1000);
	peer_start(p, &(struct peer_request){ .path = "/test.Test/Unary",
					      .body = "\0\0\0\0\0",
					      .len = 5 });
	peer_run(p);
}

static void expect_text(const struct peer *p, const char *text)
{
	ck_assert(p->goaway);
	ck_assert_uint_eq(p->goaway_code, NGHTTP2_ENHANCE_YOUR_CALM);
	ck_assert_str_eq(p->goaway_text, text);
	ck_assert(p->eof);
}

TEST(the_reason_comes_before_the_end)
{
	open_and_run(&peer);
	expect_text(&peer, "you have 7 connections");
	peer_close(&peer);
	ck_assert_uint_eq(service.opened, 0);
	ck_assert_uint_eq(service.begun, 0);
	service_stop();
}

TEST(the_limits_of_the_server_have_a_reason_too)
{
	const struct rpc_limits limits = { .max_conns = 1 };
	struct peer first;

	service_stop();
	service_start(&limits);
	open_and_run(&first);
	open_and_run(&peer);
	expect_text(&peer, "too many connections");
	ck_assert(!first.goaway && !first.eof);
	peer_close(&peer);
	peer_close(&first);
	service_stop();
}

TEST(a_reason_may_be_as_long_as_it_may_be)
{
	static char why[2 * RPC_WHY];

	memset(why, 'x', sizeof(why) - 1);
	service.refuse = why;
	open_and_run(&peer);
	why[RPC_WHY - 1] = '\0';
	expect_text(&peer, why);
	peer_close(&peer);
	service_stop();
}

/* The server waits for it to hang up; if it ends first, so be it. */
TEST(a_server_may_end_while_somebody_is_seen_off)
{
	open_and_run(&peer);
	service_stop();
	expect_text(&peer, "you have 7 connections");
	peer_close(&peer);
}

/* Bytes that the server takes of one that it has refused. */
static size_t pour(int fd, size_t most)
{
	static const char bytes[4096];
	size_t sent = 0;
	ssize_t n;

	while (sent < most) {
		n = send(fd, bytes, sizeof(bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
		if (n > 0)
			sent += (size_t)n;
		else if (n < 0 && errno != EAGAIN)
			break;
		loop_run(service.loop);
	}
	return sent;
}

TEST(one_that_goes_on_talking_is_cut_off)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	rpc_adopt(service.server, pair[1]);
	ck_assert_uint_lt(pour(pair[0], 1 << 20), 1 << 18);
	close(pair[0]);
	service_stop();
}

/* It goes without having read the reason: an error, and no end of file. */
TEST(one_that_does_not_listen_is_forgotten_at_once)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	rpc_adopt(service.server, pair[1]);
	/* that there is nothing to read yet is no reason to hang up */
	ev_feed_fd_event(service.loop, pair[1], EV_READ);
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_int_ge(fcntl(pair[1], F_GETFD), 0);
	close(pair[0]);
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_int_eq(fcntl(pair[1], F_GETFD), -1);
	service_stop();
}

TEST(one_that_neither_talks_nor_goes_is_cut_off)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	hurries = true;
	rpc_adopt(service.server, pair[1]);
	hurries = false;
	while (fcntl(pair[1], F_GETFD) >= 0)
		ev_run(service.loop, EVRUN_ONCE);
	close(pair[0]);
	service_stop();
}

enum {
	MANY = 40 /* more than are seen off at once */
};

TEST(all_of_a_crowd_are_told)
{
	static int pairs[MANY][2];
	unsigned hung_up = 0;
	char bytes[512];
	ssize_t n;

	for (int i = 0; i < MANY; i++) {
		ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]),
				 0);
		rpc_adopt(service.server, pairs[i][1]);
	}
	for (int i = 0; i < MANY; i++) {
		n = recv(pairs[i][0], bytes, sizeof(bytes) - 1, 0);
		ck_assert_int_gt(n, 26);
		bytes[n] = '\0';
		ck_assert_str_eq(bytes + 26, "you have 7 connections");
	}
	/* those beyond the crowd are hung up on, the others are waited for */
	for (int i = 0; i < MANY; i++)
		hung_up += send(pairs[i][0], "x", 1, MSG_NOSIGNAL) < 0;
	ck_assert_uint_eq(hung_up, MANY - 32);
	for (int i = 0; i < MANY; i++)
		close(pairs[i][0]);
	loop_run(service.loop);
	service.refuse = NULL;
	peer_open(&peer, service.server, service.loop, 1000);
	peer_run(&peer);
	ck_assert(!peer.eof);
	peer_close(&peer);
	service_stop();
}

SUITE("rpc-farewell", .test_case = "farewell", .setup = setup);
