/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CSRs of event-based branches: which bits they have, who may reach them by
 * privilege, Smstateen, sebbcs, hebben and claims, and when ebbret is legal.
 */
#include "hart-script.h"
#include "unit.h"

#define ONES UINT64_MAX
#define EBB  PMU_EXT_XPMUEBB
#define HYP  PMU_EXT_H
#define STA  PMU_EXT_SMSTATEEN
#define UE   PMU_SEBBCS_UE

#define HR     PMU_CSR_EBBHR
#define RR     PMU_CSR_EBBRR
#define CS     PMU_CSR_EBBCS
#define CTL    PMU_CSR_EBBCTL
#define OVF    PMU_CSR_EBBOVF
#define FRZ    PMU_CSR_EBBFRZ
#define OWN    PMU_CSR_EBBOWN
#define CTR(n) (PMU_CSR_EBBCTR3 - 3 + (n))
#define CTRH   PMU_CSR_EBBCTR3H
#define SCS    PMU_CSR_SEBBCS
#define SOWN   PMU_CSR_SEBBOWN
#define CLAIM  PMU_CSR_SEBBCLAIM
#define HEN    PMU_CSR_HEBBEN
#define MEN    PMU_CSR_MEBBEN

#define CLAIMED(set) POKE(MEN, set), POKE(SOWN, set), POKE(SCS, UE)

