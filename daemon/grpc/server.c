/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The server as a whole: its limits, its connections, and how it goes down.
 * Whose connections are served when is share.c's.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "answer.h"
#include "farewell.h"
#include "internal.h"

/* After the grace period, how long the last words may take to be sent. */
#define LAST_WORDS_SECONDS 1.0

static void set_limits(struct rpc_limits *l)
{
#define DEFAULT(field, value) (l->field = l->field ? l->field : (value))
	DEFAULT(max_message, RPC_MAX_MESSAGE);
	DEFAULT(max_unpacked, RPC_MAX_UNPACKED);
	DEFAULT(max_headers, RPC_MAX_HEADERS);
	DEFAULT(max_outbound, RPC_MAX_OUTBOUND);
	DEFAULT(user_bytes, RPC_MAX_USER_BYTES);
	DEFAULT(total_bytes, RPC_MAX_TOTAL_BYTES);
	DEFAULT(queue_high, RPC_QUEUE_HIGH);
	DEFAULT(queue_low, RPC_QUEUE_LOW);
	DEFAULT(work_turn, RPC_WORK_TURN);
	DEFAULT(max_streams, RPC_MAX_STREAMS);
	DEFAULT(max_conns, RPC_MAX_CONNS);
	DEFAULT(max_conns_per_uid, RPC_MAX_CONNS_PER_UID);
	if (!(l->idle_seconds > 0))
		l->idle_seconds = RPC_IDLE_SECONDS;
	if (!(l->hello_seconds > 0))
		l->hello_seconds = RPC_HELLO_SECONDS;
#undef DEFAULT
}

/* The methods that every server has. */
static const struct rpc_table *const own_tables[] = { &rpc_health_table,
						      &rpc_reflect_table,
						      NULL };

static void finish_stop(struct rpc_server *srv)
{
	void (*stopped)(struct rpc_server * srv) = srv->stopped;

	srv->stopped = NULL;
	ev_timer_stop(srv->loop, &srv->grace);
	if (stopped)
		stopped(srv);
}

/* Runs after all other callbacks of a turn of the loop. */
static void before_sleep(struct ev_loop *loop, ev_prepare *w, int revents)
{
	struct rpc_server *srv = w->data;

	rpc_share_turn(srv, rpc_conn_serve);
	if (srv->stopping && LIST_EMPTY(&srv->conns))
		finish_stop(srv);
}

static void stay_awake(struct ev_loop *loop, ev_idle *w, int revents)
{
}

/* Sessions that have said GOAWAY end by themselves after their last call. */
static void cancel_all(struct rpc_server *srv)
{
	struct rpc_conn *conn;
	struct rpc_call *call;

	LIST_FOREACH(conn, &srv->conns, link)
		LIST_FOREACH(call, &conn->calls, link)
			rpc_answer_abort(call, GRPC_UNAVAILABLE,
					 RPC_AT(NULL, "SHUTTING_DOWN"),
					 "the server is going down");
}

static void grace_over(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct rpc_server *srv = w->data;
	struct rpc_conn *conn;

	if (!srv->aborted) {
		srv->aborted = true;
		cancel_all(srv);
		w->repeat = LAST_WORDS_SECONDS;
		ev_timer_again(loop, w);
		return;
	}
	ev_timer_stop(loop, w);
	LIST_FOREACH(conn, &srv->conns, link) {
		conn->dead = true;
		rpc_share_touch(conn);
	}
}

static void start_watchers(struct rpc_server *srv)
{
	ev_prepare_init(&srv->prepare, before_sleep);
	srv->prepare.data = srv;
	ev_set_priority(&srv->prepare, EV_MINPRI);
	ev_prepare_start(srv->loop, &srv->prepare);
	ev_idle_init(&srv->again, stay_awake);
	ev_timer_init(&srv->grace, grace_over, 0.0, 0.0);
	srv->grace.data = srv;
}

int rpc_server_new(struct rpc_server **ret, const struct rpc_config *cfg)
{
	struct rpc_server *srv = calloc(1, sizeof(*srv));
	int rc;

	if (!srv)
		return -ENOMEM;
	srv->loop = cfg->loop;
	srv->cfg = *cfg;
	srv->limits = cfg->limits;
	set_limits(&srv->limits);
	LIST_INIT(&srv->conns);
	LIST_INIT(&srv->users);
	LIST_INIT(&srv->farewells);
	TAILQ_INIT(&srv->waiting);
	rc = rpc_methods_index(srv, own_tables);
	if (rc) {
		free(srv->methods);
		free(srv);
		return rc;
	}
	start_watchers(srv);
	*ret = srv;
	return 0;
}

void rpc_server_free(struct rpc_server *srv)
{
	struct rpc_conn *conn;

	if (!srv)
		return;
	rpc_listen_close_all(srv);
	while ((conn = LIST_FIRST(&srv->conns)))
		rpc_conn_free(conn);
	rpc_farewell_all(srv);
	assert(!srv->bytes && LIST_EMPTY(&srv->users) &&
	       TAILQ_EMPTY(&srv->waiting));
	ev_prepare_stop(srv->loop, &srv->prepare);
	ev_idle_stop(srv->loop, &srv->again);
	ev_timer_stop(srv->loop, &srv->grace);
	rpc_reflect_free(srv);
	free(srv->methods);
	free(srv);
}

void *rpc_server_user(const struct rpc_server *srv)
{
	return srv->cfg.user;
}

void rpc_server_shutdown(struct rpc_server *srv, double grace,
			 void (*done)(struct rpc_server *srv))
{
	struct rpc_conn *conn;

	if (srv->stopping)
		return;
	srv->stopping = true;
	srv->stopped = done;
	rpc_listen_close_all(srv);
	LIST_FOREACH(conn, &srv->conns, link)
		rpc_h2_goaway(conn);
	srv->grace.repeat = grace > 0 ? grace : 1e-6;
	ev_timer_again(srv->loop, &srv->grace);
}
