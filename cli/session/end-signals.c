/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals that ask to end, by a descriptor. */
#include "end-signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "text/exit-codes.h"
#include "text/report.h"

int end_signals_open(struct end_signals *s)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	sigprocmask(SIG_BLOCK, &mask, &s->old);
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

void end_signals_close(struct end_signals *s)
{
	/* one that came too late has nothing to end */
	while (s->fd >= 0 && end_signals_take(s))
		;
	if (s->fd >= 0)
		close(s->fd);
	sigprocmask(SIG_SETMASK, &s->old, NULL);
}