static const struct script bit_rows[] = {
	{ "which bits there are", RULE("ebb_alert ebb_deliver ebb_users"), 64,
	  EBB, 0,
	  .steps = { POKE(CS, ONES), PEEK(CS, 7), POKE(CTL, ONES),
		     PEEK(CTL, 15), POKE(SCS, ONES), PEEK(SCS, 3),
		     POKE(MEN, ONES), PEEK(MEN, 0xfffffff8), POKE(SOWN, ONES),
		     PEEK(SOWN, 0xfffffff8), PEEK(OWN, 0xfffffff8),
		     POKE(FRZ, ONES), PEEK(FRZ, 0xfffffff8) } },
	{ "masks have the counters that are there", RULE("ebb_permit"), 0, EBB,
	  0,
	  .steps = { POKE(MEN, ONES), PEEK(MEN, 0x28), POKE(SOWN, ONES),
		     PEEK(SOWN, 0x28) },
	  .hpm_mask = 0x28 },
	{ "addresses are those of instructions", RULE("ebb_addresses"), 64, EBB,
	  0,
	  .steps = { POKE(HR, ONES), PEEK(HR, ONES - 1), POKE(RR, 3),
		     PEEK(RR, 2) } },
	{ "of long ones without C", RULE("ebb_addresses"), 32, EBB, PMU_EXT_C,
	  .steps = { POKE(HR, ONES), PEEK(HR, 0xfffffffc), POKE(RR, 7),
		     PEEK(RR, 4) } },
	{ "a counter's value in halves", RULE("ebb_rearm"), 32, EBB, 0,
	  .steps = { CLAIMED(8), MODE(U), CSRW(CTRH, 5), CSRW(CTR(3), 7),
		     CSRR(CTRH, 5), CSRR(CTR(3), 7), MODE(M),
		     PEEK(MHPMCOUNTERH + 3, 5), ILLEGAL_R(CTR(4)),
		     ILLEGAL_R(CTRH + 1) } },
	{ "no upper halves on RV64", RULE("ebb_rearm"), 64, EBB, 0,
	  .steps = { CLAIMED(8), ILLEGAL_R(CTRH) } },
	{ "a counter of 12 bits", RULE("ebb_rearm"), 64, EBB, 0,
	  .steps = { CLAIMED(8), MODE(U), CSRW(CTR(3), ONES),
		     CSRR(CTR(3), 0xfff) },
	  .width = 12 },
	{ "OF is cleared by writing 0, and never set", RULE("ebb_rearm"), 64,
	  EBB, 0,
	  .steps = { CLAIMED(0x18), POKE(MHPMEVENT + 3, PMU_EVENT_OF | 2),
		     POKE(MHPMEVENT + 4, PMU_EVENT_OF | 2), MODE(U),
		     CSRR(OVF, 0x18), CSRC(OVF, 8), CSRR(OVF, 0x10),
		     CSRW(OVF, 0x18), CSRR(OVF, 0x10), PEEK(MHPMEVENT + 3, 2),
		     CSRW(OVF, 0), CSRR(OVF, 0) } },
	{ "S-mode restores OF by it, of claimed counters",
	  RULE("ebb_switch ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(0x18), POKE(MHPMEVENT + 3, 2), MODE(S),
		     CSRW(OVF, 0x28), CSRR(OVF, 8), PEEK(SCOUNTOVF, 8),
		     CSRW(OVF, 0x10), CSRR(OVF, 0x10), PEEK(SCOUNTOVF, 0x10),
		     PEEK(MIP, 0), PEEK(CTL, 0) } },
	{ "ebbown cannot be written", RULE("ebb_claim"), 0, EBB, 0,
	  .steps = { CLAIMED(8), MODE(U), CSRW(OWN, 0x10), CSRR(OWN, 8) } },
	{ "a claim takes all or nothing", RULE("C155 ebb_claim"), 0, EBB, 0,
	  .steps = { POKE(MEN, 0x38), MODE(S), CSRW(CLAIM, 0x18),
		     CSRR(CLAIM, 0x18), CSRR(SOWN, 0x18), CSRW(CLAIM, 0x30),
		     CSRR(CLAIM, 0), CSRR(SOWN, 0x18), CSRW(CLAIM, 0x60),
		     CSRR(CLAIM, 0), CSRW(CLAIM, 0x20), CSRR(CLAIM, 0x20),
		     CSRR(SOWN, 0x38), CSRC(SOWN, 0x10), CSRR(SOWN, 0x28) } },
	{ "a guest freezes what is its own, and sees no more",
	  RULE("ebb_user_freeze ebb_guests"), 0, EBB | HYP, 0,
	  .steps = { CLAIMED(0x18), POKE(HEN, 0x10), CSRW(FRZ, 8), MODE(VU),
		     CSRR(FRZ, 0), CSRW(FRZ, ONES), CSRR(FRZ, 0x10),
		     PEEK(FRZ, 0x18), CSRW(FRZ, 0), PEEK(FRZ, 8), MODE(VS),
		     CSRS(FRZ, 0x10), PEEK(FRZ, 0x18), MODE(U), CSRC(FRZ, 8),
		     PEEK(FRZ, 0x10) } },
	{ "a guest arms its own counters again", RULE("ebb_rearm ebb_guests"),
	  0, EBB | HYP, 0,
	  .steps = { CLAIMED(0x18), POKE(HEN, 0x10), POKE(OVF, 0x18),
		     PEEK(OVF, 0x18), MODE(VU), CSRR(OVF, 0x10), CSRW(OVF, 0),
		     PEEK(OVF, 8), CSRW(OVF, 0x10), PEEK(OVF, 8), MODE(VS),
		     CSRW(OVF, 0x18), PEEK(OVF, 0x18), CSRW(OVF, 0),
		     PEEK(OVF, 8) } },
	{ "a claim that ends takes its freeze along",
	  RULE("ebb_user_freeze ebb_claim"), 0, EBB, 0,
	  .steps = { CLAIMED(0x18), POKE(MHPMEVENT + 3, 2), POKE(FRZ, 0x18),
		     MODE(S), CSRW(SOWN, 0x10), CSRR(FRZ, 0x10), CSRW(SOWN, 0),
		     CSRW(CLAIM, 0x18), CSRR(FRZ, 0), RUN(5),
		     POKE(MHPMCOUNTER + 3, 0), RUN(5),
		     PEEK(MHPMCOUNTER + 3, 5) } },
	{ "also one that M-mode has ended", RULE("ebb_user_freeze ebb_permit"),
	  0, EBB, 0,
	  .steps = { CLAIMED(0x18), POKE(FRZ, 0x18), POKE(MEN, 8), PEEK(FRZ, 8),
		     POKE(MEN, 0x18), POKE(SOWN, 0x18), PEEK(FRZ, 8) } },
	{ "and a guest's", RULE("ebb_user_freeze ebb_guests"), 0, EBB | HYP, 0,
	  .steps = { CLAIMED(0x18), POKE(HEN, 0x10), POKE(FRZ, 0x18), MODE(VS),
		     CSRW(SOWN, 0), PEEK(FRZ, 8), CSRW(CLAIM, 0x10),
		     CSRR(FRZ, 0), PEEK(FRZ, 8) } },
	{ "a guest reads of the last claim what is left to it",
	  RULE("ebb_claim ebb_guests"), 0, EBB | HYP, 0,
	  .steps = { POKE(MEN, 0x38), POKE(HEN, 0x20), MODE(S),
		     CSRW(CLAIM, 0x18), MODE(VS), CSRR(CLAIM, 0), MODE(M),
		     POKE(HEN, 0x30), MODE(VS), CSRR(CLAIM, 0x10), MODE(S),
		     CSRR(CLAIM, 0x18) } },
	{ "a switch restores freezes of what it claims meanwhile",
	  RULE("ebb_user_freeze ebb_switch"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(MEN, 0x18), MODE(S),
		     CSRS(SCS, PMU_SEBBCS_FZ), CSRW(SOWN, 0x18),
		     CSRW(FRZ, 0x10), CSRW(SOWN, 0x10),
		     CSRC(SCS, PMU_SEBBCS_FZ), CSRR(FRZ, 0x10) } },
	{ "what freezes does at once", RULE("ebb_user_freeze ebb_freeze"), 0,
	  EBB, 0, .steps = { CLAIMED(8),
			     POKE(MHPMEVENT + 3, 2),
			     POKE(FRZ, 8),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 0),
			     POKE(FRZ, 0),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 5),
			     POKE(SCS, UE | PMU_SEBBCS_FZ),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 5),
			     POKE(SCS, UE),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 10),
			     POKE(CTL, PMU_EBBCTL_FC),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 10),
			     POKE(CTL, 0),
			     RUN(5),
			     PEEK(MHPMCOUNTER + 3, 15) } },
	{ "hebben has the counters that are there", RULE("ebb_guests"), 0,
	  EBB | HYP, 0,
	  .steps = { POKE(HEN, ONES), PEEK(HEN, 0x28), CSRW(HEN, 8),
		     EFFECTS(PMU_FX_IRQ), PEEK(HEN, 8) },
	  .hpm_mask = 0x28 },
	{ "what a claim may change beside it", RULE("ebb_claim"), 64, EBB, 0,
	  .steps = { POKE(MEN, 0x18), CSRW(CLAIM, 8), EFFECTS(PMU_FX_COUNT),
		     CSRR(CLAIM, 8), CSRW(CLAIM, 8), EFFECTS(PMU_FX_COUNT),
		     CSRR(CLAIM, 0), CSRW(HR, 4), EFFECTS(0), CSRW(RR, 4),
		     EFFECTS(0) } },
	{ "what a write may change beside the CSR", RULE("ebb_users"), 64, EBB,
	  0,
	  .steps = { CLAIMED(8), CSRW(CTL, 0),
		     EFFECTS(PMU_FX_IRQ | PMU_FX_COUNT), CSRW(CS, 0),
		     EFFECTS(PMU_FX_IRQ), CSRW(FRZ, 0), EFFECTS(PMU_FX_COUNT),
		     CSRW(OVF, 0), EFFECTS(PMU_FX_COUNT), CSRW(SOWN, 8),
		     EFFECTS(PMU_FX_COUNT), CSRW(SCS, UE),
		     EFFECTS(PMU_FX_IRQ | PMU_FX_COUNT), CSRW(MEN, 8),
		     EFFECTS(PMU_FX_COUNT), CSRW(CTR(3), 0),
		     EFFECTS(PMU_FX_COUNT) } },
};

