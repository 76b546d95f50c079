/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translation around the leaf: addresses, reserved bits, superpages, tables
 * that cannot be reached, MPRV, Bare. What a leaf's own bits allow is
 * test-translate-leaf.c's.
 */
#include "translate-fixture.h"

static const struct address_row {
	const char *rule, *why;
	const struct scheme *scheme;
	uint64_t vaddr;
	bool ok;
} address_rows[] = {
	{ RULE("Sv39_va_signext"), "last of the lower half", SV39,
	  UINT64_C(0x0000003ffffff000), true },
	{ RULE("Sv39_va_signext"), "first beyond", SV39,
	  UINT64_C(0x0000004000000000), false },
	{ RULE("Sv39_va_signext"), "first of the upper half", SV39,
	  UINT64_C(0xffffffc000000000), true },
	{ RULE("Sv39_va_signext"), "last before", SV39,
	  UINT64_C(0xffffffbffffff000), false },
	{ RULE("Sv39_va_signext"), "only bit 63", SV39,
	  UINT64_C(0x8000000000001000), false },
	{ RULE("Sv48_va_signext"), "last of the lower half", SV48,
	  UINT64_C(0x00007ffffffff000), true },
	{ RULE("Sv48_va_signext"), "first beyond", SV48,
	  UINT64_C(0x0000800000000000), false },
	{ RULE("Sv48_va_signext"), "first of the upper half", SV48,
	  UINT64_C(0xffff800000000000), true },
	{ RULE("Sv57_va_signext"), "last of the lower half", SV57,
	  UINT64_C(0x00fffffffffff000), true },
	{ RULE("Sv57_va_signext"), "first beyond", SV57,
	  UINT64_C(0x0100000000000000), false },
	{ RULE("Sv57_va_signext"), "first of the upper half", SV57,
	  UINT64_C(0xff00000000000000), true },
	{ RULE("satp_mode_sxlen32"), "all 32 bits", SV32, 0xfffff000, true },
	{ RULE("satp_mode_sxlen32"), "sign-extended by the caller", SV32,
	  UINT64_C(0xfffffffffffff000), true },
};

TEST_ROWS(addresses_must_be_canonical, address_rows)
{
	const struct address_row *row = &address_rows[_i];

	shows(row->rule);
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct fixture f;
		struct answer a;

		fixture_init(&f, row->scheme, 0);
		map(&f, row->vaddr, 0, 0x80123 << 10 | V | R | W | X | A | D);
		a = ask(&f, access, row->vaddr + 0xabc);
		ck_assert_msg(a.ok == row->ok, "%s", row->why);
		ck_assert_msg(row->ok ? a.paddr == 0x80123abc
				      : a.cause == page_faults[access],
			      "%s", row->why);
		fixture_fini(&f);
	}
}

