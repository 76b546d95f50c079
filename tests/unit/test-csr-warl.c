/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each CSR holds after a write: which bits exist on which hart, what an
 * illegal value does, what a write changes beyond the CSR.
 */
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define ONES32 UINT64_C(0xffffffff)
#define H(n)   (UINT64_C(1) << (n))
#define NO_S   (PMU_EXT_S)
#define NO_F   (PMU_EXT_F | PMU_EXT_D)
#define SSTC   (PMU_EXT_SSTC)

static const struct script rows[] = {
	/* mstatus, sstatus */
	{ "mstatus has the fields of M, S, U, F", RULE("mstatus_modes"), 64, 0,
	  0,
	  .steps = { POKE(MSTATUS, ONES), PEEK(MSTATUS, 0x8000000a007e79aa),
		     POKE(MSTATUS, 0), PEEK(MSTATUS, 0x0000000a00000000) } },
	{ "RV32 has SD in bit 31 and no XLEN fields",
	  RULE("mstatus_sxl_uxl_sxlen_uxlen_mxlen32"), 32, 0, 0,
	  .steps = { POKE(MSTATUS, ONES), PEEK(MSTATUS, 0x807e79aa),
		     POKE(MSTATUSH, ONES32), PEEK(MSTATUSH, 0),
		     POKE(MSTATUS, 0), PEEK(MSTATUS, 0) } },
	{ "without S and F their fields are zero",
	  RULE("mstatus_sie_spie_rdonly0"), 64, 0, NO_S | NO_F,
	  .steps = { POKE(MSTATUS, ONES), PEEK(MSTATUS, 0x0000000200221888) } },
	{ "M alone has MIE and MPIE, and MPP is M", RULE("mstatus_xpp_warl"),
	  64, 0, UINT32_MAX,
	  .steps = { POKE(MSTATUS, ONES), PEEK(MSTATUS, 0x1888),
		     POKE(MSTATUS, 0), PEEK(MSTATUS, 0x1800) } },
	{ "MPP keeps its value when a reserved one is written",
	  RULE("mstatus_xpp_warl"), 64, 0, 0,
	  .steps = { POKE(MSTATUS, 0x0800), PEEK(MSTATUS, 0xa00000800),
		     POKE(MSTATUS, 0x1000), PEEK(MSTATUS, 0xa00000800),
		     POKE(MSTATUS, 0x1800), PEEK(MSTATUS, 0xa00001800) } },
	{ "MPP cannot hold a mode that does not exist",
	  RULE("mstatus_xpp_warl"), 64, 0, NO_S,
	  .steps = { POKE(MSTATUS, 0x0800), PEEK(MSTATUS, 0x200000000) } },
	{ "FS is Off or Dirty: Initial and Clean become Dirty",
	  RULE("mstatus_fs_no_dirty_track"), 64, 0, 0,
	  .steps = { POKE(MSTATUS, 0x2000), PEEK(MSTATUS, 0x8000000a00006000),
		     EFFECTS(PMU_FX_FS), POKE(SSTATUS, 0x4000), EFFECTS(0),
		     PEEK(SSTATUS, 0x8000000200006000), POKE(SSTATUS, 0),
		     EFFECTS(PMU_FX_FS), PEEK(MSTATUS, 0xa00000000) } },
	{ "sstatus shows and changes only the fields of S", RULE("sstatus"), 64,
	  0, 0,
	  .steps = { POKE(SSTATUS, ONES), PEEK(SSTATUS, 0x80000002000c6122),
		     PEEK(MSTATUS, 0x8000000a000c6122), POKE(MSTATUS, 0x1888),
		     PEEK(SSTATUS, 0x200000000), POKE(SSTATUS, 0),
		     PEEK(MSTATUS, 0xa00001888) } },
	{ "SUM and MXR void translations when they are cleared",
	  RULE("sfence_vma_sum_mxr_effect"), 0, 0, 0,
	  .steps = { POKE(SSTATUS, 0x40000), EFFECTS(0), POKE(SSTATUS, 0xc0000),
		     EFFECTS(0), POKE(SSTATUS, 0x80000), EFFECTS(PMU_FX_SUM),
		     POKE(SSTATUS, 0x80000), EFFECTS(0), POKE(SSTATUS, 0x40000),
		     EFFECTS(PMU_FX_TLB), POKE(MSTATUS, 0),
		     EFFECTS(PMU_FX_SUM) } },
	{ "MPRV voids translations when it changes",
	  RULE("sfence_vma_sum_mxr_effect"), 0, 0, 0,
	  .steps = { POKE(MSTATUS, 0xa0000), EFFECTS(PMU_FX_TLB),
		     POKE(MSTATUS, 0xa0800), EFFECTS(PMU_FX_TLB),
		     POKE(MSTATUS, 0x800), EFFECTS(PMU_FX_TLB),
		     POKE(MSTATUS, 0), EFFECTS(0) } },
	{ "MPP voids translations only with MPRV, and when it changes",
	  RULE("mstatus_mprv_ldst_op"), 0, 0, 0,
	  .steps = { POKE(MSTATUS, 0x800), EFFECTS(0), POKE(MSTATUS, 0x20800),
		     EFFECTS(PMU_FX_TLB), POKE(MSTATUS, 0x20800), EFFECTS(0),
		     POKE(MSTATUS, 0x21800), EFFECTS(PMU_FX_TLB) } },
	{ "MIE and SIE ask for interrupts anew", RULE("C163"), 0, 0, 0,
	  .steps = { POKE(MSTATUS, 8), EFFECTS(PMU_FX_IRQ), POKE(SSTATUS, 2),
		     EFFECTS(PMU_FX_IRQ), POKE(SSTATUS, 2), EFFECTS(0) } },

	/* delegation and interrupts */
	{ "medeleg: exceptions that can happen below M",
	  RULE("medeleg_when_rd0"), 0, 0, 0,
	  .steps = { POKE(MEDELEG, ONES), PEEK(MEDELEG, 0xb3fe) } },
	{ "medeleg.0 needs 4-byte instructions", RULE("medeleg_when_rd0"), 0, 0,
	  PMU_EXT_C, .steps = { POKE(MEDELEG, ONES), PEEK(MEDELEG, 0xb3ff) } },
	{ "medelegh is the upper half: nothing yet",
	  RULE("medelegh_sz_acc_enc_xlen32"), 32, 0, 0,
	  .steps = { POKE(MEDELEG, 0x100), POKE(MEDELEGH, ONES32),
		     PEEK(MEDELEGH, 0), PEEK(MEDELEG, 0x100) } },
	{ "mideleg: the interrupts of S and LCOFI", RULE("C135"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, ONES), EFFECTS(PMU_FX_IRQ),
		     PEEK(MIDELEG, 0x2222) } },
	{ "mideleg.13 needs Sscofpmf", RULE("C135"), 0, 0, PMU_EXT_SSCOFPMF,
	  .steps = { POKE(MIDELEG, ONES), PEEK(MIDELEG, 0x222) } },
	{ "mie has every interrupt", RULE("mie_bits_wr"), 0, 0, 0,
	  .steps = { POKE(MIE, ONES), EFFECTS(PMU_FX_IRQ),
		     PEEK(MIE, 0x2aaa) } },
	{ "mie without S", RULE("mip_sxip_mie_sxie_rdonly0"), 0, 0, NO_S,
	  .steps = { POKE(MIE, ONES), PEEK(MIE, 0x2888), POKE(MIP, ONES),
		     PEEK(MIP, 0x2000) } },
	{ "bit 13 of mip and mie needs Sscofpmf", RULE("C110"), 0, 0,
	  PMU_EXT_SSCOFPMF,
	  .steps = { POKE(MIE, ONES), PEEK(MIE, 0xaaa), POKE(MIP, ONES),
		     PEEK(MIP, 0x222) } },
	{ "mip: software writes the bits of S and LCOFI", RULE("C110"), 0, 0, 0,
	  .steps = { POKE(MIP, ONES), EFFECTS(PMU_FX_IRQ), PEEK(MIP, 0x2222),
		     POKE(MIP, 0), PEEK(MIP, 0) } },
	{ "sie and sip show what is delegated", RULE("mip_mie_alias"), 0, 0, 0,
	  .steps = { POKE(MIE, ONES), POKE(MIP, ONES), PEEK(SIE, 0),
		     PEEK(SIP, 0), POKE(MIDELEG, 0x2002), PEEK(SIE, 0x2002),
		     PEEK(SIP, 0x2002), POKE(SIE, 0), EFFECTS(PMU_FX_IRQ),
		     PEEK(MIE, 0xaa8) } },
	{ "sip: only SSIP and LCOFIP are written", RULE("sip_acc"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, 0x2222), POKE(SIP, ONES),
		     EFFECTS(PMU_FX_IRQ), PEEK(SIP, 0x2002), POKE(MIP, 0x2222),
		     POKE(SIP, 0), PEEK(MIP, 0x220) } },
	{ "sip writes nothing that is not delegated", RULE("C110"), 0, 0, 0,
	  .steps = { POKE(SIP, ONES), PEEK(MIP, 0), POKE(MIP, 0x2002),
		     POKE(SIP, 0), PEEK(MIP, 0x2002) } },

	/* trap handling */
	{ "tvec: base of 4 bytes, mode 0 or 1", RULE("mtvec_mode_enc"), 64, 0,
	  0,
	  .steps = { POKE(MTVEC, ONES), PEEK(MTVEC, ONES - 2),
		     POKE(STVEC, ONES), PEEK(STVEC, ONES - 2) } },
	{ "epc: bit 0 is zero", RULE("mepc_align"), 64, 0, 0,
	  .steps = { POKE(MEPC, ONES), PEEK(MEPC, ONES - 1), POKE(SEPC, ONES),
		     PEEK(SEPC, ONES - 1) } },
	{ "epc: two bits are zero without C", RULE("mepc_align"), 64, 0,
	  PMU_EXT_C,
	  .steps = { POKE(MEPC, ONES), PEEK(MEPC, ONES - 3), POKE(SEPC, ONES),
		     PEEK(SEPC, ONES - 3) } },
	{ "scratch, cause and tval hold anything", RULE("mscratch_sz_acc"), 64,
	  0, 0,
	  .steps = { POKE(MSCRATCH, ONES), PEEK(MSCRATCH, ONES),
		     POKE(MCAUSE, ONES), PEEK(MCAUSE, ONES), POKE(MTVAL, ONES),
		     PEEK(MTVAL, ONES), POKE(SSCRATCH, ONES),
		     PEEK(SSCRATCH, ONES), POKE(SCAUSE, ONES),
		     PEEK(SCAUSE, ONES), POKE(STVAL, ONES),
		     PEEK(STVAL, ONES) } },
	{ "on RV32 registers are 32 bits", RULE("mscratch_sz_acc"), 32, 0, 0,
	  .steps = { POKE(MSCRATCH, ONES), PEEK(MSCRATCH, ONES32),
		     POKE(MEPC, ONES), PEEK(MEPC, ONES32 - 1),
		     POKE(STVEC, ONES), PEEK(STVEC, ONES32 - 2) } },

	/* environment */
	{ "misa RV64", RULE("misa_extensions_enc_tbl"), 64, 0, 0,
	  .steps = { PEEK(MISA, 0x800000000014112d), POKE(MISA, 0),
		     PEEK(MISA, 0x800000000014112d) } },
	{ "misa RV32 without A, C, S", RULE("misa_mxl_enc"), 32, 0,
	  NO_S | PMU_EXT_A | PMU_EXT_C, .steps = { PEEK(MISA, 0x40101128) } },
	{ "menvcfg: FIOM", RULE("menvcfg_op"), 64, 0, 0,
	  .steps = { POKE(MENVCFG, ONES), EFFECTS(0), PEEK(MENVCFG, 1),
		     POKE(SENVCFG, ONES), PEEK(SENVCFG, 1) } },
	{ "menvcfg: STCE with Sstc", RULE("menvcfg_stce_op1"), 64, SSTC, 0,
	  .steps = { POKE(MENVCFG, ONES), EFFECTS(PMU_FX_TIMER | PMU_FX_IRQ),
		     PEEK(MENVCFG, H(63) | 1) } },
	{ "menvcfg: ADUE with Svadu, set at reset when Svade is not there",
	  RULE("menvcfg_adue_op"), 64, PMU_EXT_SVADU, 0,
	  .steps = { PEEK(MENVCFG, H(61)), POKE(MENVCFG, 0),
		     EFFECTS(PMU_FX_TLB), PEEK(MENVCFG, 0) } },
	{ "menvcfg: ADUE is clear at reset with Svade", RULE("C121"), 64,
	  PMU_EXT_SVADU | PMU_EXT_SVADE, 0,
	  .steps = { PEEK(MENVCFG, 0), POKE(MENVCFG, ONES),
		     PEEK(MENVCFG, H(61) | 1) } },
	{ "menvcfg: ADUE needs Svadu", RULE("menvcfg_adue_rdonly0"), 64,
	  PMU_EXT_SVADE, 0,
	  .steps = { POKE(MENVCFG, ONES), PEEK(MENVCFG, 1) } },
	{ "menvcfgh is the upper half", RULE("menvcfgh_sz_acc_op"), 32, SSTC, 0,
	  .steps = { POKE(MENVCFG, 1), POKE(MENVCFGH, ONES32), PEEK(MENVCFG, 1),
		     PEEK(MENVCFGH, H(31)), POKE(MENVCFG, 0),
		     PEEK(MENVCFGH, H(31)) } },
	{ "satp: Sv39, Sv48, Sv57 and Bare", RULE("satp_mode_sxlen64"), 64, 0,
	  0,
	  .steps = { POKE(SATP, 0x8123400000012345), EFFECTS(PMU_FX_TLB),
		     PEEK(SATP, 0x8123400000012345), POKE(SATP, 9 * H(60)),
		     PEEK(SATP, 9 * H(60)), POKE(SATP, 10 * H(60)),
		     PEEK(SATP, 10 * H(60)), POKE(SATP, 0), PEEK(SATP, 0) } },
	{ "satp: an unsupported mode makes the whole write void",
	  RULE("satp_mode_op_unsupported"), 64, 0, 0,
	  .steps = { POKE(SATP, 8 * H(60) | 5), POKE(SATP, 11 * H(60) | 6),
		     EFFECTS(0), PEEK(SATP, 8 * H(60) | 5), POKE(SATP, ONES),
		     PEEK(SATP, 8 * H(60) | 5), POKE(SATP, H(60)),
		     PEEK(SATP, 8 * H(60) | 5) } },
	{ "satp on RV32", RULE("satp_mode_sxlen32"), 32, 0, 0,
	  .steps = { POKE(SATP, ONES), PEEK(SATP, ONES32), POKE(SATP, 0),
		     PEEK(SATP, 0) } },
	{ "stimecmp and its halves", RULE("stimecmp_stimecmph_sz_acc"), 32,
	  SSTC, 0,
	  .steps = { POKE(STIMECMP, 0x11111111),
		     EFFECTS(PMU_FX_TIMER | PMU_FX_IRQ),
		     POKE(STIMECMPH, 0x22222222),
		     EFFECTS(PMU_FX_TIMER | PMU_FX_IRQ),
		     PEEK(STIMECMP, 0x11111111),
		     PEEK(STIMECMPH, 0x22222222) } },
	{ "no PMP entries, no triggers: zero, writes ignored",
	  RULE("pmp_entry_count"), 0, 0, 0,
	  .steps = { POKE(PMPCFG0, ONES), PEEK(PMPCFG0, 0),
		     POKE(PMPADDR0, ONES), PEEK(PMPADDR0, 0),
		     POKE(TSELECT, ONES), PEEK(TSELECT, 0), POKE(TDATA1, ONES),
		     PEEK(TDATA1, 0) } },
	{ "mconfigptr and vendor are zero by default", RULE("mconfigptr_val"),
	  0, 0, 0,
	  .steps = { PEEK(MCONFIGPTR, 0), PEEK(MVENDORID, 0), PEEK(MARCHID, 0),
		     PEEK(MIMPID, 0), PEEK(MHARTID, 0) } },
};

