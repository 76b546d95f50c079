/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was had by malloc(), calloc() and realloc() and not given back, of what
 * the linker sends to the __wrap_ functions here (--wrap, free() among them);
 * one of them may fail: no-memory.h.
 */
#ifndef TESTS_UNIT_LIVE_MEMORY_H
#define TESTS_UNIT_LIVE_MEMORY_H

#include "no-memory.h"

void __real_free(void *block);
void __wrap_free(void *block);

/* Each is somewhere before @end. */
static struct {
	const void *at[4096];
	unsigned end, n;
} live;

static void *had(void *block)
{
	unsigned i = 0;

	while (i < live.end && live.at[i])
		i++;
	if (!block || i == sizeof(live.at) / sizeof(*live.at))
		return block;
	live.at[i] = block;
	live.end += i == live.end;
	live.n++;
	return block;
}

/* One that is not known is a library's own. */
static void given_back(const void *block)
{
	for (unsigned i = 0; block && i < live.end; i++) {
		if (live.at[i] != block)
			continue;
		live.at[i] = NULL;
		live.n--;
		return;
	}
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : had(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : had(__real_calloc(n, size));
}

void *__wrap_realloc(void *block, size_t size)
{
	if (fails())
		return NULL;
	given_back(block);
	return had(__real_realloc(block, size));
}

void __wrap_free(void *block)
{
	given_back(block);
	__real_free(block);
}

#endif
