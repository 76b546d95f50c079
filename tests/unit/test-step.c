/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What happens between two instructions: when an overflow interrupts, which
 * instructions make a pending interrupt be taken, what ends a WFI.
 */
#include "hart-script.h"
#include "hart-state.h"
#include "insn-encoding.h"
#include "unit.h"

#define ONES	   UINT64_MAX
#define C(n)	   (MHPMCOUNTER + (n))
#define E(n)	   (MHPMEVENT + (n))
#define INSNS	   UINT64_C(2) /* the selectors */
#define CYCLES	   UINT64_C(1)
#define LCOFI	   0x2000 /* bits of mip, mie, mideleg */
#define SSI	   0x2
#define SEI	   0x200
#define STATUS_SIE 0x2
#define STATUS_MIE 0x8
#define RAISED	   (PMU_FX_COUNT | PMU_FX_IRQ)
#define SFENCE_VMA 0x12000073

static const struct script rows[] = {
	/* an overflow and its interrupt */
	{ "an overflow interrupts before the next instruction",
	  RULE("C109, C176"), 64, 0, 0,
	  .steps = { POKE(MIE, LCOFI), POKE(MSTATUS, STATUS_MIE),
		     POKE(MTVEC, 0x2001), POKE(E(3), INSNS), POKE(C(3), -2),
		     RUN(1), NO_NEXT(), RUN(1), ENTER(LCOFI),
		     PEEK(MEPC, 0x1000), PEEK(MTVAL, 0),
		     PEEK(MCAUSE, UINT64_C(1) << 63 | 13), PEEK(MINSTRET, 2),
		     PEEK(C(3), 0) } },
	{ "an instruction other than a CSR access overflows", RULE("C109"), 64,
	  0, 0,
	  .steps = { POKE(MIE, LCOFI), POKE(MSTATUS, STATUS_MIE),
		     POKE(E(3), INSNS), POKE(C(3), ONES), EXEC(SFENCE_VMA),
		     EFFECTS(RAISED | PMU_FX_TLB), NEXT(LCOFI) } },
	{ "clearing LCOFIP in the handler ends it, OF stays", RULE("C110"), 64,
	  0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI),
		     POKE(MCOUNTEREN, ONES), POKE(E(3), INSNS),
		     POKE(C(3), ONES), MODE(U), RUN(1), ENTER(LCOFI), IN(S),
		     CSRC(SIP, LCOFI), EFFECTS(PMU_FX_IRQ), NO_NEXT(),
		     CSRR(SCOUNTOVF, 8) } },
	{ "csrc sip while another counter overflows keeps the request",
	  RULE("C161"), 64, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIP, LCOFI), POKE(E(3), INSNS),
		     POKE(C(3), ONES), MODE(S), CSRC(SIP, LCOFI),
		     EFFECTS(RAISED), CSRR(SIP, LCOFI), CSRC(SIP, LCOFI),
		     EFFECTS(PMU_FX_IRQ), CSRR(SIP, 0) } },
	{ "inhibiting a counter lets it overflow by the last instruction",
	  RULE("C160"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES),
		     CSRW(MCOUNTINHIBIT, 8), EFFECTS(RAISED), PEEK(C(3), 0),
		     PEEK(MIP, LCOFI), TAKE(8) } },
	{ "un-inhibiting does not overflow, the next instruction does",
	  RULE("C160"), 64, 0, 0,
	  .steps = { POKE(E(3), INSNS), POKE(C(3), ONES),
		     POKE(MCOUNTINHIBIT, 8), CSRW(MCOUNTINHIBIT, 0),
		     EFFECTS(PMU_FX_COUNT), PEEK(C(3), ONES), LIMIT(INSNS, 1),
		     EXEC(SFENCE_VMA), EFFECTS(RAISED | PMU_FX_TLB),
		     PEEK(C(3), 0) } },
	{ "clearing OF arms from the next instruction", RULE("C160, C107"), 64,
	  0, 0,
	  .steps = { POKE(E(3), PMU_EVENT_OF | INSNS), POKE(C(3), ONES - 1),
		     CSRW(E(3), INSNS), EFFECTS(PMU_FX_COUNT), PEEK(C(3), ONES),
		     RUN(1), PEEK(C(3), 0), PEEK(MIP, LCOFI), TAKE(8) } },

	{ "a counter that was written overflows as any other", RULE("C117"), 0,
	  0, 0,
	  .steps = { POKE(E(3), INSNS), CSRW(C(3), ONES), LIMIT(INSNS, 1),
		     RUN(1), PEEK(C(3), 0), PEEK(MIP, LCOFI), TAKE(8),
		     POKE(E(4), INSNS), POKE(C(4), ONES - 3), CSRS(C(4), 0),
		     LIMIT(INSNS, 4), RUN(4), TAKE(16) },
	  .width = 32 },

	/* target mode first, then the order inside it */
	{ "LCOFI for M goes before SEI for S", RULE("C111"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, SEI), POKE(MIE, SEI | LCOFI),
		     POKE(MIP, SEI | LCOFI), POKE(MSTATUS, STATUS_SIE), MODE(S),
		     NEXT(LCOFI), MODE(U), NEXT(LCOFI), MODE(M), NO_NEXT(),
		     POKE(MSTATUS, STATUS_MIE), NEXT(LCOFI) } },
	{ "LCOFI is the last of S", RULE("C111"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, ONES), POKE(MIE, ONES), POKE(MIP, ONES),
		     POKE(MSTATUS, STATUS_SIE), MODE(S), NEXT(SEI),
		     POKE(MIP, LCOFI | SSI), NEXT(SSI), POKE(MIP, LCOFI | 0x20),
		     NEXT(STI), POKE(MIP, LCOFI), NEXT(LCOFI) } },
	{ "delegated LCOFI never comes in M, whatever MIE is", RULE("C111"), 0,
	  0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     NO_NEXT(), POKE(MSTATUS, STATUS_MIE | STATUS_SIE),
		     NO_NEXT(), MODE(S), NEXT(LCOFI) } },

	/* what makes a pending interrupt be taken */
	{ "csrs sstatus, SIE", RULE("C163 sie_sip_strap_time_constraint"), 0, 0,
	  0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     MODE(S), NO_NEXT(), CSRS(SSTATUS, STATUS_SIE),
		     EFFECTS(PMU_FX_IRQ), NEXT(LCOFI) } },
	{ "csrs sie", RULE("C163 sie_sip_strap_time_constraint"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIP, LCOFI), MODE(S),
		     POKE(MSTATUS, STATUS_SIE), NO_NEXT(), CSRS(SIE, LCOFI),
		     EFFECTS(PMU_FX_IRQ), NEXT(LCOFI) } },
	{ "csrs sip", RULE("C163 sie_sip_strap_time_constraint"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), MODE(S),
		     POKE(MSTATUS, STATUS_SIE), NO_NEXT(), CSRS(SIP, LCOFI),
		     EFFECTS(PMU_FX_IRQ), NEXT(LCOFI) } },
	{ "csrs mstatus, mie, mip; csrc mideleg",
	  RULE("C163 intr_mip_mie_xret_csrwr"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), CSRS(MIP, LCOFI),
		     EFFECTS(PMU_FX_IRQ), CSRS(MIE, LCOFI), EFFECTS(PMU_FX_IRQ),
		     CSRS(MSTATUS, STATUS_MIE), EFFECTS(PMU_FX_IRQ), NO_NEXT(),
		     CSRC(MIDELEG, LCOFI), EFFECTS(PMU_FX_IRQ), NEXT(LCOFI) } },
	{ "mret to S with SIE", RULE("C163 intr_mip_mie_xret_csrwr"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     POKE(MSTATUS, 1 << 11 | STATUS_SIE), NO_NEXT(),
		     EXEC(PMU_WORD_MRET), IN(S),
		     EFFECTS(PMU_FX_MODE | PMU_FX_COUNT | PMU_FX_IRQ),
		     NEXT(LCOFI) } },
	{ "sret that sets SIE", RULE("C163 sie_sip_strap_time_constraint"), 0,
	  0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), POKE(MIP, LCOFI),
		     POKE(MSTATUS, 1 << 8 | 1 << 5), MODE(S), NO_NEXT(),
		     EXEC(PMU_WORD_SRET), IN(S), EFFECTS(PMU_FX_IRQ),
		     NEXT(LCOFI) } },

	/* WFI */
	{ "LCOFI with LCOFIE ends WFI, whatever SIE is", RULE("C165"), 0, 0, 0,
	  .steps = { POKE(MIDELEG, LCOFI), POKE(MIE, LCOFI), MODE(S), WAKES(0),
		     POKE(MIP, LCOFI), WAKES(1), NO_NEXT() } },
	{ "delegated or not, and in M too", RULE("wfi_unaffected_conditions"),
	  0, 0, 0,
	  .steps = { POKE(MIE, LCOFI), POKE(MIP, LCOFI), WAKES(1), NO_NEXT(),
		     POKE(MIDELEG, LCOFI), WAKES(1), NO_NEXT() } },
	{ "not without LCOFIE", RULE("C165"), 0, 0, 0,
	  .steps = { POKE(MIP, LCOFI), POKE(MSTATUS, STATUS_MIE), WAKES(0),
		     NO_NEXT() } },
	{ "the overflow of a cycle counter ends WFI", RULE("C166"), 64, 0, 0,
	  .steps = { POKE(MIE, LCOFI), POKE(E(3), CYCLES), POKE(C(3), -100),
		     MODE(S), IDLE_LIMIT(100), IDLE(99), WAKES(0), IDLE(1),
		     WAKES(1), NEXT(LCOFI), PEEK(MINSTRET, 0) } },

	/* cycles of xRET */
	{ "the cycles of mret are M's, those that follow the new mode's",
	  RULE("C179"), 64, 0, 0,
	  .steps = { POKE(MSTATUS, 0), EXEC(PMU_WORD_MRET), IN(U),
		     TOTAL(CYCLES, 0), RUN(1), TOTAL(CYCLES, 3), MODE(M),
		     TOTAL(CYCLES, 3), TOTAL(INSNS, 1) },
	  .cpi = 3 },
	{ "a filtered cycle counter sees xRET by the mode it is executed in",
	  RULE("C179, C126"), 64, 0, 0,
	  .steps = { POKE(MCYCLECFG, PMU_EVENT_UINH),
		     POKE(E(3), CYCLES | PMU_EVENT_SINH), MODE(S),
		     EXEC(PMU_WORD_SRET), IN(U), PEEK(MCYCLE, 3), PEEK(C(3), 0),
		     RUN(1), PEEK(MCYCLE, 3), PEEK(C(3), 3) },
	  .cpi = 3 },
};

TEST_ROWS(between_instructions_it_is_as_the_rule_says, rows)
{
	script_run(&rows[_i]);
}

SUITE("step");
