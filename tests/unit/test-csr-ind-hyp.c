/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Delegated counters and guests: vsiselect and vsireg, scountinhibit and
 * scountovf from VS-mode and VU-mode, and which rule is asked first. And what
 * the manual says of select registers as such.
 */
#include <pmu/isa.h>

#include "hart-script.h"
#include "unit.h"

#define ONES  UINT64_MAX
#define H(n)  (UINT64_C(1) << (n))
#define HYP   PMU_EXT_H
#define CDE   H(60)
#define IND   (PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND)
#define DELEG (HYP | IND | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG)

static const struct script guest_rows[] = {
	{ "guests name neither vsiselect nor vsireg",
	  RULE("ssccfg_hyp_vs_or_vu_access_vsireg_illegal "
	       "sscsrind_virtual_inst_fault C133 SSCFG-HYP-01 SSCFG-HYP-02 "
	       "SSCFG-HYP-03 SSCFG-HYP-04"),
	  64, DELEG, 0,
	  .steps = { POKE(VSISELECT, 0x43), MODE(VS), VIRTUAL_R(VSISELECT),
		     VIRTUAL_W(VSISELECT), VIRTUAL_R(VSIREG), VIRTUAL_W(VSIREG),
		     VIRTUAL_R(VSIREG6), MODE(VU), VIRTUAL_R(VSISELECT),
		     VIRTUAL_W(VSISELECT), VIRTUAL_R(VSIREG), VIRTUAL_W(VSIREG),
		     POKE(MENVCFG, CDE), VIRTUAL_R(VSIREG), MODE(VS),
		     VIRTUAL_R(VSIREG) } },
	{ "VU-mode names neither siselect nor sireg",
	  RULE("ssccfg_hyp_vs_or_vu_access_vsireg_illegal "
	       "sscsrind_virtual_inst_fault C133 SSCFG-HYP-05 SSCFG-HYP-06"),
	  0, DELEG, 0,
	  .steps = { POKE(VSISELECT, 0x43), POKE(SISELECT, 0x43), MODE(VU),
		     VIRTUAL_R(SISELECT), VIRTUAL_W(SISELECT), VIRTUAL_R(SIREG),
		     VIRTUAL_W(SIREG2), VIRTUAL_R(SIREG4), VIRTUAL_R(SIREG6),
		     MODE(U), ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG) } },
	{ "vsireg of a counter is illegal from M and HS, whatever CDE is",
	  RULE("ssccfg_hyp_m_s_vsireg_illegal C133 SSCFG-HYP-07 SSCFG-HYP-08"),
	  64, DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), POKE(VSISELECT, 0x40),
		     ILLEGAL_R(VSIREG), ILLEGAL_W(VSIREG + 1),
		     ILLEGAL_R(VSIREG6), MODE(S), ILLEGAL_R(VSIREG),
		     ILLEGAL_W(VSIREG6), POKE(MENVCFG, CDE), ILLEGAL_R(VSIREG),
		     ILLEGAL_W(VSIREG + 1), ILLEGAL_R(VSIREG + 4), MODE(M),
		     ILLEGAL_R(VSIREG), ILLEGAL_W(VSIREG6) } },
	{ "sireg of VS-mode without CDE is illegal",
	  RULE("ssccfg_hyp_vs_access_sireg_conditional C133 SSCFG-HYP-09"), 0,
	  DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), POKE(HCOUNTEREN, ONES), MODE(VS),
		     CSRW(SISELECT, 0x40), ILLEGAL_R(SIREG), ILLEGAL_W(SIREG2),
		     ILLEGAL_R(SIREG3), ILLEGAL_R(SIREG4), ILLEGAL_R(SIREG5),
		     ILLEGAL_W(SIREG6), CSRW(SISELECT, 0x5f),
		     ILLEGAL_R(SIREG) } },
	{ "sireg of VS-mode with CDE is virtual, 0x41 and sireg3 included",
	  RULE("ssccfg_hyp_vs_access_sireg_conditional "
	       "vsmode_virtual_inst_fault "
	       "vsireg_access_behaviour C133 SSCFG-HYP-10"),
	  64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), MODE(VS), CSRW(SISELECT, 0x40),
		     VIRTUAL_R(SIREG), VIRTUAL_W(SIREG2), VIRTUAL_R(SIREG3),
		     VIRTUAL_R(SIREG4), VIRTUAL_R(SIREG5), VIRTUAL_W(SIREG6),
		     CSRW(SISELECT, 0x41), VIRTUAL_R(SIREG),
		     CSRW(SISELECT, 0x5f), VIRTUAL_W(SIREG) } },
	{ "the same on RV32",
	  RULE("ssccfg_hyp_vs_access_sireg_conditional C133"), 32, DELEG, 0,
	  .steps = { POKE(MENVCFGH, CDE >> 32), MODE(VS), CSRW(SISELECT, 0x43),
		     VIRTUAL_R(SIREG), VIRTUAL_W(SIREG4), VIRTUAL_R(SIREG5),
		     VIRTUAL_W(SIREG6), MODE(S), ILLEGAL_R(VSIREG + 4) } },
	{ "sireg of VS-mode at no counter is illegal, with CDE too",
	  RULE("vsireg_access_on_legal_vsiselect C169"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), MODE(VS), CSRW(SISELECT, 0x3f),
		     ILLEGAL_R(SIREG), CSRW(SISELECT, 0x60), ILLEGAL_R(SIREG),
		     CSRW(SISELECT, 0xfff), ILLEGAL_W(SIREG6) } },
	{ "siselect of VS-mode is vsiselect, and waits for no CDE",
	  RULE("vsiselect_min_range C169 C170"), 0, DELEG, 0,
	  .steps = { POKE(SISELECT, 0x77), MODE(VS), CSRW(SISELECT, 0xfff),
		     CSRR(SISELECT, 0xfff), PEEK(VSISELECT, 0xfff),
		     PEEK(SISELECT, 0x77), CSRW(SISELECT, 0), MODE(S),
		     CSRR(SISELECT, 0x77), CSRR(VSISELECT, 0),
		     CSRW(VSISELECT, 0x155), MODE(VS),
		     CSRR(SISELECT, 0x155) } },
	{ "vsiselect is there with H", RULE("C169"), 0, IND, 0,
	  .steps = { ILLEGAL_R(VSISELECT), ILLEGAL_R(VSIREG), MODE(S),
		     ILLEGAL_R(VSISELECT), ILLEGAL_R(VSIREG6) } },
	{ "scountinhibit: without CDE it is there for nobody",
	  RULE("ssccfg_illegal_scountinhibit_cde0 C132"), 0, DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, ONES), ILLEGAL_R(SCOUNTINHIBIT), MODE(S),
		     ILLEGAL_W(SCOUNTINHIBIT), MODE(U),
		     ILLEGAL_R(SCOUNTINHIBIT), MODE(VS),
		     ILLEGAL_R(SCOUNTINHIBIT), ILLEGAL_W(SCOUNTINHIBIT),
		     MODE(VU), ILLEGAL_R(SCOUNTINHIBIT) } },
	{ "scountinhibit: with CDE it is virtual for guests",
	  RULE("ssccfg_illegal_scountinhibit_vs_vu C132"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     POKE(HCOUNTEREN, ONES), MODE(VS), VIRTUAL_R(SCOUNTINHIBIT),
		     VIRTUAL_W(SCOUNTINHIBIT), MODE(VU),
		     VIRTUAL_R(SCOUNTINHIBIT), VIRTUAL_W(SCOUNTINHIBIT),
		     MODE(U), ILLEGAL_R(SCOUNTINHIBIT), MODE(S),
		     CSRR(SCOUNTINHIBIT, 0) } },
	{ "scountovf: with CDE reading is virtual for guests, writing illegal",
	  RULE("ssccfg_virtual_scountovf_vs_vu C134 C112 SSCFG-OVF-01 "
	       "SSCFG-OVF-02 SSCFG-OVF-03"),
	  64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     POKE(HCOUNTEREN, ONES), POKE(MHPMEVENT + 3, H(63)),
		     MODE(VS), VIRTUAL_R(SCOUNTOVF), ILLEGAL_W(SCOUNTOVF),
		     MODE(VU), VIRTUAL_R(SCOUNTOVF), ILLEGAL_W(SCOUNTOVF),
		     MODE(U), ILLEGAL_R(SCOUNTOVF), MODE(S), CSRR(SCOUNTOVF, 8),
		     ILLEGAL_W(SCOUNTOVF) } },
	{ "scountovf: without CDE VS-mode reads what both open",
	  RULE("C134 C172 SSCFG-OVF-04"), 64, DELEG, 0,
	  .steps = { POKE(MHPMEVENT + 3, H(63)), POKE(MHPMEVENT + 4, H(63)),
		     POKE(MHPMEVENT + 5, H(63)), POKE(MCOUNTEREN, 0x18),
		     POKE(HCOUNTEREN, 0x30), MODE(VS), CSRR(SCOUNTOVF, 0x10),
		     MODE(VU), VIRTUAL_R(SCOUNTOVF), MODE(S),
		     CSRR(SCOUNTOVF, 0x18), MODE(M), CSRR(SCOUNTOVF, 0x38) } },
	{ "no counteren but mcounteren gates sireg and scountinhibit",
	  RULE("C170"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, 8),
		     POKE(SCOUNTEREN, 0), POKE(HCOUNTEREN, 0), MODE(S),
		     CSRW(SISELECT, 0x43), CSRW(SIREG, 3), CSRR(SIREG, 3),
		     CSRW(SCOUNTINHIBIT, 8), CSRR(SCOUNTINHIBIT, 8) } },
	{ "CDE gates no counter CSR", RULE("C170"), 64, DELEG, 0,
	  .steps = { POKE(MCOUNTEREN, 9), POKE(HCOUNTEREN, 9), MODE(VS),
		     CSRR(HPMCOUNTER + 3, 0), POKE(MENVCFG, CDE),
		     CSRR(HPMCOUNTER + 3, 0), CSRR(CYCLE, 2) } },
	{ "there is no henvcfg.CDE", RULE("C170"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, ONES), POKE(HENVCFG, ONES),
		     PEEK(HENVCFG, 1) } },
	{ "filters of guests through sireg2", RULE("C130 C137"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES), MODE(S),
		     CSRW(SISELECT, 0x43), CSRW(SIREG2, ONES),
		     CSRR(SIREG2, 0xbcffffffffffffff), CSRW(SISELECT, 0x40),
		     CSRW(SIREG2, ONES), CSRR(SIREG2, UINT64_C(15) << 58) } },
	{ "a counter that S-mode keeps from guests", RULE("C137 C129"), 64,
	  DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES), MODE(S),
		     CSRW(SISELECT, 0x43), CSRW(SIREG2, H(59) | H(58) | 2),
		     RUN(3), MODE(VS), RUN(5), MODE(VU), RUN(7), MODE(S),
		     CSRR(SIREG, 3) } },
};

