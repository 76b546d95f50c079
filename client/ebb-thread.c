/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The handler in the style of an interrupt's: a thread of the library waits for
 * the ring and calls it, and has nothing to do with the connection, so that the
 * program goes on with that.
 */
#include "ebb-inside.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "session.h"

static void *dispatch(void *arg)
{
	struct pmuclient_ebb *e = arg;
	int got, n = 0;

	do
		got = ebb_take_said(e, -1, &n);
	while (got >= 0 && !e->stopping);
	e->thread_err = got < 0 && got != -ECANCELED ? got : 0;
	return NULL;
}

/* Signals are the program's own. */
static int create(struct pmuclient_ebb *e)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&e->thread, NULL, dispatch, e);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return err;
}

static int refuse(struct pmuclient_ebb *e, const char *why)
{
	return session_fail(e->client, PMUCLIENT_ESTATE, "%s", why);
}

static int failed(struct pmuclient_ebb *e, int err)
{
	if (e->direct.stop >= 0)
		close(e->direct.stop);
	e->direct.stop = -1;
	e->threaded = false;
	return session_fail(e->client, PMUCLIENT_ENOMEM, "no thread: %s",
			    strerror(err));
}

int pmuclient_ebb_start(struct pmuclient_ebb *e)
{
	int err = ebb_check_alive(e);

	if (err)
		return err;
	if (ebb_in_handler(e) || e->threaded)
		return refuse(e, "a thread dispatches already");
	if (e->direct.wake < 0)
		return refuse(e, "a thread needs a ring, and there is none");
	e->stopping = false;
	e->threaded = true;
	e->direct.stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (e->direct.stop < 0)
		return failed(e, errno);
	err = create(e);
	return err ? failed(e, err) : 0;
}

int pmuclient_ebb_stop(struct pmuclient_ebb *e)
{
	int err = ebb_check_alive(e);

	if (err)
		return err;
	if (ebb_in_handler(e))
		return refuse(e, "a handler does not end its thread");
	if (!e->threaded)
		return 0;
	e->stopping = true;
	(void)eventfd_write(e->direct.stop, 1);
	pthread_join(e->thread, NULL);
	close(e->direct.stop);
	e->direct.stop = -1;
	e->threaded = false;
	return ebb_explain(e, e->thread_err);
}
