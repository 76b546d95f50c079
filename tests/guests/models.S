/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Caches of a hart that has them: rows of loads and stores whose misses are
 * known, counted by the guest's own counters, of which the instance is cold
 * when the first one is told what to count. The data cache has 8 sets of 2
 * lines of 64 bytes, LRU; the other parts are those of uarch=small.
 */
#include "bare.inc"

#define L1D_LOADS  0x10000
#define L1D_STORES 0x10002

	.set LINES, 16

/* Counters 3 to 6 from 0: loads, load misses, stores, store misses. */
	.macro	from_here
	csrw	mhpmcounter3, zero
	csrw	mhpmcounter4, zero
	csrw	mhpmcounter5, zero
	csrw	mhpmcounter6, zero
	csrw	mcountinhibit, zero
	.endm

/* What they counted since; failures are told apart by @code. */
	.macro	want code, loads, load_misses, stores, store_misses
	csrw	mcountinhibit, s11
	csrr	t0, mhpmcounter3
	li	t1, \loads
	want_equal t0, t1, \code
	csrr	t0, mhpmcounter4
	li	t1, \load_misses
	want_equal t0, t1, \code + 1
	csrr	t0, mhpmcounter5
	li	t1, \stores
	want_equal t0, t1, \code + 2
	csrr	t0, mhpmcounter6
	li	t1, \store_misses
	want_equal t0, t1, \code + 3
	.endm

	.macro	select counter, event
	li	t0, \event
	csrw	\counter, t0
	.endm

_start:
	la	s0, lines
	lw	t0, 0(s0)		/* before any choice: not remembered */
	li	s11, -1
	csrw	mcountinhibit, s11
	select	mhpmevent3, L1D_LOADS
	select	mhpmevent4, L1D_LOADS + 1
	select	mhpmevent5, L1D_STORES
	select	mhpmevent6, L1D_STORES + 1

	/* as much as there is room for: missed once */
	from_here
	.set	at, 0
	.rept	2 * LINES
	lw	t0, (at % LINES) * 64(s0)
	.set	at, at + 1
	.endr
	want	10, 2 * LINES, LINES, 0, 0

	/* it is still there; stores, bytes and pairs of lines, too */
	from_here
	sb	zero, 3(s0)
	sw	zero, 64(s0)
	lbu	t0, 127(s0)
	lw	t0, 62(s0)		/* over the end of a line */
	want	20, 2, 0, 2, 0

	/* three lines of one set, in turn: never there */
	from_here
	la	s1, lines + 1024
	.rept	4
	lw	t0, 0(s1)
	sw	zero, 512(s1)
	lw	t0, 1024(s1)
	.endr
	want	30, 8, 8, 4, 4

	/* atomic: a load that misses, then a store that does not */
	from_here
	addi	s2, s1, 64
	amoadd.w t0, zero, (s2)
	lr.w	t0, (s2)
	sc.w	t1, t0, (s2)
	want_equal t1, zero, 40
	sc.w	t1, t0, (s2)		/* nothing is reserved: no access */
	bnez	t1, 1f
	li	a0, 41
	j	failed
1:	want	42, 2, 1, 2, 0

	/* a device is not cached; what traps accesses nothing */
	from_here
	la	t0, handler
	csrw	mtvec, t0
	li	s3, 0x10000005		/* the UART's status */
	lbu	t0, 0(s3)
	li	s3, 0x40000000		/* nothing */
	lw	t0, 0(s3)
	want	50, 0, 0, 0, 0
	pass

	.balign	4
handler:
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret
failed:
	fail

	.data
	.balign	4096
lines:	.space	4096

	expect_run uarch, 2
	.globl	"expect.M.L1-dcache-loads"
	.set	"expect.M.L1-dcache-loads", 1 + 2 * LINES + 2 + 8 + 2
	.globl	"expect.M.L1-dcache-stores"
	.set	"expect.M.L1-dcache-stores", 2 + 4 + 2
	/* lines[0] by the load before; else as above */
	.globl	"expect.M.L1-dcache-load-misses"
	.set	"expect.M.L1-dcache-load-misses", LINES + 8 + 1
	expect M, exceptions, 1
