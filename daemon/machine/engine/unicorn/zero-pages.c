/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mapped, and not malloc()'s: what looks for errors of memory marks all that it
 * hands out, byte by byte, and again when it is freed.
 */
#include "zero-pages.h"

#include <sys/mman.h>

void *zero_pages_new(size_t size)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void zero_pages_free(void *at, size_t size)
{
	if (at)
		munmap(at, size);
}
