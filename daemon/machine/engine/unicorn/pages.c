/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guest RAM by pages, and the code in it as it is fetched. A page with code
 * that becomes dirty is kept as it was, as all its translations are of that,
 * and what they count, take back and tell has to be what was translated.
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

bool page_dirty(struct engine *e, struct page *page, uint64_t paddr)
{
	uint8_t *host;

	if (!page->code || page->dirty)
		return true;
	if (e->n_dirty == MAX_DIRTY)
		return false;
	ram_page(e, paddr, &host);
	memcpy(e->was + e->n_dirty * PAGE_SIZE, host, PAGE_SIZE);
	page->dirty = true;
	e->dirty[e->n_dirty++] = PAGE_OF(paddr);
	page->was = (uint16_t)e->n_dirty;
	return true;
}

uint16_t page_code(const struct engine *e, const struct page *page,
		   const uint8_t *host)
{
	uint16_t half;

	if (page->was != 0)
		host = e->was + (page->was - 1u) * PAGE_SIZE +
		       ((uintptr_t)host & (PAGE_SIZE - 1));
	memcpy(&half, host, sizeof(half));
	return half;
}

/* What is behind it ends it, too, if that is 0x0000, which is no part of it. */
bool pages_as_translated(const struct slot *s, uint64_t addr, uint64_t size)
{
	const struct page *page = NULL;
	const uint8_t *host = NULL;
	uint16_t half, was;

	for (uint64_t off = 0; off <= size; off += 2) {
		if (off == 0 || (addr + off) % PAGE_SIZE == 0)
			host = fetch_host(s, addr + off, &page);
		else
			host += 2;
		if (host == NULL)
			return true;
		memcpy(&half, host, sizeof(half));
		was = page_code(s->e, page, host);
		if (page->was != 0 && half != was &&
		    (off < size || half == 0 || was == 0))
			return false;
	}
	return true;
}

const uint8_t *fetch_host(const struct slot *s, uint64_t addr,
			  const struct page **ret_page)
{
	struct engine *e = s->e;
	const struct leaf *leaf =
		leaf_find(&e->leaves, addr & engine_mask(e), PMU_ACCESS_FETCH);
	uint8_t *host;

	if (leaf == NULL)
		return NULL;
	*ret_page = ram_page(e, leaf->paddr, &host);
	if (*ret_page == NULL) /* a device, were it executable */
		return NULL;
	return host + (addr & (PAGE_SIZE - 1));
}

unsigned fetch_insn(struct slot *s, uint64_t pc, uint32_t *ret_word)
{
	const struct page *page;
	const uint8_t *at = fetch_host(s, pc, &page);
	uint16_t low;

	if (at == NULL)
		return 0;
	low = page_code(s->e, page, at);
	*ret_word = low;
	if (pmu_insn_len(low) == 2)
		return 2;
	at = fetch_host(s, pc + 2, &page);
	if (at == NULL)
		return 0;
	*ret_word |= (uint32_t)page_code(s->e, page, at) << 16;
	return 4;
}
