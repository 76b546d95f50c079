/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event-based branches: what an overflow of a claimed counter does, when the
 * branch is taken and when it is held, and how a handler arms itself again.
 */
#include <pmu/error.h>

#include "hart-script.h"
#include "unit.h"

#define ONES  UINT64_C(0xffffffff) /* of counters of 32 bits */
#define C(n)  (MHPMCOUNTER + (n))
#define E(n)  (MHPMEVENT + (n))
#define INSNS UINT64_C(2) /* the selectors */
#define CYCLE UINT64_C(1)
#define OF    PMU_EVENT_OF
#define EBB   PMU_EXT_XPMUEBB
#define HYP   PMU_EXT_H

#define HR	PMU_CSR_EBBHR
#define RR	PMU_CSR_EBBRR
#define CS	PMU_CSR_EBBCS
#define CTL	PMU_CSR_EBBCTL
#define OVF	PMU_CSR_EBBOVF
#define FRZ	PMU_CSR_EBBFRZ
#define CTR(n)	(PMU_CSR_EBBCTR3 - 3 + (n))
#define SCS	PMU_CSR_SEBBCS
#define SOWN	PMU_CSR_SEBBOWN
#define MEN	PMU_CSR_MEBBEN
#define HEN	PMU_CSR_HEBBEN
#define GE	PMU_EBBCS_GE
#define PE	PMU_EBBCS_PE
#define EO	PMU_EBBCS_EO
#define AE	PMU_EBBCTL_AE
#define AO	PMU_EBBCTL_AO
#define FA	PMU_EBBCTL_FA
#define FC	PMU_EBBCTL_FC
#define LCOFIP	0x2000
#define HANDLER 0x4000

/* @set is claimed, its users have it; enabled, armed as @ctl says. */
#define CLAIMED(set) POKE(MEN, set), POKE(SOWN, set), POKE(SCS, PMU_SEBBCS_UE)
#define ARMED(ctl)   POKE(HR, HANDLER), POKE(CS, GE | PE), POKE(CTL, ctl)
#define FULL(n)	     POKE(E(n), INSNS), POKE(C(n), ONES)

/* On RV32 and RV64 a counter is full at the same value. */
static void run_script(const struct script *row)
{
	struct script s = *row;

	s.width = 32;
	script_run(&s);
}

