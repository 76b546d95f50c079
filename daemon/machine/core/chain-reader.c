/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a chain is found from: code and frames in RAM, as the hart would see
 * them. Each instruction that is looked at counts.
 */
#include "chain-return.h"

#include <pmu/insn.h>
#include <pmu/page.h>

#include "board/board.h"
#include "machine-address.h"

bool chain_load(const struct chain_reader *r, uint64_t vaddr, uint64_t *ret)
{
	const struct pmu_walk walk = { .vaddr = vaddr,
				       .access = PMU_ACCESS_LOAD,
				       .executes = true };
	uint64_t paddr;

	*ret = 0;
	return address_find(r->board, r->hart, &walk, &paddr) &&
	       bus_read(board_bus(r->board), paddr, ret, r->size);
}

static bool fetch_half(struct chain_reader *r, uint64_t vaddr, uint16_t *ret)
{
	const struct pmu_walk walk = { .vaddr = vaddr - vaddr % PMU_PAGE,
				       .access = PMU_ACCESS_FETCH,
				       .executes = true };

	if (!r->has_page || r->page != walk.vaddr) {
		r->page = walk.vaddr;
		r->has_page =
			address_find(r->board, r->hart, &walk, &r->page_at);
	}
	return r->has_page &&
	       bus_read(board_bus(r->board), r->page_at + vaddr % PMU_PAGE, ret,
			sizeof(*ret));
}

static bool fetch(struct chain_reader *r, uint64_t vaddr, uint32_t *ret)
{
	uint16_t low, high = 0;

	if (vaddr % 2 || !fetch_half(r, vaddr, &low))
		return false;
	if (pmu_insn_len(low) == 4 &&
	    !fetch_half(r, chain_narrow(r, vaddr + 2), &high))
		return false;
	*ret = low | (uint32_t)high << 16;
	return true;
}

bool chain_effect(struct chain_reader *r, uint64_t vaddr,
		  struct pmu_insn_effect *ret)
{
	uint32_t word;

	r->insns++;
	if (!fetch(r, vaddr, &word))
		return false;
	pmu_insn_effect(word, r->size * 8, ret);
	return true;
}

bool chain_follows_call(struct chain_reader *r, uint64_t vaddr, unsigned link)
{
	struct pmu_insn_effect e;

	if (!address_is_code(r->board, r->hart, vaddr))
		return false;
	for (unsigned len = 2; len <= 4; len += 2)
		if (chain_effect(r, chain_narrow(r, vaddr - len), &e) &&
		    e.len == len && e.rd == link &&
		    (e.kind == PMU_EFFECT_JUMP || e.kind == PMU_EFFECT_JUMP_TO))
			return true;
	return false;
}
