/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page-table walk of one stage: the way down to a leaf, what the leaf
 * allows, A and D. The tables of VS-stage lie at guest physical addresses, so
 * reaching one is a query to G-stage. Which stages there are and whose rules
 * they follow is translate.c's.
 */
#include "walk.h"

#include <stddef.h>

#include <pmu/page.h>

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
	PTE_PPN = 10,	/* first bit of the page number in a PTE */
	PA_BITS = 56,	/* of RV64; Bare RV32 cannot exceed its 32 */
	GUEST_BITS = 2, /* that G-stage's addresses have more */
};

/* htinst of a fault at a VS-stage table: a read or write of RV32, RV64. */
enum {
	PSEUDO_READ_32 = 0x2000,
	PSEUDO_READ_64 = 0x3000,
	PSEUDO_WRITE = 0x20,
};

static const struct scheme sv32 = { 2, 10, 4, 22 };

/* By satp.MODE of RV64. */
static const struct scheme schemes[16] = {
	[8] = { 3, 9, 8, 44 },
	[9] = { 4, 9, 8, 44 },
	[10] = { 5, 9, 8, 44 },
};

/* A page-table entry where it was found, at addresses before its own stage. */
struct entry {
	uint64_t addr, pte;
	unsigned level;
};

const struct scheme *walk_scheme(const struct pmu_hart *h, uint64_t atp,
				 uint64_t *ret_root)
{
	const struct scheme *s = &schemes[atp >> 60];

	if (h->cfg.xlen == 32)
		s = atp >> 31 & 1 ? &sv32 : &schemes[0];
	if (!s->levels)
		return NULL;
	*ret_root = (atp & ((UINT64_C(1) << s->ppn_bits) - 1)) << PMU_PAGE_BITS;
	return s;
}

bool walk_access_fault(const struct walk *w)
{
	static const uint8_t causes[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_ACCESS,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_ACCESS,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_ACCESS,
	};

	*w->fault = (struct pmu_fault){ .cause = causes[w->in->access],
					.gva = w->gva };
	return false;
}

static uint64_t pseudo_insn(const struct walk *w, const struct query *q)
{
	uint64_t insn = w->h->cfg.xlen == 32 ? PSEUDO_READ_32 : PSEUDO_READ_64;

	return q->access == PMU_ACCESS_STORE ? insn | PSEUDO_WRITE : insn;
}

/* Stage @s refuses @q: always the original access's fault. */
static bool page_fault(const struct walk *w, const struct stage *s,
		       const struct query *q)
{
	static const uint8_t own[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_PAGE,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_PAGE,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_PAGE,
	};
	static const uint8_t guest[] = {
		[PMU_ACCESS_FETCH] = PMU_CAUSE_FETCH_GUEST_PAGE,
		[PMU_ACCESS_LOAD] = PMU_CAUSE_LOAD_GUEST_PAGE,
		[PMU_ACCESS_STORE] = PMU_CAUSE_STORE_GUEST_PAGE,
	};

	*w->fault = (struct pmu_fault){ .gva = w->gva };
	if (!s->guest) {
		w->fault->cause = own[w->in->access];
		return false;
	}
	w->fault->cause = guest[w->in->access];
	w->fault->gpa = q->addr;
	w->fault->tinst = q->implicit ? pseudo_insn(w, q) : 0;
	return false;
}

/*
 * Are the bits above a virtual address its sign, above a guest physical one 0?
 * Sv32 uses all 32 that there are, or 34.
 */
static bool in_range(const struct stage *s, uint64_t addr)
{
	const struct scheme *c = s->scheme;
	unsigned bits = PMU_PAGE_BITS + c->levels * c->index_bits;
	int64_t high;

	if (s->guest)
		return addr >> (bits + GUEST_BITS) == 0;
	if (c->pte_size == 4)
		return true;
	high = (int64_t)addr >> (bits - 1);
	return high == 0 || high == -1;
}

/* What @pte allows, A and D aside. */
static unsigned allowed(const struct stage *s, const struct query *q,
			uint64_t pte)
{
	bool mxr = s->mxr && !q->implicit;
	unsigned perms = 0;

	if (s->user && !(pte & PTE_U))
		return 0;
	if (pte & PTE_R || (pte & PTE_X && mxr))
		perms |= PMU_PERM_R;
	if (pte & PTE_W)
		perms |= PMU_PERM_W;
	if (pte & PTE_X)
		perms |= PMU_PERM_X;
	if (s->user || !(pte & PTE_U))
		return perms;
	/* S-mode on a user page: never code, data only with SUM */
	if (!s->sum)
		return 0;
	return q->hlvx ? perms : perms & ~PMU_PERM_X;
}

static unsigned wanted(const struct query *q)
{
	switch (q->access) {
	case PMU_ACCESS_FETCH:
		return PMU_PERM_X;
	case PMU_ACCESS_LOAD:
		return q->hlvx ? PMU_PERM_X : PMU_PERM_R;
	case PMU_ACCESS_STORE:
		break;
	}
	return PMU_PERM_W;
}

static bool pte_valid(const struct scheme *c, uint64_t pte)
{
	if (!(pte & PTE_V) || (pte & (PTE_R | PTE_W)) == PTE_W)
		return false;
	return c->pte_size == 4 || !(pte & PTE_RESERVED);
}

