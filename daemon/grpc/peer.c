/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is at the other end, and what handlers may ask about a connection. The
 * connection itself is conn.c's.
 */
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "internal.h"

void rpc_peer_learn(struct rpc_conn *conn)
{
	struct ucred cred;
	socklen_t len = sizeof(cred), dlen = sizeof(int);
	int domain = 0, one = 1;

	conn->peer = (struct rpc_peer){ false, (uid_t)-1, (gid_t)-1, -1 };
	getsockopt(conn->fd, SOL_SOCKET, SO_DOMAIN, &domain, &dlen);
	if (domain != AF_UNIX) {
		setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &one,
			   sizeof(one));
		return;
	}
	if (getsockopt(conn->fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return;
	conn->peer = (struct rpc_peer){ true, cred.uid, cred.gid, cred.pid };
}

const struct rpc_peer *rpc_conn_peer(const struct rpc_conn *conn)
{
	return &conn->peer;
}

struct rpc_server *rpc_conn_server(const struct rpc_conn *conn)
{
	return conn->srv;
}

void rpc_conn_hold(struct rpc_conn *conn)
{
	conn->holds++;
}

void rpc_conn_release(struct rpc_conn *conn)
{
	assert(conn->holds);
	if (!--conn->holds)
		conn->last_use = ev_now(conn->srv->loop);
}
