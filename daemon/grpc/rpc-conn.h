/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A connection as the handlers of its calls see it, and who is at the other
 * end. It lives until conn_closed.
 */
#ifndef GRPC_RPC_CONN_H
#define GRPC_RPC_CONN_H

#include <stdbool.h>
#include <sys/types.h>

struct rpc_conn;
struct rpc_server;

struct rpc_peer {
	bool known; /* false: no identity (TCP); the rest is then -1 */
	uid_t uid;
	gid_t gid;
	pid_t pid;
};

const struct rpc_peer *rpc_conn_peer(const struct rpc_conn *conn);
struct rpc_server *rpc_conn_server(const struct rpc_conn *conn);
/* While held, @conn is not closed for being idle. Counted. */
void rpc_conn_hold(struct rpc_conn *conn);
void rpc_conn_release(struct rpc_conn *conn);

#endif
