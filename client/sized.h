/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Structures of programs that were built against an older or a newer header:
 * each begins with its size, and what a side does not know is 0.
 */
#ifndef CLIENT_SIZED_H
#define CLIENT_SIZED_H

#include <stddef.h>

struct pmuclient;

/*
 * Copies @from, whose first member is its size, to @ret of @known bytes, all 0
 * behind it. Returns 0, or -PMUCLIENT_EINVAL: the size is none, or the program
 * wants something that this library does not know. @what is for people.
 */
int sized_take(struct pmuclient *c, const char *what, const void *from,
	       size_t known, void *ret);

#endif
