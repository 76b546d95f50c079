/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of "Virtual Address Translation Process", with the exceptions of
 * the hypervisor's chapter. Slow and literal on purpose.
 */
#include "pages-oracle.h"

#include <string.h>

enum result {
	PASS,
	PAGE_FAULT,
	GUEST_PAGE_FAULT,
	ACCESS_FAULT
};

struct model {
	const struct pages_csrs *csrs;
	struct pages_ram *ram;
	bool may_update; /* executes, and is not frozen */
	enum pmu_mode mode;
	uint64_t gpa, tinst; /* of a guest-page fault */
};

/* The parameters of the algorithm: of satp, vsatp or hgatp. */
struct parameters {
	char which; /* 's', 'v', 'g' */
	int levels, ptesize;
	uint64_t root;
	bool u_mode, sum, mxr, update;
};

/* An entry that is no pointer, and the bits below its page. */
struct leaf {
	uint64_t at, pte;
	unsigned shift;
};

/* What a stage is asked. */
struct ask {
	uint64_t va;
	char type; /* 'r', 'w', 'x', or 'h' for HLVX */
	bool implicit;
};

static bool is_v(enum pmu_mode mode)
{
	return mode == PMU_MODE_VS || mode == PMU_MODE_VU;
}

enum pmu_mode pages_mode(const struct pages_csrs *csrs,
			 const struct pmu_walk *walk)
{
	bool mpv = csrs->mstatus >> 39 & 1;

	if (walk->hypervisor)
		return csrs->hstatus >> 8 & 1 ? PMU_MODE_VS : PMU_MODE_VU;
	if (walk->access == PMU_ACCESS_FETCH || !(csrs->mstatus >> 17 & 1))
		return csrs->mode;
	if ((csrs->mstatus >> 11 & 3) == 3)
		return PMU_MODE_M;
	if ((csrs->mstatus >> 11 & 3) == 1)
		return mpv ? PMU_MODE_VS : PMU_MODE_S;
	return mpv ? PMU_MODE_VU : PMU_MODE_U;
}

static uint8_t *find(struct model *m, uint64_t paddr)
{
	uint64_t off = paddr - PAGES_BASE;

	return off < sizeof(m->ram->bytes) ? m->ram->bytes + off : NULL;
}

static bool updates(const struct model *m, char which)
{
	const struct pages_csrs *c = m->csrs;
	bool m_adue = c->menvcfg >> 61 & 1, h_adue = c->henvcfg >> 61 & 1;

	if (!m->may_update)
		return false;
	if (!c->svadu)
		return !c->svade;
	return which == 'v' ? m_adue && h_adue : m_adue;
}

/* False: Bare. */
static bool parameters(const struct model *m, char which,
		       struct parameters *ret)
{
	const struct pages_csrs *c = m->csrs;
	bool mxr = c->mstatus >> 19 & 1;
	uint64_t atp = which == 'g'   ? c->hgatp
		       : which == 'v' ? c->vsatp
				      : c->satp;
	unsigned mode = (unsigned)(c->xlen == 32 ? atp >> 31 & 1 : atp >> 60);

	memset(ret, 0, sizeof(*ret));
	if (mode == 0)
		return false;
	ret->which = which;
	ret->levels = c->xlen == 32 ? 2 : (int)mode - 5;
	ret->ptesize = c->xlen == 32 ? 4 : 8;
	ret->root = (atp & (c->xlen == 32 ? 0x3fffff : 0xfffffffffff)) * 4096;
	ret->u_mode =
		which == 'g' || m->mode == PMU_MODE_U || m->mode == PMU_MODE_VU;
	ret->sum = (which == 'v' ? c->vsstatus : c->mstatus) >> 18 & 1;
	ret->mxr = mxr || (which == 'v' && c->vsstatus >> 19 & 1);
	ret->update = updates(m, which);
	return true;
}

/* Step 1: the address itself. */
static bool address_is_good(const struct parameters *p, uint64_t va)
{
	unsigned bits = p->ptesize == 4 ? 32 : 12 + 9 * (unsigned)p->levels;
	uint64_t above;

	if (p->which == 'g')
		return va < UINT64_C(4) << bits;
	if (p->ptesize == 4)
		return va <= UINT32_MAX;
	above = va >> (bits - 1);
	return above == 0 || above == UINT64_MAX >> (bits - 1);
}

/* Steps 5 and 6. */
static bool permitted(const struct parameters *p, const struct ask *ask,
		      uint64_t pte)
{
	bool r = pte >> 1 & 1, w = pte >> 2 & 1, x = pte >> 3 & 1;
	bool u = pte >> 4 & 1;

	if (p->u_mode && !u)
		return false;
	if (!p->u_mode && u && (ask->type == 'x' || !p->sum))
		return false;
	if (ask->type == 'r')
		return r || (x && p->mxr && !ask->implicit);
	return ask->type == 'w' ? w : x;
}

static enum result refuse(struct model *m, const struct parameters *p,
			  const struct ask *ask)
{
	if (p->which != 'g')
		return PAGE_FAULT;
	m->gpa = ask->va;
	m->tinst = 0;
	if (ask->implicit) {
		m->tinst = m->csrs->xlen == 32 ? 0x2000 : 0x3000;
		m->tinst += ask->type == 'w' ? 0x20 : 0;
	}
	return GUEST_PAGE_FAULT;
}