static const struct script alert_rows[] = {
	{ "an overflow becomes an alert, and no interrupt",
	  RULE("C149 C159 ebb_alert ebb_lcofi"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), RUN(1), PEEK(CTL, AO),
		     PEEK(MIP, 0), PEEK(SCOUNTOVF, 8), PEEK(OVF, 8),
		     OVERFLOWED(3, 1), TAKE(8) } },
	{ "at any privilege, enabled or not; it freezes if asked to",
	  RULE("C149 C153 ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(CTL, AE | FA), FULL(3), MODE(S), RUN(1),
		     PEEK(CTL, AO | FA | FC), RUN(5), PEEK(C(3), 0),
		     EBB_DUE(0) } },
	{ "without AE an overflow sets OF alone, and never freezes",
	  RULE("C151 C153 ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(CTL, FA), FULL(3), RUN(1), PEEK(CTL, FA),
		     PEEK(OVF, 8), PEEK(MIP, 0), TAKE(8), POKE(C(3), ONES),
		     RUN(1), TAKE(0) } },
	{ "OF set already: a further overflow is no alert",
	  RULE("C151 ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(8), FULL(3), RUN(1), POKE(CTL, AE),
		     POKE(C(3), ONES), RUN(1), PEEK(CTL, AE) } },
	{ "one alert for several counters, each with its OF",
	  RULE("C149 ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(0x18), ARMED(AE | FA), FULL(3), FULL(4), RUN(1),
		     PEEK(CTL, AO | FA | FC), PEEK(OVF, 0x18), TAKE(0x18) } },
	{ "a counter that is not claimed asks S-mode as ever",
	  RULE("C159 ebb_lcofi"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(4), RUN(1), PEEK(CTL, AE),
		     PEEK(MIP, LCOFIP), PEEK(OVF, 0) } },
	{ "no permission, no claim: a counter is as Sscofpmf says",
	  RULE("C159 ebb_permit"), 0, EBB, 0,
	  .steps = { POKE(SOWN, 8), PEEK(SOWN, 0), ARMED(AE), FULL(3), RUN(1),
		     PEEK(MIP, LCOFIP), PEEK(CTL, AE) } },
	{ "what M-mode takes back is no claim any more",
	  RULE("C159 ebb_permit"), 0, EBB, 0,
	  .steps = { CLAIMED(0x18), ARMED(AE), POKE(MEN, 0x10),
		     PEEK(SOWN, 0x10), POKE(MEN, 0x18), PEEK(SOWN, 0x10),
		     FULL(3), RUN(1), PEEK(MIP, LCOFIP), PEEK(CTL, AE) } },
	{ "the freeze acts behind the instruction that overflowed",
	  RULE("ebb_freeze"), 0, EBB, 0,
	  .steps = { CLAIMED(0x38), ARMED(AE | FA), FULL(3), POKE(E(4), CYCLE),
		     POKE(E(5), 0x5), COUNT(BRANCHES, 2), RUN(1), PEEK(C(4), 2),
		     PEEK(C(5), 2), RUN(3), PEEK(C(4), 2), PEEK(MINSTRET, 4) },
	  .cpi = 2 },
	{ "a trap's cost is the last that a counter sees", RULE("ebb_freeze"),
	  0, EBB, 0,
	  .steps = { CLAIMED(0x18), ARMED(AE | FA), POKE(E(3), CYCLE),
		     POKE(C(3), ONES), POKE(E(4), 0x100002), FAULT(2),
		     PEEK(C(4), 1), PEEK(CTL, AO | FA | FC), FAULT(2),
		     PEEK(C(4), 1) } },
	{ "an alert of the very instruction that clears AO stays",
	  RULE("ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE | FA), FULL(3), CSRC(CTL, AO),
		     PEEK(CTL, AO | FA | FC), RUN(2), PEEK(C(3), 0) } },
	{ "so does one of the very instruction that clears AE",
	  RULE("ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), CSRW(CTL, 0),
		     PEEK(CTL, AO), PEEK(OVF, 8), TAKE(8) } },
	{ "FC is as FA was for the alert, though it is taken away by it",
	  RULE("ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE | FA), FULL(3), CSRW(CTL, 0),
		     PEEK(CTL, AO | FC), RUN(2), PEEK(C(3), 0) } },
	{ "or given by it", RULE("ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), CSRW(CTL, AE | FA),
		     PEEK(CTL, AO | FA), RUN(2), PEEK(C(3), 2) } },
	{ "nor is its OF lost to a write of ebbovf", RULE("ebb_rearm"), 0, EBB,
	  0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), CSRC(OVF, 8), PEEK(OVF, 8),
		     PEEK(CTL, AO), POKE(C(3), ONES), RUN(1), TAKE(8) } },
	{ "a claim given up by it: the overflow was still the user's",
	  RULE("ebb_lcofi"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), CSRC(SOWN, 8),
		     PEEK(MIP, 0), PEEK(CTL, AO), PEEK(SCOUNTOVF, 8) } },
	{ "a waiting hart's cycle counter alerts, which does not wake it",
	  RULE("ebb_alert"), 0, EBB, PMU_EXT_S,
	  .steps = { CLAIMED(8), ARMED(AE), POKE(E(3), CYCLE),
		     POKE(C(3), ONES - 4), MODE(U), IDLE_LIMIT(5), WAKES(0),
		     IDLE(5), WAKES(0), EBB_TAKE(HANDLER) } },
	{ "an alert bounds nothing more", RULE("ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), LIMIT(INSNS, 1), RUN(1),
		     LIMIT(INSNS, UINT64_MAX) } },
};

TEST_ROWS(alerts_are_as_the_rule_says, alert_rows)
{
	run_script(&alert_rows[_i]);
}