TEST_ROWS(a_write_leaves_what_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

TEST(ids_come_from_the_configuration)
{
	static const struct pmu_timebase tb = { 10, 1, 0 };
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	uint64_t value;

	pmu_hart_config_init(&cfg, 64);
	cfg.hartid = 0xfffffffe;
	cfg.mvendorid = 0x489;
	cfg.marchid = 0x8000000000000007;
	cfg.mimpid = UINT64_MAX;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	ck_assert_int_eq(pmu_csr_peek(h, MHARTID, 0, &value), 0);
	ck_assert_uint_eq(value, 0xfffffffe);
	ck_assert_int_eq(pmu_csr_peek(h, MVENDORID, 0, &value), 0);
	ck_assert_uint_eq(value, 0x489);
	ck_assert_int_eq(pmu_csr_peek(h, MARCHID, 0, &value), 0);
	ck_assert_uint_eq(value, 0x8000000000000007);
	ck_assert_int_eq(pmu_csr_peek(h, MIMPID, 0, &value), 0);
	ck_assert_uint_eq(value, UINT64_MAX);
	pmu_hart_free(h);
}

static const struct satp_row {
	const char *why;
	unsigned xlen, sv_modes, asid_bits;
	uint64_t write, want;
} satp_rows[] = {
	{ "ASID of 4 bits", 64, PMU_SV39, 4, 0x8ffff00000000001,
	  0x8000f00000000001 },
	{ "no ASID", 64, PMU_SV39, 0, 0x8ffff00000000001, 0x8000000000000001 },
	{ "no ASID on RV32", 32, PMU_SV32, 0, 0xffffffff, 0x803fffff },
	{ "Sv48 is not offered", 64, PMU_SV39, 16, 0x9000000000000001, 0 },
	{ "Sv57 is not offered", 64, PMU_SV39 | PMU_SV48, 16,
	  0xa000000000000001, 0 },
	{ "but Sv48 is", 64, PMU_SV39 | PMU_SV48, 16, 0x9000000000000001,
	  0x9000000000000001 },
	{ "Bare alone", 64, 0, 16, 0x8000000000000001, 0 },
	{ "Bare alone on RV32", 32, 0, 9, 0x80000001, 0 },
};

TEST_ROWS(satp_follows_the_configuration, satp_rows)
{
	static const struct pmu_timebase tb = { 10, 1, 0 };
	const struct satp_row *row = &satp_rows[_i];
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	uint64_t value;
	unsigned effects = 0;

	pmu_hart_config_init(&cfg, row->xlen);
	cfg.sv_modes = (uint8_t)row->sv_modes;
	cfg.asid_bits = (uint8_t)row->asid_bits;
	ck_assert_int_eq(pmu_hart_new(&h, &cfg, &tb), 0);
	ck_assert_int_eq(pmu_csr_poke(h, SATP, 0, row->write, &effects), 0);
	ck_assert_int_eq(pmu_csr_peek(h, SATP, 0, &value), 0);
	ck_assert_msg(value == row->want, "%s", row->why);
	if (!row->sv_modes) { /* page faults, SUM, MXR and TVM go too */
		ck_assert_int_eq(pmu_csr_poke(h, MEDELEG, 0, ONES, &effects),
				 0);
		ck_assert_uint_eq(h->medeleg, 0x3fe);
		ck_assert_int_eq(pmu_csr_poke(h, MSTATUS, 0, ONES, &effects),
				 0);
		ck_assert_uint_eq(h->mstatus & 0x1c0000, 0);
	}
	pmu_hart_free(h);
}

SUITE("csr-warl");
