/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters that S-mode has by itself: Smcdeleg and Ssccfg through the indirect
 * registers of Sscsrind, and what Smstateen has to say (conformance M, Q).
 */
#include "bench.h"

/* sireg* of the select value in a0, read or written with a1. */
#define SELECT	     CSRRW(0, SISELECT, A0)
#define GET(s, reg)  s, SELECT, CSRR(A0, reg)
/* What stands in a0 goes to a register of counter 3. */
#define PUT3(v, reg) v, LI(A1, 0x43), CSRRW(0, SISELECT, A1), CSRRW(0, reg, A0)
#define ON	     FRESH, DO(set_cde, 1)

static const struct step selects[] = {
	FRESH,
	CLAIM("siselect holds 0xfff, delegation or not", RULE("C169"),
	      BOTH(VAL(0xfff)), warl, SISELECT, 0xfff),
	CLAIM("in S, too", RULE("C169 C133"), BOTH(VAL(0x43)), in_s, 0x43,
	      SELECT, CSRR(A0, SISELECT)),
	CLAIM("U has no siselect", RULE("C133"), BOTH(ERR(ILLEGAL)), in_u, 0,
	      CSRR(A0, SISELECT)),
	CLAIM("CDE 0: no sireg of counter 3 in S", RULE("C128 C129"),
	      BOTH(ERR(ILLEGAL)), in_s, GET(0x43, SIREG)),
	CLAIM("CDE 0: nor in M", RULE("C129"), BOTH(ERR(ILLEGAL)), in_m,
	      GET(0x43, SIREG)),
	CLAIM("CDE 0: no scountinhibit in S", RULE("C132"), BOTH(ERR(ILLEGAL)),
	      in_s, 0, CSRR(A0, SCOUNTINHIBIT)),
	CLAIM("CDE 0: nor in M", RULE("C132"), BOTH(ERR(ILLEGAL)), in_m, 0,
	      CSRR(A0, SCOUNTINHIBIT)),
	ON,
	CLAIM("CDE 1: sireg of cycle", RULE("C129"), BOTH(OK), in_s,
	      GET(0x40, SIREG)),
	CLAIM("CDE 1: sireg of instret", RULE("C129"), BOTH(OK), in_s,
	      GET(0x42, SIREG)),
	CLAIM("CDE 1: sireg of counter 31", RULE("C129"), BOTH(OK), in_s,
	      GET(0x5f, SIREG)),
	CLAIM("CDE 1: none of time", RULE("C129"), BOTH(ERR(ILLEGAL)), in_s,
	      GET(0x41, SIREG)),
	CLAIM("CDE 1: none of what is nothing", RULE("C169"),
	      BOTH(ERR(ILLEGAL)), in_s, GET(0x60, SIREG)),
	CLAIM("sireg2 of cycle", RULE("C129"), BOTH(OK), in_s,
	      GET(0x40, SIREG2)),
	CLAIM("sireg3 is nothing", RULE("C129"), BOTH(ERR(ILLEGAL)), in_s,
	      GET(0x43, SIREG3)),
	CLAIM("sireg4 is for RV32", RULE("C129"), BOTH(HIGH_HALF), in_s,
	      GET(0x43, SIREG4)),
	CLAIM("sireg5 is for RV32", RULE("C129"), BOTH(HIGH_HALF), in_s,
	      GET(0x43, SIREG5)),
	CLAIM("sireg6 is nothing", RULE("C129"), BOTH(ERR(ILLEGAL)), in_s,
	      GET(0x43, SIREG6)),
	CLAIM("U has no sireg", RULE("C133"), BOTH(ERR(ILLEGAL)), in_u, 0,
	      CSRR(A0, SIREG)),
	CLAIM("U has no scountinhibit", RULE("C132"), BOTH(ERR(ILLEGAL)), in_u,
	      0, CSRR(A0, SCOUNTINHIBIT)),
	DO(wr, SCOUNTEREN, 0),
	CLAIM("scounteren has no say", RULE("C170"), BOTH(OK), in_s,
	      GET(0x43, SIREG)),
	DO(wr, MCOUNTEREN, ~8u),
	CLAIM("mcounteren 0: not delegated to S", RULE("C128 C129"),
	      BOTH(ERR(ILLEGAL)), in_s, GET(0x43, SIREG)),
	CLAIM("mcounteren 0: nor is it M's by sireg", RULE("C129"),
	      BOTH(ERR(ILLEGAL)), in_m, GET(0x43, SIREG)),
	CLAIM("the next one is", RULE("C128"), BOTH(OK), in_s,
	      GET(0x44, SIREG)),
};

