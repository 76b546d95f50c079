/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Prints how often it missed the data cache, and at which cycle: eight times,
 * behind loads from all over a page that no one can foresee, but for who repeats
 * them. Its counter is told what to count behind the first round.
 */
#include "bare.inc"

	.set ROUNDS, 8
	.set LOADS, 64

/* The eight digits of the low half of @reg. */
	.macro	print reg
	li	t1, 28
8:	srl	t2, \reg, t1
	andi	t2, t2, 15
	addi	t3, t2, -10
	addi	t2, t2, '0'
	bltz	t3, 9f
	addi	t2, t3, 'a'
9:	sb	t2, 0(s1)
	addi	t1, t1, -4
	bgez	t1, 8b
	.endm

_start:
	la	s0, page
	lui	s1, UART
	li	s2, ROUNDS
	li	s3, 1			/* of dice */
round:
	li	s4, LOADS
1:	slli	t0, s3, 13
	xor	s3, s3, t0
	srli	t0, s3, 7
	xor	s3, s3, t0
	slli	t0, s3, 17
	xor	s3, s3, t0
	slli	t0, s3, 20
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
#endif
	srli	t0, t0, 20
	andi	t0, t0, -4
	add	t0, t0, s0
	lw	t1, 0(t0)
	addi	s4, s4, -1
	bnez	s4, 1b
	csrr	t0, mhpmcounter3
	print	t0
	li	t2, ' '
	sb	t2, 0(s1)
	csrr	t0, mcycle
	print	t0
	li	t2, '\n'
	sb	t2, 0(s1)
	li	t0, 0x10001		/* L1-dcache-load-misses */
	csrw	mhpmevent3, t0
	addi	s2, s2, -1
	bnez	s2, round
	pass

	.data
	.balign	4096
page:	.space	4096

	expect_run uarch, 2
