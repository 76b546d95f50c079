/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making an instance of a core's models, and making it forget. Its memory is
 * one piece: each part is given its words of it.
 */
#include "uarch-state.h"

#include <stdlib.h>
#include <string.h>

enum {
	FETCH_SHIFT = 6, /* 64 bytes are fetched at once without an L1I */
};

static void plan_cache(struct cache *c, const struct pmu_cache_config *cfg)
{
	if (cfg->size == 0)
		return;
	*c = (struct cache){
		.lines = { .sets = cfg->size / cfg->line / cfg->ways,
			   .ways = cfg->ways,
			   .replacement = cfg->replacement },
		.shift = (uint8_t)__builtin_ctz(cfg->line),
		.through = cfg->write == PMU_WRITE_THROUGH,
	};
}

static void plan_tlb(struct assoc *a, const struct pmu_tlb_config *cfg)
{
	if (cfg->entries == 0)
		return;
	*a = (struct assoc){ .sets = cfg->entries / cfg->ways,
			     .ways = cfg->ways,
			     .replacement = cfg->replacement };
}

/* The tables of @u by enum pmu_part, NULL behind the last one. */
static struct assoc *table(struct pmu_uarch *u, unsigned i)
{
	struct assoc *all[] = { &u->l1i.lines, &u->l1d.lines, &u->ll.lines,
				&u->itlb,      &u->dtlb,      &u->stlb,
				NULL };

	return all[i];
}

/* The parts without their memory; returns how many words that is. */
static size_t plan(struct pmu_uarch *u, const struct pmu_uarch_config *cfg)
{
	size_t n = LAST_WORDS;

	u->l1i.shift = FETCH_SHIFT;
	plan_cache(&u->l1i, &cfg->l1i);
	plan_cache(&u->l1d, &cfg->l1d);
	plan_cache(&u->ll, &cfg->ll);
	plan_tlb(&u->itlb, &cfg->itlb);
	plan_tlb(&u->dtlb, &cfg->dtlb);
	plan_tlb(&u->stlb, &cfg->stlb);
	u->predictor.cfg = cfg->predictor;
	u->stalls = cfg->stalls;
	u->prefetch = cfg->prefetch;
	u->looks = pmu_uarch_looks(cfg);
	for (unsigned i = 0; table(u, i); i++)
		n += assoc_words(table(u, i));
	return n + predictor_words(&u->predictor);
}

size_t pmu_uarch_bytes(const struct pmu_uarch_config *cfg)
{
	struct pmu_uarch planned = { .n_words = 0 };

	return sizeof(planned) + plan(&planned, cfg) * sizeof(uint64_t);
}

struct pmu_uarch *pmu_uarch_new(const struct pmu_uarch_config *cfg)
{
	struct pmu_uarch *u = calloc(1, pmu_uarch_bytes(cfg));
	uint64_t *next;

	if (u == NULL)
		return NULL;
	u->n_words = plan(u, cfg);
	u->last = u->words;
	next = u->words + LAST_WORDS;
	for (unsigned i = 0; table(u, i); i++) {
		table(u, i)->part = (uint8_t)i;
		table(u, i)->words = next;
		next += assoc_words(table(u, i));
	}
	u->predictor.words = next;
	return u;
}

void pmu_uarch_free(struct pmu_uarch *u)
{
	free(u);
}

void pmu_uarch_reset(struct pmu_uarch *u)
{
	memset(u->words, 0, u->n_words * sizeof(uint64_t));
}

void pmu_uarch_fence(struct pmu_uarch *u)
{
	struct assoc *tlbs[] = { &u->itlb, &u->dtlb, &u->stlb };

	for (unsigned i = 0; i < 3; i++)
		memset(tlbs[i]->words, 0,
		       assoc_words(tlbs[i]) * sizeof(uint64_t));
	u->last[LAST_KNOWN] = 0;
	if (u->why)
		misses_fence(u->why);
}

void *pmu_uarch_state(struct pmu_uarch *u, size_t *ret_size)
{
	*ret_size = u->n_words * sizeof(uint64_t);
	return u->words;
}
