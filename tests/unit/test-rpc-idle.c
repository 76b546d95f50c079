/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * When a connection ends by itself: it never says hello, it has nothing to do,
 * its requests never become whole, it breaks.
 */
#include "unit.h"

#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-raw.h"
#include "rpc-service.h"

TEST(an_idle_connection_is_told_to_go)
{
	const struct rpc_limits limits = { .idle_seconds = 0.001 };
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	while (!peer.eof)
		peer_run(&peer);
	ck_assert(peer.goaway);
	peer_close(&peer);
	service_stop();
}

TEST(a_connection_that_says_nothing_is_closed)
{
	const struct rpc_limits limits = { .hello_seconds = 0.001 };
	int pair[2];

	service_start(&limits);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), 0);
	while (!service.closed)
		ev_run(service.loop, EVRUN_NOWAIT);
	close(pair[0]);
	service_stop();
}

static bool busy_over;

static void busy_end(struct ev_loop *loop, ev_timer *w, int revents)
{
	busy_over = true;
}

/* A call and a hold each keep a connection that is otherwise idle. */
TEST_TIMES(a_busy_connection_is_not_idle, 2)
{
	const struct rpc_limits limits = { .idle_seconds = 0.001 };
	struct rpc_conn *conn;
	struct peer peer;
	ev_timer timer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	conn = rpc_call_conn(service.held);
	rpc_conn_hold(conn);
	if (_i) {
		rpc_finish(service.held, GRPC_OK, NULL);
		service.done++;
	}
	ev_timer_init(&timer, busy_end, 0.03, 0.0);
	ev_timer_start(service.loop, &timer);
	for (busy_over = false; !busy_over;)
		peer_run(&peer);
	ck_assert(!peer.goaway && !peer.eof);
	rpc_conn_release(conn);
	if (_i)
		while (!peer.eof)
			peer_run(&peer);
	peer_close(&peer);
	service_stop();
}

static const struct unfinished_row {
	const char *why, *path;
	bool more, kept;
} unfinished_rows[] = {
	{ "an upload that stops", "/test.Test/Up", true, false },
	{ "a request without its message", "/test.Test/Unary", true, false },
	{ "a whole request that waits for its answer", "/test.Test/Down", false,
	  true },
	{ "two directions, of which one is silent", "/test.Test/Both", true,
	  true },
};

/* What never becomes a whole request keeps no connection open. */
TEST_ROWS(an_unfinished_request_is_idle, unfinished_rows)
{
	const struct unfinished_row *row = &unfinished_rows[_i];
	const struct rpc_limits limits = { .idle_seconds = 0.001 };
	struct peer peer;
	ev_timer timer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = row->path,
						  .body = "\0\0\0\0\0",
						  .len = row->more ? 0 : 5,
						  .more = row->more });
	ev_timer_init(&timer, busy_end, 0.03, 0.0);
	ev_timer_start(service.loop, &timer);
	for (busy_over = false; row->kept ? !busy_over : !peer.eof;)
		peer_run(&peer);
	ck_assert_msg(peer.goaway == !row->kept, "%s", row->why);
	peer_close(&peer);
	service_stop();
}

/* The other end is closed with bytes unread: an error, not an end of file. */
TEST(a_connection_that_breaks_is_closed)
{
	int pair[2];
	char c;

	service_start(NULL);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), 0);
	loop_run(service.loop); /* the settings are on their way */
	ck_assert_int_eq(recv(pair[0], &c, 1, MSG_PEEK), 1);
	close(pair[0]);
	ev_run(service.loop, EVRUN_NOWAIT); /* says that there is something */
	ck_assert_uint_eq(service.closed, 0);
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_uint_eq(service.closed, 1);
	service_stop();
}

TEST(a_wakeup_without_bytes_ends_nothing)
{
	struct raw raw;

	service_start(NULL);
	raw_open(&raw, service.server, service.loop);
	loop_run(service.loop);
	ev_feed_fd_event(service.loop, raw.server_fd, EV_READ);
	loop_run(service.loop);
	ck_assert_uint_eq(service.closed, 0);
	raw_close(&raw);
	service_stop();
}