static const struct script branch_rows[] = {
	{ "a branch: GE and PE off, EO on, back to the next instruction",
	  RULE("C149 C182 ebb_deliver"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), MODE(U), EBB_DUE(0),
		     RUN(1), EBB_TAKE(HANDLER), PEEK(CS, EO), PEEK(RR, 0x1000),
		     IN(U), EBB_DUE(0), PEEK(MINSTRET, 1), PEEK(MCYCLE, 1),
		     EBB_BACK(1, 0x1000), PEEK(CS, GE | EO), PEEK(MINSTRET, 2),
		     EFFECTS(PMU_FX_IRQ), IN(U), EBB_DUE(0) } },
	{ "the return without enabling", RULE("C149 ebb_return"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(RR, 0x1234), POKE(CS, GE | PE | EO),
		     MODE(U), EBB_BACK(0, 0x1234), PEEK(CS, PE | EO) } },
	{ "an alert in S-mode waits for the user",
	  RULE("C149 C182 ebb_deliver"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), MODE(S), RUN(1),
		     EBB_DUE(0), MODE(M), EBB_DUE(0), MODE(U),
		     EBB_TAKE(HANDLER) } },
	{ "an alert while disabled is held, until GE and PE are set",
	  RULE("C150 ebb_deliver"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE | FA), POKE(CS, 0), FULL(3), MODE(U),
		     RUN(1), EBB_DUE(0), PEEK(CTL, AO | FA | FC), CSRS(CS, GE),
		     EFFECTS(PMU_FX_IRQ), EBB_DUE(0), CSRS(CS, PE),
		     EBB_TAKE(HANDLER) } },
	{ "inside the handler before it armed itself: none",
	  RULE("C151 ebb_alert"), 0, EBB, 0,
	  .steps = { CLAIMED(0x18), ARMED(AE), FULL(3), FULL(4), MODE(U),
		     POKE(C(4), ONES - 1), RUN(1), EBB_TAKE(HANDLER), RUN(1),
		     PEEK(OVF, 0x18), PEEK(CTL, AO), CSRC(CTL, AO),
		     CSRC(CS, EO), CSRS(CS, PE), EBB_BACK(1, 0x1000),
		     EBB_DUE(0) } },
	{ "after it: one, behind the return, never nested",
	  RULE("C151 C152 C183 ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), MODE(U), RUN(1),
		     EBB_TAKE(HANDLER), CSRW(CTR(3), ONES - 3), CSRC(OVF, 8),
		     CSRW(CTL, AE), CSRC(CS, EO), CSRS(CS, PE), PEEK(CTL, AO),
		     EBB_DUE(0), RUN(9), EBB_DUE(0), EBB_BACK(1, 0x1000),
		     EBB_TAKE(HANDLER), EBB_DUE(0), TAKE(8) } },
	{ "the handler arms itself again without S-mode",
	  RULE("C152 C183 ebb_rearm"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE | FA), FULL(3), MODE(U), RUN(1),
		     EBB_TAKE(HANDLER), CSRR(OVF, 8), CSRW(CTR(3), ONES - 9),
		     CSRC(OVF, 8), CSRW(CTL, AE | FA), CSRC(CS, EO),
		     CSRS(CS, PE), EBB_BACK(1, 0x1000), PEEK(C(3), ONES - 6),
		     RUN(6), EBB_DUE(0), RUN(1), EBB_TAKE(HANDLER) } },
	{ "an interrupt of the same boundary is there, too",
	  RULE("C182 ebb_order"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), POKE(MIE, 2),
		     POKE(MIDELEG, 2), SOFT(SSI, 1), MODE(U), RUN(1),
		     EBB_DUE(1), ENTER(SSI), IN(S), EBB_DUE(0), PEEK(CTL, AO),
		     SOFT(SSI, 0), EXEC(0x10200073), IN(U),
		     EBB_TAKE(HANDLER) } },
	{ "UE takes it from users, who get it when it is back",
	  RULE("ebb_users ebb_switch"), 0, EBB, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), POKE(SCS, 0), MODE(U),
		     RUN(1), EBB_DUE(0), ILLEGAL_R(HR), ILLEGAL_W(CS),
		     POKE(SCS, PMU_SEBBCS_UE), EBB_TAKE(HANDLER) } },
	{ "no handler was given: it goes nowhere while disabled",
	  RULE("C150 ebb_deliver"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(CTL, AE | FA), FULL(3), MODE(U), RUN(1),
		     PEEK(HR, 0), PEEK(CTL, AO | FA | FC), EBB_DUE(0) } },
	{ "in VU with what the hypervisor leaves it", RULE("C182 ebb_guests"),
	  0, EBB | HYP, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), MODE(VU), RUN(1),
		     EBB_DUE(0), VIRTUAL_R(HR), POKE(HEN, 8), EBB_DUE(1),
		     MODE(VS), EBB_DUE(0), CSRR(HR, HANDLER), MODE(VU),
		     EBB_TAKE(HANDLER), CSRR(CS, EO), EBB_BACK(1, 0x1000) } },
	{ "Smstateen keeps it from being taken", RULE("C181 ebb_stateen"), 0,
	  EBB | PMU_EXT_SMSTATEEN, 0,
	  .steps = { CLAIMED(8), ARMED(AE), FULL(3), MODE(U), RUN(1),
		     EBB_DUE(0), POKE(MSTATEEN0, 1), EBB_DUE(0),
		     POKE(SSTATEEN0, 1), EBB_TAKE(HANDLER) } },
	{ "S-mode saves and restores all of it", RULE("C181 ebb_switch"), 0,
	  EBB, 0,
	  .steps = { CLAIMED(8),
		     ARMED(AE | FA),
		     POKE(RR, 0x40),
		     FULL(3),
		     MODE(S),
		     RUN(1),
		     CSRS(SCS, PMU_SEBBCS_FZ),
		     CSRR(HR, HANDLER),
		     CSRR(RR, 0x40),
		     CSRR(CS, GE | PE),
		     CSRR(CTL, AO | FA | FC),
		     CSRR(OVF, 8),
		     CSRR(CTR(3), 0),
		     CSRW(CTL, 0),
		     CSRW(CS, 0),
		     CSRC(OVF, 8),
		     MODE(U),
		     EBB_DUE(0),
		     MODE(S),
		     CSRW(CTL, AO | FA | FC),
		     CSRW(CS, GE | PE),
		     MODE(U),
		     EBB_TAKE(HANDLER) } },
};

