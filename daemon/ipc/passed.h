/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The descriptors that a machine's process is started with, and the numbers
 * under which it finds them. What is passed later comes over one of them.
 */
#ifndef IPC_PASSED_H
#define IPC_PASSED_H

#include <spawn.h>
#include <stdbool.h>

struct ring;

enum {
	PASSED_STDERR = 2, /* a pipe */
	PASSED_SOCKET,	   /* a stream, for messages both ways */
	PASSED_RING,	   /* memory, see shared/ring.h */
	PASSED_DATA,	   /* eventfd: "records wait" */
	PASSED_SPACE,	   /* eventfd: "room again" */
	PASSED_CHANNELS,   /* packets of descriptors, see shared/ebb-ring.h */
	PASSED_END	   /* from here on nothing is open */
};

/* What one side has; -1: it has none. All are close-on-exec. */
struct passed {
	int socket, ring, data, space, channels, err;
};

/*
 * Makes them for both sides. @ours are non-blocking, and the ring is mapped
 * instead of kept. Returns 0 or a negated errno, with nothing left open.
 */
int passed_make(struct passed *ours, struct passed *theirs,
		struct ring *ret_ring);
void passed_close(struct passed *p);
/* Closes *@fd unless it is -1, which it is then. */
void passed_close_one(int *fd);
/* Has a process begin with @theirs under their numbers, and nothing else. */
int passed_on_spawn(const struct passed *theirs,
		    posix_spawn_file_actions_t *actions);
/* In that process: is what is used there open? */
bool passed_arrived(void);

#endif
