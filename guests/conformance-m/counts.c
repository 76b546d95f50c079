/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What counts, to the instruction: reads, writes, inhibits and filters take
 * effect where the rules say, traps retire nothing (conformance K, L, Q).
 */
#include "bench.h"

/* a0 = a CSR after these instructions less the same before them. */
#define GAP(csr, ...)                                                          \
	0, CSRR(A1, csr), __VA_ARGS__, CSRR(A0, csr), SUB(A0, A0, A1)

static const struct step reads[] = {
	FRESH,
	CLAIM("minstret: what retired between two reads", RULE("C118"),
	      BOTH(VAL(4)), in_m, GAP(MINSTRET, NOP, NOP, NOP)),
	CLAIM("mcycle: a cycle for each instruction here", RULE("C193"),
	      BOTH(VAL(4)), in_m, GAP(MCYCLE, NOP, NOP, NOP)),
	CLAIM("instret is minstret", RULE("C118"), BOTH(VAL(1)), in_m, 0,
	      CSRR(A1, MINSTRET), CSRR(A0, INSTRET), SUB(A0, A0, A1)),
	DO(set_event, 3, INSNS),
	CLAIM("a counter of instructions", RULE("C118 C193"), BOTH(VAL(4)),
	      in_m, GAP(MHPMCOUNTER3, NOP, NOP, NOP)),
	CLAIM("hpmcounter3 is mhpmcounter3", RULE("C118"), BOTH(VAL(1)), in_m,
	      0, CSRR(A1, MHPMCOUNTER3), CSRR(A0, HPMCOUNTER3),
	      SUB(A0, A0, A1)),
	DO(set_event, 4, INSNS),
	CLAIM("a second counter of the event", RULE("C122"), BOTH(VAL(4)), in_m,
	      GAP(MHPMCOUNTER3 + 1, NOP, NOP, NOP)),
	CLAIM("does not take it from the first", RULE("C122"), BOTH(VAL(4)),
	      in_m, GAP(MHPMCOUNTER3, NOP, NOP, NOP)),
	DO(set_event, 3, CYCLES),
	CLAIM("another event on a counter", RULE("C122"), BOTH(VAL(4)), in_m,
	      GAP(MHPMCOUNTER3, NOP, NOP, NOP)),
	CLAIM("leaves the second alone", RULE("C122"), BOTH(VAL(4)), in_m,
	      GAP(MHPMCOUNTER3 + 1, NOP, NOP, NOP)),
	DO(set_event, 3, 0),
	CLAIM("no event", RULE("C120"), BOTH(VAL(0)), in_m,
	      GAP(MHPMCOUNTER3, NOP, NOP, NOP)),
	FRESH,
};

static const struct step writes[] = {
	CLAIM("csrw minstret: the next instruction reads the value",
	      RULE("C117"), BOTH(VAL(1000)), in_m, 1000, CSRRW(0, MINSTRET, A0),
	      CSRR(A0, MINSTRET)),
	CLAIM("csrw mcycle: the next instruction reads the value", RULE("C117"),
	      BOTH(VAL(1000)), in_m, 1000, CSRRW(0, MCYCLE, A0),
	      CSRR(A0, MCYCLE)),
	DO(set_event, 3, INSNS),
	CLAIM("csrw mhpmcounter3: the next instruction reads the value",
	      RULE("C117"), BOTH(VAL(1000)), in_m, 1000,
	      CSRRW(0, MHPMCOUNTER3, A0), CSRR(A0, MHPMCOUNTER3)),
	CLAIM("csrrs with a register that holds 0 is a write, and not counted",
	      RULE("C117 C180 csrrs_csrrc_rs1_x0"), BOTH(VAL(1)), in_m, 0,
	      CSRR(A1, MINSTRET), CSRRS(0, MINSTRET, A0), CSRR(A0, MINSTRET),
	      SUB(A0, A0, A1)),
	CLAIM("csrrs with x0 is a read, and counted", RULE("C117 C180"),
	      BOTH(VAL(2)), in_m, GAP(MINSTRET, CSRRS(A2, MINSTRET, 0))),
	CLAIM("a write to one counter is counted by another", RULE("C117"),
	      BOTH(VAL(2)), in_m, GAP(MHPMCOUNTER3, CSRRW(0, MINSTRET, A0))),
	DO(wr, MCOUNTINHIBIT, 4),
	CLAIM("an inhibited counter takes the value", RULE("C117"),
	      BOTH(VAL(1000)), in_m, 1000, CSRRW(0, MINSTRET, A0), NOP,
	      CSRR(A0, MINSTRET)),
	FRESH,
	CLAIM("the upper half of minstret on RV32", RULE("C117 C138 C139"),
	      BOTH(BY_XLEN(ERR(ILLEGAL), VAL(1))), in_m, 0, CSRR(A1, MINSTRET),
	      CSRRW(0, MINSTRETH, 0), CSRR(A0, MINSTRET), SUB(A0, A0, A1)),
};

