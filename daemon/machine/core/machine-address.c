/* SPDX-License-Identifier: BSD-2-Clause */
/* The walk of an instrument: it reads page tables and leaves them alone. */
#include "machine-address.h"

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/page.h>

#include "board/board.h"

bool address_read_pte(void *board, uint64_t paddr, unsigned size, uint64_t *ret)
{
	*ret = 0;
	return bus_read(board_bus(board), paddr, ret, size);
}

/* A and D stay as they are: this is no access of the guest. */
static bool pte_keep(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	return bus_is_ram(board_bus(mem), paddr, size);
}

bool address_find(struct board *board, const struct pmu_hart *h,
		  const struct pmu_walk *walk, uint64_t *ret)
{
	const struct pmu_pte_ops ops = { address_read_pte, pte_keep, board };
	struct pmu_mapping map;
	struct pmu_fault fault;

	if (!pmu_translate(h, walk, &ops, &map, &fault))
		return false;
	*ret = (map.paddr & PMU_PAGE_MASK) + (walk->vaddr & ~PMU_PAGE_MASK);
	return true;
}

bool address_is_code(struct board *board, const struct pmu_hart *h,
		     uint64_t vaddr)
{
	const struct pmu_walk walk = { .vaddr = vaddr,
				       .access = PMU_ACCESS_FETCH,
				       .executes = true };
	uint64_t paddr;

	return vaddr % 2 == 0 && address_find(board, h, &walk, &paddr) &&
	       bus_is_ram(board_bus(board), paddr, 2);
}

uint64_t address_space(const struct pmu_hart *h, enum pmu_mode mode,
		       uint64_t now)
{
	uint16_t csr = mode == PMU_MODE_VU ? PMU_CSR_VSATP : PMU_CSR_SATP;
	uint64_t value = 0;

	if (pmu_mode_is_user(mode))
		pmu_csr_peek(h, csr, now, &value);
	return value;
}
