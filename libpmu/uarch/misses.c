/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table is asked as ever; beside it stands the list of what it was asked for
 * (seen.h), which says why it missed. Of TLBs with a second level only that has
 * a list: an event counts what both levels lack.
 */
#include "misses.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/page.h>

#include "space.h"
#include "uarch-state.h"

bool pmu_uarch_is_miss(enum pmu_uarch_event event)
{
	static const uint32_t all =
		1u << PMU_UA_CACHE_MISSES | 1u << PMU_UA_L1D_LOAD_MISSES |
		1u << PMU_UA_L1D_STORE_MISSES |
		1u << PMU_UA_L1D_PREFETCH_MISSES |
		1u << PMU_UA_L1I_LOAD_MISSES | 1u << PMU_UA_LL_LOAD_MISSES |
		1u << PMU_UA_LL_STORE_MISSES | 1u << PMU_UA_LL_PREFETCH_MISSES |
		1u << PMU_UA_DTLB_LOAD_MISSES | 1u << PMU_UA_DTLB_STORE_MISSES |
		1u << PMU_UA_ITLB_LOAD_MISSES;

	return all >> event & 1;
}

/* Which parts have a list, and of how many lines. */
static void plan(struct pmu_misses *m, const struct pmu_uarch_config *cfg,
		 uint32_t others)
{
	const struct pmu_cache_config *caches[] = {
		[PMU_PART_L1I] = &cfg->l1i,
		[PMU_PART_L1D] = &cfg->l1d,
		[PMU_PART_LL] = &cfg->ll,
	};
	const uint32_t second = cfg->stlb.entries;
	const uint32_t tlbs[PMU_N_PARTS] = {
		[PMU_PART_ITLB] = second ? 0 : cfg->itlb.entries,
		[PMU_PART_DTLB] = second ? 0 : cfg->dtlb.entries,
		[PMU_PART_STLB] = second,
	};

	for (unsigned p = 0; p < PMU_N_PARTS; p++) {
		uint32_t lines = tlbs[p];

		m->shift[p] = PMU_PAGE_BITS;
		if (p <= PMU_PART_LL && caches[p]->size) {
			lines = caches[p]->size / caches[p]->line;
			m->shift[p] = (uint8_t)__builtin_ctz(caches[p]->line);
		}
		if (lines)
			seen_plan(&m->seen[p], lines, others);
	}
}

/* What @s needs behind its head. */
static size_t seen_bytes(const struct seen *s)
{
	return s->most * sizeof(*s->lines) + s->n_buckets * sizeof(*s->buckets);
}

static size_t bytes_of(const struct pmu_misses *planned)
{
	size_t sum = sizeof(*planned);

	for (unsigned p = 0; p < PMU_N_PARTS; p++)
		sum += seen_bytes(&planned->seen[p]);
	return sum;
}

size_t pmu_misses_bytes(const struct pmu_uarch_config *cfg, uint32_t others)
{
	struct pmu_misses planned = { .n = 0 };

	plan(&planned, cfg, others);
	return bytes_of(&planned);
}

struct pmu_misses *pmu_misses_new(const struct pmu_uarch_config *cfg,
				  uint32_t others)
{
	struct pmu_misses *m = calloc(1, pmu_misses_bytes(cfg, others));
	uint8_t *next;

	if (m == NULL)
		return NULL;
	plan(m, cfg, others);
	next = (uint8_t *)(m + 1);
	for (unsigned p = 0; p < PMU_N_PARTS; p++) {
		struct seen *s = &m->seen[p];

		s->head = &m->heads[p];
		s->lines = (struct seen_line *)(void *)next;
		next += s->most * sizeof(*s->lines);
		s->buckets = (uint32_t *)(void *)next;
		next += s->n_buckets * sizeof(*s->buckets);
	}
	return m;
}

void pmu_misses_free(struct pmu_misses *m)
{
	free(m);
}

void pmu_misses_reset(struct pmu_misses *m)
{
	m->n = 0;
	for (unsigned p = 0; p < PMU_N_PARTS; p++)
		seen_reset(&m->seen[p]);
}

void misses_fence(struct pmu_misses *m)
{
	for (unsigned p = PMU_PART_ITLB; p <= PMU_PART_STLB; p++)
		seen_fence(&m->seen[p]);
}

void pmu_uarch_explain(struct pmu_uarch *u, struct pmu_misses *m)
{
	u->why = m;
}

void misses_begin(struct pmu_misses *m, const struct pmu_span *span,
		  const struct pmu_space *space, enum pmu_miss_access access)
{
	m->span = span;
	m->space = space;
	m->access = (uint8_t)access;
}

/* Where the access first touches page @number. */
static void place_in_page(const struct pmu_span *s, uint64_t number,
			  struct pmu_miss *ret)
{
	bool first = s->vaddr / PMU_PAGE == number;

	ret->vaddr = first ? s->vaddr : number * PMU_PAGE;
	ret->paddr = s->paddr[!first];
}

/* Where it first touches the @size bytes from @line on. */
static void place_in_line(const struct pmu_span *s, uint64_t line,
			  uint64_t size, struct pmu_miss *ret)
{
	uint64_t room = PMU_PAGE - s->vaddr % PMU_PAGE;
	bool first = s->paddr[0] < line + size &&
		     line < s->paddr[0] + (s->size < room ? s->size : room);
	uint64_t begin = s->paddr[!first];

	ret->paddr = begin > line ? begin : line;
	ret->vaddr = s->vaddr + (first ? 0 : room) + (ret->paddr - begin);
}