static const struct pte_row {
	const char *rule, *why;
	const struct scheme *scheme;
	unsigned level;
	uint64_t pte;
	bool ok;
	uint64_t paddr; /* of 0x40201123 */
} pte_rows[] = {
	{ RULE("Sv39_pte_svnapot_rsv"), "N", SV39, 0, UINT64_C(1) << 63 | LEAF,
	  false, 0 },
	{ RULE("Sv39_pte_svpbmt_rsv"), "PBMT 2", SV39, 0,
	  UINT64_C(1) << 62 | LEAF, false, 0 },
	{ RULE("Sv39_pte_svpbmt_rsv"), "PBMT 1", SV39, 0,
	  UINT64_C(1) << 61 | LEAF, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "bit 60", SV39, 0,
	  UINT64_C(1) << 60 | LEAF, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "bit 54", SV39, 0,
	  UINT64_C(1) << 54 | LEAF, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "bit 54 in a table", SV39, 1,
	  UINT64_C(1) << 54 | PPN(0x90000) | V, false, 0 },
	{ RULE("Sv48_leaf_any_level"), "RSW is software's", SV48, 0,
	  PPN(0x80000) | 3 << 8 | LEAF, true, 0x80000123 },
	{ RULE("satp_ppn_sv39_sz"), "44 bits of page number", SV39, 0,
	  PPN(0xfffffffffff) | LEAF, true, UINT64_C(0xfffffffffff123) },
	{ RULE("satp_ppn_sv32_sz"), "34 bits of address", SV32, 0,
	  PPN(0x3fffff) | LEAF, true, UINT64_C(0x3fffff123) },
	{ RULE("Sv39_page_sizes"), "megapage", SV39, 1, PPN(0x80000) | LEAF,
	  true, 0x80001123 },
	{ RULE("Sv39_superpage_align_fault"), "misaligned megapage", SV39, 1,
	  PPN(0x80100) | LEAF, false, 0 },
	{ RULE("Sv39_page_sizes"), "gigapage", SV39, 2, PPN(0x80000) | LEAF,
	  true, 0x80201123 },
	{ RULE("Sv39_superpage_align_fault"), "misaligned gigapage", SV39, 2,
	  PPN(0x80200) | LEAF, false, 0 },
	{ RULE("Sv48_page_sizes"), "terapage", SV48, 3, PPN(0x8000000) | LEAF,
	  true, UINT64_C(0x8040201123) },
	{ RULE("Sv48_superpage_align_fault"), "misaligned terapage", SV48, 3,
	  PPN(0x80000) | LEAF, false, 0 },
	{ RULE("Sv57_page_sizes"), "petapage", SV57, 4,
	  PPN(0x1000000000) | LEAF, true, UINT64_C(0x1000040201123) },
	{ RULE("Sv57_superpage_align_fault"), "misaligned petapage", SV57, 4,
	  PPN(0x8000000) | LEAF, false, 0 },
	{ RULE("Sv39_superpage_align_fault"), "Sv32 megapage", SV32, 1,
	  PPN(0x80000) | LEAF, true, 0x80201123 },
	{ RULE("Sv39_superpage_align_fault"), "misaligned Sv32 megapage", SV32,
	  1, PPN(0x80200) | LEAF, false, 0 },
	{ RULE("Sv39_LEVELS"), "a table where only a page may be", SV39, 0,
	  PPN(0x90000) | V, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "A in a table", SV39, 1,
	  PPN(0x90000) | V | A, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "D in a table", SV39, 1,
	  PPN(0x90000) | V | D, false, 0 },
	{ RULE("Sv39_pte_future_rsv"), "U in a table", SV39, 1,
	  PPN(0x90000) | V | USER, false, 0 },
};

TEST_ROWS(entries_are_checked, pte_rows)
{
	const struct pte_row *row = &pte_rows[_i];

	shows(row->rule);
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		uint64_t vaddr = 0x40201123, leaf;
		struct fixture f;
		struct answer a;

		fixture_init(&f, row->scheme, 0);
		map(&f, vaddr, row->level, row->pte);
		/* behind a table there is a page, should it be followed */
		leaf = vaddr >> 12 & ((1u << row->scheme->index_bits) - 1);
		put(&f.mem, 0x90000000 + leaf * row->scheme->size, LEAF);
		a = ask(&f, access, vaddr);
		ck_assert_msg(a.ok == row->ok, "%s", row->why);
		ck_assert_msg(row->ok ? a.paddr == row->paddr
				      : a.cause == page_faults[access],
			      "%s: %#llx, cause %u", row->why,
			      (unsigned long long)a.paddr, a.cause);
		ck_assert_msg(!row->ok || a.leaf_bits == shift_of(row->scheme,
								  row->level),
			      "%s: 2^%u bytes", row->why, a.leaf_bits);
		fixture_fini(&f);
	}
}

/* The last table is missing, then all are. */
TEST_ROWS(a_table_outside_ram_is_an_access_fault, schemes)
{
	const struct scheme *s = &schemes[_i];

	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct fixture f;
		struct answer a;

		fixture_init(&f, s, 0);
		map(&f, 0x1000, 0, LEAF);
		f.mem.absent = (uint64_t)(NEXT + s->levels - 2) << 12;
		a = ask(&f, access, 0x1000);
		ck_assert(!a.ok && a.cause == access_faults[access]);
		f.mem.absent = 0;
		a = ask(&f, access, 0x1000);
		ck_assert(!a.ok && a.cause == access_faults[access]);
		fixture_fini(&f);
	}
}