static enum result algorithm(struct model *m, char which, const struct ask *ask,
			     uint64_t *ret);

/* A table's entry: where it is, by way of G-stage for a guest's. */
static enum result locate(struct model *m, const struct parameters *p,
			  uint64_t at, char type, uint8_t **ret)
{
	struct ask ask = { at, type, true };
	enum result res = PASS;
	uint64_t paddr = at;

	if (p->which == 'v')
		res = algorithm(m, 'g', &ask, &paddr);
	if (res != PASS)
		return res;
	if (!pages_pmp_allows(&m->csrs->pmp, false, paddr, (unsigned)p->ptesize,
			      type))
		return ACCESS_FAULT;
	*ret = find(m, paddr);
	return *ret ? PASS : ACCESS_FAULT;
}

/* A and D. */
static enum result update(struct model *m, const struct parameters *p,
			  uint64_t at, uint64_t pte, const struct ask *ask)
{
	uint64_t want = ask->type == 'w' ? 0xc0 : 0x40;
	uint8_t *entry;
	enum result res;

	if ((pte & want) == want)
		return PASS;
	if (!p->update)
		return refuse(m, p, ask);
	res = locate(m, p, at, 'w', &entry);
	if (res == PASS)
		entry[0] |= (uint8_t)want;
	return res;
}

/* Steps 2 to 4: down to a leaf. */
static enum result descend(struct model *m, const struct parameters *p,
			   const struct ask *ask, struct leaf *ret)
{
	unsigned step = p->ptesize == 4 ? 10 : 9;
	uint64_t a = p->root, index;
	uint8_t *entry;
	enum result res;

	for (int i = p->levels - 1; i >= 0; i--) {
		ret->shift = 12 + step * (unsigned)i;
		index = ask->va >> ret->shift;
		if (i < p->levels - 1 || p->which != 'g')
			index &= (1u << step) - 1;
		ret->at = a + index * (unsigned)p->ptesize;
		res = locate(m, p, ret->at, 'r', &entry);
		if (res != PASS)
			return res;
		ret->pte = 0;
		memcpy(&ret->pte, entry, (size_t)p->ptesize);
		if (!(ret->pte & 1) || (ret->pte & 6) == 4)
			break;
		if (p->ptesize == 8 && ret->pte >> 54)
			break;
		if (ret->pte & 0xa)
			return PASS;
		if (ret->pte & 0xd0)
			break;
		a = (ret->pte >> 10) * 4096;
	}
	return refuse(m, p, ask);
}

static enum result algorithm(struct model *m, char which, const struct ask *ask,
			     uint64_t *ret)
{
	struct parameters p;
	struct leaf leaf;
	uint64_t page, low;
	enum result res;

	if (!parameters(m, which, &p)) {
		*ret = ask->va;
		return ask->va >> 56 ? ACCESS_FAULT : PASS;
	}
	if (!address_is_good(&p, ask->va))
		return refuse(m, &p, ask);
	res = descend(m, &p, ask, &leaf);
	if (res != PASS)
		return res;
	page = (leaf.pte >> 10) * 4096;
	low = (UINT64_C(1) << leaf.shift) - 1;
	if (!permitted(&p, ask, leaf.pte) || page & low)
		return refuse(m, &p, ask);
	*ret = page + (ask->va & low);
	return update(m, &p, leaf.at, leaf.pte, ask);
}

static enum result both_stages(struct model *m, struct ask *ask, uint64_t *ret)
{
	struct parameters p;
	enum result res = PASS;

	if (parameters(m, 'v', &p))
		res = algorithm(m, 'v', ask, &ask->va);
	return res == PASS ? algorithm(m, 'g', ask, ret) : res;
}

struct pages_answer pages_translate(const struct pages_csrs *csrs,
				    struct pages_ram *ram,
				    const struct pmu_walk *walk, bool frozen)
{
	static const char types[] = { 'x', 'r', 'w' };
	static const uint8_t causes[][3] = {
		[PAGE_FAULT] = { 12, 13, 15 },
		[GUEST_PAGE_FAULT] = { 20, 21, 23 },
		[ACCESS_FAULT] = { 1, 5, 7 },
	};
	struct model m = { .csrs = csrs,
			   .ram = ram,
			   .may_update = walk->executes && !frozen,
			   .mode = pages_mode(csrs, walk) };
	uint64_t va = csrs->xlen == 32 ? (uint32_t)walk->vaddr : walk->vaddr;
	struct ask ask = { va, walk->hlvx ? 'h' : types[walk->access], false };
	struct pages_answer a = { .ok = false };
	enum result res = PASS;

	a.paddr = va;
	if (is_v(m.mode))
		res = both_stages(&m, &ask, &a.paddr);
	else if (m.mode != PMU_MODE_M)
		res = algorithm(&m, 's', &ask, &a.paddr);
	else if (va >> 56)
		res = ACCESS_FAULT;
	if (res == PASS && !pages_pmp_allows(&csrs->pmp, m.mode == PMU_MODE_M,
					     a.paddr, 1, types[walk->access]))
		res = ACCESS_FAULT;
	a.ok = res == PASS;
	if (a.ok)
		return a;
	a.fault.cause = causes[res][walk->access];
	a.fault.gva = is_v(m.mode);
	if (res == GUEST_PAGE_FAULT) {
		a.fault.gpa = m.gpa;
		a.fault.tinst = m.tinst;
	}
	return a;
}
