/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A Unix socket is its owner's alone. Whoever can reach a port of this host can
 * do with the machine what a debugger can: that is why a path is the default.
 */
#include "gdb-listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "number.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	BACKLOG = 4
};

static int fail(struct gdb_listener *l, const char *where)
{
	report_error("cannot listen at %s: %s", where, strerror(errno));
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
	return EXIT_FAILED;
}

static int listen_port(struct gdb_listener *l, uint16_t port, const char *where)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons(port),
				 .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(a);
	int on = 1;

	l->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0 ||
	    setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(l->fd, (struct sockaddr *)&a, sizeof(a)) ||
	    listen(l->fd, BACKLOG) ||
	    getsockname(l->fd, (struct sockaddr *)&a, &len))
		return fail(l, where);
	snprintf(l->place, sizeof(l->place), "127.0.0.1:%u", ntohs(a.sin_port));
	return EXIT_OK;
}

static int listen_path(struct gdb_listener *l)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	mode_t old;
	int err;

	_Static_assert(sizeof(a.sun_path) >= sizeof(l->place), "fits");
	memcpy(a.sun_path, l->place, sizeof(l->place));
	l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->fd < 0)
		return fail(l, l->place);
	old = umask(0177);
	err = bind(l->fd, (struct sockaddr *)&a, sizeof(a));
	umask(old);
	if (err)
		return fail(l, l->place);
	l->is_path = true;
	return listen(l->fd, BACKLOG) ? fail(l, l->place) : EXIT_OK;
}

static bool own_path(struct gdb_listener *l)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");
	int n = snprintf(l->place, sizeof(l->place), "%s/pmuctl-gdb-%d.sock",
			 dir && *dir ? dir : "/tmp", (int)getpid());

	return n < (int)sizeof(l->place);
}

int gdb_listen(struct gdb_listener *l, const char *where)
{
	uint64_t port;
	bool fits;

	*l = (struct gdb_listener){ .fd = -1 };
	if (where && number_parse(where, &port)) {
		if (port <= UINT16_MAX)
			return listen_port(l, (uint16_t)port, where);
		report_error("--listen: there is no port %s", where);
		return EXIT_USAGE;
	}
	fits = where ? snprintf(l->place, sizeof(l->place), "%s", where) <
			       (int)sizeof(l->place)
		     : own_path(l);
	if (fits && *l->place)
		return listen_path(l);
	report_error("--listen: a path has 1 to %zu bytes",
		     sizeof(l->place) - 1);
	return EXIT_USAGE;
}

static bool is_ours(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) &&
	       (peer.uid == getuid() || peer.uid == 0);
}

int gdb_accept(const struct gdb_listener *l)
{
	int on = 1,
	    fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0)
		return -1;
	if (!l->is_path) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	} else if (!is_ours(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

void gdb_listen_end(struct gdb_listener *l)
{
	if (l->fd < 0)
		return;
	close(l->fd);
	if (l->is_path)
		unlink(l->place);
	l->fd = -1;
}
