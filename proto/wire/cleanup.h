/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a function holds until it returns, wherever it does:
 *
 *	char *text CLEANUP(free) = strdup(name);
 *	int fd CLEANUP(close) = open(path, O_RDONLY);
 *
 * Whoever gives one away takes it out of the variable: fd_take(&fd),
 * pointer_take(&text). A type with an end of its own says so beside it:
 *
 *	CLEANUP_POINTER(trace, struct trace_reader, trace_close)
 *	CLEANUP_VALUE(record_style, struct record_style, record_style_close)
 *
 * where that end does nothing for NULL, or for a value that is all zero.
 */
#ifndef WIRE_CLEANUP_H
#define WIRE_CLEANUP_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLEANUP(how) __attribute__((cleanup(cleanup_##how)))

#define CLEANUP_POINTER(how, type, end)                                        \
	static inline void cleanup_##how(type **held)                          \
	{                                                                      \
		end(*held);                                                    \
	}

#define CLEANUP_VALUE(how, type, end)                                          \
	static inline void cleanup_##how(type *held)                           \
	{                                                                      \
		end(held);                                                     \
	}

/* @pointer: to a pointer of any type. Returns it; it is NULL from now on. */
static inline void *pointer_take(void *pointer)
{
	void *taken, *none = NULL;

	memcpy(&taken, pointer, sizeof(taken));
	memcpy(pointer, &none, sizeof(none));
	return taken;
}

/* @pointer: to a pointer of any type. */
static inline void cleanup_free(void *pointer)
{
	free(pointer_take(pointer));
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
