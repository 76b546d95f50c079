/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address translation: whose rules an access follows, which stages it goes
 * through and which permissions may be kept for the page, those of PMP
 * included. A stage's own walk is walk.c's; reaching memory is the caller's
 * (struct pmu_pte_ops), as is telling what lies behind the physical address.
 */
#include <pmu/page.h>
#include <pmu/translate.h>

#include <stddef.h>

#include "walk.h"

enum pmu_mode pmu_data_mode(const struct pmu_hart *h)
{
	bool v = h->mstatus & MSTATUS_MPV;

	if (!(h->mstatus & MSTATUS_MPRV))
		return h->mode;
	switch ((h->mstatus & MSTATUS_MPP) >> 11) {
	case 0:
		return v ? PMU_MODE_VU : PMU_MODE_U;
	case 1:
		return v ? PMU_MODE_VS : PMU_MODE_S;
	default:
		return PMU_MODE_M;
	}
}

/* The mode whose rules @walk follows. */
static enum pmu_mode mode_of(const struct pmu_hart *h,
			     const struct pmu_walk *walk)
{
	if (walk->supervisor)
		return PMU_MODE_S;
	if (walk->space)
		return walk->guest ? PMU_MODE_VU : PMU_MODE_U;
	if (walk->hypervisor)
		return h->hstatus & HSTATUS_SPVP ? PMU_MODE_VS : PMU_MODE_VU;
	return walk->access == PMU_ACCESS_FETCH ? h->mode : pmu_data_mode(h);
}

/*
 * Does the hardware set A and D, or is their absence a page fault? With Svadu
 * software chooses (@envcfg.ADUE); without it Svade does.
 */
static bool hardware_ad(const struct pmu_hart *h, uint64_t envcfg)
{
	if (has(h, PMU_EXT_SVADU))
		return envcfg & MENVCFG_ADUE;
	return !has(h, PMU_EXT_SVADE);
}

/* The only stage of S and U, with @satp: @mode is one of them. */
static struct stage own_stage(const struct pmu_hart *h, enum pmu_mode mode,
			      uint64_t satp)
{
	struct stage s = {
		.user = mode == PMU_MODE_U,
		.sum = h->mstatus & MSTATUS_SUM,
		.mxr = h->mstatus & MSTATUS_MXR,
		.hardware_ad = hardware_ad(h, h->menvcfg),
	};

	s.scheme = walk_scheme(h, satp, &s.root);
	return s;
}

/* The first stage of VS and VU, with @vsatp; its tables go through @g. */
static struct stage vs_stage(const struct pmu_hart *h, enum pmu_mode mode,
			     uint64_t vsatp, const struct stage *g)
{
	struct stage s = {
		.tables = g,
		.user = mode == PMU_MODE_VU,
		.sum = h->vsstatus & MSTATUS_SUM,
		.mxr = (h->vsstatus | h->mstatus) & MSTATUS_MXR,
		/* henvcfg.ADUE reads 0 while menvcfg.ADUE is */
		.hardware_ad = hardware_ad(h, h->henvcfg & h->menvcfg),
	};

	s.scheme = walk_scheme(h, vsatp, &s.root);
	return s;
}

/* The second stage: everything is a user's access there. */
static struct stage g_stage(const struct pmu_hart *h)
{
	struct stage s = {
		.guest = true,
		.user = true,
		.mxr = h->mstatus & MSTATUS_MXR,
		.hardware_ad = hardware_ad(h, h->menvcfg),
	};

	s.scheme = walk_scheme(h, h->hgatp, &s.root);
	return s;
}

static bool translate_own(const struct walk *w, enum pmu_mode mode,
			  struct query *q, struct pmu_mapping *ret)
{
	static const struct stage none;
	uint64_t space = w->in->space;
	struct stage s = none;

	if (mode != PMU_MODE_M)
		s = own_stage(w->h, mode, space ? space : w->h->satp);
	return walk_stage(w, &s, q, ret);
}

static bool translate_guest(const struct walk *w, enum pmu_mode mode,
			    struct query *q, struct pmu_mapping *ret)
{
	uint64_t space = w->in->space;
	struct stage g = g_stage(w->h);
	struct stage vs = vs_stage(w->h, mode, space ? space : w->h->vsatp, &g);
	struct pmu_mapping first = {
		.paddr = q->addr,
		.perms = PMU_PERM_R | PMU_PERM_W | PMU_PERM_X,
		.leaf_bits = PMU_PAGE_BITS,
	};

	/* Bare leaves all bits of the address to G-stage to judge. */
	if (vs.scheme && !walk_stage(w, &vs, q, &first))
		return false;
	q->addr = first.paddr;
	if (!walk_stage(w, &g, q, ret))
		return false;
	ret->perms &= first.perms;
	ret->by_sum = first.by_sum;
	ret->leaf_bits = first.leaf_bits;
	return true;
}

/*
 * What physical memory protection leaves of @map to an access of @mode. HLVX is
 * a load: it cannot read what PMP lets be executed only.
 */
static bool protect(const struct walk *w, enum pmu_mode mode,
		    struct pmu_mapping *map)
{
	static const uint8_t wanted[] = {
		[PMU_ACCESS_FETCH] = PMU_PERM_X,
		[PMU_ACCESS_LOAD] = PMU_PERM_R,
		[PMU_ACCESS_STORE] = PMU_PERM_W,
	};
	unsigned perms = pmp_perms(w->h, map->paddr, mode == PMU_MODE_M);

	map->perms &= (uint8_t)perms;
	return perms & wanted[w->in->access] || walk_access_fault(w);
}

/* Only what the kind of access may use, if fetches and data are split. */
static uint8_t split_perms(const struct pmu_hart *h, enum pmu_access access,
			   unsigned perms)
{
	if (pmu_data_mode(h) != h->mode)
		perms &= access == PMU_ACCESS_FETCH ? PMU_PERM_X
						    : PMU_PERM_R | PMU_PERM_W;
	return (uint8_t)perms;
}

bool pmu_translate(const struct pmu_hart *h, const struct pmu_walk *walk,
		   const struct pmu_pte_ops *ops, struct pmu_mapping *ret,
		   struct pmu_fault *ret_fault)
{
	enum pmu_mode mode = mode_of(h, walk);
	struct query q = {
		.addr = xlen_value(h, walk->vaddr),
		.access = walk->access,
		.hlvx = walk->hlvx,
	};
	struct walk w = {
		.h = h,
		.in = walk,
		.ops = ops,
		.fault = ret_fault,
		.gva = pmu_mode_is_guest(mode),
	};
	struct pmu_mapping map;

	if (w.gva ? !translate_guest(&w, mode, &q, &map)
		  : !translate_own(&w, mode, &q, &map))
		return false;
	if (!protect(&w, mode, &map))
		return false;
	ret->paddr = map.paddr;
	ret->leaf_bits = map.leaf_bits;
	ret->by_sum = map.by_sum;
	ret->perms = walk->hypervisor ? map.perms
				      : split_perms(h, walk->access, map.perms);
	return true;
}
