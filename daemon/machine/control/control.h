/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The process's one conversation: requests from pmud over a socket, records to
 * it through the ring, and a machine that runs in slices in between. What a
 * request means for the machine is in control-*.c, one function for each.
 */
#ifndef CONTROL_CONTROL_H
#define CONTROL_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Descriptors, and what is done when it is known how much memory a machine
 * wants, and once its memory and engine stand. False: refuse to run.
 */
struct control_config {
	int socket;	 /* non-blocking stream */
	int ring;	 /* memfd */
	int data, space; /* eventfds, "records wait" and "room again" */
	int channels;	 /* where descriptors of EBB sessions come */
	bool (*limit)(uint64_t addresses); /* may be NULL */
	bool (*sandbox)(void);		   /* may be NULL */
};

/*
 * Serves until the socket closes. Returns the process's exit status: 0, or 1
 * with a line on stderr when pmud broke the protocol or nothing can be served.
 */
int control_serve(const struct control_config *cfg);

#endif
