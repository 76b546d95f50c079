/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page-table walk. It decides where an address goes, whether the access is
 * allowed and which permissions may be kept for the page; reaching memory is
 * the caller's (struct pmu_pte_ops), as is telling what lies behind the
 * physical address.
 */
#include <pmu/translate.h>

#include <stddef.h>

#include "hart.h"

#define PTE_V (UINT64_C(1) << 0)
#define PTE_R (UINT64_C(1) << 1)
#define PTE_W (UINT64_C(1) << 2)
#define PTE_X (UINT64_C(1) << 3)
#define PTE_U (UINT64_C(1) << 4)
#define PTE_A (UINT64_C(1) << 6)
#define PTE_D (UINT64_C(1) << 7)

/* N, PBMT and the bits nobody uses: faults without the extensions. */
#define PTE_RESERVED (UINT64_C(0x3ff) << 54)

enum {
	PAGE_BITS = 12,
	PTE_PPN = 10, /* first bit of the page number in a PTE */
	PA_BITS = 56, /* of RV64; Bare RV32 cannot exceed its 32 */
};

/* A translation scheme: the numbers that tell them apart. */
struct scheme {
	uint8_t levels;
	uint8_t index_bits; /* of a page number's part, per level */
	uint8_t pte_size;
	uint8_t ppn_bits; /* of satp and of a PTE */
};

static const struct scheme sv32 = { 2, 10, 4, 22 };

/* By satp.MODE of RV64. */
static const struct scheme schemes[16] = {
	[8] = { 3, 9, 8, 44 },
	[9] = { 4, 9, 8, 44 },
	[10] = { 5, 9, 8, 44 },
};

/* One translation on its way. */
struct walk {
	const struct pmu_hart *h;
	const struct pmu_walk *in;
	const struct pmu_pte_ops *ops;
	const struct scheme *scheme; /* NULL: Bare */
	uint64_t vaddr;		     /* as wide as XLEN */
	enum pmu_mode mode;	     /* the access's effective mode */
	bool split;		     /* data has another mode than fetches */
};

/* A page-table entry where it was found. */
struct entry {
	uint64_t paddr, pte;
	unsigned level;
};

static uint8_t page_fault(const struct walk *w)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_PAGE,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_PAGE,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_PAGE,
	};

	return causes[w->in->access];
}

static uint8_t access_fault(const struct walk *w)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_ACCESS,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_ACCESS,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_ACCESS,
	};

	return causes[w->in->access];
}

enum pmu_mode pmu_data_mode(const struct pmu_hart *h)
{
	if (!(h->mstatus & MSTATUS_MPRV))
		return h->mode;
	switch ((h->mstatus & MSTATUS_MPP) >> 11) {
	case 0:
		return PMU_MODE_U;
	case 1:
		return PMU_MODE_S;
	default:
		return PMU_MODE_M;
	}
}

static const struct scheme *scheme_of(const struct pmu_hart *h,
				      enum pmu_mode mode)
{
	const struct scheme *s;

	if (mode == PMU_MODE_M)
		return NULL;
	if (h->cfg.xlen == 32)
		return h->satp >> 31 & 1 ? &sv32 : NULL;
	s = &schemes[h->satp >> 60];
	return s->levels ? s : NULL;
}

/*
 * Does the hardware set A and D, or is their absence a page fault? With Svadu
 * software chooses (menvcfg.ADUE, which Svadu alone has set at reset); without
 * it Svade does.
 */
static bool hardware_ad(const struct pmu_hart *h)
{
	if (has(h, PMU_EXT_SVADU))
		return h->menvcfg & MENVCFG_ADUE;
	return !has(h, PMU_EXT_SVADE);
}

/* Only what the kind of access may use, if fetches and data are split. */
static uint8_t split_perms(const struct walk *w, unsigned perms)
{
	if (w->split)
		perms &= w->in->access == PMU_ACCESS_FETCH
				 ? PMU_PERM_X
				 : PMU_PERM_R | PMU_PERM_W;
	return (uint8_t)perms;
}

static bool bare(const struct walk *w, struct pmu_mapping *ret,
		 uint8_t *ret_cause)
{
	if (w->vaddr >> PA_BITS) {
		*ret_cause = access_fault(w);
		return false;
	}
	ret->paddr = w->vaddr;
	ret->perms = split_perms(w, PMU_PERM_R | PMU_PERM_W | PMU_PERM_X);
	return true;
}

/* Are the bits above the virtual address its sign? RV32 uses all 32. */
static bool canonical(const struct walk *w)
{
	const struct scheme *s = w->scheme;
	unsigned bits = PAGE_BITS + s->levels * s->index_bits;
	int64_t high;

	if (s->pte_size == 4)
		return true;
	high = (int64_t)w->vaddr >> (bits - 1);
	return high == 0 || high == -1;
}