static const struct step values[] = {
	ON,
	DO(wr, MCOUNTINHIBIT, 8),
	CLAIM("S writes counter 3", RULE("C129"), BOTH(OK), in_s,
	      PUT3(1234, SIREG)),
	CLAIM("which is mhpmcounter3", RULE("C129"), BOTH(VAL(1234)), rd,
	      MHPMCOUNTER3),
	DO(set_event, 3, MINH | INSNS),
	CLAIM("S reads its event without MINH", RULE("C130"), BOTH(VAL(INSNS)),
	      in_s, GET(0x43, SIREG2)),
	CLAIM("reading it changed nothing", RULE("C130"),
	      BOTH(VAL(MINH | INSNS)), event, 3),
	CLAIM("S writes its event", RULE("C130"), BOTH(OK), in_s,
	      PUT3(CYCLES, SIREG2)),
	CLAIM("MINH stays", RULE("C130"), BOTH(VAL(MINH | CYCLES)), event, 3),
	DO(in_s, PUT3(BY_XLEN(ALL, 0), SIREG2)),
	CLAIM("S may set OF, on RV64 by sireg2", RULE("C173"),
	      BOTH(VAL(BY_XLEN(EVENT_BITS, MINH))), event, 3),
	CLAIM("that pends nothing", RULE("C108 C173"), BOTH(VAL(0)), pending,
	      LCOFI_BIT),
	DO(wr, BY_XLEN(MCYCLECFG, MCYCLECFGH), BY_XLEN(MINH, MINH >> 32)),
	CLAIM("S reads the filters of cycle without MINH", RULE("C130"),
	      BOTH(BY_XLEN(VAL(0), VAL(0))), in_s,
	      GET(0x40, BY_XLEN(SIREG2, SIREG5))),
	CLAIM("reading them changed nothing", RULE("C130"),
	      BOTH(VAL(BY_XLEN(MINH, MINH >> 32))), rd,
	      BY_XLEN(MCYCLECFG, MCYCLECFGH)),
	ON,
	CLAIM("a write through sireg is read by the next instruction",
	      RULE("C117"), BOTH(VAL(1000)), in_s, 1000, LI(A1, 0x42),
	      CSRRW(0, SISELECT, A1), CSRRW(0, SIREG, A0), CSRR(A0, SIREG)),
	CLAIM("wrapping by a write is no overflow", RULE("C173"), BOTH(OK),
	      in_s, PUT3(ALL, SIREG)),
	CLAIM("nothing pends", RULE("C173"), BOTH(VAL(0)), pending, LCOFI_BIT),
};

static const struct step inhibits[] = {
	ON,
	DO(wr, MCOUNTEREN, 0xd),
	DO(wr, MCOUNTINHIBIT, 0x1c),
	CLAIM("scountinhibit shows what is delegated", RULE("C131"),
	      BOTH(VAL(0xc)), in_s, 0, CSRR(A0, SCOUNTINHIBIT)),
	DO(in_s, 1, CSRRW(0, SCOUNTINHIBIT, A0)),
	CLAIM("and writes that only", RULE("C131"), BOTH(VAL(0x11)), rd,
	      MCOUNTINHIBIT),
	DO(in_s, 2, CSRRS(0, SCOUNTINHIBIT, A0)),
	CLAIM("it has no bit for time", RULE("C131"), BOTH(VAL(1)), in_s, 0,
	      CSRR(A0, SCOUNTINHIBIT)),
	CLAIM("M has it, too", RULE("C132"), BOTH(VAL(1)), rd, SCOUNTINHIBIT),
	ON,
	DO(set_event, 3, INSNS),
	CLAIM("what inhibits by scountinhibit is counted itself", RULE("C160"),
	      BOTH(VAL(2)), in_s, 0, CSRR(A1, HPMCOUNTER3),
	      CSRRSI(0, SCOUNTINHIBIT, 8), NOP, NOP, CSRR(A0, HPMCOUNTER3),
	      SUB(A0, A0, A1)),
	DO(wr, MCOUNTINHIBIT, 0),
	DO(set_cde, 0),
	CLAIM("a counter that is taken back counts on", RULE("C172"),
	      BOTH(VAL(4)), in_m, 0, CSRR(A1, HPMCOUNTER3), NOP, NOP, NOP,
	      CSRR(A0, HPMCOUNTER3), SUB(A0, A0, A1)),
	FRESH,
};

static const struct step states[] = {
	ON,
	DO(wr, MSTATE, 0),
	CLAIM("mstateen0 off: S has no siselect", RULE("C133 C171"),
	      BOTH(ERR(ILLEGAL)), in_s, 0, CSRR(A0, SISELECT)),
	CLAIM("mstateen0 off: S has no sireg", RULE("C133 C171"),
	      BOTH(ERR(ILLEGAL)), in_s, 0, CSRR(A0, SIREG)),
	CLAIM("mstateen0 off: M has both", RULE("C171"), BOTH(OK), in_m,
	      GET(0x43, SIREG)),
	CLAIM("mstateen0 off: S has scountinhibit", RULE("C132 C170"), BOTH(OK),
	      in_s, 0, CSRR(A0, SCOUNTINHIBIT)),
	CLAIM("mstateen0 off: S has scountovf", RULE("C170"), BOTH(OK), in_s, 0,
	      CSRR(A0, SCOUNTOVF)),
	DO(wr, MSTATE, SELECTOR),
	CLAIM("mstateen0 on: S has them", RULE("C171"), BOTH(OK), in_s,
	      GET(0x43, SIREG)),
};

void chapter_delegation(void)
{
	const struct step enable[] = { DO(wr, MSTATE, SELECTOR) };

	if (known.stateen)
		TAP_STEPS("delegation", enable);
	TAP_STEPS("delegation", selects);
	TAP_STEPS("delegation", values);
	TAP_STEPS("delegation", inhibits);
	if (known.stateen)
		TAP_STEPS("delegation", states);
}
