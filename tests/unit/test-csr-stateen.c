/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state-enable registers: which bits are there, what each hides from whom,
 * and that they are asked before everything else.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES   UINT64_MAX
#define ONES32 UINT64_C(0xffffffff)
#define H(n)   (UINT64_C(1) << (n))
#define HYP    PMU_EXT_H
#define SE     H(63)
#define ENVCFG H(62)
#define CSRIND H(60)
#define P1P13  H(56)
#define CDE    H(60)
#define IND    (PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND)
#define DELEG  (IND | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG)
#define STATE  (DELEG | PMU_EXT_SMSTATEEN)

static const struct script bit_rows[] = {
	{ "mstateen0 has SE, ENVCFG and CSRIND",
	  RULE("mstateen_rv64_csrs stateen_warl_access mstateen_bit_63_op "
	       "SMCD-STA-01"),
	  64, STATE, 0,
	  .steps = { POKE(MSTATEEN0, ONES),
		     PEEK(MSTATEEN0, SE | ENVCFG | CSRIND),
		     POKE(MSTATEEN0, CSRIND), PEEK(MSTATEEN0, CSRIND),
		     POKE(MSTATEEN0, 0), PEEK(MSTATEEN0, 0) } },
	{ "mstateen1 to mstateen3 have SE alone",
	  RULE("mstateen_rv64_csrs stateen_reserved_roz mstateen_bit_63_op"),
	  64, STATE, 0,
	  .steps = { POKE(MSTATEEN1, ONES), PEEK(MSTATEEN1, SE),
		     POKE(MSTATEEN0 + 2, ONES), PEEK(MSTATEEN0 + 2, SE),
		     POKE(MSTATEEN0 + 3, ONES), PEEK(MSTATEEN0 + 3, SE),
		     PEEK(MSTATEEN0, 0) } },
	{ "on RV32 they are in the upper halves, CSRIND is bit 28",
	  RULE("stateen_rv32_upper_bits_csrs C171"), 32, STATE, 0,
	  .steps = { POKE(MSTATEEN0, ONES), PEEK(MSTATEEN0, 0),
		     POKE(MSTATEEN0H, ONES32), PEEK(MSTATEEN0H, 0xd0000000),
		     POKE(MSTATEEN0H + 3, ONES32),
		     PEEK(MSTATEEN0H + 3, 0x80000000), MODE(S),
		     CSRW(SISELECT, 0x43), POKE(MSTATEEN0H, 0xc0000000),
		     ILLEGAL_R(SISELECT) } },
	{ "upper halves are not there on RV64", RULE("C139"), 64, STATE | HYP,
	  0,
	  .steps = { ILLEGAL_R(MSTATEEN0H), ILLEGAL_R(HSTATEEN0H), MODE(VS),
		     ILLEGAL_R(HSTATEEN0H) } },
	{ "no bit for state that is not there: CSRIND needs Sscsrind",
	  RULE("stateen_unimplemented_state_roz"), 64, PMU_EXT_SMSTATEEN, 0,
	  .steps = { POKE(MSTATEEN0, ONES), PEEK(MSTATEEN0, SE | ENVCFG) } },
	{ "no custom state, no C",
	  RULE("stateen0_c_op stateen_unimplemented_state_roz"), 64,
	  STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, 7), PEEK(MSTATEEN0, 0),
		     POKE(MSTATEEN0, ONES), POKE(HSTATEEN0, 7),
		     PEEK(HSTATEEN0, 0), POKE(SSTATEEN0, 7),
		     PEEK(SSTATEEN0, 0) } },
	{ "ENVCFG needs S", RULE("stateen_unimplemented_state_roz"), 64,
	  PMU_EXT_SMSTATEEN, PMU_EXT_S,
	  .steps = { POKE(MSTATEEN0, ONES), PEEK(MSTATEEN0, SE),
		     ILLEGAL_R(SSTATEEN0), ILLEGAL_R(HSTATEEN0) } },
	{ "P1P13 is there with hedelegh", RULE("mstateen0_p1p13_op"), 32,
	  STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0H, ONES32), PEEK(MSTATEEN0H, 0xd1000000),
		     POKE(HSTATEEN0H, ONES32), PEEK(HSTATEEN0H, 0xd0000000) } },
	{ "all are 0 at reset", RULE("mstateen_zero_initialization C171"), 64,
	  STATE | HYP, 0,
	  .steps = { PEEK(MSTATEEN0, 0), PEEK(MSTATEEN1, 0),
		     PEEK(MSTATEEN0 + 3, 0), PEEK(HSTATEEN0, 0), MODE(S),
		     ILLEGAL_R(SISELECT), ILLEGAL_R(SENVCFG) } },
	{ "hstateen has the bits of mstateen", RULE("hstateen_encoding"), 64,
	  STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(HSTATEEN0, ONES),
		     PEEK(HSTATEEN0, SE | ENVCFG | CSRIND),
		     POKE(MSTATEEN1, ONES), POKE(HSTATEEN1, ONES),
		     PEEK(HSTATEEN1, SE) } },
	{ "hstateen is there with H", RULE("hstateen_rv64_csrs"), 64, STATE, 0,
	  .steps = { ILLEGAL_R(HSTATEEN0), ILLEGAL_R(HSTATEEN0 + 3) } },
	{ "what mstateen hides is 0 in hstateen, and kept",
	  RULE("mstateen_lower_priv_roz C171"), 64, STATE | HYP, 0,
	  .steps = { POKE(HSTATEEN0, ONES), PEEK(HSTATEEN0, 0),
		     POKE(MSTATEEN0, ONES), PEEK(HSTATEEN0, 0),
		     POKE(HSTATEEN0, ONES), POKE(MSTATEEN0, SE),
		     PEEK(HSTATEEN0, SE), POKE(HSTATEEN0, 0),
		     PEEK(HSTATEEN0, 0), POKE(MSTATEEN0, ONES),
		     PEEK(HSTATEEN0, ENVCFG | CSRIND) } },
	{ "sstateen is all zero",
	  RULE("sstateen_rv64_csrs stateen_reserved_roz "
	       "sstateen_ro1_bits"),
	  0, STATE, 0,
	  .steps = { POKE(SSTATEEN0, ONES), PEEK(SSTATEEN0, 0),
		     POKE(SSTATEEN0 + 1, ONES), PEEK(SSTATEEN0 + 1, 0),
		     POKE(SSTATEEN0 + 2, ONES), PEEK(SSTATEEN0 + 2, 0),
		     POKE(SSTATEEN0 + 3, ONES), PEEK(SSTATEEN0 + 3, 0) } },
	{ "encroaching bits are zero in sstateen for ever",
	  RULE("sstateen_encroachment_bits_roz sstateen_vsmode_access_roz"), 64,
	  STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(HSTATEEN0, ONES), MODE(S),
		     CSRW(SSTATEEN0, ONES), CSRR(SSTATEEN0, 0), MODE(VS),
		     CSRW(SSTATEEN0, ONES), CSRR(SSTATEEN0, 0),
		     POKE(HSTATEEN0, SE), CSRR(SSTATEEN0, 0) } },
	{ "no bit is read-only one",
	  RULE("hstateen_ro1_bits stateen_warl_access"), 64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(HSTATEEN0, 0),
		     PEEK(HSTATEEN0, 0), POKE(MSTATEEN0, 0),
		     PEEK(MSTATEEN0, 0) } },
	{ "without Smstateen there is none, and nothing is hidden",
	  RULE("stateen_op SSCFG-STA-03"), 64, DELEG | HYP, 0,
	  .steps = { ILLEGAL_R(MSTATEEN0), ILLEGAL_R(HSTATEEN0),
		     ILLEGAL_R(SSTATEEN0), MODE(S), CSRW(SISELECT, 1),
		     CSRW(SENVCFG, 1), MODE(VS), CSRW(SISELECT, 2),
		     CSRR(SENVCFG, 1) } },
};

