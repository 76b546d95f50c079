/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the server's objects hold and wait for at a given moment. Timers are
 * looked at and rung by hand: no time passes here.
 */
#include "unit.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "grpc/internal.h"
#include "rpc-peer.h"
#include "rpc-service.h"

enum {
	IDLE = 1000, /* seconds */
	HELLO = 100,
	BURST = 16, /* connections taken at once */
	CALLBACKS = 8,
};

static const struct rpc_limits slow = { .idle_seconds = IDLE,
					.hello_seconds = HELLO };
static struct peer peer;

static struct rpc_conn *conn_of(void)
{
	return LIST_FIRST(&service.server->conns);
}

static double left(ev_timer *w)
{
	return ev_timer_remaining(service.loop, w);
}

static void open_peer(const struct rpc_limits *limits)
{
	service_start(limits);
	peer_open(&peer, service.server, service.loop, 1000);
	peer_run(&peer);
	ck_assert_ptr_nonnull(conn_of());
}

static void close_peer(void)
{
	peer_close(&peer);
	service_stop();
}

/* A stream whose handler has not ended it. */
static struct peer_call *begin(const char *path)
{
	const struct peer_request q = { .path = path,
					.body = "\0\0\0\0\0",
					.len = 5 };
	struct peer_call *c = peer_start(&peer, &q);

	peer_run(&peer);
	return c;
}

TEST(limits_that_are_not_given_are_those_of_the_list)
{
	const struct rpc_limits *l;

	service_start(NULL);
	l = &service.server->limits;
	ck_assert_uint_eq(l->max_message, RPC_MAX_MESSAGE);
	ck_assert_uint_eq(l->max_unpacked, RPC_MAX_UNPACKED);
	ck_assert_uint_eq(l->max_headers, RPC_MAX_HEADERS);
	ck_assert_uint_eq(l->max_outbound, RPC_MAX_OUTBOUND);
	ck_assert_uint_eq(l->user_bytes, RPC_MAX_USER_BYTES);
	ck_assert_uint_eq(l->total_bytes, RPC_MAX_TOTAL_BYTES);
	ck_assert_uint_eq(l->queue_high, RPC_QUEUE_HIGH);
	ck_assert_uint_eq(l->queue_low, RPC_QUEUE_LOW);
	ck_assert_uint_eq(l->work_turn, RPC_WORK_TURN);
	ck_assert_uint_eq(l->max_streams, RPC_MAX_STREAMS);
	ck_assert_uint_eq(l->max_conns, RPC_MAX_CONNS);
	ck_assert_uint_eq(l->max_conns_per_uid, RPC_MAX_CONNS_PER_UID);
	ck_assert_double_eq(l->idle_seconds, RPC_IDLE_SECONDS);
	ck_assert_double_eq(l->hello_seconds, RPC_HELLO_SECONDS);
	service_stop();
}

TEST(a_peer_may_send_as_much_as_is_said)
{
	open_peer(NULL);
	ck_assert_int_eq(nghttp2_session_get_remote_window_size(peer.session),
			 RPC_CONN_WINDOW);
	close_peer();
}

/* What a stream's handler has taken is given back, to the byte. */
TEST(what_is_taken_is_given_back)
{
	struct peer_call *c;

	open_peer(NULL);
	service.pause = true;
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Up",
						      .more = true });
	peer_more(c, "\0\0\0\0\0", 5, false);
	peer_run(&peer);
	ck_assert_uint_eq(service.messages, 1);
	ck_assert_uint_eq(service.held->unconsumed, 5);
	rpc_call_resume(service.held);
	peer_run(&peer);
	ck_assert_uint_eq(service.held->unconsumed, 0);
	service.pause = false;
	for (unsigned i = 1; i <= 3; i++) {
		peer_more(c, "\0\0\0\0\0", 5, false);
		peer_run(&peer);
		ck_assert_uint_eq(service.messages, 1 + i);
		ck_assert_uint_eq(service.held->unconsumed, 0);
	}
	close_peer();
}

