/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart reads of its own counters: a read sees what retired before it, a
 * write is not counted by the counter it writes, inhibiting and filtering work
 * from the next instruction on, and U reads what it is let.
 */
#include "bare.inc"

	/* Fails with \code unless \reg holds \value. */
	.macro want reg, value, code
	li	a0, \code
	li	t6, \value
	bne	\reg, t6, failed
	.endm

_start:
	open_memory
	la	t0, handler
	csrw	mtvec, t0
	csrw	mcounteren, zero
	li	t0, -1
	csrw	scounteren, t0
	csrr	s0, minstret		/* 1 + 10 */
	.rept	10
	addi	a1, a1, 1
	.endr
	csrr	s1, minstret
	sub	s1, s1, s0
	want	s1, 11, 1
	csrr	s0, mcycle
	.rept	10
	addi	a1, a1, 1
	.endr
	csrr	s1, mcycle
	sub	s1, s1, s0
	want	s1, 11, 2

	csrr	s0, minstret		/* a trap costs a cycle */
	csrr	s1, mcycle
	ecall
	csrr	s2, minstret
	csrr	s3, mcycle
	sub	s2, s2, s0
	sub	s3, s3, s1
	sub	s3, s3, s2
	want	s3, 1, 3

	li	t0, 100			/* a write is not counted */
	csrw	minstret, t0
	csrr	s0, minstret
	want	s0, 100, 4
	li	t0, 2
	csrw	mhpmevent3, t0
	li	t0, 50
	csrw	mhpmcounter3, t0
	csrr	s0, mhpmcounter3
	csrr	s1, mhpmcounter3
	want	s0, 50, 5
	want	s1, 51, 6

	csrr	s0, minstret		/* 2 before it stands still */
	csrsi	mcountinhibit, 4
	nop
	nop
	csrr	s1, minstret
	csrci	mcountinhibit, 4
	csrr	s2, minstret
	csrr	s3, minstret
	sub	s1, s1, s0
	sub	s2, s2, s0
	sub	s3, s3, s0
	want	s1, 2, 7
	want	s2, 2, 8
	want	s3, 3, 9

#if __riscv_xlen == 64
	li	t0, 1			/* MINH: not in M */
	slli	t0, t0, 62
	ori	t0, t0, 2
	csrw	mhpmevent3, t0
#else
	li	t0, 1
	slli	t0, t0, 30
	csrw	0x723, t0
	csrw	minstreth, zero		/* the carry between the halves */
	li	t0, -1
	csrw	minstret, t0
	nop
	csrr	s0, minstret
	csrr	s1, minstreth
	want	s0, 0, 10
	want	s1, 1, 11
#endif
	csrr	s0, mhpmcounter3
	nop
	csrr	s1, mhpmcounter3
	sub	s1, s1, s0
	want	s1, 0, 12

	la	t0, in_u
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	mret
	/* Back from U by ecall, a7 = what it found wrong. */
back:
	mv	a0, a7
	bnez	a7, failed
	pass

in_u:
	li	a7, 13
	li	s5, 0			/* counts illegal instructions */
	rdcycle	t0
	rdtime	t0
	rdinstret t0
	csrr	t0, hpmcounter3
	li	t6, 4
	bne	s5, t6, 1f
	li	a7, 14
	li	s6, 7			/* asks M: CY, TM, IR */
	ecall
	rdtime	t0
	csrr	t0, hpmcounter3
	li	t6, 5
	bne	s5, t6, 1f
	li	a7, 15
	rdinstret s0
	addi	a1, a1, 1
	rdinstret s1
	sub	s1, s1, s0
	li	t6, 2
	bne	s1, t6, 1f
	rdcycle	s0
	addi	a1, a1, 1
	rdcycle	s1
	sub	s1, s1, s0
	bne	s1, t6, 1f
	li	a7, 0
1:	li	s6, -1			/* asks M: the end */
	ecall

	.balign	4
handler:
	csrr	t0, mcause
	li	t1, CAUSE_ILLEGAL
	beq	t0, t1, 1f
	li	t1, CAUSE_ECALL_M
	beq	t0, t1, 2f
	li	t1, -1
	beq	s6, t1, back
	csrw	mcounteren, s6
	j	2f
1:	addi	s5, s5, 1
2:	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret
failed:
	fail

	expect U, exceptions, 7
