/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guest RAM by pages, and the code in it as it is fetched.
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
	uint16_t low, high;

	if (at == NULL)
		return 0;
	memcpy(&low, at, sizeof(low));
	*ret_word = low;
	if (pmu_insn_len(low) == 2)
		return 2;
	at = fetch_host(s, pc + 2, &page);
	if (at == NULL)
		return 0;
	memcpy(&high, at, sizeof(high));
	*ret_word |= (uint32_t)high << 16;
	return 4;
}