TEST_ROWS(branches_are_as_the_rule_says, branch_rows)
{
	run_script(&branch_rows[_i]);
}

static const struct script freeze_rows[] = {
	{ "FC stands for claimed counters, not for others",
	  RULE("C153 ebb_freeze"), 0, EBB, 0,
	  .steps = { CLAIMED(8), POKE(E(3), INSNS), POKE(E(4), INSNS), RUN(2),
		     CSRS(CTL, FC), RUN(5), PEEK(C(3), 3), PEEK(C(4), 8),
		     CSRC(CTL, FC), RUN(1), PEEK(C(3), 4) } },
	{ "a user's own freeze survives a branch", RULE("ebb_user_freeze"), 0,
	  EBB, 0,
	  .steps = { CLAIMED(0x18), ARMED(AE | FA), POKE(E(4), INSNS), FULL(3),
		     CSRW(FRZ, 0x10), PEEK(C(4), 1), POKE(CTL, AE),
		     POKE(C(3), ONES), POKE(OVF, 0), MODE(U), RUN(1),
		     EBB_TAKE(HANDLER), PEEK(FRZ, 0x10), CSRW(CTL, AE),
		     EBB_BACK(1, 0x1000), RUN(1), PEEK(C(4), 1),
		     PEEK(FRZ, 0x10) } },
	{ "S-mode's freeze stands and falls by itself", RULE("ebb_switch"), 0,
	  EBB, 0,
	  .steps = { CLAIMED(8), POKE(E(3), INSNS),
		     POKE(SCS, PMU_SEBBCS_UE | PMU_SEBBCS_FZ), RUN(5),
		     PEEK(C(3), 0), PEEK(CTL, 0), POKE(SCS, PMU_SEBBCS_UE),
		     RUN(5), PEEK(C(3), 5) } },
	{ "what is not claimed any more is not frozen", RULE("ebb_claim"), 0,
	  EBB, 0,
	  .steps = { CLAIMED(8), POKE(E(3), INSNS), POKE(CTL, FC), POKE(FRZ, 8),
		     RUN(5), POKE(SOWN, 0), RUN(5), PEEK(C(3), 5) } },
	{ "filters and mcountinhibit are as ever", RULE("ebb_freeze"), 64, EBB,
	  0,
	  .steps = { CLAIMED(8), ARMED(AE), POKE(E(3), INSNS | PMU_EVENT_SINH),
		     POKE(C(3), ONES), MODE(S), RUN(3), PEEK(CTL, AE),
		     POKE(MCOUNTINHIBIT, 8), MODE(U), RUN(3), PEEK(C(3), ONES),
		     POKE(MCOUNTINHIBIT, 0), RUN(1), PEEK(CTL, AO) } },
	{ "reset clears it all", RULE("ebb_reset"), 0,
	  EBB | PMU_EXT_SMSTATEEN | HYP, 0,
	  .steps = { CLAIMED(8),	 ARMED(AE),
		     POKE(RR, 2),	 POKE(FRZ, 8),
		     POKE(HEN, 8),	 POKE(MSTATEEN0, 1),
		     POKE(SSTATEEN0, 1), RESET(),
		     PEEK(HR, 0),	 PEEK(RR, 0),
		     PEEK(CS, 0),	 PEEK(CTL, 0),
		     PEEK(SCS, 0),	 PEEK(SOWN, 0),
		     PEEK(MEN, 0),	 PEEK(HEN, 0),
		     PEEK(SSTATEEN0, 0), POKE(MEN, 8),
		     PEEK(SOWN, 0),	 POKE(SOWN, 8),
		     PEEK(FRZ, 0) } },
};

