/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical memory protection and page tables: those of both stages are reached
 * by its leave, and what they lead to is.
 */
#include "pmp-fixture.h"

/* One closed page among open ones: a table, or the page itself. */
#define OPEN                                                                   \
	{                                                                      \
		NAPOT | RWX, UINT64_MAX                                        \
	}
#define PAGE_AT(n) RANGE((uint64_t)(n) << 12, 4096)

/* Opens everything but the page @n, which @cfg says. */
static void close_page(struct pmu_hart *h, uint64_t n, unsigned cfg)
{
	const struct entry entries[MAX_ENTRIES] = {
		{ NAPOT | cfg, PAGE_AT(n) },
		OPEN,
	};

	set_entries(h, entries);
}

TEST_TIMES(each_table_is_read_as_by_s_mode, N_SCHEMES)
{
	const struct scheme *s = &schemes[_i];

	shows(RULE("pmp_check_pagetable_access, pmp_with_paging"));
	for (unsigned mode = 0; mode < 2; mode++)
		for (unsigned level = 0; level < s->levels; level++)
			for (enum pmu_access k = FETCH; k <= STORE; k++) {
				struct fixture f;
				struct answer a;

				fixture_init(&f, s, 0);
				f.h->mode = mode ? U : S;
				map(&f, 0x1000, 0,
				    PPN(FRAME) | LEAF | (mode ? USER : 0));
				close_page(f.h, ROOT + level, XO);
				a = ask(&f, k, 0x1000);
				ck_assert(!a.ok);
				ck_assert_uint_eq(a.cause, access_faults[k]);
				close_page(f.h, ROOT + level, RO);
				a = ask(&f, k, 0x1000);
				ck_assert(a.ok);
				ck_assert_uint_eq(a.perms, PERM_RWX);
				fixture_fini(&f);
			}
}

/* M-mode may read the table, MPRV asks as S does, and that may not. */
TEST(a_table_is_read_as_by_s_mode_for_mprv)
{
	struct fixture f;
	struct answer a;

	shows(RULE("pmp_check_pagetable_access"));
	fixture_init(&f, SV39, 0);
	f.h->mode = M;
	f.h->mstatus = MSTATUS_MPRV | 1u << 11;
	map(&f, 0x1000, 0, PPN(FRAME) | LEAF);
	close_page(f.h, ROOT, 0);
	a = ask(&f, LOAD, 0x1000);
	ck_assert(!a.ok);
	ck_assert_uint_eq(a.cause, 5);
	close_page(f.h, 1, 0);
	ck_assert(ask(&f, LOAD, 0x1000).ok);
	fixture_fini(&f);
}

TEST_TIMES(a_and_d_are_written_as_by_s_mode, N_SCHEMES)
{
	const struct scheme *s = &schemes[_i];

	shows(RULE("pmp_check_pagetable_access"));
	for (enum pmu_access k = FETCH; k <= STORE; k++) {
		struct fixture f;
		struct answer a;
		uint64_t *pte;

		fixture_init(&f, s, 0);
		pte = map(&f, 0x1000, 0, PPN(FRAME) | (LEAF & ~(A | D)));
		close_page(f.h, ROOT + s->levels - 1, RO);
		a = ask(&f, k, 0x1000);
		ck_assert(!a.ok);
		ck_assert_uint_eq(a.cause, access_faults[k]);
		ck_assert_uint_eq(*pte & (A | D), 0);
		close_page(f.h, ROOT + s->levels - 1, RW);
		a = ask(&f, k, 0x1000);
		ck_assert(a.ok);
		ck_assert_uint_eq(*pte & (A | D), k == STORE ? A | D : A);
		fixture_fini(&f);
	}
}

/* Behind a translation: both must allow, a page fault goes first. */
static const struct leaf_row {
	const char *why;
	unsigned pte, cfg;
	enum pmu_access access;
	uint8_t cause, perms;
} leaf_rows[] = {
	{ "both allow", LEAF, RWX, LOAD, 0, RWX },
	{ "what both allow", LEAF & ~X, RX, LOAD, 0, RO },
	{ "PMP without W", LEAF, RX, STORE, 7, 0 },
	{ "PMP without R", LEAF, XO, LOAD, 5, 0 },
	{ "PMP without X", LEAF, RW, FETCH, 1, 0 },
	{ "PMP of nothing", LEAF, 0, STORE, 7, 0 },
	{ "neither: the page fault", LEAF & ~W, RX, STORE, 15, 0 },
	{ "X as R by MXR is not R of PMP", V | X | A, XO, LOAD, 5, 0 },
};

