/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines that a table was asked for, the last one first. What a table that
 * never replaces anything would hold, and what a fully associative one of so
 * many lines would, LRU, are beginnings of this one list: the first up to the
 * last fence, the other up to its size. Only so many lines are remembered.
 */
#ifndef LIBPMU_UARCH_SEEN_H
#define LIBPMU_UARCH_SEEN_H

#include <pmu/miss.h>

#include "assoc.h"

enum seen_dirt {
	SEEN_CLEAN,
	SEEN_DIRTY,
	SEEN_UNKNOWN, /* it was forgotten meanwhile */
};

struct seen_line {
	struct assoc_key key;
	uint32_t older, newer; /* 0: none */
	uint32_t chain;	       /* the next of its bucket */
	uint8_t dirt;	       /* enum seen_dirt */
	bool unfenced, near;   /* in which of the two tables it is */
};

/* Plain data; lines are numbered from 1 on. */
struct seen_head {
	uint32_t n, newest, oldest;
	uint32_t edge; /* the last one that is near */
	uint32_t n_near;
	bool forgot; /* one that was asked for is here no more */
};

struct seen {
	struct seen_head *head;
	struct seen_line *lines;
	uint32_t *buckets;
	uint32_t n_near, most, n_buckets; /* as planned */
};

/*
 * For a table of @lines lines, with @others that are remembered beside. Where
 * its memory is, is its owner's to say.
 */
void seen_plan(struct seen *s, uint32_t lines, uint32_t others);
/* All that it remembers was taken away, or put there without the buckets. */
void seen_reset(struct seen *s);
void seen_rebuild(struct seen *s);

/* NULL: not known. */
struct seen_line *seen_find(const struct seen *s, struct assoc_key key);
/* Why would a table miss that asks for @line now? */
enum pmu_miss_reason seen_reason(const struct seen *s,
				 const struct seen_line *line);
/* It is asked for and filled: @line, NULL for one not known. Returns it. */
struct seen_line *seen_use(struct seen *s, struct assoc_key key,
			   struct seen_line *line);
/* None is held any more, by either table. */
void seen_fence(struct seen *s);

#endif