/* A line of the page that the access ends on, which it does not touch. */
static void place_ahead(const struct pmu_span *s, uint64_t line,
			struct pmu_miss *ret)
{
	uint64_t last = s->vaddr + s->size - 1;

	ret->paddr = line;
	ret->vaddr = last - last % PMU_PAGE + line % PMU_PAGE;
}

static void place(const struct pmu_misses *m, struct pmu_miss *ret)
{
	uint64_t size = UINT64_C(1) << m->shift[ret->part];

	if (ret->part >= PMU_PART_ITLB)
		place_in_page(m->span, ret->line / PMU_PAGE, ret);
	else if (m->access == PMU_MISS_PREFETCH)
		place_ahead(m->span, ret->line, ret);
	else
		place_in_line(m->span, ret->line, size, ret);
	ret->vaddr = space_address(m->space, ret->vaddr);
}

static void note_victim(const struct seen *s, const struct assoc_victim *out,
			unsigned shift, struct pmu_miss *ret)
{
	static const uint8_t victims[] = {
		[SEEN_CLEAN] = PMU_VICTIM_CLEAN,
		[SEEN_DIRTY] = PMU_VICTIM_DIRTY,
		[SEEN_UNKNOWN] = PMU_VICTIM_UNKNOWN,
	};
	const struct seen_line *line;

	ret->victim = PMU_VICTIM_EMPTY;
	if (!out->any)
		return;
	line = seen_find(s, out->key);
	ret->victim = line ? victims[line->dirt] : PMU_VICTIM_UNKNOWN;
	ret->victim_line = out->key.number << shift;
}

/* @key was not in @a; it is put there if it is to be filled. */
static void missed(struct pmu_misses *m, struct assoc *a, struct assoc_key key,
		   bool fill, struct pmu_miss *ret)
{
	const struct seen *s = &m->seen[a->part];
	struct assoc_victim out = { .any = false };

	*ret = (struct pmu_miss){
		.part = a->part,
		.access = m->access,
		.reason = (uint8_t)seen_reason(s, seen_find(s, key)),
		.victim = PMU_VICTIM_NOT_PUT,
		.set = assoc_set(a, key),
		.line = key.number << m->shift[a->part],
	};
	place(m, ret);
	if (!fill)
		return;
	assoc_put(a, key, &out);
	note_victim(s, &out, m->shift[a->part], ret);
	ret->victim_elsewhere = out.any && out.key.space != key.space;
}

/* What the lists have of @key, which is there, or is put there now. */
static void learn(struct pmu_misses *m, enum pmu_part part,
		  struct assoc_key key, bool hit, bool fill)
{
	struct seen *s = &m->seen[part];
	struct seen_line *line = seen_find(s, key);
	bool known = line != NULL;

	/* who fills nothing only finds: LRU's order there is that of uses */
	if (!fill && !(known && line->near))
		return;
	line = seen_use(s, key, line);
	if (part > PMU_PART_LL || !fill)
		return;
	if (m->access == PMU_MISS_STORE)
		line->dirt = SEEN_DIRTY;
	else if (!hit)
		line->dirt = SEEN_CLEAN;
	else if (!known)
		line->dirt = SEEN_UNKNOWN;
}

bool misses_look(struct pmu_misses *m, struct assoc *a, struct assoc_key key,
		 bool fill)
{
	struct pmu_miss miss;
	bool hit;

	if (m->seen[a->part].n_near == 0)
		return fill ? assoc_touch(a, key) : assoc_find(a, key);
	hit = assoc_find(a, key);
	if (!hit) {
		missed(m, a, key, fill, &miss);
		if (!m->pending[a->part])
			m->first[a->part] = miss;
		m->pending[a->part] = true;
	}
	learn(m, (enum pmu_part)a->part, key, hit, fill);
	return hit;
}

static void add(struct pmu_misses *m, enum pmu_part part,
		enum pmu_uarch_event event)
{
	assert(m->n < PMU_MISSES_MOST);
	m->found[m->n] = m->first[part];
	m->found[m->n++].event = (uint8_t)event;
}

void misses_tell(struct pmu_misses *m, enum pmu_part part,
		 enum pmu_uarch_event event)
{
	assert(m->pending[part]);
	add(m, part, event);
	/* the last level's have an event for both, which no prefetch is in */
	if (event == PMU_UA_LL_LOAD_MISSES || event == PMU_UA_LL_STORE_MISSES)
		add(m, part, PMU_UA_CACHE_MISSES);
	m->pending[part] = false;
}

unsigned pmu_misses_take(struct pmu_misses *m,
			 struct pmu_miss ret[PMU_MISSES_MOST])
{
	unsigned n = m->n;

	memcpy(ret, m->found, n * sizeof(*ret));
	m->n = 0;
	return n;
}

void *pmu_misses_piece(struct pmu_misses *m, unsigned i, size_t *ret_size)
{
	if (i == 0) {
		*ret_size = sizeof(m->heads);
		return m->heads;
	}
	if (i > PMU_N_PARTS)
		return NULL;
	*ret_size = m->heads[i - 1].n * sizeof(struct seen_line);
	return m->seen[i - 1].lines;
}

void pmu_misses_given(struct pmu_misses *m)
{
	for (unsigned p = 0; p < PMU_N_PARTS; p++)
		seen_rebuild(&m->seen[p]);
}
