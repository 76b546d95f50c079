/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every event that a core with all models has, in a few instructions of S-mode
 * whose counts are worked out beside them. Each cache is of one way; L1I and L1D
 * have two lines, so that lines 128 bytes apart replace each other; the last
 * level has 16, which no two share. TLBs have one entry, the second level four.
 */
#include "bare.inc"

#if __riscv_xlen == 64
#define SATP	 8 << 60
#else
#define SATP	 1 << 31
#endif

	/* stalls=1:10:100:1000:5 */
	.set LAST_LEVEL, 1
	.set MEMORY, 10
	.set STLB, 100
	.set WALK, 1000
	.set BRANCH, 5

_start:
	open_memory
	la	t0, done
	csrw	mtvec, t0
	/* entry 2 of the root (512: 0x80000000 on Sv32) is RAM, as it is */
	la	s2, root
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
	ori	t0, t0, 0xcf
	sd	t0, 16(s2)
#else
	ori	t0, t0, 0xcf
	li	t1, 512 * 4
	add	t1, t1, s2
	sw	t0, 0(t1)
#endif
	srli	t0, s2, 12
	li	t1, SATP
	or	t0, t0, t1
	csrw	satp, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	la	t0, work
	csrw	mepc, t0
	la	s0, pages + 512
	la	s1, pages + 4096 + 768
	mret

	.balign	4096
work:	/* a line from memory, a walk */
	lw	t0, 0(s0)	/* walk, memory; the next from memory, too */
	lw	t0, 64(s0)	/* there */
	sw	zero, 0(s0)	/* there */
	sw	zero, 0(s1)	/* walk, memory; the next, too: both replace */
	lw	t0, 0(s0)	/* STLB, last level; the next from there */
	sw	zero, 0(s1)	/* the same */
	beqz	zero, 1f	/* not predicted */
2:	ecall			/* line 0 again: from the last level */
	.balign	128
1:	j	2b		/* a line from memory; predicted */

	.balign	4096
done:
	pass

	.data
	.balign	4096
root:	.space	4096
pages:	.space	8192

	.macro	count event, n
	.globl	"expect.S.\event"
	.set	"expect.S.\event", \n
	.endm

	.set	FRONTEND, WALK + 2 * MEMORY + LAST_LEVEL + BRANCH
	/* a load's line, four translations; a store's line is not waited for */
	.set	BACKEND, MEMORY + LAST_LEVEL + 2 * WALK + 2 * STLB

	count	instructions, 8
	count	branches, 2
	count	stalled-cycles-frontend, FRONTEND
	count	stalled-cycles-backend, BACKEND
	count	cycles, 8 + FRONTEND + BACKEND + 1	/* and the trap */
	count	cache-references, 3
	count	cache-misses, 4
	count	branch-misses, 1
	count	L1-dcache-loads, 3
	count	L1-dcache-load-misses, 2
	count	L1-dcache-stores, 3
	count	L1-dcache-store-misses, 2
	count	L1-dcache-prefetches, 4
	count	L1-dcache-prefetch-misses, 4
	count	L1-icache-loads, 3
	count	L1-icache-load-misses, 3
	count	LLC-loads, 5
	count	LLC-load-misses, 3
	count	LLC-stores, 2
	count	LLC-store-misses, 1
	count	LLC-prefetches, 4
	count	LLC-prefetch-misses, 2
	count	dTLB-loads, 3
	count	dTLB-load-misses, 1
	count	dTLB-stores, 3
	count	dTLB-store-misses, 1
	count	iTLB-loads, 3
	count	iTLB-load-misses, 1
	count	branch-loads, 2
	count	branch-load-misses, 1
	count	node-loads, 3
	count	node-stores, 1
	count	node-prefetches, 2

	expect_run uarch, 6
