/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The second socket. A connection sends one ticket and gets descriptors, or its
 * end; either way that was all. Tickets are random and bound to a user, so what
 * others send is just wrong.
 */
#include "tickets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "grpc/listen-beside.h"
#include "wire/cleanup.h"

#define HURRY_S 5.0 /* for which a connection may say nothing */
#define RETRY_S 0.25

enum {
	BACKLOG = 64,
	SOCKET_MODE = 0660
};

struct ticket {
	LIST_ENTRY(ticket) link;
	uint8_t id[EBB_TICKET];
	uid_t uid;
	struct ebb_channel channel;
};

/* A connection, until it has sent a ticket. */
struct ticket_taker {
	LIST_ENTRY(ticket_taker) link;
	struct tickets *all;
	uid_t uid;
	ev_io io;
	ev_timer late;
	uint8_t id[EBB_TICKET];
	size_t have;
};

struct tickets {
	struct ev_loop *loop;
	struct quota *quota;
	struct sockaddr_un addr;
	ev_io io;
	ev_timer retry; /* of accepting, when nothing is left for it */
	LIST_HEAD(, ticket) tickets;
	LIST_HEAD(, ticket_taker) takers;
};

/* Tickets */

static struct ticket *find(const struct tickets *all,
			   const uint8_t id[EBB_TICKET])
{
	struct ticket *t;

	LIST_FOREACH(t, &all->tickets, link)
		if (!memcmp(t->id, id, EBB_TICKET))
			return t;
	return NULL;
}

static void drop(struct ticket *t)
{
	LIST_REMOVE(t, link);
	ebb_channel_close(&t->channel);
	free(t);
}

int tickets_issue(struct tickets *all, uid_t uid, struct ebb_channel *channel,
		  uint8_t ret[EBB_TICKET])
{
	struct ticket *t = calloc(1, sizeof(*t));

	if (!t || getrandom(t->id, sizeof(t->id), 0) != sizeof(t->id)) {
		ebb_channel_close(channel);
		free(t);
		return -ENOMEM;
	}
	t->uid = uid;
	t->channel = *channel;
	*channel = ebb_channel_none();
	LIST_INSERT_HEAD(&all->tickets, t, link);
	memcpy(ret, t->id, EBB_TICKET);
	return 0;
}

void tickets_revoke(struct tickets *all, const uint8_t ticket[EBB_TICKET])
{
	struct ticket *t = find(all, ticket);

	if (t)
		drop(t);
}

/* Takers */

static void dismiss(struct ticket_taker *k)
{
	ev_io_stop(k->all->loop, &k->io);
	ev_timer_stop(k->all->loop, &k->late);
	close(k->io.fd);
	quota_give(k->all->quota, QUOTA_CONNECTIONS, k->uid, 1);
	LIST_REMOVE(k, link);
	free(k);
}

static void serve(struct ticket_taker *k)
{
	struct ticket *t = find(k->all, k->id);

	if (!t || t->uid != k->uid)
		return;
	/* lost with a socket that is broken: it was the only try */
	(void)ebb_channel_send(k->io.fd, 0, &t->channel);
	drop(t);
}

static void on_bytes(struct ev_loop *loop, ev_io *w, int revents)
{
	struct ticket_taker *k = w->data;
	ssize_t n = read(w->fd, k->id + k->have, sizeof(k->id) - k->have);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		k->have += (size_t)n;
	if (n > 0 && k->have < sizeof(k->id))
		return;
	if (k->have == sizeof(k->id))
		serve(k);
	dismiss(k);
}

static void on_late(struct ev_loop *loop, ev_timer *w, int revents)
{
	dismiss(w->data);
}

/* False: who that is is not known, or has too much already. */
static bool admit(struct tickets *all, int fd, uid_t *ret)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);
	char why[QUOTA_WHY];

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len))
		return false;
	*ret = cred.uid;
	return quota_take(all->quota, QUOTA_CONNECTIONS, cred.uid, 1, why);
}

