/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guest RAM as the adapter sees it: pages, which of them hold translated code,
 * and where the bytes of a fetched address are.
 */
#ifndef UNICORN_MEMORY_H
#define UNICORN_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include <unicorn/unicorn.h>

#include <pmu/translate.h>

struct engine;
struct slot;

enum {
	PAGE_BITS = 12,
	PAGE_SIZE = 1 << PAGE_BITS,
};

#define PAGE_OF(addr) ((addr) & ~(uint64_t)(PAGE_SIZE - 1))

struct page {
	uint32_t gen;	  /* +1 when its translated code is removed */
	bool code;	  /* some slot may hold code of it */
	bool dirty;	  /* code, and written since */
	uint16_t was;	  /* 0, or 1 + which of engine.was has it as it was */
	uint64_t written; /* engine.serial at which it became writable */
};

struct ram {
	uint64_t base, size;
	uint8_t *host;
	struct page *pages;
};

/* Why the last fill failed. */
struct fault {
	enum pmu_access access;
	uint64_t vaddr; /* page aligned */
	uint64_t paddr; /* device: of its page */
	uint8_t cause;
	bool device;  /* mmio_run() may make it */
	bool watched; /* RAM: watch_lend(), unless mmio_run() will do */
	bool retry;   /* no fault: flush all and try again */
};

/* fill.c: answers Unicorn's TLB misses. */
bool slot_fill(uc_engine *uc, uint64_t vaddr, uc_mem_type type,
	       uc_tlb_entry *result, void *user);

/*
 * pages.c: where the bytes at @addr are fetched from; NULL: no fetch that
 * executes was there yet.
 */
const uint8_t *fetch_host(const struct slot *s, uint64_t addr,
			  const struct page **ret_page);
/*
 * Two bytes of code as they were translated, which is what they were before
 * @page became dirty; @host: where they are.
 */
uint16_t page_code(const struct engine *e, const struct page *page,
		   const uint8_t *host);
/* Is what is translated now, @size bytes at @addr, what was there before? */
bool pages_as_translated(const struct slot *s, uint64_t addr, uint64_t size);
/* The instruction at @pc as translated; 0 bytes when its page is not there. */
unsigned fetch_insn(struct slot *s, uint64_t pc, uint32_t *ret_word);
struct page *ram_page(struct engine *e, uint64_t paddr, uint8_t **ret_host);
/*
 * What is at @paddr is about to be written. False: it is code, and no more can
 * be kept of what it was, so all dirty code has to go before.
 */
bool page_dirty(struct engine *e, struct page *page, uint64_t paddr);

/* fence.c: removes the code of dirty pages; between runs. */
void fence_run(struct engine *e);

#endif
