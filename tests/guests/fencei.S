/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that is written, fenced and run, again and again at the same address:
 * once through the address it runs at, once through data that lies beside it.
 */
#include "bare.inc"

	.set N, 500

_start:
	la	s0, patch
	la	s3, around
	lw	s1, 0(s0)		/* addi a0, a0, 0 */
	li	s2, 1			/* the immediate to be */
	li	a0, 0
	li	s4, 0			/* the sum to be */
1:	slli	t0, s2, 20
	add	t0, t0, s1
	sw	t0, 0(s0)
	fence.i
	jal	ra, patch
	add	s4, s4, s2
	bne	a0, s4, failed
	sw	s2, 0(s3)		/* in the page, not in the code */
	jal	ra, patch
	add	s4, s4, s2
	bne	a0, s4, failed
	addi	s2, s2, 1
	li	t0, N
	bne	s2, t0, 1b
	pass
failed:
	li	a0, 1
	fail

	.balign	4096
patch:
	addi	a0, a0, 0
	ret
around:
	.word	0
