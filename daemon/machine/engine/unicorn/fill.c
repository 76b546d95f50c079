/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLB fills: finds the translation among the leaves, asks the host for it where
 * there is none, and hands it to Unicorn. It decides when the host may be asked
 * (for accesses that execute, at their turn) and which permissions are granted
 * with a fill (those that were asked for, and others only where nothing remains
 * to be noticed about the page).
 */
#include "adapter.h"

#include <assert.h>

static uint8_t access_fault(enum pmu_access access)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_ACCESS,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_ACCESS,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_ACCESS,
	};

	return causes[access];
}

static bool is_watched(const struct engine_walk *walk)
{
	switch (walk->access) {
	case PMU_ACCESS_LOAD:
		return walk->watched & PMU_PERM_R;
	case PMU_ACCESS_STORE:
		return walk->watched & PMU_PERM_W;
	case PMU_ACCESS_FETCH:
		break;
	}
	return false;
}

/* The host's walk of an access that executes; its answer is kept. */
static bool walk_new(struct slot *s, struct engine_walk *walk)
{
	struct engine *e = s->e;
	uint8_t *host;

	if (leaves_are_full(&e->leaves)) {
		leaves_drop(&e->leaves);
		e->fault.retry = true;
		return false;
	}
	if (!e->ops->translate(e->host, walk)) {
		e->fault.cause = walk->cause;
		return false;
	}
	if (!walk->device && ram_page(e, walk->paddr, &host) == NULL)
		return false;
	e->fault.retry = !leaf_keep(&e->leaves, walk);
	return !e->fault.retry;
}

/*
 * What is known of the page, or a walk if the access executes: one that is
 * ahead of execution must leave no trace.
 */
static bool walk_page(struct slot *s, struct engine_walk *walk)
{
	struct engine *e = s->e;
	const struct leaf *leaf =
		leaf_find(&e->leaves, walk->vaddr, walk->access);

	if (leaf == NULL)
		return walk->executes && walk_new(s, walk);
	walk->paddr = leaf->paddr;
	walk->perms = leaf->perms;
	walk->watched = leaf->watched;
	walk->device = leaf->device;
	return true;
}

/* True: @walk is set and lies in RAM at @ret_page. */
static bool walk_ram(struct slot *s, struct engine_walk *walk,
		     struct page **ret_page, uint8_t **ret_host)
{
	struct engine *e = s->e;
	struct fault *fault = &e->fault;

	*fault = (struct fault){
		.access = walk->access,
		.vaddr = PAGE_OF(walk->vaddr),
		.cause = access_fault(walk->access),
	};
	if (!walk_page(s, walk))
		return false;
	if (walk->device) {
		fault->device = walk->access != PMU_ACCESS_FETCH;
		fault->paddr = PAGE_OF(walk->paddr);
		return false;
	}
	*ret_page = ram_page(e, walk->paddr, ret_host);
	walk->watched |= e->ops->watched(e->host, walk->vaddr);
	if (!is_watched(walk) || watch_admits(e, walk))
		return true;
	fault->watched = true;
	fault->device = walk->access == PMU_ACCESS_LOAD || !(*ret_page)->code;
	fault->paddr = PAGE_OF(walk->paddr);
	return false;
}

/*
 * A page that turns into code must not be writable through entries that are
 * there already, or later writes would go unnoticed: drop them first.
 */
static bool note_code(struct slot *s, struct page *page)
{
	if (page->code)
		return true;
	if (page->written == s->e->serial) {
		s->e->fault.retry = true;
		return false;
	}
	page->code = true;
	return true;
}

static bool note_write(struct engine *e, struct page *page, uint64_t paddr)
{
	if (!page_dirty(e, page, paddr)) {
		e->fence_due = true;
		e->fault.retry = true;
		return false;
	}
	page->written = e->serial;
	return true;
}

static bool note_access(struct slot *s, const struct engine_walk *walk,
			struct page *page)
{
	switch (walk->access) {
	case PMU_ACCESS_FETCH:
		return note_code(s, page);
	case PMU_ACCESS_LOAD:
		return true;
	case PMU_ACCESS_STORE:
		return note_write(s->e, page, walk->paddr);
	}
	return false;
}

