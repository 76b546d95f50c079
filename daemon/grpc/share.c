/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each user holds and how much is done for it: memory by charges, time by
 * turns. Connections without identity are one user.
 *
 * Nothing is read or written from inside a callback of the loop: whoever
 * changes a connection touches it, and touched ones are served before the loop
 * sleeps. In a turn of the loop every user that waits is given RPC_WORK_TURN
 * bytes' worth of work; its connections use it one after the other, a portion
 * (a block read, a block written, a callback) each time, until it is used up.
 * A portion that cost more is a debt for the next turns. So whoever asks for
 * little waits for at most one turn's work of each other user, whatever those
 * ask for and over how many connections, and nobody waits when there is
 * nobody else.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

#define LAST_PART 4 /* a quarter of all memory is for those who hold little */

static struct rpc_user *find_user(const struct rpc_server *srv, uid_t uid)
{
	struct rpc_user *u;

	LIST_FOREACH(u, &srv->users, link)
		if (u->uid == uid)
			return u;
	return NULL;
}

static struct rpc_user *new_user(struct rpc_server *srv, uid_t uid)
{
	struct rpc_user *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->uid = uid;
	TAILQ_INIT(&u->dirty);
	LIST_INSERT_HEAD(&srv->users, u, link);
	return u;
}

static void let_go(struct rpc_server *srv, struct rpc_user *u)
{
	if (--u->conns)
		return;
	assert(!u->bytes && TAILQ_EMPTY(&u->dirty));
	if (u->waiting)
		TAILQ_REMOVE(&srv->waiting, u, turn_link);
	LIST_REMOVE(u, link);
	free(u);
}

/* What stands against one more connection of @u, who may be new; or NULL. */
static const char *is_full(const struct rpc_server *srv,
			   const struct rpc_user *u)
{
	if (srv->n_conns >= srv->limits.max_conns)
		return "too many connections";
	if (u && u->conns >= srv->limits.max_conns_per_uid)
		return "too many connections of this user";
	return NULL;
}

int rpc_share_join(struct rpc_conn *conn, char ret_why[RPC_WHY])
{
	struct rpc_server *srv = conn->srv;
	struct rpc_user *u = find_user(srv, conn->peer.uid);
	const char *why = is_full(srv, u);

	if (!why && !u) {
		u = new_user(srv, conn->peer.uid);
		if (!u)
			return -ENOMEM;
	}
	if (!why) {
		u->conns++;
		conn->user = u;
		if (rpc_share_charge(conn, RPC_CONN_BYTES))
			return 0;
		why = "too many bytes are queued for this user, or for all";
		conn->user = NULL;
		let_go(srv, u);
	}
	snprintf(ret_why, RPC_WHY, "%s", why);
	return -EUSERS;
}

void rpc_share_leave(struct rpc_conn *conn)
{
	if (!conn->user)
		return;
	if (conn->dirty)
		TAILQ_REMOVE(&conn->user->dirty, conn, dirty_link);
	rpc_share_refund(conn, RPC_CONN_BYTES);
	let_go(conn->srv, conn->user);
}

bool rpc_share_charge(struct rpc_conn *conn, size_t bytes)
{
	struct rpc_server *srv = conn->srv;
	const struct rpc_limits *l = &srv->limits;
	size_t total = l->total_bytes, mine = conn->user->bytes;

	if (bytes > l->user_bytes || mine > l->user_bytes - bytes)
		return false;
	if (mine + bytes > RPC_LITTLE_BYTES)
		total -= total / LAST_PART;
	if (bytes > total || srv->bytes > total - bytes)
		return false;
	conn->user->bytes += bytes;
	srv->bytes += bytes;
	return true;
}

void rpc_share_refund(struct rpc_conn *conn, size_t bytes)
{
	assert(conn->user->bytes >= bytes && conn->srv->bytes >= bytes);
	conn->user->bytes -= bytes;
	conn->srv->bytes -= bytes;
}

void rpc_share_work(struct rpc_conn *conn, size_t bytes)
{
	struct rpc_user *u = conn->user;

	u->credit -= (long long)(bytes < RPC_WORK_DEBT ? bytes : RPC_WORK_DEBT);
	if (u->credit < -(long long)RPC_WORK_DEBT)
		u->credit = -(long long)RPC_WORK_DEBT;
}

bool rpc_share_credit(const struct rpc_conn *conn)
{
	return conn->user->credit > 0;
}

static void wait_for_turn(struct rpc_server *srv, struct rpc_user *u)
{
	if (u->waiting)
		return;
	u->waiting = true;
	TAILQ_INSERT_TAIL(&srv->waiting, u, turn_link);
	ev_idle_start(srv->loop, &srv->again);
}

void rpc_share_touch(struct rpc_conn *conn)
{
	if (conn->dirty)
		return;
	conn->dirty = true;
	TAILQ_INSERT_TAIL(&conn->user->dirty, conn, dirty_link);
	wait_for_turn(conn->srv, conn->user);
}

static void serve_user(struct rpc_server *srv, struct rpc_user *u,
		       rpc_share_serve_fn *serve)
{
	long long turn = (long long)srv->limits.work_turn;
	struct rpc_conn *conn;

	u->conns++; /* it is looked at behind its last connection */
	u->credit = u->credit < 0 ? u->credit + turn : turn;
	while (u->credit > 0 && (conn = TAILQ_FIRST(&u->dirty))) {
		TAILQ_REMOVE(&u->dirty, conn, dirty_link);
		conn->dirty = false;
		rpc_share_work(conn, RPC_WORK_SERVE);
		serve(conn);
	}
	u->waiting = false;
	if (!TAILQ_EMPTY(&u->dirty))
		wait_for_turn(srv, u);
	let_go(srv, u);
}

void rpc_share_turn(struct rpc_server *srv, rpc_share_serve_fn *serve)
{
	struct rpc_user *last = TAILQ_LAST(&srv->waiting, rpc_users);
	bool more = last != NULL;

	while (more) {
		struct rpc_user *u = TAILQ_FIRST(&srv->waiting);

		/* its connections may be touched meanwhile: it waits no more */
		more = u != last;
		TAILQ_REMOVE(&srv->waiting, u, turn_link);
		serve_user(srv, u, serve);
	}
	if (TAILQ_EMPTY(&srv->waiting))
		ev_idle_stop(srv->loop, &srv->again);
}
