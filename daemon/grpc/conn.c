/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One connection: its socket, when it is read and written, and when it ends.
 * While its peer takes no answers it is not read either, so that what waits for
 * it is bounded by what one block can ask for. What the bytes mean is h2.c's.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"
#include "farewell.h"
#include "internal.h"

#define WRITE_BLOCK ((size_t)16 * 1024) /* bytes per send() */
#define WRITE_TURN  ((size_t)64 * 1024) /* then others have their turn */
#define CALLBACKS   8			/* in one turn, likewise */

static void can_read(struct ev_loop *loop, ev_io *w, int revents)
{
	struct rpc_conn *conn = w->data;

	conn->readable = true;
	rpc_share_touch(conn);
}

static void can_write(struct ev_loop *loop, ev_io *w, int revents)
{
	struct rpc_conn *conn = w->data;

	ev_io_stop(loop, w);
	ev_io_start(loop, &conn->rio);
	rpc_share_touch(conn);
}

/* The peer reads nothing: what it says waits until it does. */
static void wait_writable(struct rpc_conn *conn)
{
	ev_io_start(conn->srv->loop, &conn->wio);
	ev_io_stop(conn->srv->loop, &conn->rio);
}

static bool is_blocked(const struct rpc_conn *conn)
{
	return ev_is_active(&conn->wio);
}

/* The socket never blocks, so that no signal interrupts a call: no EINTR. */
static void read_block(struct rpc_conn *conn)
{
	uint8_t block[RPC_READ_BLOCK];
	ssize_t n = recv(conn->fd, block, sizeof(block), 0);

	conn->readable = n == (ssize_t)sizeof(block);
	if (n > 0)
		rpc_h2_feed(conn, block, (size_t)n);
	else if (n == 0 || errno != EAGAIN)
		conn->dead = true;
}

/* Collects frames until a block is full. False: the session is broken. */
static bool fill(struct rpc_conn *conn)
{
	const uint8_t *bytes;
	ssize_t n;

	while (buf_len(&conn->out) < WRITE_BLOCK) {
		n = nghttp2_session_mem_send(conn->session, &bytes);
		if (n < 0)
			return false;
		if (n == 0)
			return true;
		rpc_share_work(conn, (size_t)n);
		if (buf_append(&conn->out, bytes, (size_t)n))
			return false;
	}
	return true;
}

/* Writes what there is, up to a turn's share. False: broken or at its end. */
static bool flush(struct rpc_conn *conn)
{
	size_t sent = 0;
	ssize_t n;

	while (sent < WRITE_TURN) {
		if (!fill(conn))
			return false;
		if (!buf_len(&conn->out))
			return nghttp2_session_want_read(conn->session) ||
			       nghttp2_session_want_write(conn->session);
		n = send(conn->fd, buf_head(&conn->out), buf_len(&conn->out),
			 MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN) {
			wait_writable(conn);
			return true;
		}
		if (n < 0)
			return false;
		buf_consume(&conn->out, (size_t)n);
		sent += (size_t)n;
	}
	rpc_share_touch(conn);
	return true;
}

static void call_back(struct rpc_call *call)
{
	bool turn = call->turn;

	TAILQ_REMOVE(&call->conn->due, call, due_link);
	call->due = call->turn = false;
	rpc_share_work(call->conn, RPC_WORK_FRAME);
	rpc_request_go_on(call);
	rpc_answer_drained(call);
	if (turn && !call->finished && call->ops && call->ops->on_turn)
		call->ops->on_turn(call, call->data);
}

/* No call is freed here: that happens only inside the session. */
static void make_callbacks(struct rpc_conn *conn)
{
	struct rpc_call *call;

	for (int i = 0; i < CALLBACKS && rpc_share_credit(conn); i++) {
		call = TAILQ_FIRST(&conn->due);
		if (!call)
			return;
		call_back(call);
	}
	if (!TAILQ_EMPTY(&conn->due))
		rpc_share_touch(conn);
}

/* False: it is over. */
static bool go_on(struct rpc_conn *conn)
{
	if (conn->dead || (!is_blocked(conn) && !flush(conn)))
		return false;
	if (conn->readable && !conn->flooded && !is_blocked(conn)) {
		read_block(conn);
		if (conn->dead || !flush(conn))
			return false;
		/* what callbacks have to say waits for the next time */
		if (conn->readable)
			rpc_share_touch(conn);
	}
	make_callbacks(conn);
	return true;
}

void rpc_conn_serve(struct rpc_conn *conn)
{
	if (!go_on(conn))
		rpc_conn_free(conn);
}