static const struct step inhibits[] = {
	FRESH,
	CLAIM("what inhibits a counter is counted itself", RULE("C160"),
	      BOTH(VAL(2)), in_m,
	      GAP(MINSTRET, CSRRSI(0, MCOUNTINHIBIT, 4), NOP, NOP)),
	CLAIM("an inhibited counter stands", RULE("C113 C177"), BOTH(VAL(0)),
	      in_m, GAP(MINSTRET, NOP, NOP, NOP)),
	CLAIM("what ends that is not counted", RULE("C160"), BOTH(VAL(1)), in_m,
	      GAP(MINSTRET, CSRRCI(0, MCOUNTINHIBIT, 4), NOP)),
	CLAIM("one bit, one counter", RULE("C113"), BOTH(VAL(4)), in_m,
	      GAP(MINSTRET, CSRRSI(0, MCOUNTINHIBIT, 1), NOP, NOP)),
	FRESH,
	CLAIM("what gives a counter its event is not counted", RULE("C160"),
	      BOTH(VAL(1)), in_m, INSNS, CSRRW(0, MHPMEVENT3, A0), NOP,
	      CSRR(A0, MHPMCOUNTER3)),
	DO(set_counter, 3, 0),
	CLAIM("what takes it is", RULE("C160"), BOTH(VAL(2)), in_m, 0,
	      CSRR(A1, MHPMCOUNTER3), CSRRWI(0, MHPMEVENT3, 0), NOP, NOP,
	      CSRR(A0, MHPMCOUNTER3), SUB(A0, A0, A1)),
	DO(wr, MCOUNTINHIBIT, 1),
	CLAIM("time goes on without cycle", RULE("C164"), BOTH(VAL(0)), in_m,
	      GAP(MCYCLE, NOP, NOP, NOP)),
	FRESH,
};

/* A filter of M: on RV64 in the CSR, on RV32 in its upper half. */
#define CFG   BY_XLEN(MINSTRETCFG, MINSTRETCFGH)
#define M_BIT BY_XLEN(MINH, MINH >> 32)
#define U_BIT BY_XLEN(UINH, UINH >> 32)

