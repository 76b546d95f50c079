/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a function holds until it returns, wherever it does:
 *
 *	char *text CLEANUP(free) = strdup(name);
 *	int fd CLEANUP(close) = open(path, O_RDONLY);
 *
 * Whoever gives a descriptor away takes it out of the variable: fd_take(&fd).
 * A pointer is set to NULL.
 */
#ifndef WIRE_CLEANUP_H
#define WIRE_CLEANUP_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLEANUP(how) __attribute__((cleanup(cleanup_##how)))

/* @pointer: to a pointer of any type. */
static inline void cleanup_free(void *pointer)
{
	void *held;

	memcpy(&held, pointer, sizeof(held));
	free(held);
}

static inline void cleanup_close(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* Returns the descriptor, which *@fd no longer holds. */
static inline int fd_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

#endif
