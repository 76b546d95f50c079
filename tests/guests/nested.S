/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps within handlers of traps, six deep, each turn: a call of U is S's, whose
 * handler meets an illegal instruction, which is delegated and so S's again; that
 * handler is interrupted by S's software interrupt, which calls M; M's handler
 * meets an illegal instruction, and the handler of that a breakpoint: both M's,
 * whatever is delegated. Counters are inhibited by mode, and say so in the end:
 * what retires, traps or waits for an entry belongs to the mode it happens in.
 */
#include "bare.inc"

	.set N, 60
	.set IN_U, 11

#define MINH 4				/* of bits 62-60 */
#define SINH 2
#define UINH 1
#define CYCLES	   0x1
#define INSNS	   0x2
#define LOADS	   0x100000
#define EXCEPTIONS 0x100002
#define INTERRUPTS 0x100003
#define MINSTRETCFG  0x322
#define MINSTRETCFGH 0x722
#define SSTATUS_SIE 2
#define SIP_SSIP    2
#if __riscv_xlen == 64
#define LOG	3
#define IRQ	(1 << 63)
#else
#define LOG	2
#define IRQ	(1 << 31)
#endif

	/* Counter \n counts \event, but not in modes \filters. */
	.macro	count n, event, filters
#if __riscv_xlen == 64
	li	t0, (\filters) << 60 | \event
	csrw	mhpmevent\n, t0
#else
	li	t0, (\filters) << 28
	csrw	0x720 + \n, t0
	li	t0, \event
	csrw	mhpmevent\n, t0
#endif
	.endm

	/* What was read in \reg is \want. */
	.macro	want reg, want, code
	li	t0, \want
	want_equal \reg, t0, \code
	.endm

	/*
	 * A handler of mode \x: what it is for and does is a row of its depth, s1.
	 * Its way in and out, but for what the row does, are HANDLER instructions,
	 * 3 loads and 2 stores.
	 */
	.macro	handler x
	.balign	4
\x\()_trap:				/* 14 */
	addi	sp, sp, -2 * SZ
	csrr	t0, \x\()epc
	REG_S	t0, 0(sp)
	csrr	t0, \x\()status
	REG_S	t0, SZ(sp)
	addi	s1, s1, 1
	slli	t0, s1, LOG
	add	t0, t0, s2
	REG_L	t0, 0(t0)
	csrr	t1, \x\()cause
	want_equal t0, t1, 1
	slli	t0, s1, 4
	add	t0, t0, s3
	jr	t0
\x\()_done:				/* 11 */
	REG_L	t0, SZ(sp)
	csrw	\x\()status, t0
	REG_L	t0, 0(sp)
	addi	t1, s1, -DEPTH_INTERRUPT
	snez	t1, t1			/* behind an exception, not else */
	slli	t1, t1, 2
	add	t0, t0, t1
	csrw	\x\()epc, t0
	addi	sp, sp, 2 * SZ
	addi	s1, s1, -1
	\x\()ret
	.endm
	.set	HANDLER, 14 + 11
	.set	DEPTH_INTERRUPT, 3

_start:					/* the last instruction of M counts */
	open_memory
	la	t0, m_trap
	csrw	mtvec, t0
	la	t0, s_trap
	csrw	stvec, t0
	la	sp, stack
	li	s1, 0
	la	s2, causes - SZ		/* there is no depth 0 */
	la	s3, rows - 16
	li	t0, 1 << CAUSE_ECALL_U | 1 << CAUSE_ILLEGAL
	csrw	medeleg, t0
	li	t0, SIP_SSIP
	csrw	mideleg, t0
	csrw	sie, t0
	li	t0, -1
	csrw	mcounteren, t0
	csrw	mcountinhibit, t0
	count	3, INSNS, SINH | UINH
	count	4, INSNS, MINH | UINH
	count	5, INSNS, MINH | SINH
	count	6, INSNS, UINH
	count	7, CYCLES, MINH | UINH
	count	8, CYCLES, SINH | UINH
	count	9, EXCEPTIONS, MINH | UINH
	count	10, EXCEPTIONS, SINH | UINH
	count	11, EXCEPTIONS, MINH | SINH
	count	12, INTERRUPTS, MINH | UINH
	count	13, INTERRUPTS, SINH | UINH
	count	14, LOADS, MINH
	count	15, LOADS, SINH