/* Told to go, it would be let go when it has read that. */
TEST(an_idle_peer_that_reads_nothing_is_cut_off)
{
	const struct rpc_limits limits = { .idle_seconds = 0.01,
					   .hello_seconds = 0.3 };
	const struct raw_head ping = { .type = NGHTTP2_PING };
	const int small = 1;
	struct buf b = { 0 };
	struct raw raw;

	service_start(&limits);
	raw_open(&raw, service.server, service.loop);
	setsockopt(raw.server_fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	for (int i = 0; i < 200; i++)
		raw_frame(&b, &ping, "12345678", 8);
	for (int i = 0; i < 20; i++)
		raw_send(&raw, &b);
	buf_free(&b);
	/* it is not seen to end: nobody reads this end of it */
	while (!service.closed)
		ev_run(service.loop, EVRUN_NOWAIT);
	raw_close(&raw);
	service_stop();
}

#define IDLE 0.2

/* Lets @seconds of the loop's time pass. */
static void pass(struct peer *peer, double seconds)
{
	ev_tstamp until = ev_now(service.loop) + seconds;

	while (ev_now(service.loop) < until)
		peer_run(peer);
}

/* When @peer is told to go. */
static ev_tstamp told_to_go(struct peer *peer)
{
	while (!peer->goaway)
		peer_run(peer);
	return ev_now(service.loop);
}

TEST(what_is_held_is_idle_from_its_release_on)
{
	const struct rpc_limits limits = { .idle_seconds = IDLE };
	struct rpc_conn *conn;
	ev_tstamp released;
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	conn = rpc_call_conn(service.held);
	rpc_conn_hold(conn);
	rpc_finish(service.held, GRPC_OK, NULL);
	service.done++;
	/* between two looks whether it is idle */
	pass(&peer, 1.5 * IDLE);
	released = ev_now(service.loop);
	rpc_conn_release(conn);
	ck_assert(told_to_go(&peer) >= released + IDLE);
	peer_close(&peer);
	service_stop();
}

/* Whatever has become of it. */
TEST_TIMES(a_connection_is_idle_from_the_end_of_its_last_call_on, 2)
{
	const struct rpc_limits limits = { .idle_seconds = IDLE };
	struct peer_call *c;
	ev_tstamp ended;
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						      .body = "\0\0\0\0\0",
						      .len = 5 });
	peer_run(&peer);
	pass(&peer, 1.5 * IDLE);
	ended = ev_now(service.loop);
	if (_i) {
		peer_reset(c);
	} else {
		rpc_finish(service.held, GRPC_OK, NULL);
		service.done++;
	}
	ck_assert(told_to_go(&peer) >= ended + IDLE);
	peer_close(&peer);
	service_stop();
}

/* Its first header and each byte of a request begin the time anew. */
TEST_TIMES(a_request_that_goes_on_is_not_idle, 2)
{
	const struct rpc_limits limits = { .idle_seconds = IDLE };
	const struct peer_request up = { .path = "/test.Test/Up",
					 .more = true };
	struct peer_call *c = NULL;
	struct peer peer;
	ev_tstamp sent;
	bool late;

	/* where the host stood still, it was idle before the byte came */
	do {
		service_start(&limits);
		peer_open(&peer, service.server, service.loop, 1000);
		if (_i)
			c = peer_start(&peer, &up);
		pass(&peer, IDLE / 2);
		sent = ev_now(service.loop);
		if (_i)
			peer_more(c, "", 1, false);
		else
			peer_start(&peer, &up);
		peer_run(&peer);
		late = peer.goaway;
		ck_assert(told_to_go(&peer) >= sent + IDLE || late);
		peer_close(&peer);
		service_stop();
	} while (late);
}

SUITE("rpc-idle");
