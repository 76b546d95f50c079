/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Both stages of a guest's addresses: what each allows, whose fault it is when
 * one does not, and what the fault tells. The stages' own walks are the same
 * as without a guest; test-translate.c and test-translate-leaf.c have those.
 */
#include "translate-fixture.h"

static const uint8_t guest_faults[3] = { 20, 21, 23 };

TEST_TIMES(both_stages_are_gone_through, N_SCHEMES)
{
	const struct scheme *s = &schemes[_i];

	shows(RULE("H_vm_twostage"));
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;

		guest_init(&g, s, 0);
		a = ask_plain(&g, access, VADDR);
		ck_assert_msg(a.ok, "%s: cause %u", s->name, a.fault.cause);
		ck_assert_uint_eq(a.map.paddr,
				  ((uint64_t)SPA << 12) + (VADDR & 0xfff));
		ck_assert_uint_eq(a.map.perms, PERM_RWX);
		guest_fini(&g);
	}
}

/* One access; @vs and @g are the low bits of the two leaves. */
static const struct leaf_row {
	const char *rule, *why;
	enum pmu_mode mode;
	enum pmu_access access;
	unsigned vs, g;
	uint64_t vsstatus, mstatus;
	uint8_t cause, perms;
} leaf_rows[] = {
#define SUM MSTATUS_SUM
#define MXR MSTATUS_MXR
	{ RULE("H_vm_gpapriv"), "G-stage needs U, even of VS", VS, LOAD, LEAF,
	  LEAF, 0, 0, 21, 0 },
	{ RULE("H_vm_gpapriv"), "G-stage needs U, even with SUM", VS, STORE,
	  LEAF, LEAF, SUM, SUM, 23, 0 },
	{ RULE("H_vm_gpapriv"), "G-stage's X is looked at", VS, FETCH, LEAF,
	  GLEAF & ~X, 0, 0, 20, 0 },
	{ RULE("H_vm_gpapriv"), "G-stage's W is looked at", VS, STORE, LEAF,
	  GLEAF & ~W, 0, 0, 23, 0 },
	{ RULE("H_vm_twostage"), "VS-stage's W comes first", VS, STORE,
	  LEAF & ~W, GLEAF & ~W, 0, 0, 15, 0 },
	{ RULE("H_vm_twostage"), "the permissions of both", VS, LOAD, LEAF & ~X,
	  GLEAF & ~W, 0, 0, 0, PMU_PERM_R },
	{ RULE("H_vm_twostage"), "VU needs U in VS-stage", VU, LOAD, LEAF,
	  GLEAF, 0, 0, 13, 0 },
	{ RULE("H_vm_twostage"), "VU on its page", VU, LOAD, LEAF | USER, GLEAF,
	  0, 0, 0, PERM_RWX },
	{ RULE("H_vm_twostage"), "VS on VU's page: vsstatus.SUM", VS, LOAD,
	  LEAF | USER, GLEAF, SUM, 0, 0, PMU_PERM_R | PMU_PERM_W },
	{ RULE("H_vm_twostage"), "VS on VU's page: not sstatus.SUM", VS, LOAD,
	  LEAF | USER, GLEAF, 0, SUM, 13, 0 },
	{ RULE("vsstatus_mxr_vm"), "vsstatus.MXR: VS-stage", VS, LOAD,
	  V | X | A, GLEAF, MXR, 0, 0, PMU_PERM_R | PMU_PERM_X },
	{ RULE("vsstatus_mxr_vm"), "vsstatus.MXR: not G-stage", VS, LOAD, LEAF,
	  V | X | A | USER, MXR, 0, 21, 0 },
	{ RULE("sstatus_mxr_vm"), "sstatus.MXR: VS-stage", VS, LOAD, V | X | A,
	  GLEAF, 0, MXR, 0, PMU_PERM_R | PMU_PERM_X },
	{ RULE("sstatus_mxr_vm"), "sstatus.MXR: G-stage", VS, LOAD, V | X | A,
	  V | X | A | USER, 0, MXR, 0, PMU_PERM_R | PMU_PERM_X },
	{ RULE("H_vm_gpa_g"), "G in G-stage is ignored", VS, LOAD, LEAF,
	  GLEAF | G, 0, 0, 0, PERM_RWX },
	{ RULE("H_vm_gpatrans"), "D of G-stage guards W", VS, LOAD, LEAF,
	  GLEAF & ~D, 0, 0, 0, PMU_PERM_R | PMU_PERM_X },
	{ RULE("H_vm_gpatrans"), "D of VS-stage guards W", VS, LOAD, LEAF & ~D,
	  GLEAF, 0, 0, 0, PMU_PERM_R | PMU_PERM_X },
	{ RULE("H_vm_gpatrans"), "an invalid leaf of G-stage", VS, FETCH, LEAF,
	  0, 0, 0, 20, 0 },
	{ RULE("H_vm_gpatrans"), "W without R in G-stage", VS, STORE, LEAF,
	  GLEAF & ~R, 0, 0, 23, 0 },
};

