/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decodes blocks: what each counts, and what makes it more than a block that
 * only counts. A slot's table keeps them; one is good while its bytes are.
 */
#include "adapter.h"

#include <assert.h>

#include <pmu/csr.h>

static const uint64_t EPOCH_MASK = ~(uint64_t)UINT32_MAX;

uint32_t block_word(const struct engine *e, const struct block *b, unsigned off)
{
	unsigned room = PAGE_SIZE - (unsigned)(b->addr & (PAGE_SIZE - 1)) - off;
	uint16_t low = page_code(e, b->page[0], b->host[0] + off), high;

	if (pmu_insn_len(low) == 2)
		return low;
	if (room > 2) {
		high = page_code(e, b->page[0], b->host[0] + off + 2);
	} else {
		assert(b->host[1]);
		high = page_code(e, b->page[1], b->host[1]);
	}
	return low | (uint32_t)high << 16;
}

/* A user counter, which Unicorn may read without a trap. */
static bool is_user_counter(const struct pmu_insn *insn)
{
	return insn->flags & PMU_INSN_CSR && pmu_csr_is_user_counter(insn->csr);
}

/* Reserved encodings that Unicorn runs, as a NOP or otherwise. */
static const struct {
	uint32_t mask, match;
	bool rv32_only;
} reserved[] = {
	{ 0xe003, 0x8000, false }, /* quadrant 0, funct3 100 */
	{ 0xfc43, 0x9c41, false }, /* quadrant 1, beside c.subw and c.addw */
	{ 0xf07f, 0x6001, false }, /* c.lui, c.addi16sp of 0 */
	{ 0xfc03, 0x9c01, true },  /* c.subw, c.addw */
	{ 0xf803, 0x9001, true },  /* c.srli, c.srai by 32 and more */
	{ 0xf003, 0x1002, true },  /* c.slli by 32 and more */
	/* sfence.vm of before Priv 1.10, with a privilege that may */
	{ 0xfff07fff, 0x10400073, false },
};

static bool is_reserved(uint32_t word, unsigned xlen)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if ((word & reserved[i].mask) == reserved[i].match &&
		    (xlen == 32 || !reserved[i].rv32_only))
			return true;
	return false;
}

static void decode_fp(struct block *b, const struct engine *e, uint32_t word,
		      const struct pmu_insn *insn, struct pmu_insn_fp *all)
{
	struct pmu_insn_fp fp;

	pmu_insn_decode_fp(word, insn, &fp);
	if (fp.minmax && !e->cfg.native_minmax)
		b->flags |= BLOCK_MINMAX;
	if (!float_decode(&fp, all))
		b->flags |= BLOCK_FP_MIXED;
	b->fp = float_use(all);
	if (b->fp.none | b->fp.set)
		b->flags |= BLOCK_FP;
}

static void decode_insns(struct block *b, const struct engine *e, uint32_t size)
{
	struct pmu_insn insn = { .len = 0 };
	struct pmu_insn_fp fp = { 0 };
	unsigned off = 0;
	uint32_t word;

	do {
		word = block_word(e, b, off);
		pmu_insn_decode(word, e->cfg.xlen, &insn);
		block_add(&b->counts, insn.flags);
		b->bytes_max += guard_insn_bytes(&insn, word);
		if (insn.flags & PMU_INSN_FP)
			decode_fp(b, e, word, &insn, &fp);
		/* b->fp of stores of singles is empty: all registers do */
		if (insn.flags & PMU_INSN_FP && insn.len == 2)
			b->flags |= BLOCK_FP | BLOCK_FP_SHORT;
		if (insn.flags & (PMU_INSN_LR | PMU_INSN_SC))
			lrsc_decode(b, &insn, e->cfg.xlen);
		if (is_reserved(word, e->cfg.xlen))
			b->flags |= BLOCK_HOST;
		b->last = (uint16_t)off;
		off += insn.len;
	} while (off < size);
	b->bytes = (uint16_t)off;
	b->last_flags = insn.flags;
	b->last_word = word;
	if (insn.flags & PMU_INSN_FENCE_I)
		b->flags |= BLOCK_FENCE_I;
	if (!e->counters_trap && is_user_counter(&insn))
		b->flags |= BLOCK_HOST;
}

/* The second page of a block whose last instruction crosses into it. */
static bool find_second(struct slot *s, struct block *b, uint32_t size)
{
	uint64_t in_page = b->addr & (PAGE_SIZE - 1);
	uint16_t low;

	b->host[1] = NULL;
	b->page[1] = NULL;
	if (size == STEP_KEY) {
		low = page_code(s->e, b->page[0], b->host[0]);
		size = pmu_insn_len(low);
	}
	if (in_page + size <= PAGE_SIZE)
		return true;
	b->flags |= BLOCK_STRADDLE;
	b->host[1] = fetch_host(s, PAGE_OF(b->addr) + PAGE_SIZE, &b->page[1]);
	if (b->host[1] == NULL && s->is_step) {
		/* not run like this: fill_straddle() comes first */
		b->host[1] = s->e->scratch;
		b->page[1] = b->page[0];
	}
	if (b->host[1] != NULL)
		b->gen[1] = b->page[1]->gen;
	return b->host[1] != NULL;
}

static bool still_valid(struct slot *s, const struct block *b,
			const uint8_t *host)
{
	const struct page *page;

	if (b->host[0] != host || b->gen[0] != b->page[0]->gen)
		return false;
	if (!(b->flags & BLOCK_STRADDLE))
		return true;
	return fetch_host(s, PAGE_OF(b->addr) + PAGE_SIZE, &page) ==
		       b->host[1] &&
	       b->gen[1] == b->page[1]->gen;
}

struct block *block_decode(struct slot *s, uint64_t addr, uint32_t size)
{
	struct block *b = slot_block_at(s, addr);
	uint64_t seen = s->epoch | size;
	const struct page *page;
	const uint8_t *host;

	assert(size >> SPACE_AT == 0);
	host = fetch_host(s, addr, &page);
	if (host == NULL)
		return NULL;
	if (b->addr != addr || (b->seen ^ seen) & ~EPOCH_MASK || b->seen == 0 ||
	    !still_valid(s, b, host)) {
		*b = (struct block){ .addr = addr, .host[0] = host };
		b->page[0] = page;
		b->gen[0] = page->gen;
		if (!find_second(s, b, size))
			return NULL;
		decode_insns(b, s->e, size);
		if (breakpoint_in(s->e, addr, addr + b->bytes))
			b->flags |= BLOCK_BREAK;
	}
	b->seen = seen;
	b->key = b->flags == 0 || (b->flags == BLOCK_STRADDLE && !s->is_step)
			 ? seen
			 : 0;
	return b;
}
