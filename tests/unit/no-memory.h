/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one allocation that fails, of those that the linker sends to a test's
 * __wrap_ functions (--wrap).
 */
#ifndef TESTS_UNIT_NO_MEMORY_H
#define TESTS_UNIT_NO_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);

/* So many before it; UINT32_MAX: none fails. Whether it was asked for. */
static unsigned left = UINT32_MAX;
static bool ran_out;

static bool fails(void)
{
	if (left == UINT32_MAX || left-- > 0)
		return false;
	left = UINT32_MAX;
	ran_out = true;
	return true;
}

#endif