TEST_ROWS(freezes_are_as_the_rule_says, freeze_rows)
{
	run_script(&freeze_rows[_i]);
}

/* Counters delegated to S-mode, 4 and 5 of them here; 3 is M-mode's. */
#define DELEG                                                                  \
	(PMU_EXT_SMCSRIND | PMU_EXT_SSCSRIND | PMU_EXT_SMCDELEG |              \
	 PMU_EXT_SSCCFG)
#define DELEGATED64 POKE(MENVCFG, UINT64_C(1) << 60), POKE(MCOUNTEREN, 0x30)
#define DELEGATED32 POKE(MENVCFGH, 1 << 28), POKE(MCOUNTEREN, 0x30)
#define AT(n)	    CSRW(SISELECT, 0x40 + (n))
#define CLAIM	    PMU_CSR_SEBBCLAIM

static const struct script delegated_rows[] = {
	{ "S-mode sets event and value of what its user has claimed",
	  RULE("ebb_claim C129"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(0x10), ARMED(AE), MODE(S), AT(4),
		     CSRW(SIREG2, INSNS), CSRW(SIREG, ONES - 1),
		     CSRR(SIREG, ONES - 1), CSRR(SIREG2, INSNS),
		     CSRR(SIREG2, INSNS | OF), PEEK(CTL, AO), PEEK(MIP, 0),
		     MODE(U), EBB_DUE(1), TAKE(0x10) } },
	{ "on RV32 in halves, too", RULE("ebb_claim C129"), 32, EBB | DELEG, 0,
	  .steps = { DELEGATED32, CLAIMED(0x10), ARMED(AE), MODE(S), AT(4),
		     CSRW(SIREG2, INSNS), CSRW(SIREG, ONES - 1),
		     CSRR(SIREG5, 0), CSRR(SIREG5, 0), CSRR(SIREG5, OF >> 32),
		     PEEK(CTL, AO), PEEK(MIP, 0) } },
	{ "and its filters", RULE("ebb_claim C129"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(0x10), ARMED(AE), MODE(S), AT(4),
		     CSRW(SIREG2, INSNS | PMU_EVENT_SINH), CSRW(SIREG, ONES),
		     RUN(9), CSRR(SIREG, ONES), PEEK(CTL, AE), MODE(U), RUN(1),
		     PEEK(CTL, AO) } },
	{ "and whether it counts", RULE("ebb_claim C131"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(0x10), ARMED(AE), MODE(S),
		     CSRW(SCOUNTINHIBIT, 0x10), FULL(4), RUN(9),
		     PEEK(C(4), ONES), PEEK(CTL, AE), CSRW(SCOUNTINHIBIT, 0),
		     RUN(1), PEEK(CTL, AO) } },
	{ "a claim leaves all of it as S-mode has set it",
	  RULE("ebb_claim C129"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, POKE(MEN, 0x30), MODE(S),
		     CSRW(SCOUNTINHIBIT, 0x10), AT(4),
		     CSRW(SIREG2, INSNS | PMU_EVENT_UINH | OF), CSRW(SIREG, 5),
		     CSRW(CLAIM, 0x10), CSRR(CLAIM, 0x10),
		     CSRR(SIREG2, INSNS | PMU_EVENT_UINH | OF), CSRR(SIREG, 5),
		     CSRR(SCOUNTINHIBIT, 0x10), CSRR(SCOUNTOVF, 0x10),
		     CSRW(SOWN, 0), CSRR(SIREG2, INSNS | PMU_EVENT_UINH | OF),
		     CSRR(SIREG, 5), CSRR(SCOUNTINHIBIT, 0x10) } },
	{ "of one that is not delegated it has the value alone, by ebbctr",
	  RULE("ebb_claim C129"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(8),
		     POKE(E(3), CYCLE | PMU_EVENT_SINH), MODE(S), AT(3),
		     ILLEGAL_R(SIREG), ILLEGAL_W(SIREG2),
		     CSRW(SCOUNTINHIBIT, 8), CSRW(CTR(3), 5), CSRR(CTR(3), 5),
		     PEEK(MCOUNTINHIBIT, 0) } },
	{ "the user who has claimed it has no more by that",
	  RULE("ebb_claim C129"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(0x10), POKE(C(4), 5), MODE(U),
		     CSRR(CTR(4), 5), ILLEGAL_R(HPMCOUNTER + 4),
		     ILLEGAL_R(SISELECT), ILLEGAL_R(SIREG),
		     ILLEGAL_R(SCOUNTINHIBIT), POKE(SCOUNTEREN, 0x10),
		     CSRR(HPMCOUNTER + 4, 5), POKE(MCOUNTEREN, 0),
		     ILLEGAL_R(HPMCOUNTER + 4), CSRR(CTR(4), 5) } },
	{ "a handler arms it again, and S-mode's event stays",
	  RULE("ebb_claim ebb_rearm"), 64, EBB | DELEG, 0,
	  .steps = { DELEGATED64, CLAIMED(0x10), ARMED(AE), MODE(S), AT(4),
		     CSRW(SIREG2, INSNS | PMU_EVENT_SINH), CSRW(SIREG, ONES),
		     MODE(U), RUN(1), EBB_TAKE(HANDLER), CSRW(CTR(4), 9),
		     CSRC(OVF, 0x10), MODE(S),
		     CSRR(SIREG2, INSNS | PMU_EVENT_SINH), CSRR(SIREG, 10) } },
};

