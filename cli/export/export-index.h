/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers for things that are told apart by four numbers, from 0 on in the
 * order in which they come, and how often each came. Its memory grows with the
 * things, not with how often they come.
 */
#ifndef CLI_EXPORT_EXPORT_INDEX_H
#define CLI_EXPORT_EXPORT_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define EXPORT_NONE SIZE_MAX /* no number: out of memory */

struct export_key {
	uint64_t part[4];
};

/* Zeroed at first; export_index_fini() at the end. */
struct export_index {
	struct export_key *key; /* by number, as are the counts */
	uint64_t *count;
	size_t *slot; /* number + 1, by hash; 0: free */
	size_t n, room, slots;
};

/* The number of @key, which is new if it is the @x->n of before. */
size_t export_index_add(struct export_index *x, struct export_key key,
			uint64_t count);
void export_index_fini(struct export_index *x);

#endif
