/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Descriptors on their way to a new process. They are first moved above the
 * numbers that it expects, so that none is overwritten on the way.
 */
#include "passed.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/ring.h"

enum {
	SAFE = 16 /* above all numbers */
};

static const struct passed none = { -1, -1, -1, -1, -1, -1 };

void passed_close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void passed_close(struct passed *p)
{
	passed_close_one(&p->socket);
	passed_close_one(&p->ring);
	passed_close_one(&p->data);
	passed_close_one(&p->space);
	passed_close_one(&p->channels);
	passed_close_one(&p->err);
}

/* Moves @fd out of the way of the process's numbers. */
static int lift(int *fd)
{
	int high = fcntl(*fd, F_DUPFD_CLOEXEC, SAFE);

	if (high < 0)
		return -errno;
	close(*fd);
	*fd = high;
	return 0;
}

static int lift_all(struct passed *p)
{
	int *all[] = { &p->socket, &p->ring,	 &p->data,
		       &p->space,  &p->channels, &p->err };
	int err = 0;

	for (unsigned i = 0; !err && i < sizeof(all) / sizeof(*all); i++)
		err = lift(all[i]);
	return err;
}

static int make_pairs(struct passed *ours, struct passed *theirs)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -errno;
	ours->socket = pair[0];
	theirs->socket = pair[1];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -errno;
	ours->channels = pair[0];
	theirs->channels = pair[1];
	if (pipe2(pair, O_CLOEXEC))
		return -errno;
	ours->err = pair[0];
	theirs->err = pair[1];
	return 0;
}

static int make_events(struct passed *ours, struct passed *theirs)
{
	theirs->data = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	theirs->space = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (theirs->data < 0 || theirs->space < 0)
		return -errno;
	ours->data = fcntl(theirs->data, F_DUPFD_CLOEXEC, 0);
	ours->space = fcntl(theirs->space, F_DUPFD_CLOEXEC, 0);
	return ours->data < 0 || ours->space < 0 ? -errno : 0;
}

int passed_make(struct passed *ours, struct passed *theirs,
		struct ring *ret_ring)
{
	int err;

	*ours = *theirs = none;
	*ret_ring = (struct ring){ 0 };
	err = make_pairs(ours, theirs);
	if (!err)
		err = ring_create(ret_ring, RING_DEFAULT, &theirs->ring);
	if (!err)
		err = make_events(ours, theirs);
	if (!err)
		err = lift_all(theirs);
	if (err) {
		passed_close(ours);
		passed_close(theirs);
		ring_close(ret_ring);
		return err;
	}
	fcntl(ours->socket, F_SETFL, O_NONBLOCK);
	/* what has not come when its turn is there never will */
	fcntl(theirs->channels, F_SETFL, O_NONBLOCK);
	fcntl(ours->err, F_SETFL, O_NONBLOCK);
	return 0;
}

int passed_on_spawn(const struct passed *theirs,
		    posix_spawn_file_actions_t *actions)
{
	const int fds[] = {
		[PASSED_STDERR] = theirs->err,
		[PASSED_SOCKET] = theirs->socket,
		[PASSED_RING] = theirs->ring,
		[PASSED_DATA] = theirs->data,
		[PASSED_SPACE] = theirs->space,
		[PASSED_CHANNELS] = theirs->channels,
	};
	int err = 0;

	for (int to = PASSED_STDERR; !err && to < PASSED_END; to++)
		err = posix_spawn_file_actions_adddup2(actions, fds[to], to);
	/* what pmud's own parent left open is nobody's business there */
	return err ? err
		   : posix_spawn_file_actions_addclosefrom_np(actions,
							      PASSED_END);
}

bool passed_arrived(void)
{
	for (int fd = PASSED_SOCKET; fd < PASSED_END; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			return false;
	return true;
}
