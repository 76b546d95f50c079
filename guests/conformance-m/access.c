/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who may read counters: every mode with every setting of the enables, and
 * what no mode may do (conformance C112, C115, C116, C139).
 */
#include "bench.h"

#define READ(csr)    0, CSRR(A0, csr)
/* S and U read cycle with these bits of mcounteren and scounteren. */
#define ENABLE(m, s) FRESH, DO(wr, MCOUNTEREN, m), DO(wr, SCOUNTEREN, s)

static const struct step enables[] = {
	ENABLE(0, 0),
	CLAIM("m 0 s 0: S may not read cycle", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_s, READ(CYCLE)),
	CLAIM("m 0 s 0: U may not read cycle", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_u, READ(CYCLE)),
	CLAIM("m 0 s 0: M reads cycle", RULE("C115"), BOTH(OK), in_m,
	      READ(CYCLE)),
	ENABLE(0, ALL),
	CLAIM("m 0 s 1: S may not read cycle", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_s, READ(CYCLE)),
	CLAIM("m 0 s 1: U may not read cycle", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_u, READ(CYCLE)),
	ENABLE(1, 0),
	CLAIM("m 1 s 0: S reads cycle", RULE("C115 mcounteren_set_nxt_priv"),
	      BOTH(OK), in_s, READ(CYCLE)),
	CLAIM("m 1 s 0: U may not read cycle", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_u, READ(CYCLE)),
	CLAIM("m 1 s 0: S may not read instret", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_s, READ(INSTRET)),
	ENABLE(1, 1),
	CLAIM("m 1 s 1: U reads cycle", RULE("C115"), BOTH(OK), in_u,
	      READ(CYCLE)),
	CLAIM("m 1 s 1: U may not read instret", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_u, READ(INSTRET)),
	ENABLE(2, 0),
	CLAIM("m 2 s 0: S reads time", RULE("C115 C116"), BOTH(OK), in_s,
	      READ(TIME)),
	CLAIM("m 2 s 0: U may not read time", RULE("C115 C116"),
	      BOTH(ERR(ILLEGAL)), in_u, READ(TIME)),
	ENABLE(5, 7),
	CLAIM("m 5 s 7: S may not read time", RULE("C115 C116"),
	      BOTH(ERR(ILLEGAL)), in_s, READ(TIME)),
	ENABLE(8, 8),
	CLAIM("m 8 s 8: S reads hpmcounter3", RULE("C115"), BOTH(OK), in_s,
	      READ(HPMCOUNTER3)),
	CLAIM("m 8 s 8: U reads hpmcounter3", RULE("C115"), BOTH(OK), in_u,
	      READ(HPMCOUNTER3)),
	CLAIM("m 8 s 8: S may not read hpmcounter4", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_s, READ(HPMCOUNTER3 + 1)),
	DO(wr, MCOUNTINHIBIT, ALL),
	CLAIM("an inhibited counter is read as well", RULE("C113"), BOTH(OK),
	      in_u, READ(HPMCOUNTER3)),
	ENABLE(ALL, ALL),
	CLAIM("upper halves in S", RULE("C115 C139"), BOTH(HIGH_HALF), in_s,
	      READ(CYCLEH)),
	CLAIM("upper halves in U", RULE("C115 C139"), BOTH(HIGH_HALF), in_u,
	      READ(CYCLEH)),
	ENABLE(ALL - 1, ALL),
	CLAIM("upper halves in S without their bit", RULE("C115"),
	      BOTH(ERR(ILLEGAL)), in_s, READ(CYCLEH)),
	ENABLE(ALL, ALL),
	CLAIM("mcycle in S", RULE("C115"), BOTH(ERR(ILLEGAL)), in_s,
	      READ(MCYCLE)),
	CLAIM("mcycle in U", RULE("C115"), BOTH(ERR(ILLEGAL)), in_u,
	      READ(MCYCLE)),
	CLAIM("mhpmevent3 in S", RULE("C106"), BOTH(ERR(ILLEGAL)), in_s,
	      READ(MHPMEVENT3)),
	CLAIM("scounteren in U", RULE("C115"), BOTH(ERR(ILLEGAL)), in_u,
	      READ(SCOUNTEREN)),
};

