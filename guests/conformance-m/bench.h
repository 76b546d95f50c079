/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the chapters of the M-mode conformance guest share: CSR numbers, names
 * of what only the hart knows, and the operations of their tables.
 */
#ifndef BENCH_H
#define BENCH_H

#include <pmu/insn-word.h>

#include "../common/code.h"
#include "../common/csr-short.h"
#include "../common/guest.h"
#include "../common/tap.h"

#define RV64 (__riscv_xlen == 64)
#define ALL  (~0ul)
/* On RV64 the one answer, on RV32 the other. */
#if __riscv_xlen == 64
#define BY_XLEN(rv64, rv32) rv64
#else
#define BY_XLEN(rv64, rv32) rv32
#endif
/* A CSR with an upper half: only RV32 has it. */
#define HIGH_HALF BY_XLEN(ERR(ILLEGAL), OK)

enum {
	ILLEGAL = 2,
	VIRTUAL = 22,
	LCOFI = 13,
	LCOFI_BIT = 1 << LCOFI,
	MSTATUS_MIE = 8,
	CYCLES = 1,
	INSNS = 2,
	ECALL = PMU_WORD_ECALL,
	EBREAK = PMU_WORD_EBREAK,
	WFI = PMU_WORD_WFI,
	UNIMP = 0xc0001073,
};
/* Of mhpmevent */
#define OF    (1ull << 63)
#define MINH  (1ull << 62)
#define SINH  (1ull << 61)
#define UINH  (1ull << 60)
#define VSINH (1ull << 59)
#define VUINH (1ull << 58)

/* Bit 60 of mstateen0 and hstateen0: the select registers. */
#define MSTATE	 BY_XLEN(MSTATEEN0, MSTATEEN0H)
#define HSTATE	 BY_XLEN(HSTATEEN0, HSTATEEN0H)
#define SELECTOR (1ull << BY_XLEN(60, 28))
/* menvcfg.ADUE: A and D bits of pages by hardware. */
#define MENV	 BY_XLEN(MENVCFG, MENVCFGH)
#define ADUE	 (1ull << BY_XLEN(61, 29))

#define NAMED(i)    (0x5eed000000000000ull + (i))
#define COUNTERS    NAMED(0) /* the bits of mcountinhibit */
#define MAX3	    NAMED(1) /* the highest value of counter 3 */
#define EVENT_BITS  NAMED(2) /* of mhpmevent */
#define FILTER_BITS NAMED(3) /* of mcyclecfg, its half on RV32 */
#define N_NAMED	    4

/* Up to 9 instructions, a0 being a[0] at first and the answer at last. */
op_fn in_m, in_s, in_u, in_vs, in_vu;
/* As in_m; what traps costs 4 instructions and is passed over. */
op_fn in_m_skipping;

op_fn rd;	 /* CSR */
op_fn wr;	 /* CSR, value */
op_fn warl;	 /* CSR, value: written and read back */
op_fn event;	 /* n: mhpmeventN, both halves */
op_fn set_event; /* n, value; both halves */
op_fn event_warl;
op_fn counter; /* n */
op_fn set_counter;
op_fn counter_warl;
/* As at first: nothing inhibited, counted, filtered, enabled or pending. */
op_fn fresh;
#define FRESH DO(fresh)

op_fn set_cde; /* menvcfg.CDE: delegation of counters */

op_fn pending;	   /* mip & a[0] */
op_fn taken;	   /* the interrupts since fresh, a digit each */
op_fn taken_at;	   /* where the last was, in instructions of the sequence */
op_fn overflow_in; /* mode, instructions: taken_at */

extern struct known {
	uint64_t counters, max3, event_bits;
	bool delegation, stateen, hypervisor, protection;
} known;

void chapter_csrs(void);
void chapter_access(void);
void chapter_counts(void);
void chapter_overflow(void);
void chapter_interrupts(void);
void chapter_delegation(void);
void chapter_guests(void);

#endif
