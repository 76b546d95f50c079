/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instance of the models tells while its misses are explained: which
 * access begins, each look into a table, and that an access is counted as a
 * miss of one. An access that missed several lines of a table is one miss, of
 * the first of them.
 */
#ifndef LIBPMU_UARCH_MISSES_H
#define LIBPMU_UARCH_MISSES_H

#include <pmu/miss.h>

#include "assoc.h"
#include "seen.h"

struct pmu_misses {
	const struct pmu_span *span; /* of the access under way */
	const struct pmu_space *space;
	uint8_t access;		    /* enum pmu_miss_access */
	uint8_t shift[PMU_N_PARTS]; /* a line has 1 << shift bytes */
	bool pending[PMU_N_PARTS];  /* the access has missed there */
	struct pmu_miss first[PMU_N_PARTS];
	unsigned n;
	struct pmu_miss found[PMU_MISSES_MOST];
	struct seen seen[PMU_N_PARTS]; /* no lines: no such part */
	struct seen_head heads[PMU_N_PARTS];
};

void misses_begin(struct pmu_misses *m, const struct pmu_span *span,
		  const struct pmu_space *space, enum pmu_miss_access access);
/*
 * assoc_touch() or, without @fill, assoc_find() of @a, and a miss of @a's part
 * unless it is there. @fill is also what a store makes dirty.
 */
bool misses_look(struct pmu_misses *m, struct assoc *a, struct assoc_key key,
		 bool fill);
/* @event has happened: the access missed in @part. */
void misses_tell(struct pmu_misses *m, enum pmu_part part,
		 enum pmu_uarch_event event);
/* Translations are void. */
void misses_fence(struct pmu_misses *m);

#endif