/* The look at whether a connection is idle, and the next one. */
static const struct idle_row {
	const char *why;
	double ago; /* it was used */
	bool holds, leaving;
	double want; /* until the next look */
	bool dead;
} idle_rows[] = {
	{ "it was used", 400, false, false, IDLE - 400, false },
	{ "just now", 0, false, false, IDLE, false },
	{ "it has done nothing for so long", IDLE, false, false, HELLO, false },
	{ "for longer", IDLE + 1, false, false, HELLO, false },
	{ "for nearly as long", IDLE - 1, false, false, 1, false },
	{ "somebody holds it", IDLE + 1, true, false, IDLE, false },
	{ "it was told to go, and stays", 400, false, true, IDLE, true },
};

TEST_ROWS(a_look_says_when_the_next_one_is, idle_rows)
{
	const struct idle_row *row = &idle_rows[_i];
	struct rpc_conn *conn;

	open_peer(&slow);
	conn = conn_of();
	ck_assert_double_eq(conn->idle.repeat, IDLE);
	conn->last_use = ev_now(service.loop) - row->ago;
	conn->leaving = row->leaving;
	conn->holds = row->holds;
	ev_timer_again(service.loop, &conn->idle);
	ev_invoke(service.loop, &conn->idle, EV_TIMER);
	ck_assert_msg(left(&conn->idle) > row->want - 0.001 &&
			      left(&conn->idle) < row->want + 0.001,
		      "%s: %f", row->why, left(&conn->idle));
	ck_assert(conn->dead == row->dead);
	ck_assert(conn->leaving == (row->leaving || row->want == HELLO));
	peer_run(&peer);
	ck_assert(peer.goaway == (!row->leaving && row->want == HELLO));
	ck_assert(peer.eof == (row->dead || row->want == HELLO));
	close_peer();
}

TEST(a_connection_is_held_until_each_hold_is_released)
{
	struct rpc_conn *conn;

	open_peer(&slow);
	conn = conn_of();
	rpc_conn_hold(conn);
	rpc_conn_hold(conn);
	conn->last_use = 0;
	rpc_conn_release(conn);
	ck_assert_uint_eq(conn->holds, 1);
	ck_assert(conn->last_use == 0);
	rpc_conn_release(conn);
	ck_assert_uint_eq(conn->holds, 0);
	ck_assert(conn->last_use == ev_now(service.loop));
	close_peer();
}

TEST(who_does_not_say_hello_is_waited_for)
{
	int pair[2];

	service_start(&slow);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), 0);
	loop_run(service.loop);
	ck_assert_double_eq(conn_of()->idle.repeat, HELLO);
	ck_assert(ev_is_active(&conn_of()->idle));
	ev_invoke(service.loop, &conn_of()->idle, EV_TIMER);
	ck_assert(conn_of()->dead);
	ck_assert_uint_eq(service.closed, 0);
	loop_run(service.loop);
	ck_assert_uint_eq(service.closed, 1);
	close(pair[0]);
	service_stop();
}

static unsigned stopped;

static void on_stopped(struct rpc_server *srv)
{
	stopped++;
}

/* Calls are let end, then told to, then there is a second for last words. */
TEST(going_down_has_three_parts)
{
	ev_timer *grace;

	open_peer(&slow);
	(void)begin("/test.Test/Down");
	grace = &service.server->grace;
	stopped = 0;
	rpc_server_shutdown(service.server, 500, on_stopped);
	ck_assert_double_eq(grace->repeat, 500);
	ck_assert(ev_is_active(grace));
	ck_assert_uint_eq(service.cancelled, 0);
	ev_invoke(service.loop, grace, EV_TIMER);
	ck_assert_uint_eq(service.cancelled, 1);
	ck_assert_double_eq(grace->repeat, 1);
	ck_assert(left(grace) > 0.999 && left(grace) < 1.001);
	ck_assert(!conn_of()->dead);
	ev_invoke(service.loop, grace, EV_TIMER);
	ck_assert(!ev_is_active(grace));
	ck_assert(conn_of()->dead);
	ck_assert_uint_eq(stopped, 0);
	loop_run(service.loop);
	ck_assert_uint_eq(stopped, 1);
	ck_assert_uint_eq(service.closed, 1);
	close_peer();
}

/* It would have been looked at when the loop goes on. */
TEST(a_server_may_end_while_a_connection_waits)
{
	open_peer(NULL);
	rpc_share_touch(conn_of());
	ck_assert(!TAILQ_EMPTY(&service.server->waiting));
	service_stop();
	peer_close(&peer);
}

static char order[CALLBACKS + 3];
static size_t n_order;