TEST_ROWS(both_translation_and_pmp_must_allow, leaf_rows)
{
	const struct leaf_row *row = &leaf_rows[_i];

	shows(RULE("pmp_with_paging, pmp_access_fault_exception"));
	for (unsigned i = 0; i < N_SCHEMES; i++) {
		struct fixture f;
		struct answer a;

		fixture_init(&f, &schemes[i], 0);
		f.h->mstatus = MSTATUS_MXR;
		map(&f, 0x1000, 0, PPN(FRAME) | row->pte);
		close_page(f.h, FRAME, row->cfg);
		a = ask(&f, row->access, 0x1000);
		ck_assert_msg(a.ok == !row->cause, "%s", row->why);
		if (a.ok)
			ck_assert_uint_eq(a.perms, row->perms);
		else
			ck_assert_uint_eq(a.cause, row->cause);
		fixture_fini(&f);
	}
}

/* The causes, by access, of whom PMP refuses. */
static const char *const fault_rules[] = {
	RULE("pmp_exec_fault"),
	RULE("pmp_load_fault"),
	RULE("pmp_store_fault"),
};

TEST_ROWS(a_refusal_is_the_access_fault_of_the_access, fault_rules)
{
	struct fixture f;
	struct answer a;

	shows(fault_rules[_i]);
	fixture_init(&f, SV39, 0);
	map(&f, 0x1000, 0, PPN(FRAME) | LEAF);
	close_page(f.h, FRAME, 0);
	a = ask(&f, (enum pmu_access)_i, 0x1000);
	ck_assert(!a.ok);
	ck_assert_uint_eq(a.cause, access_faults[_i]);
	/* and so ahead of execution */
	a = ask_for(&f, (enum pmu_access)_i, 0x1000, false);
	ck_assert(!a.ok);
	fixture_fini(&f);
}

/* Guests: the page, and the tables of both stages. */
static const struct guest_row {
	const char *why;
	uint64_t page;
	unsigned cfg;
	enum pmu_access access;
	bool hypervisor, hlvx;
	uint8_t cause;
} guest_rows[] = {
	{ "the page itself", SPA, RX, STORE, false, false, 7 },
	{ "a page of the guest's numbers is no page", FRAME, 0, LOAD, false,
	  false, 0 },
	{ "VS-stage's root, where G-stage puts it", ROOT, XO, LOAD, false,
	  false, 5 },
	{ "G-stage's root", GROOT, 0, FETCH, false, false, 1 },
	{ "a table of G-stage", GNEXT, 0, STORE, false, false, 7 },
	{ "HLV", SPA, XO, LOAD, true, false, 5 },
	{ "HSV", SPA, RX, STORE, true, false, 7 },
	{ "HLV through a closed table", GROOT, 0, LOAD, true, false, 5 },
	{ "HLVX reads, so it needs R", SPA, XO, LOAD, true, true, 5 },
	{ "HLVX needs no X of PMP", SPA, RO, LOAD, true, true, 0 },
};

TEST_ROWS(protection_holds_for_guests, guest_rows)
{
	const struct guest_row *row = &guest_rows[_i];

	shows(RULE("H_pmp"));
	for (unsigned i = 0; i < N_SCHEMES; i++) {
		struct pmu_walk walk = { .vaddr = VADDR,
					 .access = row->access,
					 .executes = true,
					 .hypervisor = row->hypervisor,
					 .hlvx = row->hlvx };
		struct guest_answer a;
		struct guest g;

		guest_init(&g, &schemes[i], 0);
		if (row->hypervisor) { /* M-mode's own, as VS */
			g.f.h->mode = M;
			g.f.h->hstatus = HSTATUS_SPVP;
		}
		close_page(g.f.h, row->page, row->cfg);
		a = ask_guest(&g, &walk);
		ck_assert_msg(a.ok == !row->cause, "%s, %s", row->why,
			      schemes[i].name);
		if (!a.ok) {
			ck_assert_uint_eq(a.fault.cause, row->cause);
			ck_assert(a.fault.gva);
			ck_assert_uint_eq(a.fault.gpa, 0);
			ck_assert_uint_eq(a.fault.tinst, 0);
		}
		guest_fini(&g);
	}
}

/* A of VS-stage's leaf is set in a page that only G-stage knows. */
TEST(a_guests_a_bit_is_written_as_by_s_mode)
{
	struct guest g;
	struct guest_answer a;

	shows(RULE("H_pmp"));
	guest_init(&g, SV39, 0);
	*g.vs_leaf &= ~(uint64_t)A;
	close_page(g.f.h, NEXT + 1, RO);
	a = ask_plain(&g, LOAD, VADDR);
	ck_assert(!a.ok);
	ck_assert_uint_eq(a.fault.cause, 5);
	close_page(g.f.h, NEXT + 1, RW);
	ck_assert(ask_plain(&g, LOAD, VADDR).ok);
	ck_assert_uint_ne(*g.vs_leaf & A, 0);
	guest_fini(&g);
}

SUITE("pmp-walk");
