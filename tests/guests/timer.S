/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CLINT's timer, running and waiting: 100 interrupts from a busy loop, then
 * 100 out of wfi. Each must come at its tick, not before, and go away with a
 * new mtimecmp.
 */
#include "bare.inc"

	.set N, 100
	.set STEP, 50			/* ticks */

_start:
	la	t0, handler
	csrw	mtvec, t0
	lui	s0, CLINT
	lui	t0, 4			/* mtimecmp of hart 0 */
	add	s1, s0, t0
	lui	t0, 0xc			/* mtime */
	addi	t0, t0, -8
	add	s2, s0, t0
#if __riscv_xlen == 32
	sw	zero, 4(s1)
#endif
	REG_L	s3, 0(s2)		/* the next tick to be woken at */
	addi	s3, s3, STEP
	REG_S	s3, 0(s1)
	li	t0, 1 << IRQ_MTI
	csrw	mie, t0
	li	s4, 0			/* interrupts taken */
	csrsi	mstatus, MSTATUS_MIE
	li	s5, N
1:	addi	a1, a1, 1
	blt	s4, s5, 1b
	li	s5, 2 * N
2:	csrci	mstatus, MSTATUS_MIE	/* none between check and wfi */
	bge	s4, s5, 3f
	wfi
	csrsi	mstatus, MSTATUS_MIE
	j	2b
3:
	REG_S	zero, 0(s1)		/* pending at once, but not taken */
	csrr	t0, mip
	andi	t0, t0, 1 << IRQ_MTI
	li	a0, 3
	beqz	t0, failed
	pass

	.balign	4
handler:
	csrr	t0, mcause
	li	a0, 1
	bgez	t0, failed
	andi	t0, t0, 0xf
	li	t1, IRQ_MTI
	bne	t0, t1, failed
	REG_L	t0, 0(s2)
	li	a0, 2
	bltu	t0, s3, failed
	addi	s3, s3, STEP
	REG_S	s3, 0(s1)
	addi	s4, s4, 1
	mret
failed:
	fail

	expect_run waits, 1
	expect M, interrupts, 2 * N
	expect M, exceptions, 0
