/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing is inherited over fork(): descriptors that the child is to be without
 * from its first moment on. A copy there would keep the connection, and with it
 * machines and sessions, alive behind the parent's back.
 */
#ifndef CLIENT_FORKS_H
#define CLIENT_FORKS_H

#include <stdbool.h>
#include <sys/queue.h>

struct forked {
	LIST_ENTRY(forked) link;
	int *fd;
};

/* From now on a child's copy of *@fd is closed and -1. False: no memory. */
bool forks_add(struct forked *f, int *fd);
/* Not any more; also of one that was never added, but zeroed. */
void forks_remove(struct forked *f);

#endif
