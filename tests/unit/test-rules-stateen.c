/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of the manual on select registers (Smcsrind, Sscsrind) and on the
 * state-enable registers as far as they concern bit 60, one row or more for
 * each that says something to test. What is behind the select registers is
 * test-csr-ind.c's.
 */
#include "hart-script.h"
#include "hart-state.h"
#include "unit.h"

#define ONES	UINT64_MAX
#define BIT(n)	(UINT64_C(1) << (n))
#define H	PMU_EXT_H
#define STATE	PMU_EXT_SMSTATEEN
#define IND	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND)
#define DELEG	(IND | PMU_EXT_SMCDELEG | PMU_EXT_SSCCFG)
#define CSRIND	BIT(60)
#define CSRINDH BIT(28)
/* S-mode selects counter @n, which is delegated. */
#define SELECT(n)                                                              \
	POKE(MENVCFG, BIT(60)), POKE(MCOUNTEREN, ONES), MODE(S),               \
		CSRW(SISELECT, 0x40 + (n))
/* Everything of an H hart but the bits of the state-enables. */
#define GUEST	POKE(MENVCFG, BIT(60)), POKE(MCOUNTEREN, ONES)
#define VSIREG2 (VSIREG + 1)

static const struct script select_rows[] = {
	{ "a select value is no CSR number",
	  RULE("select_value_separate_address_space"), 64, .add = DELEG,
	  .steps = { SELECT(0), CSRW(SISELECT, MCOUNTINHIBIT), ILLEGAL_R(SIREG),
		     CSRW(SISELECT, MHPMCOUNTER + 3), ILLEGAL_R(SIREG) } },
	{ "a counter's select value is not its CSR number",
	  RULE("select_value_unrelated"), 64, .add = DELEG,
	  .steps = { POKE(MHPMCOUNTER + 3, 77), SELECT(3), CSRR(SIREG, 77) } },
	{ "miselect holds what siselect holds, and no more",
	  RULE("miselect_WARL miselect_min_sz"), 0, .add = DELEG,
	  .steps = { CSRW(MISELECT, 0xfff), CSRR(MISELECT, 0xfff),
		     CSRW(MISELECT, 0x5f), CSRR(MISELECT, 0x5f) } },
	{ "no value of miselect has a register",
	  RULE("miselect_value_range mireg_access_behaviour"), 0, .add = DELEG,
	  .steps = { CSRW(MISELECT, 0), ILLEGAL_R(MIREG), ILLEGAL_W(MIREG),
		     CSRW(MISELECT, 0x40), ILLEGAL_R(MIREG),
		     CSRW(MISELECT, 0xfff), ILLEGAL_R(MIREG) } },
	{ "behind other values there is nothing",
	  RULE("sireg_access_on_illegal_siselect"), 64, .add = DELEG,
	  .steps = { SELECT(32), ILLEGAL_R(SIREG), ILLEGAL_W(SIREG), MODE(M),
		     ILLEGAL_R(SIREG), CSRW(SISELECT, 0x3f),
		     ILLEGAL_R(SIREG) } },
	{ "behind a counter's there is the counter",
	  RULE("sireg_access_on_legal_siselect"), 64, .add = DELEG,
	  .steps = { SELECT(3), CSRW(SIREG, 5), CSRR(SIREG, 5),
		     PEEK(MHPMCOUNTER + 3, 5), ILLEGAL_R(SIREG3) } },
	{ "or zero, or an exception", RULE("sireg_access_behaviour"), 64,
	  .add = DELEG, .hpm_mask = BIT(3),
	  .steps = { SELECT(3), CSRW(SIREG, 5), CSRR(SIREG, 5), SELECT(4),
		     CSRW(SIREG, 5), CSRR(SIREG, 0), SELECT(1),
		     ILLEGAL_R(SIREG) } },
	{ "vsiselect holds 0 to 0xfff", RULE("vsiselect_min_range C169"), 0,
	  .add = DELEG | H,
	  .steps = { CSRW(VSISELECT, 0xfff), CSRR(VSISELECT, 0xfff), MODE(S),
		     CSRW(VSISELECT, 0x41), CSRR(VSISELECT, 0x41), MODE(VS),
		     CSRR(SISELECT, 0x41), CSRW(SISELECT, 0xabc), MODE(M),
		     CSRR(VSISELECT, 0xabc) } },
	{ "guests have no vsiselect, users of guests no siselect",
	  RULE("sscsrind_virtual_inst_fault C133"), 0, .add = DELEG | H,
	  .steps = { GUEST, MODE(VS), VIRTUAL_R(VSISELECT),
		     VIRTUAL_W(VSISELECT), VIRTUAL_R(VSIREG), MODE(VU),
		     VIRTUAL_R(VSISELECT), VIRTUAL_W(VSIREG),
		     VIRTUAL_R(SISELECT), VIRTUAL_W(SISELECT), VIRTUAL_R(SIREG),
		     VIRTUAL_W(SIREG6) } },
	{ "users have neither", RULE("C133"), 0, .add = DELEG | H,
	  .steps = { MODE(U), ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG),
		     ILLEGAL_R(VSISELECT), ILLEGAL_R(VSIREG) } },
	{ "vsireg of a value that none has",
	  RULE("vsireg_access_behaviour vsireg_access_on_legal_vsiselect"), 64,
	  .add = DELEG | H,
	  .steps = { CSRW(VSISELECT, 0x40), GUEST, ILLEGAL_R(VSIREG), MODE(S),
		     ILLEGAL_R(VSIREG), ILLEGAL_R(VSIREG2), MODE(VS),
		     VIRTUAL_R(SIREG), CSRW(SISELECT, 0x60),
		     ILLEGAL_R(SIREG) } },
	{ "a counter of HS is none of VS's", RULE("vsmode_virtual_inst_fault"),
	  64, .add = DELEG | H,
	  .steps = { GUEST, MODE(VS), CSRW(SISELECT, 0x43), VIRTUAL_R(SIREG),
		     VIRTUAL_W(SIREG2), MODE(S), CSRW(SISELECT, 0x43),
		     CSRR(SIREG, 0) } },
};