TEST_ROWS(a_leaf_of_either_stage_may_refuse, leaf_rows)
{
	const struct leaf_row *row = &leaf_rows[_i];

	shows(row->rule);
	for (unsigned i = 0; i < N_SCHEMES; i++) {
		struct guest g;
		struct guest_answer a;

		guest_init(&g, &schemes[i], 0);
		*g.vs_leaf = PPN(FRAME) | row->vs;
		*g.g_leaf = PPN(SPA) | row->g;
		g.f.h->mode = row->mode;
		g.f.h->vsstatus = row->vsstatus;
		g.f.h->mstatus = row->mstatus;
		a = ask_plain(&g, row->access, VADDR);
		ck_assert_msg(a.ok == !row->cause, "%s, %s: cause %u", row->why,
			      schemes[i].name, a.fault.cause);
		if (a.ok) {
			ck_assert_uint_eq(a.map.leaf_bits, 12);
			ck_assert(a.map.by_sum ==
				  (row->mode == VS && row->vs & USER));
			ck_assert_msg(a.map.perms == row->perms,
				      "%s, %s: perms %u", row->why,
				      schemes[i].name, a.map.perms);
		} else {
			bool guest = row->cause >= 20;

			ck_assert_msg(a.fault.cause == row->cause &&
					      a.fault.gva,
				      "%s: cause %u", row->why, a.fault.cause);
			ck_assert_msg(a.fault.gpa == (guest ? GPA : 0),
				      "%s: gpa %#llx", row->why,
				      (unsigned long long)a.fault.gpa);
			ck_assert_msg(a.fault.tinst == 0, "%s", row->why);
		}
		guest_fini(&g);
	}
}

/* A table of VS-stage, by level. */
TEST_TIMES(an_unmapped_table_is_named_by_its_address, N_SCHEMES)
{
	const struct scheme *s = &schemes[_i];

	shows(RULE("H_trap_xtinst_guestpage"));
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;
		uint64_t index = (uint64_t)VADDR >> shift_of(s, s->levels - 1);

		guest_init(&g, s, 0);
		*g.g_tables &= ~(uint64_t)V;
		a = ask_plain(&g, access, VADDR);
		ck_assert(!a.ok && a.fault.cause == guest_faults[access]);
		ck_assert_uint_eq(a.fault.gpa,
				  ((uint64_t)ROOT << 12) + index * s->size);
		ck_assert_uint_eq(a.fault.tinst,
				  s->size == 4 ? 0x2000 : 0x3000);
		ck_assert(a.fault.gva);
		guest_fini(&g);
	}
}

