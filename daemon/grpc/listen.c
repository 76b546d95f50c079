/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where connections come from: listening sockets (Unix by path, inherited from
 * systemd, TCP on the loopback address only) and those that are handed over
 * connected. Decides how a stale socket is replaced and what happens when the
 * process runs out of descriptors; connections are conn.c's.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "internal.h"
#include "listen-beside.h"
#include "wire/cleanup.h"

#define ACCEPT_BURST  16   /* connections per turn of the loop */
#define RETRY_SECONDS 0.25 /* after running out of descriptors */

static bool out_of_resources(int err)
{
	return err == EMFILE || err == ENFILE || err == ENOBUFS ||
	       err == ENOMEM;
}

static void can_accept(struct ev_loop *loop, ev_io *w, int revents)
{
	struct rpc_listener *l = w->data;
	int i, fd;

	for (i = 0; i < ACCEPT_BURST; i++) {
		fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			rpc_conn_new(l->srv, fd);
			continue;
		}
		if (out_of_resources(errno)) {
			ev_io_stop(loop, &l->io);
			ev_timer_again(loop, &l->retry);
		}
		return;
	}
}

static void try_again(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct rpc_listener *l = w->data;

	ev_timer_stop(loop, w);
	ev_io_start(loop, &l->io);
}

static void close_listener(const struct rpc_listener *l)
{
	close(l->fd);
	if (l->path)
		unlink(l->path);
	free(l->path);
	rpc_lock_drop(l->lock, l->lock_path);
}

/* Takes over what @from has, also on failure. */
static int start(struct rpc_server *srv, const struct rpc_listener *from)
{
	struct rpc_listener *l = &srv->listeners[srv->n_listeners];

	if (srv->n_listeners == RPC_MAX_LISTENERS || srv->stopping) {
		close_listener(from);
		return -ENOSPC;
	}
	srv->n_listeners++;
	*l = *from;
	l->srv = srv;
	ev_io_init(&l->io, can_accept, l->fd, EV_READ);
	ev_timer_init(&l->retry, try_again, 0.0, RETRY_SECONDS);
	l->io.data = l->retry.data = l;
	ev_io_start(srv->loop, &l->io);
	return 0;
}

/* 1: nobody listens behind the socket file, 0: somebody does, or -errno. */
static int is_stale(const struct sockaddr_un *addr)
{
	int fd CLEANUP(close) = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (fd < 0)
		return -errno;
	return connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
	       errno == ECONNREFUSED && !lstat(addr->sun_path, &st) &&
	       S_ISSOCK(st.st_mode);
}

/* Gives the socket at @from its name @to, in the place of a stale one. */
static int take_name(const char *from, const struct sockaddr_un *to)
{
	int rc = link(from, to->sun_path);

	if (rc && errno == EEXIST) {
		rc = is_stale(to);
		if (rc <= 0)
			return rc ? rc : -EADDRINUSE;
		unlink(to->sun_path);
		rc = link(from, to->sun_path);
	}
	return rc ? -errno : 0;
}

/* Under the path's lock, so that no other server is at it. */
static int bind_unix(int fd, const struct sockaddr_un *addr, mode_t mode)
{
	struct sockaddr_un tmp;
	int rc = rpc_listen_beside(fd, addr, mode, RPC_BACKLOG, &tmp);

	if (rc)
		return rc;
	rc = take_name(tmp.sun_path, addr);
	unlink(tmp.sun_path);
	return rc;
}

static int listen_locked(const struct sockaddr_un *addr, mode_t mode,
			 struct rpc_listener *l)
{
	int fd CLEANUP(close) =
		socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int rc;

	if (fd < 0)
		return -errno;
	rc = bind_unix(fd, addr, mode);
	if (rc)
		return rc;
	l->path = strdup(addr->sun_path);
	if (!l->path) {
		unlink(addr->sun_path);
		return -ENOMEM;
	}
	l->fd = fd_take(&fd);
	return 0;
}

int rpc_listen_unix(struct rpc_server *srv, const char *path, mode_t mode)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	struct rpc_listener l = { .path = NULL };
	int rc;

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	strcpy(addr.sun_path, path);
	l.lock = rpc_lock_take(path, &l.lock_path);
	if (l.lock < 0)
		return l.lock;
	rc = listen_locked(&addr, mode, &l);
	if (!rc)
		return start(srv, &l);
	rpc_lock_drop(l.lock, l.lock_path);
	return rc;
}

int rpc_listen_fd(struct rpc_server *srv, int fd)
{
	int on = 0;
	socklen_t len = sizeof(on);

	if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &on, &len))
		return -errno;
	if (!on)
		return -EINVAL;
	/* the descriptor may come from a parent that blocks */
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK))
		return -errno;
	return start(srv, &(struct rpc_listener){ .fd = fd, .lock = -1 });
}

int rpc_listen_tcp(struct rpc_server *srv, uint16_t port, uint16_t *ret_port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_port = htons(port) };
	socklen_t len = sizeof(addr);
	int fd CLEANUP(close) =
		socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int rc, one = 1;

	if (fd < 0)
		return -errno;
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ||
	    listen(fd, RPC_BACKLOG) ||
	    getsockname(fd, (struct sockaddr *)&addr, &len))
		return -errno;
	rc = start(srv,
		   &(struct rpc_listener){ .fd = fd_take(&fd), .lock = -1 });
	if (!rc && ret_port)
		*ret_port = ntohs(addr.sin_port);
	return rc;
}

int rpc_adopt(struct rpc_server *srv, int fd)
{
	if (srv->stopping || fcntl(fd, F_SETFD, FD_CLOEXEC) ||
	    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)) {
		int rc = srv->stopping ? -ESHUTDOWN : -errno;

		close(fd);
		return rc;
	}
	return rpc_conn_new(srv, fd);
}

void rpc_listen_close_all(struct rpc_server *srv)
{
	size_t i;

	for (i = 0; i < srv->n_listeners; i++) {
		struct rpc_listener *l = &srv->listeners[i];

		ev_io_stop(srv->loop, &l->io);
		ev_timer_stop(srv->loop, &l->retry);
		close_listener(l);
	}
	srv->n_listeners = 0;
}