static const struct step filters[] = {
	FRESH,
	CLAIM("what filters M from minstret is counted itself",
	      RULE("C123 C160"), BOTH(VAL(2)), in_m, M_BIT, CSRR(A1, MINSTRET),
	      CSRRS(0, CFG, A0), NOP, NOP, CSRR(A0, MINSTRET), SUB(A0, A0, A1)),
	CLAIM("minstret stands in M", RULE("C125 C177"), BOTH(VAL(0)), in_m,
	      GAP(MINSTRET, NOP, NOP, NOP)),
	CLAIM("and counts in S", RULE("C125"), BOTH(VAL(4)), in_s,
	      GAP(INSTRET, NOP, NOP, NOP)),
	CLAIM("what ends that is not counted", RULE("C123 C160"), BOTH(VAL(1)),
	      in_m, M_BIT, CSRR(A1, MINSTRET), CSRRC(0, CFG, A0), NOP,
	      CSRR(A0, MINSTRET), SUB(A0, A0, A1)),
	FRESH,
	DO(wr, SCOUNTEREN, ALL),
	DO(wr, CFG, U_BIT),
	CLAIM("minstret without U, in U", RULE("C125"), BOTH(VAL(0)), in_u,
	      GAP(INSTRET, NOP, NOP, NOP)),
	CLAIM("minstret without U, in S", RULE("C125"), BOTH(VAL(4)), in_s,
	      GAP(INSTRET, NOP, NOP, NOP)),
	DO(set_event, 3, MINH | SINH | INSNS),
	CLAIM("a counter of U alone, in M", RULE("C106 C177"), BOTH(VAL(0)),
	      in_m, GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	CLAIM("a counter of U alone, in S", RULE("C106 C177"), BOTH(VAL(0)),
	      in_s, GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	CLAIM("a counter of U alone, in U", RULE("C106 C177"), BOTH(VAL(4)),
	      in_u, GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	DO(set_counter, 3, 0),
	CLAIM("mret to U is of M, ecall retires nothing",
	      RULE("C119 C126 instret_exception"), BOTH(OK), in_u, 0, NOP, NOP,
	      NOP),
	CLAIM("so U has retired what stands there", RULE("C119 C126"),
	      BOTH(VAL(3)), counter, 3),
	DO(set_event, 3, SINH | UINH | INSNS),
	CLAIM("a counter of M alone, in U", RULE("C106 C177"), BOTH(VAL(0)),
	      in_u, GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	CLAIM("a counter of M alone, in M", RULE("C106 C177"), BOTH(VAL(4)),
	      in_m, GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	DO(set_event, 3, MINH | SINH | UINH | INSNS),
	CLAIM("a counter of no mode", RULE("C106 C177"), BOTH(VAL(0)), in_m,
	      GAP(HPMCOUNTER3, NOP, NOP, NOP)),
	FRESH,
};

static const struct step traps[] = {
	CLAIM("ecall does not retire", RULE("C119 C126 instret_exception"),
	      BOTH(VAL(5)), in_m_skipping, GAP(MINSTRET, ECALL)),
	CLAIM("ebreak does not retire", RULE("C119 C126"), BOTH(VAL(5)),
	      in_m_skipping, GAP(MINSTRET, EBREAK)),
	CLAIM("an illegal instruction does not retire", RULE("C119 C126"),
	      BOTH(VAL(5)), in_m_skipping, GAP(MINSTRET, UNIMP)),
	CLAIM("a load that faults does not retire", RULE("C119 C126"),
	      BOTH(VAL(5)), in_m_skipping,
	      GAP(MINSTRET, 0x00003603 & BY_XLEN(~0u, ~0x1000u))),
	CLAIM("a write that is not allowed does not retire", RULE("C119"),
	      BOTH(VAL(5)), in_m_skipping, GAP(MINSTRET, CSRRW(0, CYCLE, A0))),
	CLAIM("wfi retires when it ends", RULE("C119 C165"), BOTH(VAL(2)), in_m,
	      LCOFI_BIT, CSRRS(0, MIP, A0), CSRRS(0, MIE, A0),
	      CSRR(A1, MINSTRET), WFI, CSRR(A0, MINSTRET), SUB(A0, A0, A1)),
	FRESH,
	CLAIM("wfi in U is illegal", RULE("C165"), BOTH(ERR(ILLEGAL)), in_u, 0,
	      WFI),
	DO(wr, MIDELEG, LCOFI_BIT),
	DO(wr, MIE, LCOFI_BIT),
	DO(wr, MIP, LCOFI_BIT),
	CLAIM("wfi in S", RULE("C165 wfi_unaffected_conditions"), BOTH(OK),
	      in_s, 0, WFI),
	DO(in_m, 1 << 21, CSRRS(0, MSTATUS, A0)),
	CLAIM("wfi in S with TW", RULE("C165"), BOTH(ERR(ILLEGAL)), in_s, 0,
	      WFI),
	DO(in_m, 1 << 21, CSRRC(0, MSTATUS, A0)),
	FRESH,
};

void chapter_counts(void)
{
	TAP_STEPS("reads", reads);
	TAP_STEPS("writes", writes);
	TAP_STEPS("inhibits", inhibits);
	TAP_STEPS("filters", filters);
	TAP_STEPS("traps", traps);
}
