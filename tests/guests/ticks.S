/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events of frequencies of their own: 3 ref-cycles and 7 bus-cycles in 10
 * cycles. What has ticked follows from mcycle, so an overflow is checked
 * against that: along a row of instructions at each distance from 40 to 1, and
 * in WFI. Another counter, of bus-cycles, runs all the time.
 */
#include "bare.inc"

#define REF 0xa
#define BUS 7
	.set D, 40
	.set WAIT, 100000

	/* how often it has ticked, with @n of 10, in as many cycles as @rs */
	.macro ticks rd, rs, n
	li	t5, \n
	mul	\rd, \rs, t5
	li	t5, 10
	divu	\rd, \rd, t5
	.endm

	/* counter 3 to overflow at tick s0 of event @select from behind it on;
	   s2: the cycle there */
	.macro arm select
	li	t0, 8
	csrw	mcountinhibit, t0
	li	t0, \select
	csrw	mhpmevent3, t0
#if __riscv_xlen == 32
	csrw	0x723, zero		/* mhpmeventh3 */
	li	t0, -1
	csrw	mhpmcounter3h, t0
#endif
	neg	t0, s0
	csrw	mhpmcounter3, t0
	csrc	mip, s8
	csrw	mcountinhibit, zero	/* counted under the old setting */
	csrr	s2, mcycle
	.endm

	/* it overflowed in the cycle before the one of s3 */
	.macro check n, code
	addi	t0, s3, -1
	ticks	t1, t0, \n
	addi	t0, t0, -1
	ticks	t2, t0, \n
	ticks	t3, s2, \n
	sub	t1, t1, t3
	sub	t2, t2, t3
	addi	t2, t2, 1
	li	a0, \code
	bne	t1, s0, failed		/* as many as were to be */
	bne	t2, s0, failed		/* and one less a cycle before */
	.endm

	.macro along select, n, code
	la	s7, 2f
	li	s0, D
1:	csrsi	mstatus, MSTATUS_MIE
	arm	\select
	.rept	D * 10 / 3 + 4
	nop
	.endr
	li	a0, \code
	j	failed
2:	csrci	mstatus, MSTATUS_MIE
	check	\n, \code + 1
	addi	s0, s0, -1
	bnez	s0, 1b
	.endm

	.macro asleep select, n, code
	li	s0, WAIT
	arm	\select
	wfi				/* retires when the wait is over */
	csrr	s3, mcycle
	check	\n, \code
	.endm

_start:
	la	t0, handler
	csrw	mtvec, t0
	li	s8, 1
	slli	s8, s8, IRQ_LCOFI
	csrw	mie, s8
	li	t0, BUS
	csrw	mhpmevent4, t0
	csrr	s4, mcycle
	along	REF, 3, 1
	along	BUS, 7, 3
	asleep	REF, 3, 5
	asleep	BUS, 7, 6

	csrr	t0, mcycle
	csrr	s5, mhpmcounter4	/* a cycle later */
	addi	t0, t0, 1
	ticks	t1, t0, 7
	ticks	t2, s4, 7
	sub	t1, t1, t2
	li	a0, 7
	bne	t1, s5, failed
	pass

	.balign	4
handler:
	csrr	s3, mcycle		/* the overflow, the trap's entry */
	csrr	t0, mcause
	li	a0, 8
	bgez	t0, failed
	csrc	mip, s8
	csrw	mepc, s7
	mret
failed:
	fail

	expect_run uarch, 7
	expect_run waits, 1
	expect M, interrupts, 2 * D
	expect M, exceptions, 0
