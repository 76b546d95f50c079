/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that is made and run, over and over, more than an engine keeps of it:
 * each turn writes one of PAGES anew, a function of many short blocks, fences
 * and calls it, and calls the page that was written longest ago, which stays as
 * it was. What it adds says which code ran.
 */
#include "bare.inc"

	.set TURNS, 250
	.set PAGES, 4
	.set BLOCKS, 511		/* a page of them, and a return */
	.set ADD, 0x00050513		/* addi a0, a0, 0 */
	.set JUMP, 0x0040006f		/* j .+4 */
	.set RETURN, 0x00008067

	/* Calls page \page, which adds \by to a0 for each block; 5 */
	.macro call_page page, by, code
	jalr	\page
	mul	t0, \by, s6
	add	s7, s7, t0
	want_equal a0, s7, \code
	addi	s8, s8, 1
	.endm

_start:					/* 18 */
	la	s0, pages
	li	s1, ADD
	li	s2, JUMP
	li	s3, RETURN
	li	s4, 1			/* what this turn's code adds, */
	li	s5, TURNS
	li	s6, BLOCKS
	li	s7, 0			/* the sum to be */
	li	s8, 0			/* calls */
	li	s9, 0			/* the last turn's, */
	li	s10, 0			/* and before it, */
	li	s11, 0			/* and before that */
	li	a0, 0
	li	a1, 0			/* the page's number */
turn:					/* 6 + 5 * BLOCKS + 2 */
	slli	t0, s4, 20
	add	t0, t0, s1
	slli	t1, a1, 12
	add	t1, t1, s0
	mv	a2, t1
	mv	t2, s6
1:	sw	t0, 0(t1)
	sw	s2, 4(t1)
	addi	t1, t1, 8
	addi	t2, t2, -1
	bnez	t2, 1b
	sw	s3, 0(t1)
	fence.i
	call_page a2, s4, 1
	addi	a1, a1, 1		/* 4 */
	andi	a1, a1, PAGES - 1
	slli	a2, a1, 12
	add	a2, a2, s0
	call_page a2, s11, 2
	mv	s11, s10		/* 5 */
	mv	s10, s9
	mv	s9, s4
	addi	s4, s4, 1
	bge	s5, s4, turn
	li	t0, 2 * TURNS		/* 2 */
	want_equal s8, t0, 3
	pass
failed:
	fail

	/* Before a page is written it only returns. */
	.balign	4096
pages:
	.rept	PAGES
	ret
	.balign	4096
	.endr

	/* A page's code; of the first calls of old pages, PAGES - 1 return. */
	.set RUNS, 2 * TURNS - (PAGES - 1)
	.set CALLS, 2 * TURNS
	expect M, instructions, 18 + TURNS * (8 + 5 * BLOCKS + 10 + 4 + 5) + RUNS * 2 * BLOCKS + CALLS + 2 + PASS_INSNS
	expect M, branches, TURNS * (BLOCKS + 4 + 1) + RUNS * BLOCKS + CALLS + 1
	expect M, stores, TURNS * (2 * BLOCKS + 1) + 1
	expect M, loads, 0
	expect M, exceptions, 0
	expect_run emptied, 1
