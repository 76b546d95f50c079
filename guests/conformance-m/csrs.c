/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSRs of the counters as registers: which bits they have, and that writing
 * them is no more than that (conformance K, L, N).
 */
#include "bench.h"

static const struct step registers[] = {
	CLAIM("mcountinhibit has no bit for time", RULE("C113"), BOTH(VAL(0)),
	      in_m, 2, CSRRW(0, MCOUNTINHIBIT, A0), CSRR(A0, MCOUNTINHIBIT)),
	CLAIM("mcountinhibit has one for each counter", RULE("C113"),
	      BOTH(VAL(COUNTERS)), warl, MCOUNTINHIBIT, ALL),
	FRESH,
	CLAIM("mcounteren has all bits", RULE("C115"), BOTH(VAL(0xffffffff)),
	      warl, MCOUNTEREN, 0xffffffff),
	CLAIM("mcounteren gives them up", RULE("C115"), BOTH(VAL(0)), warl,
	      MCOUNTEREN, 0),
	CLAIM("scounteren has its own, whatever mcounteren is",
	      RULE("C115 C168"), BOTH(VAL(0xffffffff)), warl, SCOUNTEREN,
	      0xffffffff),
	CLAIM("mcounteren did not change by that", RULE("C115"), BOTH(VAL(0)),
	      rd, MCOUNTEREN),
	FRESH,
	CLAIM("mhpmevent3 has its event and the filters of modes that are",
	      RULE("C106 mhpmevent_sz"), BOTH(VAL(EVENT_BITS)), event_warl, 3,
	      ~0ull),
	CLAIM("mhpmevent31, too", RULE("C106"), BOTH(VAL(EVENT_BITS)),
	      event_warl, 31, ~0ull),
	CLAIM("an event that nothing is keeps its number", RULE("C178"),
	      BOTH(VAL(0x7ffffff)), event_warl, 3, 0x7ffffff),
	DO(set_counter, 3, 0),
	CLAIM("and counts nothing", RULE("C178"), BOTH(VAL(0)), in_m, 0, NOP,
	      NOP, CSRR(A0, MHPMCOUNTER3)),
	CLAIM("mhpmeventh is there on RV32 only", RULE("C139 C140"),
	      BOTH(HIGH_HALF), rd, MHPMEVENT3H),
	CLAIM("mcyclecfg has filters only", RULE("C125"),
	      BOTH(VAL(BY_XLEN(FILTER_BITS, 0))), warl, MCYCLECFG, ALL),
	CLAIM("minstretcfg has filters only", RULE("C125"),
	      BOTH(VAL(BY_XLEN(FILTER_BITS, 0))), warl, MINSTRETCFG, ALL),
	CLAIM("mcyclecfgh is there on RV32 only", RULE("C125 C139"),
	      BOTH(BY_XLEN(ERR(ILLEGAL), VAL(FILTER_BITS))), warl, MCYCLECFGH,
	      ALL),
	CLAIM("minstretcfgh is there on RV32 only", RULE("C125 C139"),
	      BOTH(BY_XLEN(ERR(ILLEGAL), VAL(FILTER_BITS))), warl, MINSTRETCFGH,
	      ALL),
	FRESH,
	CLAIM("mcycleh is there on RV32 only", RULE("C139"), BOTH(HIGH_HALF),
	      rd, MCYCLEH),
	CLAIM("minstreth is there on RV32 only", RULE("C139"), BOTH(HIGH_HALF),
	      rd, MINSTRETH),
	CLAIM("mhpmcounter3h is there on RV32 only", RULE("C139 C140"),
	      BOTH(HIGH_HALF), rd, MHPMCOUNTER3H),
	CLAIM("cycleh is there on RV32 only", RULE("C139"), BOTH(HIGH_HALF), rd,
	      CYCLEH),
};

static const struct step pages[] = {
	CLAIM("A and D bits of pages come by faults at first", RULE("C204"),
	      BOTH(VAL(0)), in_m, ADUE, CSRR(A1, MENV), AND(A0, A0, A1)),
	CLAIM("hardware may be told to set them", RULE("C204 menvcfg_adue_op"),
	      BOTH(VAL(ADUE)), in_m, ADUE, CSRRS(0, MENV, A0), CSRR(A1, MENV),
	      AND(A0, A0, A1)),
	CLAIM("and not to", RULE("C204 menvcfg_adue_op"), BOTH(VAL(0)), in_m,
	      ADUE, CSRRC(0, MENV, A0), CSRR(A1, MENV), AND(A0, A0, A1)),
};

