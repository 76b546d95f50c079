/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two busy harts beside one that sleeps for good: hart 0 ends when it has seen
 * that hart 1 came to run, so that when it ends says whose turns were how long.
 */
#include "bare.inc"

	expect_run harts, 3
	.set	N, 1000

_start:
	csrw	mie, zero
	csrr	s0, mhartid
	la	s1, word
	li	s2, N
	li	t1, 1
	beqz	s0, 2f
	beq	s0, t1, 1f
3:	wfi
	j	3b
1:	amoadd.w zero, t1, (s1)
	j	1b
2:	lw	t0, 0(s1)
	bltu	t0, s2, 2b
	pass

	.data
	.balign	64
word:	.word	0
