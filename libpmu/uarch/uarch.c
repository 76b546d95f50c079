/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instruction does to the parts of a core, in which order, and what of
 * that is counted: first its bytes are fetched, then its data accessed, then
 * its branch resolved. Each access asks the TLB, the first level, and where
 * that misses the last one; it counts once however many lines it touches.
 */
#include <pmu/uarch.h>

#include <stdlib.h>
#include <string.h>

#include "assoc.h"
#include "predictor.h"

enum {
	PAGE = 4096,
	FETCH_SHIFT = 6, /* 64 bytes are fetched at once without an L1I */
	/* words of the line fetched last */
	LAST_VLINE = 0,
	LAST_PLINE,
	LAST_SPACE,
	LAST_KNOWN,
	LAST_WORDS,
};

struct cache {
	struct assoc lines;
	uint8_t shift; /* a line has 1 << shift bytes */
	bool through;  /* write through */
};

struct pmu_uarch {
	struct cache l1i, l1d, ll;
	struct assoc itlb, dtlb, stlb;
	struct predictor predictor;
	uint64_t *last; /* of what was fetched */
	size_t n_words;
	uint64_t words[];
};

/* An access, and what is counted: one of these rows, if it is missed the next
 */
struct lookup {
	const struct pmu_span *span;
	const struct pmu_space *space;
	bool store, device;
	struct pmu_uarch_found *found;
};

static void happened(struct pmu_uarch_found *found, enum pmu_uarch_event event)
{
	found->event[found->n++] = (uint8_t)event;
}

/* How many bytes of @span are on its first page. */
static unsigned on_first_page(const struct pmu_span *span)
{
	uint64_t room = PAGE - span->vaddr % PAGE;

	return span->size < room ? span->size : (unsigned)room;
}

static bool find_or_put(struct assoc *a, struct assoc_key key)
{
	if (assoc_find(a, key))
		return true;
	assoc_put(a, key);
	return false;
}

/* The lines of the bytes at @paddr: were all of them there? */
static bool touch_lines(struct cache *c, uint64_t paddr, unsigned size,
			bool fill)
{
	uint64_t first = paddr >> c->shift,
		 last = (paddr + size - 1) >> c->shift;
	bool hit = true;

	for (uint64_t line = first; line <= last; line++) {
		struct assoc_key key = { .number = line };

		if (fill)
			hit &= find_or_put(&c->lines, key);
		else
			hit &= assoc_find(&c->lines, key);
	}
	return hit;
}

static bool touch(struct cache *c, const struct lookup *l)
{
	unsigned size = on_first_page(l->span);
	bool fill = !(l->store && c->through);
	bool hit = touch_lines(c, l->span->paddr[0], size, fill);

	if (size < l->span->size)
		hit &= touch_lines(c, l->span->paddr[1], l->span->size - size,
				   fill);
	return hit;
}

static void ask_last_level(struct pmu_uarch *u, const struct lookup *l)
{
	enum pmu_uarch_event event =
		l->store ? PMU_UA_LL_STORES : PMU_UA_LL_LOADS;

	if (u->ll.lines.sets == 0)
		return;
	happened(l->found, event);
	if (touch(&u->ll, l)) {
		happened(l->found, PMU_UA_CACHE_REFERENCES);
		return;
	}
	happened(l->found, event + 1);
	happened(l->found, PMU_UA_CACHE_MISSES);
}

/* @event: an access of the first level @c, before that of a miss. */
static void ask_caches(struct pmu_uarch *u, struct cache *c,
		       const struct lookup *l, enum pmu_uarch_event event)
{
	bool hit = false;

	if (l->device)
		return;
	if (c->lines.sets != 0) {
		happened(l->found, event);
		hit = touch(c, l);
		if (!hit)
			happened(l->found, event + 1);
	}
	if (!hit || (l->store && c->through))
		ask_last_level(u, l);
}

