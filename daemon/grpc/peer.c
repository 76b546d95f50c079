/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is at the other end, what handlers may ask about a connection, and
 * sockets that are handed over connected. The connection itself is conn.c's.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

void peer_learn(struct rpc_conn *conn)
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

int rpc_adopt(struct rpc_server *srv, int fd)
{
	if (srv->stopping || fcntl(fd, F_SETFD, FD_CLOEXEC) ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)) {
		int rc = srv->stopping ? -ESHUTDOWN : -errno;

		close(fd);
		return rc;
	}
	return conn_new(srv, fd);
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