TEST_ROWS(a_claim_leaves_a_delegated_counter_to_s_mode, delegated_rows)
{
	run_script(&delegated_rows[_i]);
}

static struct pmu_hart *claiming_hart(uint32_t set)
{
	const struct script s = { .add = EBB, .hpm_mask = 0xf8, .width = 32 };
	struct pmu_hart *h = script_hart(&s, 64);

	ck_assert_int_eq(pmu_ebb_claim(h, set), 0);
	return h;
}

/* What is told of a branch is what its handler reads. */
TEST(a_branch_tells_the_counters_that_its_handler_sees)
{
	const struct script s = { .add = EBB | HYP, .hpm_mask = 0xf8 };
	struct pmu_hart *h = script_hart(&s, 64);
	unsigned effects = 0;

	shows(RULE("ebb_guests"));
	ck_assert_int_eq(pmu_ebb_claim(h, 0x38), 0);
	pmu_csr_poke(h, HEN, 0, 0x10, &effects);
	pmu_counter_set_event(h, 3, PMU_EVENT_OF | 2);
	pmu_counter_set_event(h, 4, PMU_EVENT_OF | 2);
	pmu_hart_set_mode(h, PMU_MODE_U);
	ck_assert_uint_eq(pmu_hart_branch_counters(h), 0x18);
	pmu_hart_set_mode(h, PMU_MODE_VU);
	ck_assert_uint_eq(pmu_hart_branch_counters(h), 0x10);
	pmu_hart_free(h);
}

