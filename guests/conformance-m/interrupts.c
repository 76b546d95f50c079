/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The overflow interrupt among the others: when, where, in which order and in
 * which mode it is taken (conformance C111, C162, C163, C176).
 */
#include "bench.h"

enum {
	SSIP = 1 << 1,
	STIP = 1 << 5,
	SEIP = 1 << 9,
	SIE_BIT = 1 << 1,
	S_IRQS = SSIP | STIP | SEIP | LCOFI_BIT,
};

/* Raises the machine's own software and timer interrupts. */
static struct answer raise(const uint64_t *a)
{
	(void)a;
	*(volatile uint32_t *)0x2000000 = 1;
	*(volatile uint32_t *)0x2004004 = 0;
	*(volatile uint32_t *)0x2004000 = 0;
	return (struct answer){ 0, 0 };
}

/* Opens mstatus.MIE for a while. */
#define OPEN                                                                   \
	DO(in_m, 0, CSRRSI(0, MSTATUS, MSTATUS_MIE), NOP, NOP,                 \
	   CSRRCI(0, MSTATUS, MSTATUS_MIE))

static const struct step order[] = {
	FRESH,
	DO(raise),
	DO(wr, MIE, ALL),
	DO(in_m, S_IRQS, CSRRS(0, MIP, A0)),
	OPEN,
	CLAIM("M: MSI, MTI, SEI, SSI, STI, LCOFI", RULE("C111"),
	      BOTH(VAL(0x37915d)), taken),
	FRESH,
	DO(wr, MIDELEG, S_IRQS),
	DO(wr, MIE, ALL),
	DO(in_m, S_IRQS, CSRRS(0, MIP, A0)),
	OPEN,
	CLAIM("delegated, none is taken in M", RULE("C111"), BOTH(VAL(0)),
	      taken),
	DO(in_s, 0, CSRRSI(0, SSTATUS, SIE_BIT), NOP, NOP,
	   CSRRCI(0, SSTATUS, SIE_BIT)),
	CLAIM("S: SEI, SSI, STI, LCOFI", RULE("C111"), BOTH(VAL(0x915d)),
	      taken),
	FRESH,
	DO(wr, MIDELEG, SEIP),
	DO(wr, MIE, ALL),
	DO(in_m, SEIP | LCOFI_BIT, CSRRS(0, MIP, A0)),
	DO(in_s, 0, CSRRSI(0, SSTATUS, SIE_BIT), NOP, NOP,
	   CSRRCI(0, SSTATUS, SIE_BIT)),
	CLAIM("LCOFI for M comes before SEI for S", RULE("C111"),
	      BOTH(VAL(0xd9)), taken),
	FRESH,
	DO(wr, MIE, ALL),
	DO(in_m, LCOFI_BIT, CSRRS(0, MIP, A0)),
	CLAIM("in S, M's interrupts need no MIE", RULE("C111"), BOTH(OK), in_s,
	      0, NOP),
	CLAIM("LCOFI was taken there", RULE("C111"), BOTH(VAL(0xd)), taken),
	FRESH,
	DO(in_m, LCOFI_BIT, CSRRS(0, MIP, A0)),
	OPEN,
	CLAIM("without mie.LCOFIE it is not taken", RULE("C110"), BOTH(VAL(0)),
	      taken),
	FRESH,
};

static const struct step places[] = {
	DO(wr, MIE, LCOFI_BIT),
	DO(in_m, LCOFI_BIT, CSRRS(0, MIP, A0)),
	DO(in_m, 0, CSRRSI(0, MSTATUS, MSTATUS_MIE), NOP, NOP),
	CLAIM("behind the csrsi that sets MIE",
	      RULE("C163 intr_mip_mie_xret_csrwr"), BOTH(VAL(1)), taken_at),
	FRESH,
	DO(in_m, LCOFI_BIT, CSRRSI(0, MSTATUS, MSTATUS_MIE), NOP,
	   CSRRS(0, MIP, A0), NOP, CSRRS(0, MIE, A0), NOP, NOP),
	CLAIM("behind the csrs that sets mie.LCOFIE",
	      RULE("C163 intr_mip_mie_xret_csrwr"), BOTH(VAL(5)), taken_at),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(in_m, LCOFI_BIT, CSRRSI(0, MSTATUS, MSTATUS_MIE), NOP,
	   CSRRS(0, MIP, A0), NOP, NOP),
	CLAIM("behind the csrs that sets mip.LCOFIP",
	      RULE("C163 intr_mip_mie_xret_csrwr"), BOTH(VAL(3)), taken_at),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(in_m, LCOFI_BIT, CSRRS(0, MIP, A0)),
	DO(in_u, 0, NOP, NOP),
	CLAIM("before the first instruction that mret goes to", RULE("C163"),
	      BOTH(VAL(0)), taken_at),
	FRESH,
	DO(wr, MIDELEG, LCOFI_BIT),
	DO(wr, MIE, LCOFI_BIT),
	DO(in_m, LCOFI_BIT, CSRRS(0, MIP, A0)),
	DO(in_s, 0, NOP, CSRRSI(0, SSTATUS, SIE_BIT), NOP,
	   CSRRCI(0, SSTATUS, SIE_BIT)),
	CLAIM("behind the csrsi that sets SIE",
	      RULE("C163 sie_sip_strap_time_constraint"), BOTH(VAL(2)),
	      taken_at),
	FRESH,
};

#define MIE_ON DO(in_m, 0, CSRRSI(0, MSTATUS, MSTATUS_MIE))

static const struct step overflows[] = {
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(set_event, 3, INSNS),
	DO(set_counter, 3, 0xffffffff00000000ull),
	MIE_ON,
	CLAIM("M: at the instruction behind the one that overflowed",
	      RULE("C109 C176"), BOTH(VAL(1 + 20)), overflow_in, 'M', 20),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(set_event, 3, INSNS),
	DO(set_counter, 3, 0xffffffff00000000ull),
	MIE_ON,
	CLAIM("M: behind the first instruction", RULE("C57 C176"),
	      BOTH(VAL(1 + 1)), overflow_in, 'M', 1),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(set_event, 3, CYCLES),
	DO(set_counter, 3, 0xffffffff00000000ull),
	MIE_ON,
	CLAIM("M: a counter of cycles", RULE("C109 C176"), BOTH(VAL(1 + 33)),
	      overflow_in, 'M', 33),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(set_event, 3, MINH | INSNS),
	DO(set_counter, 3, -17ull),
	CLAIM("S: taken in M, at the next instruction", RULE("C111 C176"),
	      BOTH(VAL(17)), overflow_in, 'S'),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(set_event, 3, MINH | INSNS),
	DO(set_counter, 3, -18ull),
	CLAIM("U: taken in M, at the next instruction", RULE("C111 C176"),
	      BOTH(VAL(18)), overflow_in, 'U'),
	FRESH,
	DO(wr, MIE, LCOFI_BIT),
	DO(wr, MIDELEG, LCOFI_BIT),
	DO(set_event, 3, MINH | SINH | INSNS),
	DO(set_counter, 3, -19ull),
	CLAIM("U: delegated, taken in S", RULE("C111 C176"), BOTH(VAL(19)),
	      overflow_in, 'U'),
	FRESH,
};

void chapter_interrupts(void)
{
	TAP_STEPS("interrupts", order);
	TAP_STEPS("interrupts", places);
	TAP_STEPS("interrupts", overflows);
}