static const struct script gate_rows[] = {
	{ "CSRIND 0: no indirect access from S",
	  RULE("mstateen0_csrind_op sscsrind_csrs_access_control C133 "
	       "SMCD-STA-02 SMCD-STA-03 SMCD-STA-05 SSCFG-STA-01 SSCFG-STA-02"),
	  64, STATE, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     POKE(MSTATEEN0, ~CSRIND), POKE(SISELECT, 0x43), MODE(S),
		     ILLEGAL_R(SISELECT), ILLEGAL_W(SISELECT), ILLEGAL_R(SIREG),
		     ILLEGAL_W(SIREG2), ILLEGAL_R(SIREG3), ILLEGAL_R(SIREG6),
		     MODE(U), ILLEGAL_R(SISELECT) } },
	{ "CSRIND 1: it is as if there were no bit",
	  RULE("mstateen0_csrind_op SMCD-STA-04 SSCFG-STA-03"), 64, STATE, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     POKE(MSTATEEN0, CSRIND), MODE(S), CSRW(SISELECT, 0x40),
		     CSRR(SIREG, 1), MODE(U), ILLEGAL_R(SISELECT) } },
	{ "M-mode asks nobody", RULE("stateen_op C171"), 64, STATE | HYP, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES),
		     CSRW(SISELECT, 0x43), CSRR(SIREG, 0), CSRW(VSISELECT, 1),
		     CSRR(SENVCFG, 0), CSRR(SSTATEEN0, 0), CSRR(HSTATEEN0, 0),
		     CSRR(HENVCFG, 0) } },
	{ "it hides neither counters nor scountinhibit nor scountovf",
	  RULE("C170 C132"), 64, STATE, 0,
	  .steps = { POKE(MENVCFG, CDE), POKE(MCOUNTEREN, ONES), MODE(S),
		     ILLEGAL_R(SISELECT), CSRR(SCOUNTINHIBIT, 0),
		     CSRW(SCOUNTINHIBIT, 8), CSRR(SCOUNTOVF, 0),
		     CSRR(HPMCOUNTER + 3, 0), CSRR(INSTRET, 4) } },
	{ "mstateen0.CSRIND 0 is illegal for guests, too",
	  RULE("sscsrind_csrs_access_control C133"), 64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ~CSRIND), POKE(HSTATEEN0, ONES),
		     POKE(MENVCFG, CDE), POKE(VSISELECT, 0x43), MODE(S),
		     ILLEGAL_R(VSISELECT), ILLEGAL_R(VSIREG), MODE(VS),
		     ILLEGAL_R(SISELECT), ILLEGAL_W(SIREG),
		     ILLEGAL_R(VSISELECT), ILLEGAL_W(VSIREG6), MODE(VU),
		     ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG6),
		     ILLEGAL_R(VSISELECT), ILLEGAL_R(VSIREG) } },
	{ "hstateen0.CSRIND 0 is virtual for guests, whatever CDE is",
	  RULE("hstateen0_csrind_op hypervisor_impl_csrs_access_control C133 "
	       "SSCFG-STA-04 SSCFG-STA-05"),
	  64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(VSISELECT, 0x43), MODE(VS),
		     VIRTUAL_R(SISELECT), VIRTUAL_W(SISELECT), VIRTUAL_R(SIREG),
		     VIRTUAL_W(SIREG2), VIRTUAL_R(SIREG3), POKE(MENVCFG, CDE),
		     VIRTUAL_R(SIREG), VIRTUAL_R(SIREG6), POKE(VSISELECT, 0),
		     VIRTUAL_R(SIREG), MODE(VU), VIRTUAL_R(SISELECT),
		     VIRTUAL_R(SIREG), MODE(S), CSRR(VSISELECT, 0) } },
	{ "hstateen0.CSRIND 1 lets VS-mode at siselect",
	  RULE("hstateen0_csrind_op SSCFG-STA-06"), 64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(HSTATEEN0, CSRIND), MODE(VS),
		     CSRW(SISELECT, 0x43), CSRR(SISELECT, 0x43),
		     PEEK(VSISELECT, 0x43), PEEK(SISELECT, 0), ILLEGAL_R(SIREG),
		     POKE(MENVCFG, CDE), VIRTUAL_R(SIREG), MODE(VU),
		     VIRTUAL_R(SISELECT) } },
	{ "SE of mstateen hides sstateen and hstateen",
	  RULE("mstateen0_se0_op mstateen_bit_63_op stateen_op"), 64,
	  STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ~SE), MODE(S), ILLEGAL_R(SSTATEEN0),
		     ILLEGAL_W(HSTATEEN0), MODE(VS), ILLEGAL_R(SSTATEEN0),
		     ILLEGAL_R(HSTATEEN0), MODE(U), ILLEGAL_R(SSTATEEN0),
		     POKE(MSTATEEN0, SE), MODE(S), CSRR(SSTATEEN0, 0),
		     CSRR(HSTATEEN0, 0), ILLEGAL_R(SSTATEEN0 + 1),
		     ILLEGAL_R(HSTATEEN1), POKE(MSTATEEN1, SE),
		     CSRR(SSTATEEN0 + 1, 0), CSRR(HSTATEEN1, 0) } },
	{ "SE of hstateen hides sstateen from guests",
	  RULE("hstateen0_SE0_op hstateen_bit_63_op "
	       "stateen_illegal_state_access "
	       "hstateen_bit_63_writable"),
	  64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, SE), POKE(MSTATEEN1, SE), MODE(VS),
		     VIRTUAL_R(SSTATEEN0), VIRTUAL_W(SSTATEEN0),
		     POKE(HSTATEEN0, SE), CSRR(SSTATEEN0, 0),
		     VIRTUAL_R(SSTATEEN0 + 1), POKE(HSTATEEN1, SE),
		     CSRR(SSTATEEN0 + 1, 0), VIRTUAL_R(HSTATEEN0), MODE(VU),
		     VIRTUAL_R(SSTATEEN0), MODE(U), ILLEGAL_R(SSTATEEN0) } },
	{ "sstateen hides nothing from U that S may give",
	  RULE("sstateen_user_access_control stateen_op"), 64, STATE, 0,
	  .steps = { POKE(MSTATEEN0, ONES), POKE(MCOUNTEREN, ONES),
		     POKE(SCOUNTEREN, ONES), MODE(U), CSRR(CYCLE, 0),
		     ILLEGAL_R(SSTATEEN0) } },
	{ "ENVCFG hides senvcfg and henvcfg",
	  RULE("mstateen0_envcfg_op hstateen0_envcfg_op"), 64, STATE | HYP, 0,
	  .steps = { POKE(MSTATEEN0, ~ENVCFG), POKE(HSTATEEN0, ONES), MODE(S),
		     ILLEGAL_R(SENVCFG), ILLEGAL_W(HENVCFG), MODE(VS),
		     ILLEGAL_R(SENVCFG), ILLEGAL_R(HENVCFG),
		     POKE(MSTATEEN0, ENVCFG), VIRTUAL_R(SENVCFG),
		     VIRTUAL_W(HENVCFG), POKE(HSTATEEN0, ENVCFG),
		     CSRR(SENVCFG, 0), MODE(VU), VIRTUAL_R(SENVCFG), MODE(S),
		     CSRR(SENVCFG, 0), CSRR(HENVCFG, 0) } },
	{ "ENVCFG hides henvcfgh", RULE("mstateen0_envcfg_op"), 32, STATE | HYP,
	  0,
	  .steps = { MODE(S), ILLEGAL_R(HENVCFGH), POKE(MSTATEEN0H, H(30)),
		     CSRR(HENVCFGH, 0) } },
	{ "P1P13 hides hedelegh", RULE("mstateen0_p1p13_op"), 32, STATE | HYP,
	  0,
	  .steps = { CSRR(HEDELEGH, 0), MODE(S), ILLEGAL_R(HEDELEGH), MODE(VS),
		     ILLEGAL_R(HEDELEGH), POKE(MSTATEEN0H, P1P13 >> 32),
		     VIRTUAL_R(HEDELEGH), MODE(S), CSRR(HEDELEGH, 0),
		     CSRR(HEDELEG, 0) } },
	{ "a refused access retires nothing and changes nothing", RULE("C119"),
	  64, STATE, 0,
	  .steps = { POKE(SISELECT, 0x43), MODE(S), ILLEGAL_W(SISELECT),
		     ILLEGAL_W(SIREG), PEEK(SISELECT, 0x43),
		     PEEK(MINSTRET, 0) } },
};

START_TEST(a_bit_is_there_as_the_rule_says)
{
	script_run(&bit_rows[_i]);
}
END_TEST

START_TEST(a_bit_hides_what_the_rule_says)
{
	script_run(&gate_rows[_i]);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("csr-stateen");
	TCase *tc = tcase_create("csr-stateen");

	tcase_add_loop_test(tc, a_bit_is_there_as_the_rule_says, 0,
			    (int)ARRAY_SIZE(bit_rows));
	tcase_add_loop_test(tc, a_bit_hides_what_the_rule_says, 0,
			    (int)ARRAY_SIZE(gate_rows));
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return unit_main(suite());
}
