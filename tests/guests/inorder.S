/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hart that waits for what its models miss (timing=inorder): cycles are
 * instructions and stalls, and those for loads and for a jump that was not
 * predicted are known. The data cache has 8 sets of 2 lines of 64 bytes, LRU;
 * the other parts, and how long each is waited for, are those of uarch=small.
 */
#include "bare.inc"

#define FRONTEND    0x8
#define BACKEND	    0x9
#define CYCLES	    0x1
#define LOAD_MISSES 0x10001

	.set LINES, 16
	.set LAST_LEVEL, 10
	.set MEMORY, 80
	.set BRANCH, 4

	.macro	select counter, event
	li	t0, \event
	csrw	\counter, t0
	.endm

	.macro	from_here
	csrw	mhpmcounter3, zero
	csrw	mhpmcounter4, zero
	csrw	mhpmcounter5, zero
	csrw	mhpmcounter6, zero
	csrw	mcycle, zero
	csrw	minstret, zero
	csrw	mcountinhibit, zero
	.endm

/* Since then; failures are told apart by @code. */
	.macro	want code, misses, backend
	csrw	mcountinhibit, s11
	csrr	t0, mhpmcounter6
	li	t1, \misses
	want_equal t0, t1, \code
	csrr	t0, mhpmcounter4
	li	t1, \backend
	want_equal t0, t1, \code + 1
	csrr	t1, mhpmcounter3
	add	t0, t0, t1
	csrr	t1, minstret
	add	t0, t0, t1
	csrr	t1, mcycle
	want_equal t0, t1, \code + 2
	csrr	t0, mhpmcounter5
	want_equal t0, t1, \code + 3
	.endm

_start:
	la	s0, lines
	li	s11, 0x7d		/* cycle, instret, 3 to 6 */
	csrw	mcountinhibit, s11
	select	mhpmevent3, FRONTEND
	select	mhpmevent4, BACKEND
	select	mhpmevent5, CYCLES
	select	mhpmevent6, LOAD_MISSES

	/* each line once from memory, then from the cache */
	from_here
	.set	at, 0
	.rept	2 * LINES
	lw	t0, (at % LINES) * 64(s0)
	.set	at, at + 1
	.endr
	want	10, LINES, LINES * MEMORY

	/* three lines of one set: again from the last level */
	la	s1, lines + 1024
	from_here
	.rept	4
	lw	t0, 0(s1)
	lw	t0, 512(s1)
	lw	t0, 1024(s1)
	.endr
	want	20, 12, 3 * MEMORY + 9 * LAST_LEVEL

	/* a store waits for nothing, an atomic for its load */
	addi	s1, s1, 64
	from_here
	sw	zero, 0(s1)
	sw	zero, 512(s1)
	addi	s1, s1, 64
	amoadd.w t0, zero, (s1)
	want	30, 1, MEMORY

	/* elsewhere than last time; the second time its lines are there */
	li	s5, 2
	la	s6, here
	la	s7, there
twice:
	from_here
	jr	s6
	nop
here:	nop
there:
	want	40, 0, 0
	csrr	t0, mhpmcounter3
	mv	s6, s7
	addi	s5, s5, -1
	bnez	s5, twice
	li	t1, BRANCH
	want_equal t0, t1, 50

	/* what has been counted is read by an instruction of its own cycles */
	csrw	mcountinhibit, zero
	csrr	t0, mcycle
	csrr	t1, mcycle
	sub	t1, t1, t0
	addi	t1, t1, -1
	want_equal t1, zero, 60
	pass
failed:
	fail

	.data
	.balign	4096
lines:	.space	4096

	expect_run uarch, 4
	.globl	"expect.M.stalled-cycles-backend"
	.set	"expect.M.stalled-cycles-backend", LINES * MEMORY + 3 * MEMORY + 9 * LAST_LEVEL + MEMORY
