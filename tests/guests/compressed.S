/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compressed instructions among whole ones, at every alignment, and a whole
 * one that lies across a page border.
 */
#include "bare.inc"

	.set N, 1000

_start:
	la	s0, word		/* 2 */
	mv	sp, s0			/* 1 */
	li	s1, N			/* 1 */
	.option	rvc
1:	c.addi	a0, 1			/* 15 a turn */
	.option	norvc
	addi	a0, a0, 1		/* at 2 modulo 4 */
	.option	rvc
	c.lw	a1, 0(s0)
	c.sw	a1, 4(s0)
	c.lwsp	a2, 0(sp)
	c.swsp	a2, 4(sp)
	c.beqz	s1, 3f			/* never */
	c.bnez	s1, 2f			/* always */
	c.nop
	.option	norvc
2:	j	across
	.option	rvc
3:	c.ebreak
4:	c.mv	a3, a4
	c.addi	s1, -1
	.option	norvc
	bnez	s1, 1b
	pass

	.balign	4096
	.skip	4094
across:
	addi	a5, a5, 1		/* two bytes on either page */
	.option	rvc
	c.nop
	.option	norvc
	j	4b

	.data
	.balign	8
word:	.word	5, 0

	expect M, instructions, 4 + 15 * N + PASS_INSNS
	expect M, branches, 5 * N
	expect M, loads, 2 * N
	expect M, stores, 2 * N + 1
	expect M, exceptions, 0