TEST_ROWS(select_registers_are_as_the_manual_says, select_rows)
{
	script_run(&select_rows[_i]);
}

static const struct script stateen_rows[] = {
	{ "four of each level", RULE("mstateen_rv64_csrs"), 64,
	  .add = STATE | H,
	  .steps = { CSRR(MSTATEEN0, 0), CSRR(MSTATEEN0 + 1, 0),
		     CSRR(MSTATEEN0 + 2, 0), CSRR(MSTATEEN0 + 3, 0) } },
	{ "four of HS", RULE("hstateen_rv64_csrs"), 64, .add = STATE | H,
	  .steps = { CSRR(HSTATEEN0, 0), CSRR(HSTATEEN0 + 1, 0),
		     CSRR(HSTATEEN0 + 2, 0), CSRR(HSTATEEN0 + 3, 0) } },
	{ "none of HS without H", RULE("hstateen_rv64_csrs"), 0, .add = STATE,
	  .steps = { ILLEGAL_R(HSTATEEN0), ILLEGAL_R(HSTATEEN0 + 3) } },
	{ "four of S, without a bit", RULE("sstateen_rv64_csrs"), 0,
	  .add = STATE,
	  .steps = { POKE(SSTATEEN0, ONES), CSRR(SSTATEEN0, 0),
		     CSRR(SSTATEEN0 + 1, 0), CSRR(SSTATEEN0 + 2, 0),
		     CSRR(SSTATEEN0 + 3, 0) } },
	{ "none of S without S", RULE("sstateen_rv64_csrs"), 0, .add = STATE,
	  .del = PMU_EXT_S, .steps = { ILLEGAL_R(SSTATEEN0) } },
	{ "RV32 has high halves", RULE("stateen_rv32_upper_bits_csrs C171"), 32,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0H, CSRINDH), PEEK(MSTATEEN0H, CSRINDH),
		     PEEK(MSTATEEN0, 0), POKE(HSTATEEN0H, CSRINDH),
		     PEEK(HSTATEEN0H, CSRINDH), PEEK(HSTATEEN0, 0) } },
	{ "RV64 has none", RULE("stateen_rv32_upper_bits_csrs"), 64,
	  .add = STATE | H,
	  .steps = { ILLEGAL_R(MSTATEEN0H), ILLEGAL_R(HSTATEEN0H) } },
	{ "not its own level", RULE("stateen_op"), 0, .add = STATE | DELEG,
	  .steps = { CSRR(MSTATEEN0, 0), CSRW(SISELECT, 0x43),
		     CSRR(SISELECT, 0x43) } },
	{ "bit 60: S, and what it keeps S from",
	  RULE("mstateen0_csrind_op sscsrind_csrs_access_control C133"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { GUEST, MODE(S), ILLEGAL_R(SISELECT), ILLEGAL_W(SISELECT),
		     ILLEGAL_R(SIREG), ILLEGAL_R(SIREG6), ILLEGAL_R(VSISELECT),
		     ILLEGAL_R(VSIREG), POKE(MSTATEEN0, CSRIND),
		     CSRW(SISELECT, 0x43), CSRR(SIREG, 0),
		     CSRR(VSISELECT, 0) } },
	{ "bit 60 of M comes first, for guests too",
	  RULE("stateen_illegal_state_access C133"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { GUEST, MODE(VS), ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG),
		     ILLEGAL_R(VSISELECT), MODE(VU), ILLEGAL_R(SISELECT),
		     ILLEGAL_W(VSIREG) } },
	{ "bit 60 of HS: guests",
	  RULE("hstateen0_csrind_op hypervisor_impl_csrs_access_control"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { GUEST, POKE(MSTATEEN0, CSRIND), MODE(VS),
		     VIRTUAL_R(SISELECT), VIRTUAL_R(SIREG), MODE(S),
		     CSRW(SISELECT, 0x43), CSRR(SIREG, 0),
		     POKE(HSTATEEN0, CSRIND), MODE(VS), CSRW(SISELECT, 0x43),
		     VIRTUAL_R(SIREG), POKE(MENVCFG, 0), ILLEGAL_R(SIREG) } },
	{ "bit 60 of HS comes before CDE", RULE("C133"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, CSRIND), MODE(VS), VIRTUAL_R(SISELECT),
		     VIRTUAL_R(SIREG) } },
	{ "bit 60 keeps nobody from a counter or scountinhibit", RULE("C170"),
	  64, .add = STATE | DELEG,
	  .steps = { GUEST, MODE(S), CSRR(SCOUNTINHIBIT, 0), CSRR(CYCLE, 1),
		     CSRR(SCOUNTOVF, 0) } },
	{ "hstateen0 has the bits of mstateen0", RULE("hstateen_encoding"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, CSRIND), POKE(HSTATEEN0, ONES),
		     PEEK(HSTATEEN0, CSRIND), POKE(MSTATEEN0, ONES),
		     POKE(HSTATEEN0, CSRIND), PEEK(HSTATEEN0, CSRIND) } },
	{ "a bit holds what is written", RULE("stateen_warl_access"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, CSRIND), PEEK(MSTATEEN0, CSRIND),
		     POKE(MSTATEEN0, 0), PEEK(MSTATEEN0, 0) } },
	{ "no bit 60 without select registers",
	  RULE("stateen_unimplemented_state_roz"), 64, .add = STATE | H,
	  .steps = { POKE(MSTATEEN0, CSRIND), PEEK(MSTATEEN0, 0),
		     POKE(HSTATEEN0, CSRIND), PEEK(HSTATEEN0, 0) } },
	{ "bits without a meaning", RULE("stateen_reserved_roz"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, BIT(53) | BIT(40) | BIT(10)),
		     PEEK(MSTATEEN0, 0), POKE(MSTATEEN0 + 1, BIT(60)),
		     PEEK(MSTATEEN0 + 1, 0) } },
	{ "what M has at 0 is 0 in HS, and what was there comes back",
	  RULE("mstateen_lower_priv_roz C171"), 64, .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, CSRIND), POKE(HSTATEEN0, CSRIND),
		     POKE(MSTATEEN0, 0), PEEK(HSTATEEN0, 0), POKE(HSTATEEN0, 0),
		     PEEK(HSTATEEN0, 0), POKE(MSTATEEN0, CSRIND),
		     PEEK(HSTATEEN0, CSRIND) } },
	{ "sstateen0 of a guest", RULE("sstateen_vsmode_access_roz"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, BIT(63)), POKE(HSTATEEN0, BIT(63)),
		     MODE(VS), CSRW(SSTATEEN0, ONES), CSRR(SSTATEEN0, 0) } },
	{ "all zero at reset", RULE("mstateen_zero_initialization C171"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { PEEK(MSTATEEN0, 0), PEEK(HSTATEEN0, 0), GUEST, MODE(S),
		     ILLEGAL_R(SISELECT) } },
	{ "the custom bit is not there", RULE("stateen0_c_op"), 64,
	  .add = STATE | DELEG | H,
	  .steps = { POKE(MSTATEEN0, 1), PEEK(MSTATEEN0, 0), POKE(HSTATEEN0, 1),
		     PEEK(HSTATEEN0, 0) } },
};

