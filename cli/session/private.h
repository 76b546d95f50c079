/* SPDX-License-Identifier: BSD-2-Clause */
/* A pmud of our own for the time of one command, on one end of a socketpair. */
#ifndef CLI_SESSION_PRIVATE_H
#define CLI_SESSION_PRIVATE_H

#include <sys/types.h>

struct private_daemon {
	pid_t pid; /* 0: none */
};

/*
 * Starts pmud, found beside pmuctl as built or else where it is installed, and
 * sets @ret_fd to a socket connected to it, which the caller closes. It ends
 * when that socket closes. Returns 0 or a negated errno.
 */
int private_start(struct private_daemon *p, int *ret_fd);
/* Waits for its end, after its socket was closed; one that hangs is killed. */
void private_wait(struct private_daemon *p);

#endif
