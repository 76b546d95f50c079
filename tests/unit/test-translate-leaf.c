/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translation: all combinations of a leaf's low bits, in every scheme, at every
 * level, for every access and mode, against a model that follows the steps of
 * the manual; and who sets A and D.
 */
#include "translate-fixture.h"

#include <stdio.h>

struct leaf_case {
	unsigned flags, level;
	enum pmu_access access;
	enum pmu_mode mode;
	bool sum, mxr, hardware, executes;
};

/* Steps 3 to 8 of the manual; true: goes on to A and D. */
static bool model_allows(const struct leaf_case *c, enum pmu_access access)
{
	unsigned f = c->flags;
	bool r = f & R, w = f & W, x = f & X;

	if (!(f & V) || (!r && w))
		return false;
	if (!r && !x)
		return false; /* a pointer; there is nothing behind it */
	if (c->mode == U && !(f & USER))
		return false;
	if (c->mode == S && (f & USER) && (access == FETCH || !c->sum))
		return false;
	switch (access) {
	case FETCH:
		return x;
	case LOAD:
		return r || (c->mxr && x);
	case STORE:
		return w;
	}
	return false;
}

static bool model_ok(const struct leaf_case *c)
{
	bool lacks = !(c->flags & A) || (c->access == STORE && !(c->flags & D));

	return model_allows(c, c->access) &&
	       (!lacks || (c->hardware && c->executes));
}

static unsigned model_perms(const struct leaf_case *c)
{
	bool d = c->flags & D || c->access == STORE;

	return (model_allows(c, LOAD) ? PMU_PERM_R : 0u) |
	       (model_allows(c, STORE) && d ? PMU_PERM_W : 0u) |
	       (model_allows(c, FETCH) ? PMU_PERM_X : 0u);
}

static void check_leaf(struct fixture *f, const struct leaf_case *c)
{
	uint64_t page = UINT64_C(1) << shift_of(f->scheme, c->level);
	uint64_t vaddr = page + 0x123, pte = page >> 2 | c->flags, want = pte;
	uint64_t *entry = map(f, vaddr, c->level, pte);
	struct answer a;
	bool ok = model_ok(c);
	char what[128];

	f->h->mode = c->mode;
	f->h->mstatus = (c->sum ? MSTATUS_SUM : 0) | (c->mxr ? MSTATUS_MXR : 0);
	a = ask_for(f, c->access, vaddr, c->executes);
	if (ok)
		want |= c->access == STORE ? A | D : A;
	unit_assertions++; /* Check's own are too slow for millions of them */
	if (a.ok == ok && *entry == want &&
	    (ok ? a.perms == model_perms(c) && a.paddr == page + 0x123 &&
			     a.by_sum == (c->mode == S && c->flags & USER)
		: a.cause == page_faults[c->access]))
		return;
	snprintf(what, sizeof(what),
		 "flags %#x level %u access %u mode %u sum %d mxr %d hw %d "
		 "executes %d",
		 c->flags, c->level, c->access, c->mode, c->sum, c->mxr,
		 c->hardware, c->executes);
	ck_abort_msg("%s %s: ok %d cause %u perms %u", f->scheme->name, what,
		     a.ok, a.cause, a.perms);
}

static const struct ad_row {
	const char *rule, *why;
	uint64_t ext;
	int adue; /* as software writes it; -1: as reset */
	bool hardware;
} ad_rows[] = {
	{ RULE("svade_access_ad_bit_clear"), "neither named: by hardware", 0,
	  -1, true },
	{ RULE("Svadu_hw_update_a_d_bits"), "Svadu alone", PMU_EXT_SVADU, -1,
	  true },
	{ RULE("Svadu_disabled_hw_update_falls_back_to_svade"),
	  "Svadu alone, ADUE = 0", PMU_EXT_SVADU, 0, false },
	{ RULE("svade_access_ad_bit_clear"), "Svade alone", PMU_EXT_SVADE, -1,
	  false },
	{ RULE("menvcfg_adue_op C121"), "both, at reset",
	  PMU_EXT_SVADU | PMU_EXT_SVADE, -1, false },
	{ RULE("menvcfg_adue_op"), "both, ADUE = 1",
	  PMU_EXT_SVADU | PMU_EXT_SVADE, 1, true },
};

static void set_adue(struct fixture *f, int adue)
{
	if (adue == 0)
		f->h->menvcfg &= ~MENVCFG_ADUE;
	else if (adue == 1)
		f->h->menvcfg |= MENVCFG_ADUE;
}

/* @n's bits: sum, mxr, executes, user, then access. */
static void check_flags(struct fixture *f, const struct ad_row *ad,
			unsigned level, unsigned n)
{
	struct leaf_case c = {
		.level = level,
		.sum = n & 1,
		.mxr = n & 2,
		.executes = n & 4,
		.mode = n & 8 ? U : S,
		.access = (enum pmu_access)(n >> 4),
		.hardware = ad->hardware,
	};

	for (c.flags = 0; c.flags < 256; c.flags++)
		check_leaf(f, &c);
}

/* The loop: schemes times the two ways to treat A and D. */
TEST_TIMES(every_leaf_is_treated_as_the_manual_says, 2 * ARRAY_SIZE(schemes))
{
	const struct ad_row *ad = &ad_rows[_i & 1 ? 3 : 0];
	struct fixture f;

	shows(ad->rule);
	fixture_init(&f, &schemes[_i >> 1], ad->ext);
	for (unsigned level = 0; level < f.scheme->levels; level++)
		for (unsigned n = 0; n < 3u << 4; n++)
			check_flags(&f, ad, level, n);
	fixture_fini(&f);
}

TEST_ROWS(who_sets_a_and_d, ad_rows)
{
	const struct ad_row *ad = &ad_rows[_i];
	struct fixture f;

	shows(ad->rule);
	fixture_init(&f, SV39, ad->ext);
	set_adue(&f, ad->adue);
	for (unsigned n = 0; n < 3u << 4; n++)
		check_flags(&f, ad, 0, n);
	fixture_fini(&f);
}

SUITE("translate-leaf", .test_case = "leaf");
