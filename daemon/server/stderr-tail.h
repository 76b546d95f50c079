/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine's process says on stderr: passed on to pmud's, and the end of
 * it kept to be told when the process dies. As hostile as all that it sends.
 */
#ifndef SERVER_STDERR_TAIL_H
#define SERVER_STDERR_TAIL_H

#include <stddef.h>

#include "daemon-limits.h"

/* Zero it: nothing was heard. */
struct stderr_tail {
	char tail[STDERR_TAIL + 1];
	size_t len, passed;
};

/* Reads once what @fd has. Returns bytes, 0: the end, or a negated errno. */
long stderr_tail_read(struct stderr_tail *w, int fd);
/* The same until nothing waits, or more than a pipe holds was read. */
void stderr_tail_drain(struct stderr_tail *w, int fd);
/* The end of what was said: printable ASCII and line breaks, "" if nothing. */
const char *stderr_tail_text(const struct stderr_tail *w);

#endif
