/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starting a pmud-machine with the descriptors that it expects (ipc/passed.h),
 * and ending it; its stdin and stdout are /dev/null.
 */
#ifndef SERVER_PROCESS_H
#define SERVER_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

#include "shared/ring.h"

struct process { /* our ends; all descriptors non-blocking, close-on-exec */
	pid_t pid;
	int pidfd, socket, data, space, channels, err;
};

/* Returns 0 or a negated errno; on an error nothing is left behind. */
int process_start(struct process *ret, struct ring *ret_ring,
		  const char *program);
/* Sends SIGKILL; pidfd says when it is over, which may take seconds. */
void process_kill(const struct process *p);
/* Kills if need be, waits and reaps; @how: "exited with status 3". */
void process_reap(struct process *p, char *how, size_t len);
void process_close(struct process *p);

#endif