static const struct step writes[] = {
	CLAIM("csrrw to cycle in M", RULE("C115"), BOTH(ERR(ILLEGAL)), in_m, 0,
	      CSRRW(0, CYCLE, A0)),
	CLAIM("csrrs to cycle in M, the register holding 0",
	      RULE("C115 C180 csrrs_csrrc_rs1_x0"), BOTH(ERR(ILLEGAL)), in_m, 0,
	      CSRRS(A1, CYCLE, A0)),
	CLAIM("csrrc to instret in S, the register holding 0",
	      RULE("C115 C180"), BOTH(ERR(ILLEGAL)), in_s, 0,
	      CSRRC(A1, INSTRET, A0)),
	CLAIM("csrrw to hpmcounter3 in U", RULE("C115"), BOTH(ERR(ILLEGAL)),
	      in_u, 0, CSRRW(0, HPMCOUNTER3, A0)),
	CLAIM("csrrsi to cycle in M with 0 is a read",
	      RULE("C180 csrrsi_csrrci_uimm_zero"), BOTH(OK), in_m, 0,
	      CSRRSI(A0, CYCLE, 0)),
	CLAIM("csrrwi to scountovf in M", RULE("C112"), BOTH(ERR(ILLEGAL)),
	      in_m, 0, CSRRWI(0, SCOUNTOVF, 0)),
	CLAIM("csrrs to scountovf in M, the register holding 0",
	      RULE("C112 C180"), BOTH(ERR(ILLEGAL)), in_m, 0,
	      CSRRS(A1, SCOUNTOVF, A0)),
	CLAIM("csrrci to scountovf in S with a bit", RULE("C112"),
	      BOTH(ERR(ILLEGAL)), in_s, 0, CSRRCI(A1, SCOUNTOVF, 8)),
	CLAIM("csrrci to scountovf in S with 0 is a read", RULE("C112"),
	      BOTH(OK), in_s, 0, CSRRCI(A0, SCOUNTOVF, 0)),
};

static const struct step scountovf[] = {
	FRESH,
	DO(set_event, 3, OF),
	DO(set_event, 5, OF),
	DO(set_event, 31, OF),
	CLAIM("scountovf in M: all", RULE("C112 scountovf_mmode_read_access"),
	      BOTH(VAL(1ull << 31 | 0x28)), rd, SCOUNTOVF),
	DO(wr, MCOUNTEREN, 0x20),
	CLAIM("scountovf in M: mcounteren has no say",
	      RULE("C112 scountovf_mmode_read_access"), BOTH(VAL(8)), in_m, 0,
	      CSRR(A0, SCOUNTOVF), 0x00857513 /* andi a0, a0, 8 */),
	CLAIM("scountovf in S: what mcounteren lets it see",
	      RULE("C112 scountovf_smode_read_access_control"), BOTH(VAL(0x20)),
	      in_s, READ(SCOUNTOVF)),
	DO(wr, MCOUNTEREN, 0x28),
	DO(wr, SCOUNTEREN, 0),
	CLAIM("scountovf in S: scounteren has no say",
	      RULE("C112 scountovf_smode_read_access"), BOTH(VAL(0x28)), in_s,
	      READ(SCOUNTOVF)),
	CLAIM("scountovf in U", RULE("C112"), BOTH(ERR(ILLEGAL)), in_u,
	      READ(SCOUNTOVF)),
	FRESH,
};

void chapter_access(void)
{
	TAP_STEPS("access", enables);
	TAP_STEPS("access", writes);
	TAP_STEPS("access", scountovf);
}