/* What @pte allows in the mode of the access, A and D aside. */
static unsigned allowed(const struct walk *w, uint64_t pte)
{
	uint64_t status = w->h->mstatus;
	bool user = w->mode == PMU_MODE_U;
	unsigned perms = 0;

	if (user && !(pte & PTE_U))
		return 0;
	if (pte & PTE_R || (pte & PTE_X && status & MSTATUS_MXR))
		perms |= PMU_PERM_R;
	if (pte & PTE_W)
		perms |= PMU_PERM_W;
	if (pte & PTE_X)
		perms |= PMU_PERM_X;
	if (user || !(pte & PTE_U))
		return perms;
	/* S-mode on a user page: never code, data only with SUM */
	return status & MSTATUS_SUM ? perms & ~PMU_PERM_X : 0;
}

static bool pte_valid(const struct walk *w, uint64_t pte)
{
	if (!(pte & PTE_V) || (pte & (PTE_R | PTE_W)) == PTE_W)
		return false;
	return w->scheme->pte_size == 4 || !(pte & PTE_RESERVED);
}

static uint64_t pte_page(const struct walk *w, uint64_t pte)
{
	uint64_t ppn = pte >> PTE_PPN;

	ppn &= (UINT64_C(1) << w->scheme->ppn_bits) - 1;
	return ppn << PAGE_BITS;
}

/* Goes down to the leaf. Returns 0 or a cause. */
static uint8_t find_leaf(const struct walk *w, struct entry *ret)
{
	const struct scheme *s = w->scheme;
	uint64_t mask = (UINT64_C(1) << s->index_bits) - 1;
	uint64_t table = (w->h->satp & ((UINT64_C(1) << s->ppn_bits) - 1))
			 << PAGE_BITS;

	for (unsigned level = s->levels; level-- > 0;) {
		uint64_t index =
			w->vaddr >> (PAGE_BITS + level * s->index_bits) & mask;

		ret->level = level;
		ret->paddr = table + index * s->pte_size;
		if (!w->ops->read(w->ops->mem, ret->paddr, s->pte_size,
				  &ret->pte))
			return access_fault(w);
		if (!pte_valid(w, ret->pte))
			return page_fault(w);
		if (ret->pte & (PTE_R | PTE_X))
			return 0;
		if (ret->pte & (PTE_U | PTE_A | PTE_D)) /* reserved in tables */
			return page_fault(w);
		table = pte_page(w, ret->pte);
	}
	return page_fault(w);
}

/* Makes A, and D for a store, what the access needs. Returns 0 or a cause. */
static uint8_t set_accessed(const struct walk *w, struct entry *e)
{
	uint64_t needed = PTE_A;

	if (w->in->access == PMU_ACCESS_STORE)
		needed |= PTE_D;
	if ((e->pte & needed) == needed)
		return 0;
	if (!w->in->executes || !hardware_ad(w->h))
		return page_fault(w);
	if (!w->ops->write(w->ops->mem, e->paddr, w->scheme->pte_size,
			   e->pte | needed))
		return access_fault(w);
	e->pte |= needed;
	return 0;
}

/* From a leaf to the answer. Returns 0 or a cause. */
static uint8_t use_leaf(const struct walk *w, struct entry *e,
			struct pmu_mapping *ret)
{
	static const uint8_t wanted[] = {
		[PMU_ACCESS_FETCH] = PMU_PERM_X,
		[PMU_ACCESS_LOAD] = PMU_PERM_R,
		[PMU_ACCESS_STORE] = PMU_PERM_W,
	};
	unsigned bits = PAGE_BITS + e->level * w->scheme->index_bits;
	uint64_t offset_mask = (UINT64_C(1) << bits) - 1;
	uint64_t page = pte_page(w, e->pte);
	unsigned perms = allowed(w, e->pte);
	uint8_t cause;

	if (page & offset_mask || !(perms & wanted[w->in->access]))
		return page_fault(w);
	cause = set_accessed(w, e);
	if (cause)
		return cause;
	if (!(e->pte & PTE_D))
		perms &= ~PMU_PERM_W;
	ret->paddr = page | (w->vaddr & offset_mask);
	ret->perms = split_perms(w, perms);
	return 0;
}

static bool paged(const struct walk *w, struct pmu_mapping *ret,
		  uint8_t *ret_cause)
{
	struct entry leaf = { 0 };
	uint8_t cause;

	if (!canonical(w)) {
		*ret_cause = page_fault(w);
		return false;
	}
	cause = find_leaf(w, &leaf);
	if (cause == 0)
		cause = use_leaf(w, &leaf, ret);
	if (cause)
		*ret_cause = cause;
	return cause == 0;
}

bool pmu_translate(const struct pmu_hart *h, const struct pmu_walk *walk,
		   const struct pmu_pte_ops *ops, struct pmu_mapping *ret,
		   uint8_t *ret_cause)
{
	enum pmu_mode data = pmu_data_mode(h);
	enum pmu_mode mode = walk->access == PMU_ACCESS_FETCH ? h->mode : data;
	struct walk w = {
		.h = h,
		.in = walk,
		.ops = ops,
		.scheme = scheme_of(h, mode),
		.vaddr =
			h->cfg.xlen == 32 ? (uint32_t)walk->vaddr : walk->vaddr,
		.mode = mode,
		.split = data != h->mode,
	};

	return w.scheme ? paged(&w, ret, ret_cause) : bare(&w, ret, ret_cause);
}