/* A or D of VS-stage, tables read-only. */
TEST_TIMES(a_table_that_cannot_be_updated_is_a_write_of_it, N_SCHEMES)
{
	const struct scheme *s = &schemes[_i];

	shows(RULE("H_trap_xtinst_guestpage_rw"));
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;
		uint64_t table = (uint64_t)ROOT + s->levels - 1;
		uint64_t index = VADDR >> 12 & ((1u << s->index_bits) - 1);

		guest_init(&g, s, 0);
		*g.g_tables &= ~(uint64_t)W;
		ck_assert_msg(ask_plain(&g, access, VADDR).ok, "A, D are set");
		*g.vs_leaf &= ~(uint64_t)(A | D);
		a = ask_plain(&g, access, VADDR);
		ck_assert(!a.ok && a.fault.cause == guest_faults[access]);
		ck_assert_uint_eq(a.fault.gpa, (table << 12) + index * s->size);
		ck_assert_uint_eq(a.fault.tinst,
				  s->size == 4 ? 0x2020 : 0x3020);
		*g.g_tables |= W;
		ck_assert(ask_plain(&g, access, VADDR).ok);
		ck_assert_uint_eq(*g.vs_leaf & (A | D),
				  access == STORE ? A | D : A);
		guest_fini(&g);
	}
}

/* Tables are read as data, MXR or not; A, D follow. */
TEST(tables_are_loads_and_stores_of_g_stage)
{
	struct guest g;
	struct guest_answer a;

	shows(RULE("H_vm_gpapriv"));
	guest_init(&g, SV39, 0);
	*g.g_tables = PPN(0x80000) | V | X | USER | A;
	g.f.h->mstatus = MXR;
	a = ask_plain(&g, FETCH, VADDR);
	ck_assert(!a.ok && a.fault.cause == 20 && a.fault.tinst == 0x3000);
	*g.g_tables = PPN(0x80000) | V | R | W | USER;
	ck_assert(ask_plain(&g, STORE, VADDR).ok);
	ck_assert_uint_eq(*g.g_tables & (A | D), A);
	*g.vs_leaf &= ~(uint64_t)D;
	ck_assert(ask_plain(&g, STORE, VADDR).ok);
	ck_assert_uint_eq(*g.g_tables & (A | D), A | D);
	guest_fini(&g);
}

/* Guest physical addresses of VS-stage Bare, as far as G-stage takes them. */
static const struct range_row {
	const char *rule, *why;
	const struct scheme *scheme;
	uint64_t gpa;
	bool ok;
} range_rows[] = {
	{ RULE("hgatp_mode_sv39x4"), "last of 41 bits", SV39,
	  UINT64_C(0x1fffffff000), true },
	{ RULE("hgatp_mode_sv39x4"), "first of 42", SV39,
	  UINT64_C(0x20000000000), false },
	{ RULE("hgatp_mode_sv39x4"), "not a sign", SV39,
	  UINT64_C(0xffffffffc0000000), false },
	{ RULE("hgatp_mode_sv48x4"), "last of 50 bits", SV48,
	  UINT64_C(0x3fffffffff000), true },
	{ RULE("hgatp_mode_sv48x4"), "first of 51", SV48,
	  UINT64_C(0x4000000000000), false },
	{ RULE("hgatp_mode_sv57x4"), "last of 59 bits", SV57,
	  UINT64_C(0x7fffffffffff000), true },
	{ RULE("hgatp_mode_sv57x4"), "first of 60", SV57,
	  UINT64_C(0x800000000000000), false },
	{ RULE("hgatp_mode_sv32x4"), "all 32 bits", SV32, 0xfffff000, true },
};

TEST_ROWS(guest_addresses_are_two_bits_wider, range_rows)
{
	const struct range_row *row = &range_rows[_i];

	shows(row->rule);
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;

		guest_init(&g, row->scheme, 0);
		g.f.h->vsatp = 0;
		g.f.mem.n = 0;
		map_guest(&g, row->gpa, 0, PPN(SPA) | GLEAF);
		a = ask_plain(&g, access, row->gpa + 0x34);
		ck_assert_msg(a.ok == row->ok, "%s: cause %u", row->why,
			      a.fault.cause);
		if (a.ok)
			ck_assert_uint_eq(a.map.paddr,
					  ((uint64_t)SPA << 12) + 0x34);
		else
			ck_assert(a.fault.cause == guest_faults[access] &&
				  a.fault.gpa == row->gpa + 0x34 &&
				  a.fault.tinst == 0);
		guest_fini(&g);
	}
}

