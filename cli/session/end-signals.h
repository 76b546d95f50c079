/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Signals that ask to end (SIGINT, SIGTERM, SIGHUP) by a descriptor, so that
 * whoever waits for something else, too, leaves files and the terminal in
 * order.
 */
#ifndef CLI_SESSION_END_SIGNALS_H
#define CLI_SESSION_END_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct end_signals {
	int fd; /* readable: one came */
	sigset_t old;
};

/*
 * Returns an exit code, after an error was said; to be closed in any case.
 * @pipes: SIGPIPE is kept back, too, and ends nothing: a write that fails says
 * so itself.
 */
int end_signals_open(struct end_signals *s, bool pipes);
void end_signals_close(struct end_signals *s);
/* The exit code for the one that came; 0: none did. */
int end_signals_take(struct end_signals *s);

#endif
