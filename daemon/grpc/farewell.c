/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections that are refused. The peer is told why by a GOAWAY, written
 * without a session. What it sends meanwhile is thrown away until it hangs up:
 * a socket that is closed with bytes unread takes the words back. Only a few
 * are seen off like this at once; the others are closed behind the words.
 */
#include "farewell.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

#define FAREWELLS	 32		/* at once */
#define FAREWELL_SECONDS 2.0		/* to hang up */
#define FAREWELL_BYTES	 (64 * RPC_KIB) /* to say meanwhile */

enum {
	HEAD = 9, /* of a frame */
	GOAWAY_FIXED = 8,
	GOAWAY = 7,
	SETTINGS = 4,
	ENHANCE_YOUR_CALM = 11
};

struct farewell {
	LIST_ENTRY(farewell) link;
	struct rpc_server *srv;
	ev_io io;
	ev_timer late;
	size_t bytes;
	int fd;
};

static void end(struct farewell *f)
{
	ev_io_stop(f->srv->loop, &f->io);
	ev_timer_stop(f->srv->loop, &f->late);
	LIST_REMOVE(f, link);
	f->srv->n_farewells--;
	close(f->fd);
	free(f);
}

static void can_read(struct ev_loop *loop, ev_io *w, int revents)
{
	struct farewell *f = w->data;
	char dropped[4096];
	ssize_t n = recv(f->fd, dropped, sizeof(dropped), 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		f->bytes += (size_t)n;
	if (n <= 0 || f->bytes > FAREWELL_BYTES)
		end(f);
}

static void too_late(struct ev_loop *loop, ev_timer *w, int revents)
{
	end(w->data);
}

/* An empty SETTINGS, as every server begins, and a GOAWAY with @why. */
static void send_farewell(int fd, const char *why)
{
	uint8_t bytes[HEAD + HEAD + GOAWAY_FIXED + RPC_WHY] = {
		[3] = SETTINGS,
		[HEAD + 3] = GOAWAY,
		[HEAD + HEAD + 7] = ENHANCE_YOUR_CALM,
	};
	size_t len = strnlen(why, RPC_WHY);

	bytes[HEAD + 1] = (uint8_t)((GOAWAY_FIXED + len) >> 8);
	bytes[HEAD + 2] = (uint8_t)(GOAWAY_FIXED + len);
	memcpy(bytes + HEAD + HEAD + GOAWAY_FIXED, why, len);
	(void)send(fd, bytes, HEAD + HEAD + GOAWAY_FIXED + len, MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
}

void rpc_farewell(struct rpc_server *srv, int fd, const char *why)
{
	struct farewell *f = NULL;

	send_farewell(fd, why);
	if (srv->n_farewells < FAREWELLS && !srv->stopping)
		f = calloc(1, sizeof(*f));
	if (!f) {
		close(fd);
		return;
	}
	f->srv = srv;
	f->fd = fd;
	ev_io_init(&f->io, can_read, fd, EV_READ);
	ev_timer_init(&f->late, too_late, FAREWELL_SECONDS, 0.0);
	f->io.data = f->late.data = f;
	ev_io_start(srv->loop, &f->io);
	ev_timer_start(srv->loop, &f->late);
	LIST_INSERT_HEAD(&srv->farewells, f, link);
	srv->n_farewells++;
}

void rpc_farewell_all(struct rpc_server *srv)
{
	struct farewell *next;

	for (struct farewell *f = LIST_FIRST(&srv->farewells); f; f = next) {
		next = LIST_NEXT(f, link);
		end(f);
	}
}
