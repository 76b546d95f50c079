/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions whose own fetch overflows a counter of fetches, and which write
 * what that changes: each begins a line, and there is one line of four
 * instructions. What it writes and what it does to the counter are of one moment,
 * as with a counter of instructions.
 */
#include "bare.inc"

#define L1I_MISSES 0x10009
#define LINE	   16

/* The next line is the first one that misses, and overflows. */
	.macro	ready
	li	t0, 8
	csrw	mcountinhibit, t0
	li	t0, L1I_MISSES
	csrw	mhpmevent3, t0
#if __riscv_xlen == 32
	csrw	0x723, zero		/* mhpmeventh3 */
	li	t0, -1
	csrw	mhpmcounter3h, t0
#endif
	li	t0, -1
	csrw	mhpmcounter3, t0
	csrw	mip, zero
	.balign	LINE
	nop
	nop
	nop
	csrw	mcountinhibit, zero
	.endm

/* The rest of the line: counter 3 stands, and is OF of it \of, LCOFIP \lcofip? */
	.macro	want code, of, lcofip
	csrw	mcountinhibit, s2
	csrr	t1, mip
	and	t1, t1, s1
	snez	t1, t1
	li	t2, \lcofip
	want_equal t1, t2, \code
	csrr	t1, 0xda0		/* scountovf */
	srli	t1, t1, 3
	li	t2, \of
	want_equal t1, t2, \code + 1
	.endm

/* What it has counted since: */
	.macro	want_value code, n
	csrr	t1, mhpmcounter3
	li	t2, \n
	want_equal t1, t2, \code + 2
	.endm

_start:
	la	t0, handler
	csrw	mtvec, t0
	li	s1, 1
	slli	s1, s1, IRQ_LCOFI
	li	s2, 8
	li	s3, L1I_MISSES
	csrw	mie, s1			/* and mstatus.MIE is 0 */

	/* one that does nothing else; its fetch is there when it reads */
	ready
	csrr	s4, mhpmcounter3
	want	1, 1, 1
	want_equal s4, zero, 3
	want_value 1, 0

	/* the request is not lost */
	ready
	csrc	mip, s1
	want	10, 1, 1
	want_value 10, 0

	/* what is written stands, and no request is without its OF */
	ready
	csrw	mhpmevent3, s3
	want	20, 0, 0
	want_value 20, 0

	/* that is no overflow, nor is it counted */
	ready
	csrw	mhpmcounter3, s2
	want	30, 0, 0
	want_value 30, 8

	/* one that stops the counter is counted */
	ready
	csrw	mcountinhibit, s2
	want	40, 1, 1
	want_value 40, 0

	/* it does not wait: its own request is there */
	ready
	wfi
	want	50, 1, 1
	want_value 50, 0

	/* the exception first */
	ready
	ecall
	want	60, 1, 1
	want_equal s5, s1, 63
	pass

	.balign	LINE
handler:
	csrw	mcountinhibit, s2
	csrr	s5, mip
	and	s5, s5, s1
	csrr	t1, mepc
	addi	t1, t1, 4
	csrw	mepc, t1
	mret
failed:
	fail

	expect_run uarch, 10
	expect M, exceptions, 1
	expect M, interrupts, 0