TEST_ROWS(bits_are_as_the_rule_says, bit_rows)
{
	script_run(&bit_rows[_i]);
}

static const struct script access_rows[] = {
	{ "without the extension none of them is there", RULE("ebb_discover"),
	  0, HYP, 0,
	  .steps = { ILLEGAL_R(HR), ILLEGAL_R(CTR(3)), ILLEGAL_R(SCS),
		     ILLEGAL_R(HEN), ILLEGAL_R(MEN), MODE(U), ILLEGAL_R(OWN),
		     MODE(VU), ILLEGAL_R(HR), ILLEGAL_R(SCS) } },
	{ "users have nothing before S-mode says so", RULE("ebb_users"), 0, EBB,
	  0,
	  .steps = { POKE(MEN, 8), POKE(SOWN, 8), MODE(U), ILLEGAL_R(HR),
		     ILLEGAL_W(HR), ILLEGAL_R(CTL), ILLEGAL_R(CTR(3)),
		     ILLEGAL_R(OWN), MODE(S), CSRR(HR, 0), CSRR(CTR(3), 0),
		     CSRW(SCS, UE), MODE(U), CSRW(HR, 2), CSRR(HR, 2),
		     CSRR(CTL, 0) } },
	{ "a user without a claim has handler and status, no counters",
	  RULE("C154 C157 ebb_users"), 0, EBB, 0,
	  .steps = { POKE(SCS, UE), MODE(U), CSRW(HR, 4), CSRR(HR, 4),
		     CSRW(RR, 8), CSRR(RR, 8), CSRW(CS, 3), CSRR(CS, 3),
		     CSRR(OWN, 0), ILLEGAL_R(CTL), ILLEGAL_W(CTL),
		     ILLEGAL_R(OVF), ILLEGAL_R(FRZ), ILLEGAL_R(CTR(3)) } },
	{ "the last claim given up takes their access away",
	  RULE("C157 ebb_claim"), 0, EBB, 0,
	  .steps = { CLAIMED(8), MODE(U), CSRR(CTL, 0), CSRW(CTR(3), 1),
		     ILLEGAL_R(CTR(4)), POKE(SOWN, 0), ILLEGAL_W(CTR(3)),
		     ILLEGAL_R(CTR(3)), ILLEGAL_R(CTL), ILLEGAL_R(OVF) } },
	{ "S-mode has no counter by it that is not claimed", RULE("ebb_claim"),
	  0, EBB, 0,
	  .steps = { POKE(MEN, 0x18), MODE(S), ILLEGAL_W(CTR(3)), CSRW(SOWN, 8),
		     CSRW(CTR(3), 9), CSRR(CTR(3), 9), ILLEGAL_R(CTR(4)),
		     MODE(M), ILLEGAL_R(CTR(4)) } },
	{ "U-mode reaches nothing of S-mode's, S-mode nothing of M-mode's",
	  RULE("C159 ebb_permit"), 0, EBB, 0,
	  .steps = { POKE(SCS, UE), MODE(U), ILLEGAL_R(SCS), ILLEGAL_R(SOWN),
		     ILLEGAL_R(CLAIM), ILLEGAL_R(MEN), MODE(S), ILLEGAL_R(MEN),
		     CSRR(SOWN, 0) } },
	{ "without S-mode, M-mode does its part", RULE("ebb_users"), 0, EBB,
	  PMU_EXT_S,
	  .steps = { POKE(MEN, 8), CSRW(CLAIM, 8), CSRR(CLAIM, 8),
		     CSRW(SCS, UE), MODE(U), CSRW(CTR(3), 1),
		     ILLEGAL_R(SCS) } },
	{ "Smstateen: C of mstateen0 for all below M",
	  RULE("C181 ebb_stateen stateen0_c_op"), 0, EBB | STA, 0,
	  .steps = { POKE(MSTATEEN0, 7), PEEK(MSTATEEN0, 1), POKE(MSTATEEN0, 0),
		     CLAIMED(8), MODE(S), ILLEGAL_R(SCS), ILLEGAL_R(HR),
		     POKE(MSTATEEN0, 1), CSRR(HR, 0), CSRR(SCS, UE), MODE(U),
		     ILLEGAL_R(HR), POKE(SSTATEEN0, 7), PEEK(SSTATEEN0, 1),
		     CSRR(HR, 0), CSRR(CTR(3), 0) } },
	{ "Smstateen without S-mode: mstateen0 alone", RULE("C181 ebb_stateen"),
	  0, EBB | STA, PMU_EXT_S,
	  .steps = { CLAIMED(8), MODE(U), ILLEGAL_R(HR), POKE(MSTATEEN0, 1),
		     CSRR(HR, 0) } },
	{ "sstateen0.C is 0 where those above are",
	  RULE("sstateen_vsmode_access_roz C181"), 64, EBB | STA | HYP, 0,
	  .steps = { POKE(SSTATEEN0, 1), PEEK(SSTATEEN0, 1),
		     POKE(MSTATEEN0, UINT64_C(1) << 63),
		     POKE(HSTATEEN0, UINT64_C(1) << 63), MODE(S),
		     CSRR(SSTATEEN0, 0), CSRW(SSTATEEN0, 0), PEEK(SSTATEEN0, 1),
		     POKE(MSTATEEN0, UINT64_C(1) << 63 | 1), CSRR(SSTATEEN0, 1),
		     MODE(VS), CSRR(SSTATEEN0, 0),
		     POKE(HSTATEEN0, UINT64_C(1) << 63 | 1),
		     CSRR(SSTATEEN0, 1) } },
	{ "hstateen0.C is the guest's", RULE("C181 ebb_stateen"), 0,
	  EBB | STA | HYP, 0,
	  .steps = { CLAIMED(8), POKE(HEN, 8), POKE(MSTATEEN0, 1),
		     POKE(SSTATEEN0, 1), MODE(VS), VIRTUAL_R(HR),
		     VIRTUAL_R(SCS), MODE(VU), VIRTUAL_R(HR),
		     POKE(HSTATEEN0, 1), CSRR(HR, 0), MODE(VS), CSRR(HR, 0),
		     POKE(SSTATEEN0, 0), MODE(VU), VIRTUAL_R(HR),
		     POKE(MSTATEEN0, 0), ILLEGAL_R(HR) } },
	{ "hebben: a guest has what the hypervisor leaves it",
	  RULE("ebb_guests"), 0,
	  EBB | HYP, 0, .steps = { CLAIMED(0x18),     MODE(VS),
				   VIRTUAL_R(SCS),    VIRTUAL_R(HR),
				   MODE(VU),	      VIRTUAL_R(HR),
				   VIRTUAL_R(SCS),    POKE(HEN, 0x30),
				   MODE(VS),	      CSRR(SOWN, 0x10),
				   CSRW(SOWN, 0),     PEEK(SOWN, 8),
				   VIRTUAL_R(CTR(3)), CSRW(CLAIM, 0x18),
				   CSRR(CLAIM, 0),    CSRW(CLAIM, 0x10),
				   CSRR(SOWN, 0x10),  PEEK(SOWN, 0x18),
				   ILLEGAL_R(MEN),    VIRTUAL_R(HEN),
				   MODE(VU),	      CSRW(CTR(4), 1),
				   VIRTUAL_R(CTR(3)), ILLEGAL_R(CTR(5)) } },
	{ "without hebben it is virtual what would not be illegal anyhow",
	  RULE("ebb_guests ebb_claim"), 0, EBB | HYP, 0,
	  .steps = { POKE(MEN, 0x18),	POKE(SCS, UE),	MODE(VS),
		     VIRTUAL_R(SCS),	VIRTUAL_R(CTL), ILLEGAL_R(CTR(3)),
		     ILLEGAL_R(MEN),	MODE(VU),	VIRTUAL_R(HR),
		     ILLEGAL_R(CTL),	ILLEGAL_R(OVF), ILLEGAL_R(FRZ),
		     ILLEGAL_R(CTR(3)), POKE(SOWN, 8),	VIRTUAL_R(CTL),
		     VIRTUAL_R(OVF),	VIRTUAL_R(FRZ), VIRTUAL_R(CTR(3)),
		     ILLEGAL_R(CTR(4)), MODE(VS),	VIRTUAL_R(CTR(3)),
		     ILLEGAL_R(CTR(4)) } },
	{ "S-mode has hebben with H alone", RULE("ebb_guests"), 0, EBB, 0,
	  .steps = { ILLEGAL_R(HEN), MODE(S), ILLEGAL_R(HEN) } },
};