/* The walker cannot write: an access fault, but only if it had to. */
TEST(a_table_in_rom_is_an_access_fault)
{
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct fixture f;
		struct answer a;

		fixture_init(&f, SV39, 0);
		f.mem.read_only = true;
		map(&f, 0x1000, 0, V | R | W | X);
		a = ask(&f, access, 0x1000);
		ck_assert(!a.ok && a.cause == access_faults[access]);
		map(&f, 0x1000, 0, LEAF);
		ck_assert(ask(&f, access, 0x1000).ok);
		map(&f, 0x1000, 0, V | R); /* not allowed: comes first */
		a = ask(&f, STORE, 0x1000);
		ck_assert(!a.ok && a.cause == 15);
		fixture_fini(&f);
	}
}

/* Tables are written once, and only when a bit is missing. */
TEST(a_and_d_are_written_when_missing)
{
	struct fixture f;
	uint64_t *pte;

	fixture_init(&f, SV39, 0);
	pte = map(&f, 0x1000, 0, V | R | W);
	ck_assert_uint_eq(ask(&f, LOAD, 0x1000).perms, PMU_PERM_R);
	ck_assert(*pte == (V | R | W | A) && f.mem.writes == 1);
	ck_assert_uint_eq(ask(&f, STORE, 0x1000).perms,
			  PMU_PERM_R | PMU_PERM_W);
	ck_assert(*pte == (V | R | W | A | D) && f.mem.writes == 2);
	ck_assert_uint_eq(ask(&f, LOAD, 0x1000).perms, PMU_PERM_R | PMU_PERM_W);
	ck_assert_uint_eq(f.mem.writes, 2);
	fixture_fini(&f);
}

/* In M-mode with satp on; the page is S-mode's, RWX, A and D set. */
static const struct mprv_row {
	const char *rule, *why;
	uint64_t mstatus;
	enum pmu_mode mode;
	enum pmu_access access;
	bool paged, ok;
	uint8_t perms;
} mprv_rows[] = {
#define MPRV  MSTATUS_MPRV
#define MPP_S (UINT64_C(1) << 11)
#define MPP_M (UINT64_C(3) << 11)
	{ RULE("satp_op_active"), "M-mode is bare", 0, M, LOAD, false, true,
	  PERM_RWX },
	{ RULE("mstatus_mprv_ldst_op"), "loads as S", MPRV | MPP_S, M, LOAD,
	  true, true, PMU_PERM_R | PMU_PERM_W },
	{ RULE("mstatus_mprv_ldst_op"), "stores as S", MPRV | MPP_S, M, STORE,
	  true, true, PMU_PERM_R | PMU_PERM_W },
	{ RULE("mstatus_mprv_inst_xlat_op"), "fetches as M", MPRV | MPP_S, M,
	  FETCH, false, true, PMU_PERM_X },
	{ RULE("mstatus_mprv_ldst_op"), "loads as U", MPRV, M, LOAD, true,
	  false, 0 },
	{ RULE("mstatus_mprv_ldst_op"), "MPP = M: bare", MPRV | MPP_M, M, LOAD,
	  false, true, PERM_RWX },
	{ RULE("mstatus_mprv_ldst_op"), "MPRV = 0: MPP does not matter", MPP_S,
	  M, LOAD, false, true, PERM_RWX },
	{ RULE("satp_op_active"), "S-mode is paged", 0, S, FETCH, true, true,
	  PERM_RWX },
};

TEST_ROWS(mprv_gives_data_the_mode_in_mpp, mprv_rows)
{
	const struct mprv_row *row = &mprv_rows[_i];
	struct fixture f;
	struct answer a;

	shows(row->rule);
	fixture_init(&f, SV39, 0);
	map(&f, 0x1000, 0, PPN(0x80123) | LEAF);
	f.h->mode = row->mode;
	f.h->mstatus = row->mstatus;
	a = ask(&f, row->access, 0x1abc);
	ck_assert_msg(a.ok == row->ok, "%s", row->why);
	if (row->ok) {
		ck_assert_msg(a.perms == row->perms, "%s: perms %u", row->why,
			      a.perms);
		ck_assert_msg(a.paddr == (row->paged ? 0x80123abc : 0x1abc),
			      "%s", row->why);
	}
	fixture_fini(&f);
}

