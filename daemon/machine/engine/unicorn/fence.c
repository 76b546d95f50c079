/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fence.i and other ways code becomes void. Unicorn keys translated code by
 * physical page and notices only some writes to it, so pages that hold code
 * and were written since are kept in a list, and their code is removed here,
 * between runs. Without such a page a fence.i costs nothing.
 */
#include "adapter.h"

/* Removes all translated code of one page from one slot. */
static void remove_code(struct slot *s, uint64_t paddr)
{
	/* an address of our own, which slot_fill() maps to @paddr */
	const uint64_t magic = PAGE_SIZE;

	s->forced = true;
	s->forced_paddr = paddr;
	uc_ctl_flush_tlb(s->uc);
	uc_ctl_remove_cache(s->uc, magic, magic + PAGE_SIZE);
	uc_ctl_flush_tlb(s->uc);
	s->forced = false;
}

static void clean(struct engine *e, uint64_t paddr)
{
	uint8_t *host;
	struct page *page = ram_page(e, paddr, &host);

	if (page == NULL || !page->dirty)
		return;
	for (size_t i = 0; i < 3; i++)
		if (e->slots[i] != NULL) {
			remove_code(e->slots[i], paddr);
			fast_undo_page(e->slots[i]->fast, page);
		}
	page->code = false;
	page->dirty = false;
	page->was = 0;
	page->gen++;
}

static void clean_ram(struct engine *e, const struct ram *ram)
{
	for (uint64_t off = 0; off < ram->size; off += PAGE_SIZE)
		if (ram->pages[off >> PAGE_BITS].dirty)
			clean(e, ram->base + off);
}

void fence_run(struct engine *e)
{
	e->fence_due = false;
	if (e->n_dirty == 0)
		return;
	for (size_t i = 0; i < e->n_dirty; i++)
		clean(e, e->dirty[i]);
	for (size_t i = 0; e->dirty_more && i < e->n_ram; i++)
		clean_ram(e, &e->ram[i]);
	e->n_dirty = 0;
	e->dirty_more = false;
	engine_empty_tlbs(e);
}

void engine_fence_i(struct engine *e)
{
	if (e->n_dirty != 0)
		e->fence_due = true;
}

void engine_ram_written(struct engine *e, uint64_t paddr, uint64_t size)
{
	uint64_t end = paddr + size;
	uint8_t *host;

	for (uint64_t at = PAGE_OF(paddr); at < end; at += PAGE_SIZE) {
		struct page *page = ram_page(e, at, &host);

		if (page == NULL || !page->code)
			continue;
		if (!page_dirty(e, page, at))
			page->dirty = e->dirty_more = true;
		e->fence_due = true;
	}
}