static uint64_t pte_page(const struct scheme *c, uint64_t pte)
{
	uint64_t ppn = pte >> PTE_PPN;

	ppn &= (UINT64_C(1) << c->ppn_bits) - 1;
	return ppn << PMU_PAGE_BITS;
}

/* Where a table's entry is in memory. */
static bool reach(const struct walk *w, const struct stage *s,
		  enum pmu_access access, uint64_t *addr)
{
	struct query q = { .addr = *addr, .access = access, .implicit = true };
	struct pmu_mapping at;

	if (!s->tables)
		return true;
	if (!walk_stage(w, s->tables, &q, &at))
		return false;
	*addr = at.paddr;
	return true;
}

/* PMP: tables are reached as by S-mode, whoever's access it is for. */
static bool table_open(const struct walk *w, uint64_t addr, unsigned perm)
{
	return pmp_perms(w->h, addr, false) & perm;
}

static bool read_entry(const struct walk *w, const struct stage *s,
		       struct entry *e)
{
	uint64_t addr = e->addr;

	if (!reach(w, s, PMU_ACCESS_LOAD, &addr))
		return false;
	return (table_open(w, addr, PMU_PERM_R) &&
		w->ops->read(w->ops->mem, addr, s->scheme->pte_size,
			     &e->pte)) ||
	       walk_access_fault(w);
}

static bool write_entry(const struct walk *w, const struct stage *s,
			const struct entry *e)
{
	uint64_t addr = e->addr;

	if (!reach(w, s, PMU_ACCESS_STORE, &addr))
		return false;
	return (table_open(w, addr, PMU_PERM_W) &&
		w->ops->write(w->ops->mem, addr, s->scheme->pte_size,
			      e->pte)) ||
	       walk_access_fault(w);
}

/* Goes down to the leaf. */
static bool find_leaf(const struct walk *w, const struct stage *s,
		      const struct query *q, struct entry *ret)
{
	const struct scheme *c = s->scheme;
	unsigned top = c->index_bits + (s->guest ? GUEST_BITS : 0u);
	uint64_t mask = (UINT64_C(1) << top) - 1;
	uint64_t table = s->root;

	for (unsigned level = c->levels; level-- > 0;) {
		uint64_t index =
			q->addr >> (PMU_PAGE_BITS + level * c->index_bits) &
			mask;

		ret->level = level;
		ret->addr = table + index * c->pte_size;
		if (!read_entry(w, s, ret))
			return false;
		if (!pte_valid(c, ret->pte))
			break;
		if (ret->pte & (PTE_R | PTE_X))
			return true;
		if (ret->pte & (PTE_U | PTE_A | PTE_D)) /* reserved in tables */
			break;
		table = pte_page(c, ret->pte);
		mask = (UINT64_C(1) << c->index_bits) - 1;
	}
	return page_fault(w, s, q);
}

/* Makes A, and D for a store, what the access needs. */
static bool set_accessed(const struct walk *w, const struct stage *s,
			 const struct query *q, struct entry *e)
{
	uint64_t needed = PTE_A;

	if (q->access == PMU_ACCESS_STORE)
		needed |= PTE_D;
	if ((e->pte & needed) == needed)
		return true;
	if (!w->in->executes || !s->hardware_ad)
		return page_fault(w, s, q);
	e->pte |= needed;
	return write_entry(w, s, e);
}

/* From a leaf to the answer. */
static bool use_leaf(const struct walk *w, const struct stage *s,
		     const struct query *q, struct entry *e,
		     struct pmu_mapping *ret)
{
	unsigned bits = PMU_PAGE_BITS + e->level * s->scheme->index_bits;
	uint64_t offset_mask = (UINT64_C(1) << bits) - 1;
	uint64_t page = pte_page(s->scheme, e->pte);
	unsigned perms = allowed(s, q, e->pte);

	if (page & offset_mask || !(perms & wanted(q)))
		return page_fault(w, s, q);
	if (!set_accessed(w, s, q, e))
		return false;
	if (!(e->pte & PTE_D))
		perms &= ~PMU_PERM_W;
	ret->paddr = page | (q->addr & offset_mask);
	ret->perms = (uint8_t)perms;
	ret->leaf_bits = (uint8_t)bits;
	ret->by_sum = !s->user && e->pte & PTE_U;
	return true;
}

static bool bare(const struct walk *w, const struct query *q,
		 struct pmu_mapping *ret)
{
	if (q->addr >> PA_BITS)
		return walk_access_fault(w);
	ret->paddr = q->addr;
	ret->perms = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X;
	ret->leaf_bits = PMU_PAGE_BITS;
	ret->by_sum = false;
	return true;
}

bool walk_stage(const struct walk *w, const struct stage *s,
		const struct query *q, struct pmu_mapping *ret)
{
	struct entry leaf = { 0 };

	if (!s->scheme)
		return bare(w, q, ret);
	if (!in_range(s, q->addr))
		return page_fault(w, s, q);
	return find_leaf(w, s, q, &leaf) && use_leaf(w, s, q, &leaf, ret);
}