#if __riscv_xlen == 64
	li	t0, (MINH | SINH) << 60
	csrw	MINSTRETCFG, t0
#else
	li	t0, (MINH | SINH) << 28
	csrw	MINSTRETCFGH, t0
	csrw	minstreth, zero
#endif
	csrw	minstret, zero
	la	t0, in_u
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	a7, 0
	csrw	mcountinhibit, zero
	mret

	handler	s
	handler	m

	/* A row is four instructions; what it retires is behind it. */
	.balign	16
rows:
	bnez	a7, over		/* 1: U's call: 2 */
	.word	0xffffffff
	j	s_done
	nop
	csrsi	sstatus, SSTATUS_SIE	/* 2: S's illegal instruction: 4 */
	csrsi	sip, SIP_SSIP		/* interrupted behind it */
	csrci	sstatus, SSTATUS_SIE
	j	s_done
	csrci	sip, SIP_SSIP		/* 3: S's software interrupt: 2 */
	ecall
	j	s_done
	nop
	.word	0xffffffff		/* 4: S's call: 1 */
	j	m_done
	nop
	nop
	ebreak				/* 5: M's illegal instruction: 1 */
	j	m_done
	nop
	nop
	j	m_done			/* 6: M's breakpoint: 1 */

	/* Each turn, and the last call of U up to where S reads. */
	.set	S_TURN, 3 * HANDLER + 2 + 4 + 2
	.set	M_TURN, 3 * HANDLER + 3
	.set	U_TURN, 1 + 2 * IN_U + 2
	.set	S_END, 14 + 1
	.set	S_INSNS, N * S_TURN + S_END
	.set	M_INSNS, 1 + N * M_TURN
	.set	U_INSNS, 1 + N * U_TURN + 1
	.set	S_EXCEPTIONS, 2 * N
	.set	M_EXCEPTIONS, 2 * N
	.set	U_EXCEPTIONS, N + 1

over:
	csrr	s4, hpmcounter4
	csrr	s5, hpmcounter7
	csrr	s6, hpmcounter6
	csrr	s7, hpmcounter14
	csrr	s8, hpmcounter15
	want	s4, S_INSNS, 4
	want	s5, S_INSNS + 1 + S_EXCEPTIONS + N, 5
	want	s6, S_INSNS + 2 + M_INSNS, 6
	want	s7, N * 3 * 3 + 1, 7
	want	s8, N * 3 * 3, 8
	csrr	s4, hpmcounter3
	want	s4, M_INSNS, 9
	csrr	s4, hpmcounter5
	want	s4, U_INSNS, 10
	csrr	s4, hpmcounter8
	want	s4, M_INSNS + M_EXCEPTIONS, 11
	csrr	s4, hpmcounter9
	want	s4, S_EXCEPTIONS, 12
	csrr	s4, hpmcounter10
	want	s4, M_EXCEPTIONS, 13
	csrr	s4, hpmcounter11
	want	s4, U_EXCEPTIONS, 14
	csrr	s4, hpmcounter12
	want	s4, N, 15
	csrr	s4, hpmcounter13
	want	s4, 0, 16
	csrr	s4, instret
	want	s4, U_INSNS, 17
	pass

failed:
	fail

in_u:
	li	s0, N
1:	li	t2, IN_U
2:	addi	t2, t2, -1
	bnez	t2, 2b
	ecall
	addi	s0, s0, -1
	bnez	s0, 1b
	li	a7, 1
	ecall

	.data
	.balign	SZ
causes:
	PTR	CAUSE_ECALL_U, CAUSE_ILLEGAL, IRQ | 1
	PTR	CAUSE_ECALL_S, CAUSE_ILLEGAL, CAUSE_BREAKPOINT
	.skip	32 * SZ
stack:

	expect S, interrupts, N
	expect M, interrupts, 0
	expect S, exceptions, S_EXCEPTIONS
	expect M, exceptions, M_EXCEPTIONS
	expect U, exceptions, U_EXCEPTIONS
	expect U, instructions, U_INSNS
	expect U, branches, N * (IN_U + 1)
	expect S, stores, (3 * N + 1) * 2 + 1
	expect M, stores, 3 * N * 2
	expect S, loads, N * 3 * 3 + 1
	expect M, loads, N * 3 * 3
	expect_run smcntrpmf, 1
