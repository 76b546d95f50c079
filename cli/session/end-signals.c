/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals that ask to end, by a descriptor. */
#include "end-signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/report.h"

int end_signals_open(struct end_signals *s, bool pipes)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	if (pipes)
		sigaddset(&mask, SIGPIPE);
	sigprocmask(SIG_BLOCK, &mask, &s->old);
	sigdelset(&mask, SIGPIPE);
	s->fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->fd >= 0)
		return EXIT_OK;
	report_error("cannot wait for signals: %s", strerror(errno));
	return EXIT_FAILED;
}

int end_signals_take(struct end_signals *s)
{
	struct signalfd_siginfo info;

	if (read(s->fd, &info, sizeof(info)) != sizeof(info))
		return EXIT_OK;
	return EXIT_SIGNAL + (int)info.ssi_signo;
}

/* One that was kept back is not for whoever comes after us. */
static void drop_sigpipe(const sigset_t *old)
{
	const struct timespec now = { 0 };
	sigset_t blocked, pipe;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	if (sigismember(old, SIGPIPE) || !sigismember(&blocked, SIGPIPE))
		return;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	while (sigtimedwait(&pipe, NULL, &now) > 0)
		;
}

void end_signals_close(struct end_signals *s)
{
	/* one that came too late has nothing to end */
	while (s->fd >= 0 && end_signals_take(s))
		;
	if (s->fd >= 0)
		close(s->fd);
	drop_sigpipe(&s->old);
	sigprocmask(SIG_SETMASK, &s->old, NULL);
}