/* Only VS-stage's tables can name 34 bits. */
TEST(sv32x4_takes_34_bits)
{
	struct guest g;
	struct guest_answer a;

	shows(RULE("hgatp_mode_sv32x4"));
	guest_init(&g, SV32, 0);
	*g.vs_leaf = PPN(0x3ffffe) | LEAF;
	map_guest(&g, UINT64_C(0x3ffffe000), 0, PPN(SPA) | GLEAF);
	a = ask_plain(&g, LOAD, VADDR);
	ck_assert(a.ok && a.map.paddr == ((uint64_t)SPA << 12) + 0xabc);
	*g.vs_leaf = PPN(0x3fffff) | LEAF;
	a = ask_plain(&g, LOAD, VADDR);
	ck_assert(!a.ok && a.fault.cause == 21);
	ck_assert_uint_eq(a.fault.gpa, UINT64_C(0x3fffffabc));
	guest_fini(&g);
}

/* What VS-stage says is where it is. */
TEST(either_stage_may_be_bare)
{
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;

		shows(RULE("hgatp_mode_bare_trans"));
		guest_init(&g, SV39, 0);
		g.f.h->hgatp = 0;
		a = ask_plain(&g, access, VADDR);
		ck_assert(a.ok && a.map.paddr == GPA &&
			  a.map.perms == PERM_RWX);
		g.f.h->vsatp = 0;
		a = ask_plain(&g, access, VADDR);
		ck_assert(a.ok && a.map.paddr == VADDR);
		a = ask_plain(&g, access, UINT64_C(1) << 56);
		ck_assert(!a.ok && a.fault.gva && a.fault.gpa == 0 &&
			  a.fault.cause == access_faults[access]);
		guest_fini(&g);
	}
}

/* A table of either stage outside RAM. */
TEST(a_table_outside_ram_is_the_access_s_fault)
{
	for (enum pmu_access access = FETCH; access <= STORE; access++) {
		struct guest g;
		struct guest_answer a;

		shows(RULE("H_vm_gstagetrans"));
		guest_init(&g, SV39, 0);
		g.f.mem.absent = (uint64_t)GROOT << 12;
		a = ask_plain(&g, access, VADDR);
		ck_assert(!a.ok && a.fault.cause == access_faults[access]);
		g.f.mem.absent = UINT64_C(0x100000000);
		*g.g_tables = PPN(0x100000) | GLEAF;
		a = ask_plain(&g, access, VADDR);
		ck_assert(!a.ok && a.fault.cause == access_faults[access]);
		ck_assert(a.fault.gva && !a.fault.gpa && !a.fault.tinst);
		guest_fini(&g);
	}
}

/* A load whose A is missing in one of the stages. */
static const struct adue_row {
	const char *rule, *why;
	uint64_t ext;
	bool menvcfg, henvcfg;
	bool in_g; /* where A is missing */
	uint8_t cause;
} adue_rows[] = {
	{ RULE("henvcfg_adue_op"), "VS-stage by henvcfg", PMU_EXT_SVADU, true,
	  true, false, 0 },
	{ RULE("henvcfg_adue_op"), "VS-stage not by menvcfg", PMU_EXT_SVADU,
	  true, false, false, 13 },
	{ RULE("menvcfg_adue_henvcfg_adue_rdonly0"), "henvcfg's counts as 0",
	  PMU_EXT_SVADU, false, true, false, 13 },
	{ RULE("H_vm_gpatrans"), "G-stage by menvcfg", PMU_EXT_SVADU, true,
	  false, true, 0 },
	{ RULE("H_vm_gpatrans"), "G-stage not by henvcfg", PMU_EXT_SVADU, false,
	  true, true, 21 },
	{ RULE("svade_access_ad_bit_clear"), "Svade, VS-stage", PMU_EXT_SVADE,
	  false, false, false, 13 },
	{ RULE("svade_access_ad_bit_clear"), "Svade, G-stage", PMU_EXT_SVADE,
	  false, false, true, 21 },
	{ RULE("svade_access_ad_bit_clear"), "neither: VS-stage by hardware", 0,
	  false, false, false, 0 },
	{ RULE("svade_access_ad_bit_clear"), "neither: G-stage by hardware", 0,
	  false, false, true, 0 },
};