TEST(an_overflow_tells_whom_it_was_for)
{
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } };
	struct pmu_overflow o[PMU_N_COUNTERS];
	struct pmu_hart *h = claiming_hart(8);
	unsigned effects = 0;

	shows(RULE("ebb_lcofi"));
	pmu_csr_poke(h, CTL, 0, AE, &effects);
	for (unsigned n = 3; n <= 5; n++) {
		pmu_counter_set_event(h, n, INSNS);
		pmu_counter_set(h, n, ONES);
	}
	pmu_counter_set_delivery(h, 5, PMU_DELIVER_OBSERVER);
	pmu_hart_advance(h, &one);
	ck_assert_uint_eq(pmu_hart_take_overflows(h, o), 3);
	ck_assert_int_eq(o[0].delivery, PMU_DELIVER_EBB);
	ck_assert(o[0].alerted && !o[0].raised);
	ck_assert_int_eq(o[1].delivery, PMU_DELIVER_LCOFI);
	ck_assert(!o[1].alerted && o[1].raised);
	ck_assert_int_eq(o[2].delivery, PMU_DELIVER_OBSERVER);
	pmu_hart_free(h);
}

TEST(a_claim_keeps_nothing_from_an_observer)
{
	struct pmu_progress one = { .n = { [PMU_EV_INSNS] = 1 } };
	struct pmu_overflow o[PMU_N_COUNTERS];
	struct pmu_hart *h = claiming_hart(8);

	shows(RULE("C155 ebb_claim"));
	pmu_counter_set_event(h, 3, INSNS);
	pmu_counter_set_delivery(h, 3, PMU_DELIVER_OBSERVER);
	for (unsigned i = 0; i < 3; i++) {
		pmu_counter_set(h, 3, ONES);
		pmu_hart_advance(h, &one);
		ck_assert_uint_eq(pmu_hart_take_overflows(h, o), 1);
		ck_assert_uint_eq(pmu_hart_ebb(h).control, 0);
	}
	pmu_hart_free(h);
}

TEST(firmware_claims_all_or_nothing)
{
	struct pmu_hart *h = claiming_hart(0x18);

	shows(RULE("C155 ebb_claim"));
	ck_assert_int_eq(pmu_ebb_claim(h, 0x30), -PMU_EINVAL);
	ck_assert_int_eq(pmu_ebb_claim(h, 0x100), -PMU_EINVAL);
	ck_assert_int_eq(pmu_ebb_claim(h, 4), -PMU_EINVAL);
	ck_assert_uint_eq(pmu_ebb_claimed(h), 0x18);
	ck_assert_int_eq(pmu_ebb_claim(h, 0x20), 0);
	pmu_ebb_release(h, 0x08);
	ck_assert_uint_eq(pmu_ebb_claimed(h), 0x30);
	ck_assert_int_eq(pmu_counter_delivery(h, 3), PMU_DELIVER_LCOFI);
	ck_assert_int_eq(pmu_counter_delivery(h, 4), PMU_DELIVER_EBB);
	pmu_hart_free(h);
}

TEST(without_the_extension_nothing_can_be_claimed)
{
	const struct script s = { .why = "" };
	struct pmu_hart *h = script_hart(&s, 64);
	struct pmu_ebb u = pmu_hart_ebb(h);

	shows(RULE("ebb_discover"));
	ck_assert_int_eq(pmu_ebb_claim(h, 8), -PMU_EINVAL);
	ck_assert_uint_eq(pmu_ebb_claimed(h), 0);
	ck_assert_uint_eq(u.status | u.control | u.handler, 0);
	pmu_hart_free(h);
}

SUITE("ebb-hart");
