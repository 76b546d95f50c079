/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instruction does to the parts of a core, in which order, and what of
 * that is counted: first its bytes are fetched, then its data accessed, then
 * its branch resolved. Each access asks the TLB, the first level, and where
 * that misses the last one, and where that misses memory; it counts, and is
 * waited for, once however many lines it touches.
 */
#include "uarch-state.h"

#include <string.h>

#include <pmu/page.h>

#include "space.h"

/* An access, where it is counted, and whom it lets wait. */
struct lookup {
	const struct pmu_span *span;
	const struct pmu_space *space;
	bool store, device;
	struct pmu_uarch_found *found;
	uint32_t *stalled;
};

static void happened(struct pmu_uarch_found *found, enum pmu_uarch_event event)
{
	found->event[found->n++] = (uint8_t)event;
}

/* @event has, since table @a missed. */
static void missed(struct pmu_uarch *u, const struct assoc *a,
		   const struct lookup *l, enum pmu_uarch_event event)
{
	happened(l->found, event);
	if (u->why)
		misses_tell(u->why, (enum pmu_part)a->part, event);
}

/* Is @key in @a? To be filled, it is afterwards. */
static bool look(struct pmu_uarch *u, struct assoc *a, struct assoc_key key,
		 bool fill)
{
	if (u->why)
		return misses_look(u->why, a, key, fill);
	return fill ? assoc_touch(a, key) : assoc_find(a, key);
}

static void begin(struct pmu_uarch *u, const struct lookup *l,
		  enum pmu_miss_access access)
{
	if (u->why)
		misses_begin(u->why, l->span, l->space, access);
}

/* How many bytes of @span are on its first page. */
static unsigned on_first_page(const struct pmu_span *span)
{
	uint64_t room = PMU_PAGE - span->vaddr % PMU_PAGE;

	return span->size < room ? span->size : (unsigned)room;
}

/* The lines of the bytes at @paddr: were all of them there? */
static bool touch_lines(struct pmu_uarch *u, struct cache *c, uint64_t paddr,
			unsigned size, bool fill)
{
	uint64_t first = paddr >> c->shift,
		 last = (paddr + size - 1) >> c->shift;
	bool hit = true;

	for (uint64_t line = first; line <= last; line++) {
		struct assoc_key key = { .number = line };

		hit &= look(u, &c->lines, key, fill);
	}
	return hit;
}

static bool touch(struct pmu_uarch *u, struct cache *c, const struct lookup *l)
{
	unsigned size = on_first_page(l->span);
	bool fill = !(l->store && c->through);
	bool hit = touch_lines(u, c, l->span->paddr[0], size, fill);

	if (size < l->span->size)
		hit &= touch_lines(u, c, l->span->paddr[1],
				   l->span->size - size, fill);
	return hit;
}

static void ask_memory(const struct lookup *l)
{
	happened(l->found, l->store ? PMU_UA_NODE_STORES : PMU_UA_NODE_LOADS);
}

/* Returns for how long that is waited for, if it is. */
static uint32_t ask_last_level(struct pmu_uarch *u, const struct lookup *l)
{
	enum pmu_uarch_event event =
		l->store ? PMU_UA_LL_STORES : PMU_UA_LL_LOADS;
	bool hit;

	if (u->ll.lines.sets == 0) {
		ask_memory(l);
		return u->stalls.memory;
	}
	happened(l->found, event);
	hit = touch(u, &u->ll, l);
	if (hit) {
		happened(l->found, PMU_UA_CACHE_REFERENCES);
	} else {
		missed(u, &u->ll.lines, l, event + 1);
		happened(l->found, PMU_UA_CACHE_MISSES);
	}
	if (!hit || (l->store && u->ll.through))
		ask_memory(l);
	return hit ? u->stalls.last_level : u->stalls.memory;
}

/*
 * @event: an access of the first level @c, before that of a miss. Was it there,
 * or is there no first level?
 */
static bool ask_caches(struct pmu_uarch *u, struct cache *c,
		       const struct lookup *l, enum pmu_uarch_event event)
{
	uint32_t wait;
	bool hit = false;

	if (c->lines.sets != 0) {
		happened(l->found, event);
		hit = touch(u, c, l);
		if (!hit)
			missed(u, &c->lines, l, event + 1);
	} else if (u->ll.lines.sets == 0) {
		return true;
	}
	if (hit && !(l->store && c->through))
		return true;
	wait = ask_last_level(u, l);
	/* a store's line is waited for in a buffer that is never full */
	if (!l->store)
		*l->stalled += wait;
	return hit || c->lines.sets == 0;
}

/* Where a page's translation was. */
enum found_in {
	FIRST,
	SECOND,
	TABLES
};

static enum found_in find_page(struct pmu_uarch *u, struct assoc *first,
			       const struct lookup *l, uint64_t vaddr)
{
	struct assoc_key key = { space_address(l->space, vaddr) / PMU_PAGE,
				 l->space->tag };

	if (look(u, first, key, true))
		return FIRST;
	return u->stlb.sets != 0 && look(u, &u->stlb, key, true) ? SECOND
								 : TABLES;
}

