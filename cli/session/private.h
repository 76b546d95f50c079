/* SPDX-License-Identifier: BSD-2-Clause */
/* A pmud of our own for the time of one command, on one end of a socketpair. */
#ifndef CLI_SESSION_PRIVATE_H
#define CLI_SESSION_PRIVATE_H

#include <stdbool.h>
#include <sys/types.h>

struct private_daemon {
	pid_t pid; /* 0: none */
	int trace; /* the trace that it stores, to be read; -1: its own */
};

/*
 * Starts pmud, found beside pmuctl as built or else where it is installed, and
 * sets @ret_fd to a socket connected to it, which the caller closes. It ends
 * when that socket closes. @traced: what it stores of its first machine's trace
 * is to outlive it. Returns 0 or a negated errno.
 */
int private_start(struct private_daemon *p, bool traced, int *ret_fd);
/*
 * Waits for its end, after its socket was closed; one that hangs is killed. The
 * trace goes, too.
 */
void private_wait(struct private_daemon *p);

#endif
