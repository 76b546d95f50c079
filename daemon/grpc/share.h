/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a user may hold and have done for it, over all its connections. How time
 * is shared is told in share.c.
 */
#ifndef GRPC_SHARE_H
#define GRPC_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "rpc-limits.h"

struct rpc_conn;
struct rpc_server;

TAILQ_HEAD(rpc_conns, rpc_conn);
TAILQ_HEAD(rpc_users, rpc_user);

struct rpc_user { /* what one user holds, over all connections */
	LIST_ENTRY(rpc_user) link;
	TAILQ_ENTRY(rpc_user) turn_link;
	struct rpc_conns dirty; /* to serve before the loop sleeps */
	uid_t uid;
	unsigned int conns;
	size_t bytes;
	long long credit; /* work that is left in this turn, or debt */
	bool waiting;	  /* for its turn */
};

/* Gives @conn its user: 0; or -errno, and why. */
int rpc_share_join(struct rpc_conn *conn, char ret_why[RPC_WHY]);
void rpc_share_leave(struct rpc_conn *conn);
void rpc_share_touch(struct rpc_conn *conn); /* serve @conn before sleeping */
/* Looks after one that was touched, and may free it. */
typedef void rpc_share_serve_fn(struct rpc_conn *conn);
void rpc_share_turn(struct rpc_server *srv, rpc_share_serve_fn *serve);
void rpc_share_work(struct rpc_conn *conn, size_t bytes);
bool rpc_share_credit(const struct rpc_conn *conn); /* its user may go on */
bool rpc_share_charge(struct rpc_conn *conn,
		      size_t bytes); /* false: too much */
void rpc_share_refund(struct rpc_conn *conn, size_t bytes);

#endif