TEST_ROWS(access_is_as_the_rule_says, access_rows)
{
	script_run(&access_rows[_i]);
}

static const struct ebbret_row {
	const char *why, *rule;
	uint64_t ext;
	enum pmu_mode mode;
	bool users, guests;
	uint32_t insn;
	enum pmu_exec_kind kind;
	uint8_t cause;
} ebbret_rows[] = {
	{ "ebbret in U", RULE("C182 ebb_return"), EBB, PMU_MODE_U, true, false,
	  0x8c100073, PMU_EXEC_RETIRED, 0 },
	{ "in M", RULE("ebb_return"), EBB, PMU_MODE_M, true, false, 0x8c100073,
	  PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "in S", RULE("ebb_return"), EBB, PMU_MODE_S, true, false, 0x8c000073,
	  PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "in VS", RULE("ebb_return"), EBB | HYP, PMU_MODE_VS, true, true,
	  0x8c000073, PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "in VU", RULE("ebb_return ebb_guests"), EBB | HYP, PMU_MODE_VU, true,
	  true, 0x8c000073, PMU_EXEC_RETIRED, 0 },
	{ "in VU without hebben", RULE("ebb_guests"), EBB | HYP, PMU_MODE_VU,
	  true, false, 0x8c000073, PMU_EXEC_TRAP, PMU_CAUSE_VIRTUAL },
	{ "where users have it not", RULE("ebb_users"), EBB, PMU_MODE_U, false,
	  false, 0x8c100073, PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "without the extension", RULE("ebb_discover"), 0, PMU_MODE_U, false,
	  false, 0x8c100073, PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "rs2 of 2 is none", RULE("ebb_return"), EBB, PMU_MODE_U, true, false,
	  0x8c200073, PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
	{ "nor is one with rd", RULE("ebb_return"), EBB, PMU_MODE_U, true,
	  false, 0x8c1000f3, PMU_EXEC_TRAP, PMU_CAUSE_ILLEGAL },
};

TEST_ROWS(ebbret_is_as_the_rule_says, ebbret_rows)
{
	const struct ebbret_row *row = &ebbret_rows[_i];
	const struct script s = { .add = (uint32_t)row->ext };
	struct pmu_exec_in in = { .pc = 0x1000, .insn = row->insn };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_exec_out out;
	unsigned effects = 0;

	shows(row->rule);
	if (row->users)
		pmu_csr_poke(h, SCS, 0, UE, &effects);
	if (row->guests)
		pmu_csr_poke(h, HEN, 0, 8, &effects);
	pmu_hart_set_mode(h, row->mode);
	pmu_exec(h, &in, &out);
	ck_assert_msg(out.kind == row->kind, "%s", row->why);
	if (row->kind == PMU_EXEC_TRAP)
		ck_assert_uint_eq(out.trap.cause, row->cause);
	ck_assert_uint_eq(pmu_hart_insns(h), row->kind == PMU_EXEC_RETIRED);
	pmu_hart_free(h);
}

SUITE("csr-ebb");