static const struct step interrupts[] = {
	CLAIM("mip.LCOFIP is written", RULE("C110"), BOTH(VAL(LCOFI_BIT)), in_m,
	      LCOFI_BIT, CSRRS(0, MIP, A0), CSRR(A0, MIP)),
	CLAIM("and cleared", RULE("C110"), BOTH(VAL(0)), in_m, LCOFI_BIT,
	      CSRRC(0, MIP, A0), CSRR(A0, MIP)),
	CLAIM("mie.LCOFIE is written", RULE("C110"), BOTH(VAL(LCOFI_BIT)), warl,
	      MIE, LCOFI_BIT),
	CLAIM("not delegated, sie does not show it", RULE("C110 C135"),
	      BOTH(VAL(0)), rd, SIE),
	DO(wr, MIP, LCOFI_BIT),
	CLAIM("nor does sip", RULE("C110 C135"), BOTH(VAL(0)), rd, SIP),
	CLAIM("mideleg has its bit", RULE("C135"), BOTH(VAL(LCOFI_BIT)), in_m,
	      LCOFI_BIT, CSRRS(0, MIDELEG, A0), CSRR(A1, MIDELEG),
	      AND(A0, A0, A1)),
	CLAIM("delegated, sie shows it", RULE("C110 C135"),
	      BOTH(VAL(LCOFI_BIT)), rd, SIE),
	CLAIM("and sip", RULE("C110 C135"), BOTH(VAL(LCOFI_BIT)), rd, SIP),
	DO(wr, SIP, 0),
	CLAIM("sip clears mip", RULE("C110 C135"), BOTH(VAL(0)), pending,
	      LCOFI_BIT),
	FRESH,
};

static const struct step values[] = {
	DO(wr, MCOUNTINHIBIT, ALL),
	CLAIM("mcycle has 64 bits", RULE("C124"), BOTH(VAL(~0ull)),
	      counter_warl, 0, ~0ull),
	CLAIM("minstret has 64 bits", RULE("C124"), BOTH(VAL(~0ull)),
	      counter_warl, 2, ~0ull),
	CLAIM("a counter keeps what is written", RULE("C124"),
	      BOTH(VAL(0x1234)), counter_warl, 3, 0x1234),
	CLAIM("wrapping it by a write is no overflow", RULE("C108"), BOTH(OK),
	      set_counter, 3, ~0ull),
	DO(set_counter, 3, 0),
	CLAIM("OF stays 0", RULE("C108"), BOTH(VAL(0)), event, 3),
	CLAIM("LCOFIP stays 0", RULE("C108 count_overflow_trigger"),
	      BOTH(VAL(0)), pending, LCOFI_BIT),
	DO(set_event, 3, OF),
	CLAIM("software may set OF", RULE("C108"), BOTH(VAL(OF)), event, 3),
	CLAIM("that pends nothing", RULE("C108"), BOTH(VAL(0)), pending,
	      LCOFI_BIT),
	CLAIM("scountovf shows it", RULE("C112 scountovf_op"), BOTH(VAL(8)), rd,
	      SCOUNTOVF),
	DO(set_event, 3, 0),
	CLAIM("and that it was cleared", RULE("C112"), BOTH(VAL(0)), rd,
	      SCOUNTOVF),
	FRESH,
};

/* RV32: each half is written for itself. */
static const struct step halves_rv32[] = {
	DO(wr, MCOUNTINHIBIT, ALL),
	DO(set_counter, 3, 0x5ffffffffull),
	DO(wr, MHPMCOUNTER3, 0),
	CLAIM("writing the lower half leaves the upper one", RULE("C138"),
	      BOTH(VAL(0x500000000ull)), counter, 3),
	DO(wr, MHPMCOUNTER3, 7),
	DO(wr, MHPMCOUNTER3H, 9),
	CLAIM("writing the upper half leaves the lower one", RULE("C138"),
	      BOTH(VAL(0x900000007ull)), counter, 3),
	DO(set_event, 3, SINH | 2),
	DO(wr, MHPMEVENT3, 1),
	CLAIM("writing mhpmevent3 leaves mhpmevent3h", RULE("C138"),
	      BOTH(VAL(SINH | 1)), event, 3),
	FRESH,
	DO(set_event, 3, INSNS),
	DO(set_counter, 3, 0xfffffffeull),
	CLAIM("counting carries into the upper half", RULE("C138"),
	      BOTH(VAL(1)), in_m, 0, NOP, NOP, NOP, CSRR(A0, MHPMCOUNTER3H)),
	CLAIM("which is no overflow", RULE("C138 C107"), BOTH(VAL(0)), pending,
	      LCOFI_BIT),
	FRESH,
};

void chapter_csrs(void)
{
	TAP_STEPS("csrs", registers);
	TAP_STEPS("csrs", pages);
	TAP_STEPS("csrs", interrupts);
	TAP_STEPS("csrs", values);
	if (!RV64)
		TAP_STEPS("csrs", halves_rv32);
}