static const struct script select_rows[] = {
	{ "the alias that miph takes away is nobody's here",
	  RULE("miph_csr_number"), 0, DELEG, 0,
	  .steps = { ILLEGAL_R(MISELECT + 4), ILLEGAL_R(SISELECT + 4),
		     ILLEGAL_R(VSISELECT + 4), ILLEGAL_W(MISELECT + 4) } },
	{ "select registers hold their values and no more",
	  RULE("miselect_WARL miselect_min_sz miselect_msb_op siselect_msb_op "
	       "vsiselect_msb_op miselect_value_range"),
	  0, DELEG, 0,
	  .steps = { CSRW(MISELECT, ONES), CSRR(MISELECT, 0xfff),
		     CSRW(SISELECT, ONES), CSRR(SISELECT, 0xfff),
		     CSRW(VSISELECT, ONES), CSRR(VSISELECT, 0xfff) } },
	{ "a select value for custom use is not taken: RV64",
	  RULE("vsiselect_msb_op siselect_msb_op miselect_msb_op"), 64, DELEG,
	  0,
	  .steps = { CSRW(VSISELECT, 0x43), CSRS(VSISELECT, H(63)),
		     CSRR(VSISELECT, 0x43), CSRW(VSISELECT, H(63) | 0x41),
		     CSRR(VSISELECT, 0x41), CSRW(VSISELECT, H(31) | 0x42),
		     CSRR(VSISELECT, 0x42), CSRW(SISELECT, H(63) | 0x44),
		     CSRR(SISELECT, 0x44), CSRW(MISELECT, H(63) | 0x45),
		     CSRR(MISELECT, 0x45), MODE(VS),
		     CSRW(SISELECT, H(63) | 0x46), CSRR(SISELECT, 0x46),
		     PEEK(VSISELECT, 0x46) } },
	{ "a select value for custom use is not taken: RV32",
	  RULE("vsiselect_msb_op siselect_msb_op miselect_msb_op"), 32, DELEG,
	  0,
	  .steps = { CSRW(VSISELECT, H(31) | 0x41), CSRR(VSISELECT, 0x41),
		     CSRW(SISELECT, H(31) | 0x44), CSRR(SISELECT, 0x44),
		     CSRW(MISELECT, H(31) | 0x45), CSRR(MISELECT, 0x45),
		     MODE(VS), CSRW(SISELECT, H(31) | 0x46),
		     CSRR(SISELECT, 0x46), PEEK(VSISELECT, 0x46) } },
	{ "select values are no CSR numbers",
	  RULE("select_value_separate_address_space select_value_unrelated "
	       "csr_access"),
	  64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES), MODE(S),
		     CSRW(SISELECT, MHPMCOUNTER + 3 - 0xb00 + 0x300),
		     ILLEGAL_R(SIREG), CSRW(SISELECT, SSCRATCH),
		     ILLEGAL_R(SIREG), CSRW(SSCRATCH, 9), CSRW(SISELECT, 0x43),
		     CSRW(SIREG, 4), CSRR(SIREG, 4), CSRR(SSCRATCH, 9),
		     ILLEGAL_R(MHPMCOUNTER + 3) } },
	{ "S-mode's values mean nothing to miselect",
	  RULE("csrs_alias mireg_access_on_legal_miselect "
	       "mireg_access_behaviour"),
	  64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     CSRW(SISELECT, 0x43), CSRW(MISELECT, 0x43), CSRW(SIREG, 5),
		     CSRR(SIREG, 5), ILLEGAL_R(MIREG), CSRW(MISELECT, 0x30),
		     ILLEGAL_R(MIREG), ILLEGAL_W(MIREG) } },
	{ "M-mode reaches what S-mode reaches",
	  RULE("sireg_access_on_legal_siselect sireg_access_behaviour "
	       "sireg_access_on_illegal_siselect"),
	  64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, 8), MODE(S),
		     CSRW(SISELECT, 0x43), CSRW(SIREG, 5), MODE(M),
		     CSRR(SIREG, 5), CSRW(SISELECT, 0x44), ILLEGAL_R(SIREG),
		     CSRW(SISELECT, 0x100), ILLEGAL_R(SIREG), MODE(S),
		     ILLEGAL_R(SIREG) } },
	{ "select and alias are as wide as the registers",
	  RULE("sscsrind_smode_csrs_sz sscsrind_vsmode_csrs_sz"), 64, DELEG, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, 8), MODE(S),
		     CSRW(SISELECT, 0x43), CSRW(SIREG, ONES),
		     CSRR(SIREG, ONES) } },
	{ "one without the other: Sscsrind alone delegates nothing",
	  RULE("C172 smcdeleg_ssccfg_tandem SMCD-MENV-01"), 64, HYP | IND, 0,
	  .steps = { POKE(MENVCFG, ONES), PEEK(MENVCFG, 1),
		     POKE(MCOUNTEREN, ONES), CSRW(SISELECT, 0x43),
		     ILLEGAL_R(SIREG), MODE(S), ILLEGAL_R(SIREG),
		     ILLEGAL_R(SCOUNTINHIBIT), MODE(VS), CSRW(SISELECT, 0x43),
		     ILLEGAL_R(SIREG), ILLEGAL_R(SCOUNTINHIBIT) } },
};