TEST_ROWS(each_stage_has_its_own_enable_of_a_and_d, adue_rows)
{
	const struct adue_row *row = &adue_rows[_i];
	struct guest g;
	struct guest_answer a;
	uint64_t *leaf;

	shows(row->rule);
	guest_init(&g, SV39, row->ext);
	g.f.h->menvcfg = row->menvcfg ? MENVCFG_ADUE : 0;
	g.f.h->henvcfg = row->henvcfg ? MENVCFG_ADUE : 0;
	leaf = row->in_g ? g.g_leaf : g.vs_leaf;
	*leaf &= ~(uint64_t)A;
	a = ask_plain(&g, LOAD, VADDR);
	ck_assert_msg(a.ok == !row->cause, "%s", row->why);
	ck_assert_msg(a.ok || a.fault.cause == row->cause, "%s: cause %u",
		      row->why, a.fault.cause);
	ck_assert_msg(!(*leaf & A) == !a.ok, "%s", row->why);
	guest_fini(&g);
}

/* From HS, or M with MPRV: whose rules the access follows. */
static const struct mode_row {
	const char *rule, *why;
	enum pmu_mode mode;
	uint64_t mstatus, hstatus, vsstatus;
	bool hypervisor, hlvx;
	unsigned vs, g;
	uint8_t cause;
} mode_rows[] = {
#define SPVP  HSTATUS_SPVP
#define MPRV  MSTATUS_MPRV
#define MPV   MSTATUS_MPV
#define MPP_S (UINT64_C(1) << 11)
	{ RULE("hlsv_priv"), "SPVP = 0: as VU", S, 0, 0, 0, true, false, LEAF,
	  GLEAF, 13 },
	{ RULE("hlsv_priv"), "SPVP = 1: as VS", S, 0, SPVP, 0, true, false,
	  LEAF, GLEAF, 0 },
	{ RULE("hlsv_priv"), "SPVP = 1, VU's page", S, SUM, SPVP, 0, true,
	  false, LEAF | USER, GLEAF, 13 },
	{ RULE("hlsv_trans"), "vsstatus.SUM", S, 0, SPVP, SUM, true, false,
	  LEAF | USER, GLEAF, 0 },
	{ RULE("hlsv_trans"), "G-stage refuses", S, 0, SPVP, 0, true, false,
	  LEAF, LEAF, 21 },
	{ RULE("hlsv_sstatus_mxr"), "sstatus.MXR: both stages", S, MXR, SPVP, 0,
	  true, false, V | X | A, V | X | A | USER, 0 },
	{ RULE("hlsv_vsstatus_mxr"), "vsstatus.MXR: VS-stage", S, 0, SPVP, MXR,
	  true, false, V | X | A, GLEAF, 0 },
	{ RULE("hlsv_vsstatus_mxr"), "vsstatus.MXR: not G-stage", S, 0, SPVP,
	  MXR, true, false, V | X | A, V | X | A | USER, 21 },
	{ RULE("hlsv_u_op"), "HLVX takes X for R", S, 0, SPVP, 0, true, true,
	  V | X | A, V | X | A | USER, 0 },
	{ RULE("hlsv_u_op"), "HLVX needs X of VS-stage", S, 0, SPVP, 0, true,
	  true, LEAF & ~X, GLEAF, 13 },
	{ RULE("hlsv_u_op"), "HLVX needs X of G-stage", S, 0, SPVP, 0, true,
	  true, LEAF, GLEAF & ~X, 21 },
	{ RULE("hlsv_u_op"), "HLVX as VS, VU's page: a load's SUM", S, 0, SPVP,
	  SUM, true, true, LEAF | USER, GLEAF, 0 },
	{ RULE("hlsv_u_op"), "HLVX as VS, VU's page, SUM = 0", S, 0, SPVP, 0,
	  true, true, LEAF | USER, GLEAF, 13 },
	{ RULE("hlsv_priv"), "from U", U, 0, SPVP, 0, true, false, LEAF, GLEAF,
	  0 },
	{ RULE("mstatus_mprv_hlsv"), "MPRV does not matter", M, MPRV, SPVP, 0,
	  true, false, LEAF, GLEAF, 0 },
	{ RULE("mstatus_mprv_hypervisor"), "MPV, MPP = S", M,
	  MPRV | MPV | MPP_S, 0, 0, false, false, LEAF, GLEAF, 0 },
	{ RULE("mstatus_mprv_hypervisor"), "MPV, MPP = U", M, MPRV | MPV, 0, 0,
	  false, false, LEAF, GLEAF, 13 },
	{ RULE("mstatus_mprv_hypervisor"), "vsstatus.SUM with MPV", M,
	  MPRV | MPV | MPP_S, 0, SUM, false, false, LEAF | USER, GLEAF, 0 },
	{ RULE("mstatus_mprv_hypervisor"), "G-stage with MPV", M,
	  MPRV | MPV | MPP_S, 0, 0, false, false, LEAF, LEAF, 21 },
};

