/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLB fills: asks the host for a translation and hands it to Unicorn, and
 * keeps what fetches got, so that the bytes of a block can be found again.
 * It decides which permissions are granted with a fill (those that were asked
 * for, and others only where nothing remains to be noticed about the page).
 */
#include "adapter.h"

#include <string.h>

/*
 * The page of RAM at @paddr, or NULL. Written as a scan: there are few
 * regions, and fills are rare.
 */
struct page *ram_page(struct engine *e, uint64_t paddr, uint8_t **ret_host)
{
	for (size_t i = 0; i < e->n_ram; i++) {
		struct ram *ram = &e->ram[i];
		uint64_t off = PAGE_OF(paddr) - ram->base;

		if (off >= ram->size)
			continue;
		*ret_host = ram->host + off;
		return &ram->pages[off >> PAGE_BITS];
	}
	return NULL;
}

void page_dirty(struct engine *e, struct page *page, uint64_t paddr)
{
	if (!page->code || page->dirty)
		return;
	page->dirty = true;
	if (e->n_dirty < MAX_DIRTY)
		e->dirty[e->n_dirty++] = PAGE_OF(paddr);
	else
		e->dirty_more = true;
}

static struct fetch_entry *fetch_entry(struct slot *s, uint64_t vaddr)
{
	return &s->fetch[(vaddr >> PAGE_BITS) % FETCH_ENTRIES];
}

static void fetch_note(struct slot *s, uint64_t vaddr, const uint8_t *host,
		       const struct page *page)
{
	*fetch_entry(s, vaddr) = (struct fetch_entry){
		.vpage = PAGE_OF(vaddr),
		.epoch = s->epoch,
		.host = host,
		.page = page,
	};
}

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

/* Asks the host; true: @walk is set and lies in RAM at @ret_page. */
static bool walk_ram(struct slot *s, struct engine_walk *walk,
		     struct page **ret_page, uint8_t **ret_host)
{
	struct engine *e = s->e;
	struct fault *fault = &e->fault;

	*fault = (struct fault){
		.access = walk->access,
		.vaddr = PAGE_OF(walk->vaddr),
	};
	if (!e->ops->translate(e->host, walk)) {
		fault->cause = walk->cause;
		return false;
	}
	if (walk->device && walk->access != PMU_ACCESS_FETCH) {
		fault->device = true;
		fault->paddr = PAGE_OF(walk->paddr);
	}
	fault->cause = access_fault(walk->access);
	if (walk->device)
		return false;
	*ret_page = ram_page(e, walk->paddr, ret_host);
	if (*ret_page == NULL)
		return false;
	if (!is_watched(walk) || watch_admits(e, walk))
		return true;
	fault->watched = true;
	fault->device = walk->access == PMU_ACCESS_LOAD || !(*ret_page)->code;
	fault->paddr = PAGE_OF(walk->paddr);
	return false;
}

const uint8_t *fetch_host(struct slot *s, uint64_t addr, bool executes,
			  const struct page **ret_page)
{
	struct fetch_entry *f = fetch_entry(s, addr);
	struct engine_walk walk = {
		.vaddr = PAGE_OF(addr),
		.access = PMU_ACCESS_FETCH,
		.executes = executes,
	};
	struct fault keep = s->e->fault;
	struct page *page;
	uint8_t *host;
	bool ok;

	if (f->vpage != PAGE_OF(addr) || f->epoch != s->epoch) {
		ok = walk_ram(s, &walk, &page, &host);
		s->e->fault = keep;
		if (!ok)
			return NULL;
		fetch_note(s, addr, host, page);
	}
	*ret_page = f->page;
	return f->host + (addr & (PAGE_SIZE - 1));
}

bool fetch_check(struct slot *s, uint64_t vaddr)
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

unsigned fetch_insn(struct slot *s, uint64_t pc, uint32_t *ret_word)
{
	const struct page *page;
	const uint8_t *at = fetch_host(s, pc, true, &page);
	uint16_t low, high;

	if (at == NULL)
		return 0;
	memcpy(&low, at, sizeof(low));
	*ret_word = low;
	if (pmu_insn_len(low) == 2)
		return 2;
	at = fetch_host(s, pc + 2, true, &page);
	if (at == NULL)
		return 0;
	memcpy(&high, at, sizeof(high));
	*ret_word |= (uint32_t)high << 16;
	return 4;
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

static bool note_access(struct slot *s, const struct engine_walk *walk,
			struct page *page, const uint8_t *host)
{
	switch (walk->access) {
	case PMU_ACCESS_FETCH:
		if (!note_code(s, page))
			return false;
		fetch_note(s, walk->vaddr, host, page);
		return true;
	case PMU_ACCESS_LOAD:
		return true;
	case PMU_ACCESS_STORE:
		page->written = s->e->serial;
		page_dirty(s->e, page, walk->paddr);
		return true;
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
 * instruction before it runs (step_straddle()).
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

static bool fill_forced(struct slot *s, uc_tlb_entry *result)
{
	result->paddr = s->forced_paddr;
	result->perms = UC_PROT_ALL;
	return true;
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
	if (type == UC_MEM_FETCH) {
		walk.access = PMU_ACCESS_FETCH;
		ahead = PAGE_OF(slot_pc(s)) != vaddr;
		walk.executes = !ahead || s->through == vaddr;
	} else {
		walk.access = type == UC_MEM_WRITE ? PMU_ACCESS_STORE
						   : PMU_ACCESS_LOAD;
	}
	s->e->faulted = false;
	if (walk_ram(s, &walk, &page, &host) &&
	    note_access(s, &walk, page, host)) {
		if (walk.access != PMU_ACCESS_FETCH)
			feed_page(s, vaddr, walk.paddr);
		result->paddr = PAGE_OF(walk.paddr);
		result->perms = (uc_prot)grant(s->e, &walk, page);
		return true;
	}
	if (ahead && !s->e->fault.retry && poison(s, vaddr, result))
		return true;
	s->e->faulted = true;
	return false;
}