static uint32_t grant(const struct engine *e, const struct engine_walk *walk,
		      const struct page *page)
{
	uint8_t watched = walk->watched;
	uint32_t perms = 0;

	if (is_watched(walk)) /* and lent */
		watched = 0;
	if (walk->perms & ~watched & PMU_PERM_R)
		perms |= UC_PROT_READ;
	if (walk->perms & ~watched & PMU_PERM_W && page->written == e->serial)
		perms |= UC_PROT_WRITE;
	if (walk->perms & PMU_PERM_X && page->code)
		perms |= UC_PROT_EXEC;
	return perms;
}

/*
 * The next page of an instruction that crosses the page's end is not there.
 * The step slot translates it from the scratch page, because it looks at each
 * instruction before it runs (fill_straddle()).
 */
static bool poison(struct slot *s, uint64_t vaddr, uc_tlb_entry *result)
{
	if (!s->is_step)
		return false;
	if (s->poisoned && s->poison != vaddr) {
		/* one at a time: start over without the other */
		s->e->fault.retry = true;
		return false;
	}
	s->poisoned = true;
	s->poison = vaddr;
	result->paddr = s->e->scratch_base;
	result->perms = UC_PROT_EXEC;
	return true;
}

static bool fetch_check(struct slot *s, uint64_t vaddr)
{
	struct engine_walk walk = {
		.vaddr = vaddr,
		.access = PMU_ACCESS_FETCH,
		.executes = true,
	};
	struct page *page;
	uint8_t *host;

	return walk_ram(s, &walk, &page, &host);
}

enum outcome fill_straddle(struct slot *s, uint64_t addr)
{
	struct engine *e = s->e;
	uint64_t next = (PAGE_OF(addr) + PAGE_SIZE) & engine_mask(e);

	if (!s->poisoned || s->poison != next)
		return OUT_NONE;
	/* it executes now, so its page may be walked */
	if (fetch_check(s, next) || e->fault.retry) {
		engine_empty_tlbs(e);
		return OUT_AGAIN;
	}
	s->stale = true;
	return OUT_FAULT;
}

static bool fill_forced(struct slot *s, uc_tlb_entry *result)
{
	result->paddr = s->forced_paddr;
	result->perms = UC_PROT_ALL;
	return true;
}

/*
 * Is @pc, on a page that was not fetched from yet, not the next to execute?
 * Something else may be due at this boundary; no hook has looked at it yet.
 */
static bool fetch_is_early(struct slot *s, uint64_t pc)
{
	struct engine *e = s->e;

	if (leaf_find(&e->leaves, pc, PMU_ACCESS_FETCH) != NULL)
		return false;
	if (e->watch.on || e->held.n != 0)
		return true;
	feed_end(s, pc);
	slot_sync(s);
	return slot_due(s, pc) != OUT_NONE;
}

bool slot_fill(uc_engine *uc, uint64_t vaddr, uc_mem_type type,
	       uc_tlb_entry *result, void *user)
{
	struct slot *s = user;
	struct engine_walk walk = { .vaddr = vaddr, .executes = true };
	bool ahead = false;
	struct page *page;
	uint8_t *host;

	if (s->forced)
		return fill_forced(s, result);
	assert(s->e->out == OUT_NONE);
	s->e->faulted = true;
	if (type == UC_MEM_FETCH) {
		uint64_t pc = slot_pc(s);

		walk.access = PMU_ACCESS_FETCH;
		ahead = PAGE_OF(pc) != vaddr;
		walk.executes = !ahead;
		if (!ahead && fetch_is_early(s, pc)) {
			s->e->fault = (struct fault){ .retry = true };
			return false;
		}
	} else {
		walk.access = type == UC_MEM_WRITE ? PMU_ACCESS_STORE
						   : PMU_ACCESS_LOAD;
	}
	if (walk_ram(s, &walk, &page, &host) && note_access(s, &walk, page)) {
		result->paddr = PAGE_OF(walk.paddr);
		result->perms = (uc_prot)grant(s->e, &walk, page);
		s->e->faulted = false;
		fast_filled(&s->filled[s->spaces.at], vaddr);
		return true;
	}
	if (ahead && !s->e->fault.retry && poison(s, vaddr, result)) {
		s->e->faulted = false;
		return true;
	}
	return false;
}
