/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded: the $FAIL_MALLOC-th call of malloc() since the program's main()
 * was about to begin returns NULL, counted from 0; all others work.
 */
#include <stdlib.h>

void *__libc_malloc(size_t size);

static long left = -1; /* before it is set: never */

static void __attribute__((constructor)) begin(void)
{
	const char *at = getenv("FAIL_MALLOC");

	if (at)
		left = strtol(at, NULL, 10);
}

void *malloc(size_t size)
{
	if (left == 0) {
		left = -1;
		return NULL;
	}
	if (left > 0)
		left--;
	return __libc_malloc(size);
}
