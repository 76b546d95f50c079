/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A loop that loads, stores, calls, and branches both ways.
 */
#include "bare.inc"

	.set N, 50000

_start:
	la	s0, word		/* 2 */
	lui	s1, N >> 12		/* 2 */
	addi	s1, s1, N & 0x7ff
	.if	(N & 0xfff) >= 0x800
	.error	"N does not fit lui and addi"
	.endif
1:	lw	t0, 0(s0)		/* 10 a turn, 1 load, 1 store */
	addi	t0, t0, 3
	sw	t0, 0(s0)
	beqz	s1, failed		/* never */
	jal	ra, leaf
	andi	t1, s1, 1
	bnez	t1, 2f			/* every other turn */
2:	addi	s1, s1, -1
	bnez	s1, 1b			/* all turns but the last */
	pass
leaf:
	ret
failed:
	li	a0, 1
	fail

	.data
	.balign	8
word:	.word	0

	expect M, instructions, 4 + 10 * N + PASS_INSNS
	expect M, branches, 5 * N
	expect M, loads, N
	expect M, stores, N + 1
	expect M, exceptions, 0