TEST_ROWS(state_enables_are_as_the_manual_says, stateen_rows)
{
	script_run(&stateen_rows[_i]);
}

static const struct script other_rows[] = {
	{ "hcounteren is writable where counters are",
	  RULE("shcounterenw_hpmcounter_hcounteren C168"), 0, .add = H,
	  .steps = { POKE(HCOUNTEREN, ONES), PEEK(HCOUNTEREN, 0xffffffff),
		     POKE(HCOUNTEREN, 0), PEEK(HCOUNTEREN, 0) } },
	{ "absent counters: scounteren's bits are as writable",
	  RULE("SSCNTW-RO-01"), 0, .hpm_mask = BIT(3),
	  .steps = { POKE(SCOUNTEREN, ONES), PEEK(SCOUNTEREN, 0xffffffff),
		     POKE(MCOUNTEREN, ONES), MODE(U),
		     CSRR(HPMCOUNTER + 9, 0) } },
	{ "S configures the filter of a delegated cycle",
	  RULE("PMF-DELEG-01 PMF-DELEG-04 csr_supervisor_access"), 64,
	  .add = DELEG,
	  .steps = { SELECT(0), CSRW(SIREG2, PMU_EVENT_SINH),
		     CSRR(SIREG2, PMU_EVENT_SINH),
		     PEEK(MCYCLECFG, PMU_EVENT_SINH), POKE(MCYCLE, 7), RUN(9),
		     CSRR(SIREG, 7) } },
	{ "S configures the filter of a delegated instret",
	  RULE("PMF-DELEG-02"), 64, .add = DELEG,
	  .steps = { SELECT(2), CSRW(SIREG2, PMU_EVENT_UINH),
		     CSRR(SIREG2, PMU_EVENT_UINH),
		     PEEK(MINSTRETCFG, PMU_EVENT_UINH) } },
};

TEST_ROWS(what_else_the_plans_and_rules_ask, other_rows)
{
	script_run(&other_rows[_i]);
}

SUITE("rules-stateen");