/* @data: one letter. */
static void note_turn(struct rpc_call *call, void *data)
{
	ck_assert_uint_lt(n_order, sizeof(order) - 1);
	order[n_order++] = *(const char *)data;
}

static void note_end(struct rpc_call *call, void *data)
{
	service.cancelled++;
}

static const struct rpc_call_ops noting = { .on_turn = note_turn,
					    .on_cancel = note_end };

static struct rpc_call *noted(struct peer *of, const char *letter)
{
	peer_start(of, &(struct peer_request){ .path = "/test.Test/Down",
					       .body = "\0\0\0\0\0",
					       .len = 5 });
	peer_run(of);
	rpc_call_watch(service.held, &noting, (void *)letter);
	return service.held;
}

TEST(another_connection_is_served_between_callbacks)
{
	struct rpc_call *calls[CALLBACKS + 2];
	struct peer other;

	open_peer(NULL);
	peer_open(&other, service.server, service.loop, 1000);
	for (int i = 0; i <= CALLBACKS; i++)
		calls[i] = noted(&peer, "a");
	calls[CALLBACKS + 1] = noted(&other, "b");
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		rpc_call_later(calls[i]);
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_str_eq(order, "aaaaaaaaba");
	peer_close(&other);
	close_peer();
}

TEST(so_many_connections_are_taken_in_a_turn)
{
	char path[64];
	int fds[BURST + 1];

	service_start(NULL);
	snprintf(path, sizeof(path), "/tmp/rpc-inside-%d", getpid());
	ck_assert_int_eq(rpc_listen_unix(service.server, path, 0600), 0);
	ck_assert_double_eq(service.server->listeners[0].retry.repeat, 0.25);
	for (int i = 0; i <= BURST; i++) {
		fds[i] = service_connect(path);
		ck_assert_int_ge(fds[i], 0);
	}
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_uint_eq(service.opened, BURST);
	ev_run(service.loop, EVRUN_NOWAIT);
	ck_assert_uint_eq(service.opened, BURST + 1);
	for (int i = 0; i <= BURST; i++)
		close(fds[i]);
	service_stop();
}

/* The end of a text that was cut goes as far as a character does. */
static const struct text_row {
	const char *why, *said, *want;
} text_rows[] = {
	{ "whole", "x\xf0\x9f\x98\x80", "x\xf0\x9f\x98\x80" },
	{ "one byte of four is missing", "x\xf0\x9f\x98", "x" },
	{ "two are", "x\xf0\x9f", "x" },
	{ "one is left", "x\xf0", "x" },
	{ "one of a text that has no more", "\xf0", "" },
	{ "it was none before its last bytes",
	  "x\xff"
	  "abc",
	  "x\xff"
	  "abc" },
};

TEST_ROWS(a_text_that_was_cut_ends_with_a_character, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	struct peer_call *c;

	open_peer(NULL);
	c = begin("/test.Test/Down");
	rpc_finish(service.held, GRPC_NOT_FOUND, "%s", row->said);
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert_msg(!strcmp(c->text, row->want), "%s: '%s'", row->why,
		      c->text);
	close_peer();
}

/* A field's name may have come from a user: it is text all the same. */
TEST(details_are_mended)
{
	struct peer_call *c;

	open_peer(NULL);
	c = begin("/test.Test/Down");
	rpc_refuse(service.held, GRPC_NOT_FOUND, RPC_AT("f\xff", "R\xff"),
		   "no");
	service.done++;
	/* whoever reads them mends them, too */
	ck_assert_str_eq(service.held->details.field, "f?");
	ck_assert_str_eq(service.held->details.reason, "R?");
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert_str_eq(c->text, "no");
	ck_assert_str_eq(c->details.field, "f?");
	ck_assert_str_eq(c->details.reason, "R?");
	close_peer();
}

TEST(a_deadline_comes_once)
{
	const ev_timer *deadline;

	open_peer(NULL);
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						  .timeout = "1000S",
						  .body = "\0\0\0\0\0",
						  .len = 5 });
	peer_run(&peer);
	deadline = &service.held->deadline;
	ck_assert(ev_is_active(deadline));
	ck_assert_double_eq(deadline->repeat, 0);
	ck_assert(left(&service.held->deadline) <= 1000);
	ck_assert(left(&service.held->deadline) > 900);
	close_peer();
}

SUITE("rpc-inside");
