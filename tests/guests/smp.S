/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four harts add to one word by amoadd and by lr/sc, then hart 0 sends each of
 * the others a software interrupt out of its wfi, and checks the sums.
 */
#include "bare.inc"

	expect_run harts, 4
	.set	N, 2000
	.set	LOCKED, 500

_start:
	csrr	s0, mhartid
	la	s1, words
	la	t0, wrong
	csrw	mtvec, t0
	li	s2, N
	li	t1, 1
1:	amoadd.w zero, t1, (s1)
	addi	s2, s2, -1
	bnez	s2, 1b
	li	s2, LOCKED
	addi	s3, s1, 64
2:	lr.w	t0, (s3)
	addi	t0, t0, 1
	sc.w	t1, t0, (s3)
	bnez	t1, 2b
	addi	s2, s2, -1
	bnez	s2, 2b
	li	t1, 1
	addi	s4, s1, 128		/* harts done */
	fence	rw, rw
	amoadd.w zero, t1, (s4)
	bnez	s0, sleeper

	li	t2, 4
3:	lw	t0, 0(s4)
	bne	t0, t2, 3b
	fence	rw, rw
	lw	t0, 0(s1)
	li	t1, 4 * N
	li	a0, 1
	bne	t0, t1, failed
	lw	t0, 0(s3)
	li	t1, 4 * LOCKED
	li	a0, 2
	bne	t0, t1, failed
	lui	s5, CLINT
	li	t1, 1
	sw	t1, 4(s5)
	sw	t1, 8(s5)
	sw	t1, 12(s5)
	addi	s6, s1, 192		/* harts woken */
	li	t2, 3
4:	lw	t0, 0(s6)
	bne	t0, t2, 4b
	pass

sleeper:
	csrwi	mie, 1 << IRQ_MSI
5:	wfi
	csrr	t0, mip
	andi	t0, t0, 1 << IRQ_MSI
	beqz	t0, 5b
	lui	t0, CLINT
	slli	t1, s0, 2
	add	t0, t0, t1
	sw	zero, 0(t0)
	li	t1, 1
	addi	s6, s1, 192
	amoadd.w zero, t1, (s6)
6:	wfi
	j	6b

	.balign	4
wrong:
	li	a0, 3
failed:
	fail

	.data
	.balign	64
words:	.skip	256