void rpc_conn_cut_soon(struct rpc_conn *conn)
{
	conn->leaving = true;
	conn->idle.repeat = conn->srv->limits.hello_seconds;
	ev_timer_again(conn->srv->loop, &conn->idle);
}

static bool is_busy(const struct rpc_conn *conn)
{
	const struct rpc_call *call;

	LIST_FOREACH(call, &conn->calls, link)
		if (rpc_request_is_busy(call))
			return true;
	return conn->holds;
}

/* Closes connections that never say hello, or have nothing to do. */
static void idle_check(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct rpc_conn *conn = w->data;
	const struct rpc_limits *l = &conn->srv->limits;
	ev_tstamp left = conn->last_use + l->idle_seconds - ev_now(loop);

	if (!conn->greeted || conn->leaving) {
		conn->dead = true;
		rpc_share_touch(conn);
		return;
	}
	if (is_busy(conn))
		left = l->idle_seconds;
	if (left <= 0) {
		rpc_h2_terminate(conn, NGHTTP2_NO_ERROR);
		rpc_conn_cut_soon(conn); /* a peer that is stuck */
		return;
	}
	w->repeat = left;
	ev_timer_again(loop, w);
}

/* From now on only idleness ends the connection. */
void rpc_conn_greet(struct rpc_conn *conn)
{
	if (conn->greeted)
		return;
	conn->greeted = true;
	conn->idle.repeat = conn->srv->limits.idle_seconds;
	ev_timer_again(conn->srv->loop, &conn->idle);
}

static void start_watchers(struct rpc_conn *conn)
{
	struct ev_loop *loop = conn->srv->loop;

	ev_io_init(&conn->rio, can_read, conn->fd, EV_READ);
	ev_io_init(&conn->wio, can_write, conn->fd, EV_WRITE);
	ev_timer_init(&conn->idle, idle_check, 0.0,
		      conn->srv->limits.hello_seconds);
	conn->rio.data = conn->wio.data = conn->idle.data = conn;
	conn->last_use = ev_now(loop);
	ev_io_start(loop, &conn->rio);
	ev_timer_again(loop, &conn->idle);
}

/* Is the peer welcome? -EUSERS: no, @ret_why says why. */
static int ask_admission(struct rpc_conn *conn, char ret_why[RPC_WHY])
{
	const struct rpc_config *cfg = &conn->srv->cfg;

	if (!cfg->conn_admit ||
	    cfg->conn_admit(conn->srv, &conn->peer, ret_why))
		return 0;
	return -EUSERS;
}

static int conn_start(struct rpc_conn *conn, char ret_why[RPC_WHY])
{
	int rc;

	rpc_peer_learn(conn);
	rc = rpc_share_join(conn, ret_why);
	if (!rc)
		rc = rpc_h2_start(conn);
	return rc ? rc : ask_admission(conn, ret_why);
}

int rpc_conn_new(struct rpc_server *srv, int fd)
{
	struct rpc_conn *conn = calloc(1, sizeof(*conn));
	char why[RPC_WHY] = "out of memory";
	int rc;

	if (!conn) {
		close(fd);
		return -ENOMEM;
	}
	conn->srv = srv;
	conn->fd = fd;
	LIST_INIT(&conn->calls);
	TAILQ_INIT(&conn->due);
	rc = conn_start(conn, why);
	if (rc) {
		nghttp2_session_del(conn->session);
		rpc_share_leave(conn);
		rpc_farewell(srv, fd, why);
		free(conn);
		return rc;
	}
	LIST_INSERT_HEAD(&srv->conns, conn, link);
	srv->n_conns++;
	start_watchers(conn);
	rpc_share_touch(conn);
	if (srv->cfg.conn_opened)
		srv->cfg.conn_opened(conn);
	return 0;
}

void rpc_conn_free(struct rpc_conn *conn)
{
	struct rpc_server *srv = conn->srv;
	struct rpc_call *call;

	conn->dead = true;
	LIST_FOREACH(call, &conn->calls, link)
		rpc_call_cancel(call);
	if (srv->cfg.conn_closed)
		srv->cfg.conn_closed(conn);
	while ((call = LIST_FIRST(&conn->calls)))
		rpc_call_free(call);
	ev_io_stop(srv->loop, &conn->rio);
	ev_io_stop(srv->loop, &conn->wio);
	ev_timer_stop(srv->loop, &conn->idle);
	LIST_REMOVE(conn, link);
	srv->n_conns--;
	nghttp2_session_del(conn->session);
	buf_free(&conn->out);
	rpc_share_leave(conn);
	close(conn->fd);
	free(conn);
}
