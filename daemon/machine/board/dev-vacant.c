/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nothing answers, and nothing faults: what a bus without anybody reads as.
 */
#include "dev-vacant.h"

#include <pmu/page.h>

bool vacant_has_page(const struct vacant *v, uint64_t paddr)
{
	uint64_t page = paddr / PMU_PAGE * PMU_PAGE;

	for (unsigned i = 0; i < v->n; i++) {
		const struct vacant_range *r = &v->range[i];

		if (r->base < page ? page - r->base < r->size
				   : r->base - page < PMU_PAGE)
			return true;
	}
	return false;
}

static unsigned find(const struct vacant *v, uint64_t paddr, unsigned size)
{
	unsigned i;

	for (i = 0; i < v->n; i++) {
		const struct vacant_range *r = &v->range[i];

		if (paddr >= r->base && paddr - r->base < r->size &&
		    size <= r->size - (paddr - r->base))
			return i;
	}
	return VACANT_MAX;
}

bool vacant_access(struct vacant *v, uint64_t paddr, struct bus_access *access,
		   unsigned *ret_new)
{
	unsigned i;

	if (!access->size || access->size > 8 ||
	    access->size & (access->size - 1) || paddr % access->size)
		return false;
	i = find(v, paddr, access->size);
	if (i == VACANT_MAX)
		return false;
	if (!access->write)
		access->value = UINT64_MAX >> (64 - 8 * access->size);
	*ret_new = v->seen >> i & 1 ? VACANT_MAX : i;
	v->seen |= UINT64_C(1) << i;
	return true;
}