/* Does a page's translation have to be walked for? */
static bool walks(struct pmu_uarch *u, struct assoc *first,
		  const struct lookup *l, uint64_t vaddr)
{
	struct assoc_key key = { vaddr / PAGE, l->space->tag };

	if (find_or_put(first, key))
		return false;
	return u->stlb.sets == 0 || !find_or_put(&u->stlb, key);
}

static void ask_tlb(struct pmu_uarch *u, struct assoc *first,
		    const struct lookup *l, enum pmu_uarch_event event)
{
	unsigned size = on_first_page(l->span);
	bool walked;

	if (first->sets == 0 || !l->space->translated)
		return;
	happened(l->found, event);
	walked = walks(u, first, l, l->span->vaddr);
	if (size < l->span->size)
		walked |= walks(u, first, l, l->span->vaddr + size);
	if (walked)
		happened(l->found, event + 1);
}

/* Bytes of the line fetched last are there; others are fetched. */
static void fetch(struct pmu_uarch *u, const struct lookup *part)
{
	unsigned shift = u->l1i.shift;
	const struct pmu_span *s = part->span;
	const uint64_t now[LAST_WORDS] = {
		[LAST_VLINE] = s->vaddr >> shift,
		[LAST_PLINE] = s->paddr[0] >> shift,
		[LAST_SPACE] = part->space->translated ? part->space->tag : 0,
		[LAST_KNOWN] = 1,
	};

	if (memcmp(u->last, now, sizeof(now)) == 0)
		return;
	memcpy(u->last, now, sizeof(now));
	ask_tlb(u, &u->itlb, part, PMU_UA_ITLB_LOADS);
	ask_caches(u, &u->l1i, part, PMU_UA_L1I_LOADS);
}

/* Line by line: an instruction may lie in two. */
static void fetch_code(struct pmu_uarch *u, const struct lookup *l)
{
	unsigned line = 1u << u->l1i.shift;
	const struct pmu_span *s = l->span;
	unsigned room = line - (unsigned)(s->vaddr & (line - 1));
	struct pmu_span span = *s;
	struct lookup part = *l;

	part.span = &span;
	span.size = s->size < room ? s->size : (uint8_t)room;
	fetch(u, &part);
	if (s->size <= room)
		return;
	span.size = (uint8_t)(s->size - room);
	span.vaddr = s->vaddr + room;
	span.paddr[0] = span.vaddr % PAGE ? s->paddr[0] + room : s->paddr[1];
	fetch(u, &part);
}

static void access_data(struct pmu_uarch *u, const struct lookup *l)
{
	ask_tlb(u, &u->dtlb, l,
		l->store ? PMU_UA_DTLB_STORES : PMU_UA_DTLB_LOADS);
	ask_caches(u, &u->l1d, l,
		   l->store ? PMU_UA_L1D_STORES : PMU_UA_L1D_LOADS);
}

static void resolve(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		    struct pmu_uarch_found *found)
{
	if (insn->flow == PMU_FLOW_NEXT ||
	    u->predictor.cfg.kind == PMU_PREDICT_NONE)
		return;
	happened(found, PMU_UA_BRANCH_LOADS);
	if (predictor_see(&u->predictor, insn))
		return;
	happened(found, PMU_UA_BRANCH_LOAD_MISSES);
	happened(found, PMU_UA_BRANCH_MISSES);
}

void pmu_uarch_see(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *code, const struct pmu_space *data,
		   struct pmu_uarch_found *ret)
{
	struct lookup l = { &insn->code, code, false, false, ret };

	ret->n = 0;
	fetch_code(u, &l);
	l = (struct lookup){ &insn->data, data, false, insn->device, ret };
	if (insn->load)
		access_data(u, &l);
	l.store = true;
	if (insn->store)
		access_data(u, &l);
	resolve(u, insn, ret);
}

/* Making one */

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

/* The tables of @u, NULL behind the last one. */
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
}

void *pmu_uarch_state(struct pmu_uarch *u, size_t *ret_size)
{
	*ret_size = u->n_words * sizeof(uint64_t);
	return u->words;
}
