/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A set-associative table of keys: what caches and TLBs are made of. It holds
 * no data, and decides which key a new one replaces. Its memory is its owner's,
 * 64-bit words that are all zero when it is cold.
 */
#ifndef LIBPMU_UARCH_ASSOC_H
#define LIBPMU_UARCH_ASSOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address in units of lines or pages, and the space that it is of. */
struct assoc_key {
	uint64_t number, space;
};

struct assoc {
	uint32_t sets, ways; /* sets: a power of two, 0: there is no table */
	uint8_t replacement; /* enum pmu_replacement */
	uint8_t part;	     /* enum pmu_part, for its owner */
	uint64_t *words;
};

/* Whose place a key was given. */
struct assoc_victim {
	struct assoc_key key;
	bool any; /* else it was free */
};

/* How many words @a needs. */
size_t assoc_words(const struct assoc *a);
/* Is @key there? If so, it was used just now. */
bool assoc_find(struct assoc *a, struct assoc_key key);
/* The same; if it is not there, it is put in the place of another of its set.
 */
bool assoc_touch(struct assoc *a, struct assoc_key key);
/* @key, which is not there, is: in whose place? */
void assoc_put(struct assoc *a, struct assoc_key key, struct assoc_victim *ret);
/* The number of the set that @key belongs into. */
uint32_t assoc_set(const struct assoc *a, struct assoc_key key);

#endif
