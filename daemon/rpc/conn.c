/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What handlers may ask about a connection, and sockets that are handed over
 * connected. The connection itself is h2.c's.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "rpc/internal.h"

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

void rpc_conn_set_data(struct rpc_conn *conn, void *data)
{
	conn->data = data;
}

void *rpc_conn_data(const struct rpc_conn *conn)
{
	return conn->data;
}

void rpc_conn_hold(struct rpc_conn *conn)
{
	conn->holds++;
}

void rpc_conn_release(struct rpc_conn *conn)
{
	assert(conn->holds);
	if (!--conn->holds)
		conn->last_call = ev_now(conn->srv->loop);
}
