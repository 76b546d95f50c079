/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical memory protection: which addresses an entry matches, and what the
 * entries allow. What the registers may hold is csr-pmp.c's.
 */
#include "pmp.h"

#include <pmu/translate.h>

#include "hart-state.h"

enum {
	ADDR_SHIFT = 2, /* pmpaddr has an address without these bits */
	ALL = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X,
};

#define BELOW(bit) ((UINT64_C(1) << (bit)) - 1)

/* From the preceding entry's address up to its own; false: nothing. */
static bool tor(const struct pmp *p, unsigned entry, struct pmp_region *ret)
{
	uint64_t first = entry ? p->addr[entry - 1] & ~BELOW(PMP_G) : 0;
	uint64_t end = p->addr[entry] & ~BELOW(PMP_G);

	if (first >= end)
		return false;
	ret->first = first << ADDR_SHIFT;
	ret->last = (end << ADDR_SHIFT) - 1;
	return true;
}

/* As many low ones as there are double the size. */
static void napot(const struct pmp *p, unsigned entry, struct pmp_region *ret)
{
	uint64_t addr = p->addr[entry] | BELOW(PMP_G - 1);
	uint64_t inside = addr ^ (addr + 1);

	ret->first = (addr & ~inside) << ADDR_SHIFT;
	ret->last = ((addr | inside) << ADDR_SHIFT) | BELOW(ADDR_SHIFT);
}

static uint8_t perms_of(uint8_t cfg)
{
	unsigned perms = 0;

	if (cfg & PMP_CFG_R)
		perms |= PMU_PERM_R;
	if (cfg & PMP_CFG_W)
		perms |= PMU_PERM_W;
	if (cfg & PMP_CFG_X)
		perms |= PMU_PERM_X;
	return (uint8_t)perms;
}

void pmp_settle(struct pmu_hart *h)
{
	struct pmp *p = &h->pmp;

	p->n_regions = 0;
	for (unsigned i = 0; i < h->cfg.pmp_entries; i++) {
		struct pmp_region *r = &p->region[p->n_regions];
		unsigned match = p->cfg[i] & PMP_CFG_A;

		r->perms = perms_of(p->cfg[i]);
		r->locked = p->cfg[i] & PMP_CFG_L;
		if (match == PMP_CFG_NAPOT)
			napot(p, i, r);
		if (match == PMP_CFG_NAPOT ||
		    (match == PMP_CFG_TOR && tor(p, i, r)))
			p->n_regions++;
	}
}

unsigned pmp_perms(const struct pmu_hart *h, uint64_t paddr, bool machine)
{
	const struct pmp *p = &h->pmp;

	if (!h->cfg.pmp_entries)
		return ALL;
	for (unsigned i = 0; i < p->n_regions; i++) {
		const struct pmp_region *r = &p->region[i];

		if (paddr < r->first || paddr > r->last)
			continue;
		return machine && !r->locked ? ALL : r->perms;
	}
	return machine ? ALL : 0;
}