TEST_ROWS(a_guest_s_memory_is_reached_from_outside, mode_rows)
{
	const struct mode_row *row = &mode_rows[_i];
	struct pmu_walk walk = { .vaddr = VADDR,
				 .access = LOAD,
				 .executes = true,
				 .hypervisor = row->hypervisor,
				 .hlvx = row->hlvx };
	struct guest g;
	struct guest_answer a;

	shows(row->rule);
	guest_init(&g, SV39, 0);
	*g.vs_leaf = PPN(FRAME) | row->vs;
	*g.g_leaf = PPN(SPA) | row->g;
	g.f.h->mode = row->mode;
	g.f.h->mstatus = row->mstatus;
	g.f.h->hstatus = row->hstatus;
	g.f.h->vsstatus = row->vsstatus;
	a = ask_guest(&g, &walk);
	ck_assert_msg(a.ok == !row->cause, "%s: cause %u", row->why,
		      a.fault.cause);
	ck_assert_msg(a.ok ? a.map.paddr == ((uint64_t)SPA << 12) + 0xabc
			   : a.fault.cause == row->cause && a.fault.gva,
		      "%s: cause %u", row->why, a.fault.cause);
	guest_fini(&g);
}

/* The mode that data follows. */
TEST(mpv_makes_data_a_guest_s)
{
	static const enum pmu_mode want[2][4] = { { U, S, M, M },
						  { VU, VS, M, M } };
	struct guest g;

	shows(RULE("mstatus_mprv_hypervisor"));
	guest_init(&g, SV39, 0);
	g.f.h->mode = M;
	for (unsigned v = 0; v < 2; v++) {
		for (uint64_t mpp = 0; mpp < 4; mpp++) {
			g.f.h->mstatus = mpp << 11 | (v ? MPV : 0);
			ck_assert_int_eq(pmu_data_mode(g.f.h), M);
			g.f.h->mstatus |= MPRV;
			ck_assert_int_eq(pmu_data_mode(g.f.h), want[v][mpp]);
		}
	}
	guest_fini(&g);
}

SUITE("translate-guest");
