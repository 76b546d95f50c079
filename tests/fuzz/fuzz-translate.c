/* SPDX-License-Identifier: BSD-2-Clause */
/* Translations of a hart on its walk, by page tables of random words. */
#include "fuzz-walk.h"

#include <pmu/translate.h>
#include <pmu/trap.h>

/* Mostly faults, now and then a leaf. */
static bool read_pte(void *mem, uint64_t paddr, unsigned size, uint64_t *ret)
{
	struct walk *w = mem;

	*ret = walk_random(w) >> 12 | (walk_below(w, 4) ? 1 : 0);
	if (size == 4)
		*ret &= UINT32_MAX;
	return walk_below(w, 16);
}

static bool write_pte(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	return walk_below(mem, 16);
}

/* Guest-page faults come with a guest's addresses only. */
static void check_fault(const struct walk *w, const struct pmu_fault *fault)
{
	bool guest_page = fault->cause >= PMU_CAUSE_FETCH_GUEST_PAGE;

	HOLDS(w, fault->cause && fault->cause <= PMU_CAUSE_STORE_GUEST_PAGE &&
			 fault->cause != PMU_CAUSE_VIRTUAL);
	HOLDS(w, !guest_page || fault->gva);
	HOLDS(w, !fault->gva || walk_has(w, PMU_EXT_H));
	HOLDS(w, guest_page || (!fault->gpa && !fault->tinst));
}

void walk_translate(struct walk *w)
{
	static const uint8_t wanted[] = { PMU_PERM_X, PMU_PERM_R, PMU_PERM_W };
	struct pmu_pte_ops ops = { read_pte, write_pte, w };
	struct pmu_walk in = { .vaddr = walk_value(w),
			       .access = (enum pmu_access)walk_below(w, 3),
			       .executes = walk_below(w, 2) };
	struct pmu_mapping out = { 0 };
	struct pmu_fault fault = { 0 };

	if (walk_has(w, PMU_EXT_H) && in.access != PMU_ACCESS_FETCH)
		in.hypervisor = walk_below(w, 2);
	walk_begin(w);
	if (pmu_translate(w->h, &in, &ops, &out, &fault)) {
		HOLDS(w, out.perms & wanted[in.access]);
		HOLDS(w, out.paddr >> 56 == 0);
		HOLDS(w, ((out.paddr ^ in.vaddr) & 0xfff) == 0);
	} else {
		check_fault(w, &fault);
	}
	walk_end(w);
}