static void welcome(struct tickets *all, int fd)
{
	struct ticket_taker *k = calloc(1, sizeof(*k));

	if (!k || !admit(all, fd, &k->uid)) {
		close(fd);
		free(k);
		return;
	}
	k->all = all;
	ev_io_init(&k->io, on_bytes, fd, EV_READ);
	ev_timer_init(&k->late, on_late, HURRY_S, 0);
	k->io.data = k->late.data = k;
	ev_io_start(all->loop, &k->io);
	ev_timer_start(all->loop, &k->late);
	LIST_INSERT_HEAD(&all->takers, k, link);
}

static void on_connection(struct ev_loop *loop, ev_io *w, int revents)
{
	int fd = accept4(w->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

	struct tickets *all = w->data;

	if (fd >= 0) {
		welcome(all, fd);
	} else if (errno != EAGAIN && errno != EINTR) {
		ev_io_stop(loop, w);
		ev_timer_again(loop, &all->retry);
	}
}

static void try_again(struct ev_loop *loop, ev_timer *w, int revents)
{
	struct tickets *all = w->data;

	ev_timer_stop(loop, w);
	ev_io_start(loop, &all->io);
}

/* The socket */

static int make_path(const char *socket, struct sockaddr_un *ret)
{
	static const char end[] = ".sock";
	size_t len = strlen(socket), cut = sizeof(end) - 1;
	int n;

	if (len > cut && !strcmp(socket + len - cut, end))
		len -= cut;
	ret->sun_family = AF_UNIX;
	n = snprintf(ret->sun_path, sizeof(ret->sun_path), "%.*s.fd%s",
		     (int)len, socket, end);
	return n < (int)sizeof(ret->sun_path) ? 0 : -ENAMETOOLONG;
}

static int listen_at(const struct sockaddr_un *addr, int *ret)
{
	int fd CLEANUP(close) =
		socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct sockaddr_un tmp;
	int err;

	if (fd < 0)
		return -errno;
	err = rpc_listen_beside(fd, addr, SOCKET_MODE, BACKLOG, &tmp);
	if (err)
		return err;
	if (rename(tmp.sun_path, addr->sun_path)) {
		err = -errno;
		unlink(tmp.sun_path);
		return err;
	}
	*ret = fd_take(&fd);
	return 0;
}

int tickets_new(struct tickets **ret, struct ev_loop *loop, struct quota *quota,
		const char *socket)
{
	struct tickets *all = calloc(1, sizeof(*all));
	int fd = -1, err = all ? make_path(socket, &all->addr) : -ENOMEM;

	if (!err)
		err = listen_at(&all->addr, &fd);
	if (err) {
		free(all);
		return err;
	}
	all->loop = loop;
	all->quota = quota;
	LIST_INIT(&all->tickets);
	LIST_INIT(&all->takers);
	ev_io_init(&all->io, on_connection, fd, EV_READ);
	ev_timer_init(&all->retry, try_again, 0, RETRY_S);
	all->io.data = all->retry.data = all;
	ev_io_start(loop, &all->io);
	*ret = all;
	return 0;
}

void tickets_free(struct tickets *all)
{
	if (!all)
		return;
	ev_io_stop(all->loop, &all->io);
	ev_timer_stop(all->loop, &all->retry);
	for (struct ticket_taker *k = LIST_FIRST(&all->takers), *next; k;
	     k = next) {
		next = LIST_NEXT(k, link);
		dismiss(k);
	}
	for (struct ticket *t = LIST_FIRST(&all->tickets), *next; t; t = next) {
		next = LIST_NEXT(t, link);
		drop(t);
	}
	close(all->io.fd);
	unlink(all->addr.sun_path);
	free(all);
}

const char *tickets_path(const struct tickets *all)
{
	return all->addr.sun_path;
}