/* RULE: mstatus_sum_op_mprv_mpp: SUM holds for M-mode's loads as S. */
TEST(sum_and_mxr_work_through_mprv)
{
	struct fixture f;

	fixture_init(&f, SV39, 0);
	map(&f, 0x1000, 0, V | X | USER | A);
	f.h->mode = M;
	f.h->mstatus = MPRV | MPP_S;
	ck_assert(!ask(&f, LOAD, 0x1000).ok);
	f.h->mstatus |= MSTATUS_SUM;
	ck_assert(!ask(&f, LOAD, 0x1000).ok);
	f.h->mstatus |= MSTATUS_MXR;
	ck_assert(ask(&f, LOAD, 0x1000).ok);
	f.h->mstatus &= ~MSTATUS_SUM;
	ck_assert(!ask(&f, LOAD, 0x1000).ok);
	fixture_fini(&f);
}

/* As S, from any mode; satp leads to the page, vsatp nowhere. */
static const struct supervisor_row {
	const char *rule, *why;
	enum pmu_mode mode;
	uint64_t mstatus;
	unsigned pte;
	bool ok;
} supervisor_rows[] = {
	{ RULE("satp_op_active"), "from S", S, 0, LEAF, true },
	{ RULE("satp_op_active"), "from U, the kernel's page", U, 0, LEAF,
	  true },
	{ RULE("satp_op_active"), "from M", M, 0, LEAF, true },
	{ RULE("satp_op_active"), "from VS: not by vsatp", VS, 0, LEAF, true },
	{ RULE("satp_op_active"), "from VU: not by vsatp", VU, 0, LEAF, true },
	{ RULE("mstatus_mprv_ldst_op"), "MPRV does not matter", M, MPRV, LEAF,
	  true },
	{ RULE("mstatus_sum_op"), "U's page, SUM = 0", U, 0, LEAF | USER,
	  false },
	{ RULE("mstatus_sum_op"), "U's page, SUM = 1", U, MSTATUS_SUM,
	  LEAF | USER, true },
};

TEST_ROWS(an_instrument_asks_as_a_supervisor, supervisor_rows)
{
	const struct supervisor_row *row = &supervisor_rows[_i];
	struct pmu_walk walk = { .vaddr = 0x1abc,
				 .access = LOAD,
				 .executes = true,
				 .supervisor = true };
	struct pmu_mapping to = { 0 };
	struct pmu_fault fault = { 0 };
	struct fixture f;

	shows(row->rule);
	fixture_init(&f, SV39, PMU_EXT_H);
	map(&f, 0x1000, 0, PPN(0x80123) | row->pte);
	f.h->mode = row->mode;
	f.h->mstatus = row->mstatus;
	f.h->vsatp = UINT64_C(8) << 60;
	f.h->hgatp = UINT64_C(8) << 60;
	ck_assert_msg(pmu_translate(f.h, &walk, &f.ops, &to, &fault) == row->ok,
		      "%s", row->why);
	ck_assert_msg(row->ok ? to.paddr == 0x80123abc : fault.cause == 13,
		      "%s", row->why);
	fixture_fini(&f);
}

static const struct bare_row {
	const char *why;
	unsigned xlen;
	uint64_t vaddr, paddr;
	bool ok;
} bare_rows[] = {
	{ "rv64", 64, 0x80001234, 0x80001234, true },
	{ "rv64, last of 56 bits", 64, UINT64_C(0xffffffffffffff),
	  UINT64_C(0xffffffffffffff), true },
	{ "rv64, beyond", 64, UINT64_C(0x100000000000000), 0, false },
	{ "rv64, all ones", 64, UINT64_MAX, 0, false },
	{ "rv32, zero-extended", 32, UINT64_C(0xffffffff80001234), 0x80001234,
	  true },
};

/* RULE: satp_mode: Bare changes nothing and protects nothing. */
TEST_ROWS(bare_is_the_address_itself, bare_rows)
{
	const struct bare_row *row = &bare_rows[_i];

	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct fixture f;
		struct answer a;

		fixture_init(&f, row->xlen == 32 ? SV32 : SV39, 0);
		f.h->satp = 0;
		a = ask(&f, access, row->vaddr);
		ck_assert_msg(a.ok == row->ok, "%s", row->why);
		if (row->ok)
			ck_assert(a.paddr == row->paddr && a.perms == PERM_RWX);
		else
			ck_assert_uint_eq(a.cause, access_faults[access]);
		fixture_fini(&f);
	}
}

SUITE("translate");
