/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a machine's process says on stderr: passed on to pmud's, and the end of
 * it kept to be told when the process dies. As hostile as all that it sends.
 */
#ifndef SERVER_STDERR_TAIL_H
#define SERVER_STDERR_TAIL_H

#include <stddef.h>

#include "daemon-limits.h"

/* Zero-initialised has heard nothing. */
struct words {
	char tail[STDERR_TAIL + 1];
	size_t len, passed;
};

/* Reads once what @fd has. Returns bytes, 0: the end, or a negated errno. */
long words_read(struct words *w, int fd);
/* The same until nothing waits, or more than a pipe holds was read. */
void words_drain(struct words *w, int fd);
/* The end of what was said: printable ASCII and line breaks, "" if nothing. */
const char *words_tail(const struct words *w);

#endif
