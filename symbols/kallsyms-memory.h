/* SPDX-License-Identifier: BSD-2-Clause */
/* A guest's memory as its tables of symbols are read from it. */
#ifndef SYMBOLS_KALLSYMS_MEMORY_H
#define SYMBOLS_KALLSYMS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is read, never beyond its end. */
struct kallsyms_memory {
	const uint8_t *at;
	size_t size, pointer; /* bytes */
	uint64_t work;	      /* steps left: a guest may try to make it long */
};

static inline uint64_t kallsyms_read(const struct kallsyms_memory *m, size_t at,
				     size_t bytes)
{
	uint64_t ret = 0;

	for (size_t i = 0; i < bytes; i++)
		ret |= (uint64_t)m->at[at + i] << 8 * i;
	return ret;
}

static inline uint32_t kallsyms_word(const struct kallsyms_memory *m, size_t at)
{
	return (uint32_t)kallsyms_read(m, at, 4);
}

static inline bool kallsyms_fits(const struct kallsyms_memory *m, size_t at,
				 size_t bytes)
{
	return at <= m->size && bytes <= m->size - at;
}

static inline bool kallsyms_work(struct kallsyms_memory *m, uint64_t steps)
{
	if (m->work < steps)
		return false;
	m->work -= steps;
	return true;
}

static inline size_t kallsyms_align(size_t at, size_t to)
{
	return (at + to - 1) & ~(to - 1);
}

#endif