static void ask_tlb(struct pmu_uarch *u, struct assoc *first,
		    const struct lookup *l, enum pmu_uarch_event event)
{
	unsigned size = on_first_page(l->span);
	enum found_in in, other;

	if (first->sets == 0 || !l->space->translated)
		return;
	happened(l->found, event);
	in = find_page(u, first, l, l->span->vaddr);
	if (size < l->span->size) {
		other = find_page(u, first, l, l->span->vaddr + size);
		in = other > in ? other : in;
	}
	if (in == TABLES)
		missed(u, u->stlb.sets != 0 ? &u->stlb : first, l, event + 1);
	if (in != FIRST)
		*l->stalled += in == TABLES ? u->stalls.walk : u->stalls.stlb;
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
	begin(u, part, PMU_MISS_FETCH);
	ask_tlb(u, &u->itlb, part, PMU_UA_ITLB_LOADS);
	ask_caches(u, &u->l1i, part, PMU_UA_L1I_LOADS);
}

/* Of an instruction that lies in two lines, @room bytes in the first. */
static void fetch_both(struct pmu_uarch *u, const struct lookup *l,
		       unsigned room)
{
	const struct pmu_span *s = l->span;
	struct pmu_span span = *s;
	struct lookup part = *l;

	part.span = &span;
	span.size = (uint8_t)room;
	fetch(u, &part);
	span.size = (uint8_t)(s->size - room);
	span.vaddr = space_address(l->space, s->vaddr + room);
	span.paddr[0] =
		span.vaddr % PMU_PAGE ? s->paddr[0] + room : s->paddr[1];
	fetch(u, &part);
}

static void fetch_code(struct pmu_uarch *u, const struct lookup *l)
{
	unsigned line = 1u << u->l1i.shift;
	unsigned room = line - (unsigned)(l->span->vaddr & (line - 1));

	if (l->span->size <= room)
		fetch(u, l);
	else
		fetch_both(u, l, room);
}

/* The line behind that of @l, on the same page, is fetched ahead of its use. */
static void prefetch(struct pmu_uarch *u, const struct lookup *l)
{
	unsigned size = on_first_page(l->span), second = l->span->size - size;
	uint64_t last = second ? l->span->paddr[1] + second - 1
			       : l->span->paddr[0] + size - 1;
	struct assoc_key line = { .number = (last >> u->l1d.shift) + 1 };
	uint64_t next = line.number << u->l1d.shift;

	if (next % PMU_PAGE == 0)
		return;
	begin(u, l, PMU_MISS_PREFETCH);
	happened(l->found, PMU_UA_L1D_PREFETCHES);
	if (look(u, &u->l1d.lines, line, true))
		return;
	missed(u, &u->l1d.lines, l, PMU_UA_L1D_PREFETCH_MISSES);
	if (u->ll.lines.sets != 0) {
		happened(l->found, PMU_UA_LL_PREFETCHES);
		if (touch_lines(u, &u->ll, next, 1u << u->l1d.shift, true))
			return;
		missed(u, &u->ll.lines, l, PMU_UA_LL_PREFETCH_MISSES);
	}
	happened(l->found, PMU_UA_NODE_PREFETCHES);
}

static void access_data(struct pmu_uarch *u, const struct lookup *l)
{
	enum pmu_uarch_event event =
		l->store ? PMU_UA_L1D_STORES : PMU_UA_L1D_LOADS;

	begin(u, l, l->store ? PMU_MISS_STORE : PMU_MISS_LOAD);
	ask_tlb(u, &u->dtlb, l,
		l->store ? PMU_UA_DTLB_STORES : PMU_UA_DTLB_LOADS);
	if (l->device)
		return;
	if (ask_caches(u, &u->l1d, l, event))
		return;
	if (u->prefetch && !(l->store && u->l1d.through))
		prefetch(u, l);
}

static void resolve(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		    const struct pmu_space *code, struct pmu_uarch_found *found)
{
	if (insn->flow == PMU_FLOW_NEXT ||
	    u->predictor.cfg.kind == PMU_PREDICT_NONE)
		return;
	happened(found, PMU_UA_BRANCH_LOADS);
	if (predictor_see(&u->predictor, insn, code))
		return;
	happened(found, PMU_UA_BRANCH_LOAD_MISSES);
	happened(found, PMU_UA_BRANCH_MISSES);
	found->stalled[PMU_STALL_FRONTEND] += u->stalls.branch;
}

void pmu_uarch_see(struct pmu_uarch *u, const struct pmu_uarch_insn *insn,
		   const struct pmu_space *code, const struct pmu_space *data,
		   struct pmu_uarch_found *ret)
{
	struct lookup l = { .span = &insn->code,
			    .space = code,
			    .found = ret,
			    .stalled = &ret->stalled[PMU_STALL_FRONTEND] };

	ret->n = 0;
	memset(ret->stalled, 0, sizeof(ret->stalled));
	if (u->looks & PMU_LOOK_FETCH)
		fetch_code(u, &l);
	l.span = &insn->data;
	l.space = data;
	l.device = insn->device;
	l.stalled = &ret->stalled[PMU_STALL_BACKEND];
	if (insn->load)
		access_data(u, &l);
	l.store = true;
	if (insn->store)
		access_data(u, &l);
	resolve(u, insn, code, ret);
}