/* Which sets of the six extensions make a hart. */
static const struct tandem_row {
	const char *why, *rule;
	uint64_t ext;
	const char *lacks, *missing; /* NULL: complete */
} tandem_rows[] = {
	{ "Smcdeleg, Ssccfg and what they depend on",
	  RULE("smcdeleg_ssccfg_tandem SMCD-DEP-01"),
	  PMU_EXT_S | PMU_EXT_U | IND | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG, NULL,
	  NULL },
	{ "Smcdeleg without Ssccfg", RULE("smcdeleg_ssccfg_tandem SMCD-DEP-01"),
	  PMU_EXT_S | PMU_EXT_U | IND | PMU_EXT_SMCDELEG, "smcdeleg",
	  "ssccfg" },
	{ "Ssccfg without Smcdeleg", RULE("smcdeleg_ssccfg_tandem SMCD-DEP-01"),
	  PMU_EXT_S | PMU_EXT_U | IND | PMU_EXT_SSCCFG, "ssccfg", "smcdeleg" },
	{ "both without Sscsrind", RULE("C128"),
	  PMU_EXT_S | PMU_EXT_U | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG, "smcdeleg",
	  "sscsrind" },
	{ "Smcsrind without Sscsrind", RULE("C169"),
	  PMU_EXT_S | PMU_EXT_U | PMU_EXT_SMCSRIND, "smcsrind", "sscsrind" },
	{ "Sscsrind without S", RULE("C169"), PMU_EXT_U | IND, "sscsrind",
	  "s" },
	{ "Ssaia without Smaia", RULE("C135"),
	  PMU_EXT_S | PMU_EXT_U | HYP | PMU_EXT_SSAIA, "ssaia", "smaia" },
	{ "Smaia alone, where there is S-mode", RULE("C135"),
	  PMU_EXT_S | PMU_EXT_U | PMU_EXT_SMAIA, "smaia", "ssaia" },
	{ "Smaia alone, where there is none", RULE("C135 aia_mvien_no_s"),
	  PMU_EXT_U | PMU_EXT_SMAIA, NULL, NULL },
	{ "both without the hypervisor", RULE("C135"),
	  PMU_EXT_S | PMU_EXT_U | PMU_EXT_SMAIA | PMU_EXT_SSAIA, NULL, NULL },
	{ "Shcounterenw without H", RULE("C168"),
	  PMU_EXT_S | PMU_EXT_U | PMU_EXT_SHCOUNTERENW, "shcounterenw", "h" },
	{ "Smstateen needs nothing", RULE("stateen_op"), PMU_EXT_SMSTATEEN,
	  NULL, NULL },
};

TEST_ROWS(a_guest_reaches_what_the_rule_says, guest_rows)
{
	script_run(&guest_rows[_i]);
}

TEST_ROWS(a_select_register_does_what_the_rule_says, select_rows)
{
	script_run(&select_rows[_i]);
}

TEST_ROWS(an_extension_comes_with_what_it_depends_on, tandem_rows)
{
	const struct tandem_row *row = &tandem_rows[_i];
	const struct pmu_ext_desc *lacks, *missing;
	bool complete = pmu_ext_check(row->ext, &lacks, &missing);

	shows(row->rule);
	ck_assert_msg(complete == !row->lacks, "%s", row->why);
	if (complete)
		return;
	ck_assert_str_eq(lacks->name, row->lacks);
	ck_assert_str_eq(missing->name, row->missing);
}

SUITE("csr-ind-hyp");
