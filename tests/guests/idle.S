/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter of cycles overflows while the hart waits, which ends the wait at
 * that very cycle; the wfi retires then. Again with the interrupt taken.
 */
#include "bare.inc"

	.macro arm distance
	li	t0, 8
	csrw	mcountinhibit, t0
	li	t0, 1
	csrw	mhpmevent3, t0
#if __riscv_xlen == 32
	csrw	0x723, zero
	li	t0, -1
	csrw	mhpmcounter3h, t0
#endif
	li	t0, -\distance
	csrw	mhpmcounter3, t0
	csrc	mip, s0
	csrw	mcountinhibit, zero
	.endm

_start:
	la	t0, handler
	csrw	mtvec, t0
	li	s0, 1
	slli	s0, s0, IRQ_LCOFI
	csrw	mie, s0
	csrr	s1, minstret
	arm	100000
	wfi
	csrr	s2, mhpmcounter3
	csrr	t0, mip
	and	t0, t0, s0
	li	a0, 1
	beqz	t0, failed
	li	a0, 2
	li	t0, 1			/* the wfi */
	bne	s2, t0, failed
	csrr	s2, minstret
	sub	s2, s2, s1
	li	t0, 100
	li	a0, 3
	bgtu	s2, t0, failed

	csrc	mip, s0
	csrsi	mstatus, MSTATUS_MIE
	li	s3, 0
	la	s4, after
	arm	12345
	wfi
after:
	li	a0, 4
	beqz	s3, failed
	pass

	.balign	4
handler:
	csrr	t0, mepc
	li	a0, 5
	bne	t0, s4, failed
	csrc	mip, s0
	li	s3, 1
	mret
failed:
	fail

	expect_run waits, 1
	expect M, interrupts, 1
