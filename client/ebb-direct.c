/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whoever waits here looks for a while before it sleeps, about as long as
 * sleeping and waking cost.
 */
#include "ebb-direct.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "wire/cleanup.h"

enum {
	NS_PER_MS = 1000000,
	AWAKE_NS = 20000,
	LOOKS = 64,    /* between two looks at the clock */
	PATIENCE_S = 5 /* for pmud's answer to a ticket */
};

struct ebb_direct ebb_direct_none(void)
{
	return (struct ebb_direct){ .wake = -1, .stop = -1 };
}

void ebb_direct_close(struct ebb_direct *d)
{
	ring_close(&d->said);
	ring_close(&d->wishes);
	if (d->wake >= 0)
		close(d->wake);
	*d = ebb_direct_none();
}

/* Opening */

static int present(int fd, const uint8_t ticket[EBB_TICKET],
		   struct ebb_channel *ret)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	uint32_t number;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience,
		       sizeof(patience)) ||
	    send(fd, ticket, EBB_TICKET, MSG_NOSIGNAL) != EBB_TICKET)
		return -errno;
	return ebb_channel_receive(fd, &number, ret);
}

static int get_channel(const char *path, const uint8_t ticket[EBB_TICKET],
		       struct ebb_channel *ret)
{
	int fd CLEANUP(close) = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un addr = { .sun_family = AF_UNIX };

	if (strlen(path) >= sizeof(addr.sun_path))
		return -ENAMETOOLONG;
	memcpy(addr.sun_path, path, strlen(path) + 1);
	if (fd < 0 || connect(fd, (const struct sockaddr *)&addr, sizeof(addr)))
		return -errno;
	return present(fd, ticket, ret);
}

int ebb_direct_open(struct ebb_direct *d, const char *socket,
		    const uint8_t ticket[EBB_TICKET])
{
	struct ebb_channel ch = ebb_channel_none();
	int err = get_channel(socket, ticket, &ch);

	if (!err)
		err = ring_open(&d->said, ch.said);
	if (!err)
		err = ring_open(&d->wishes, ch.wishes);
	if (!err) {
		d->wake = ch.wake;
		ch.wake = -1;
		/* who polls the descriptor first is woken, too */
		(void)ring_wait_data(&d->said, 0);
	} else {
		ebb_direct_close(d);
	}
	ebb_channel_close(&ch);
	return err;
}

/* Waiting */

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 * NS_PER_MS + t.tv_nsec;
}

/* Until when; -1: for ever. */
static int64_t deadline(int timeout_ms)
{
	return timeout_ms < 0 ? -1 : now_ns() + (int64_t)timeout_ms * NS_PER_MS;
}

/* Forgets who has woken us; the end of its socket is the machine's end. */
static void hear(struct ebb_direct *d)
{
	char bytes[64];

	if (recv(d->wake, bytes, sizeof(bytes), MSG_DONTWAIT) == 0)
		d->gone = true;
}

/* As ebb_direct_next(): 1 somebody has woken us, 0 nobody has in time. */
static int sleep_until(struct ebb_direct *d, int64_t until)
{
	struct pollfd fds[] = { { .fd = d->wake, .events = POLLIN },
				{ .fd = d->stop, .events = POLLIN } };
	int64_t left = until < 0 ? -1 : until - now_ns();
	int ms = until < 0  ? -1
		 : left < 0 ? 0
			    : (int)((left + NS_PER_MS - 1) / NS_PER_MS);
	int n = poll(fds, 2, ms);

	if (n > 0 && fds[1].revents)
		return -ECANCELED;
	if (n > 0)
		hear(d);
	return n != 0;
}

static bool look(const struct ebb_direct *d, int64_t until)
{
	int64_t awake = now_ns() + AWAKE_NS;

	if (until >= 0 && until < awake)
		awake = until;
	for (unsigned n = 1; !ring_waiting(&d->said); n++)
		if (n % LOOKS == 0 && now_ns() >= awake)
			return false;
	return true;
}

/* What is there: as ebb_direct_next(), or 0 at once. */
static int take(struct ebb_direct *d, struct ebb_said *ret)
{
	int64_t n = ring_peek(&d->said, ret, sizeof(*ret));

	if (!n)
		return 0;
	if (n != sizeof(*ret))
		return -EPROTO;
	ring_skip(&d->said, sizeof(*ret));
	if (ring_must_wake_producer(&d->said))
		(void)send(d->wake, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	return 1;
}

int ebb_direct_next(struct ebb_direct *d, int timeout_ms, struct ebb_said *ret)
{
	int64_t until = deadline(timeout_ms);
	int n = take(d, ret);

	if (!n && timeout_ms && look(d, until))
		n = take(d, ret);
	while (!n) {
		bool gone = d->gone;
		int woken = ebb_direct_arm(d) ? sleep_until(d, until) : 1;

		n = take(d, ret);
		if (!n && gone)
			return -ECONNRESET;
		if (!n && woken <= 0)
			return woken;
	}
	return n;
}

bool ebb_direct_arm(struct ebb_direct *d)
{
	return ring_wait_data(&d->said, 0);
}

int ebb_direct_wish(struct ebb_direct *d, const struct ebb_wish *wishes,
		    size_t n)
{
	size_t len = n * sizeof(*wishes);
	int err;

	while ((err = ring_put(&d->wishes, wishes, len)) == -ENOBUFS) {
		if (d->gone)
			return -ECONNRESET;
		if (ring_wait_space(&d->wishes, len) &&
		    sleep_until(d, -1) == -ECANCELED)
			return -ECANCELED;
	}
	if (!err && ring_must_wake_consumer(&d->wishes))
		(void)send(d->wake, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
	return err;
}
