/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads whose misses have each a reason: of a data cache of 8 sets of 2 lines
 * of 64 bytes, LRU. Lines of the source that miss say so: "MISS: reason", in
 * the order in which they do it last.
 */
#include "bare.inc"

	.set SETS, 8
	.set WAYS, 2
	.set LINE, 64

_start:
	la	s0, lines
	lw	t0, 0(s0)		/* MISS: cold */
	lw	t0, 4(s0)		/* the same line */

	/* Three lines of one set in turn, and nothing else: room for 16. */
	la	s1, lines + 4096
	li	s2, 3
turn:
	lw	t0, 0(s1)
	lw	t1, SETS * LINE(s1)
	lw	t2, 2 * SETS * LINE(s1)	/* MISS: conflict */
	addi	s2, s2, -1
	bnez	s2, turn

	/* Twice as many lines as there is room for, again and again. */
	li	s2, 2
again:
	la	s1, lines + 8192
	li	s3, 2 * SETS * WAYS
walk:
	lw	t0, 8(s1)		/* MISS: capacity */
	addi	s1, s1, LINE
	addi	s3, s3, -1
	bnez	s3, walk
	addi	s2, s2, -1
	bnez	s2, again

	/* It takes the place of one that was written. */
	la	s1, lines + 12288
	sw	zero, 0(s1)
	lw	t0, SETS * LINE(s1)
	lw	t0, 2 * SETS * LINE(s1)	/* MISS: cold */
	pass

	.data
	.balign	4096
lines:	.space	16384

	expect_run uarch, 2
	/* 1, then 3 lines 3 times, 32 twice, 2 */
	.globl	"expect.M.L1-dcache-load-misses"
	.set	"expect.M.L1-dcache-load-misses", 1 + 3 * 3 + 2 * 32 + 2
	.globl	"expect.M.L1-dcache-store-misses"
	.set	"expect.M.L1-dcache-store-misses", 1
	.globl	"expect.M.L1-dcache-loads"
	.set	"expect.M.L1-dcache-loads", 2 + 9 + 64 + 2
	expect M, exceptions, 0
