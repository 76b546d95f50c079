/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow at every distance in U-mode, behind translation: a counter that
 * counts U only, its interrupt delegated to S. The row of instructions lies
 * across a page border of its own mapping. Before the interrupt exactly d
 * instructions retire in U.
 */
#include "bare.inc"

	.set D, 200

#if __riscv_xlen == 64
#define PTE_S	 sd
#define PTE_SIZE 8
#else
#define PTE_S	 sw
#define PTE_SIZE 4
#endif
#define SUPER	 0xcf		/* D A X W R V */
#define USER	 0x5b		/* A U X R V */

	/* The entry of the page or table at \addr, into t0. */
	.macro pte addr, flags
	srli	t0, \addr, 12
	slli	t0, t0, 10
	ori	t0, t0, \flags
	.endm

_start:
	open_memory
	la	t0, from_below
	csrw	mtvec, t0
	la	t0, in_s
	csrw	stvec, t0
	la	s0, root
	la	s1, leafs
	la	s2, pages
	lui	t1, 0x80000		/* RAM, as it is */
#if __riscv_xlen == 64
	slli	t1, t1, 32
	srli	t1, t1, 32
	pte	t1, SUPER
	PTE_S	t0, 2 * PTE_SIZE(s0)
	la	t1, middle
	pte	t1, 1
	PTE_S	t0, 3 * PTE_SIZE(s0)
	pte	s1, 1
	PTE_S	t0, 0(t1)
#else
	pte	t1, SUPER
	lui	t2, 1
	add	t2, s0, t2
	PTE_S	t0, -2048(t2)
	pte	s1, 1
	PTE_S	t0, -1024(t2)
#endif
	pte	s2, USER		/* two pages at 0xc0000000 */
	PTE_S	t0, 0(s1)
	lui	t1, 1
	add	t1, s2, t1
	pte	t1, USER
	PTE_S	t0, PTE_SIZE(s1)
	srli	t0, s0, 12
	li	t1, 1
	slli	t1, t1, 31
#if __riscv_xlen == 64
	slli	t1, t1, 32
#endif
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	li	t0, 1
	slli	t0, t0, IRQ_LCOFI
	csrw	mideleg, t0
	csrw	sie, t0
	li	t0, -1
	csrw	mcounteren, t0
	li	s4, 3			/* the row in its mapping */
	slli	s4, s4, 30
	la	t0, row
	sub	t0, t0, s2
	add	s4, s4, t0
	li	s3, 1			/* d */
turn:
	li	t0, 8
	csrw	mcountinhibit, t0
#if __riscv_xlen == 64
	li	t0, 6			/* MINH, SINH */
	slli	t0, t0, 60
	ori	t0, t0, 2		/* instructions */
	csrw	mhpmevent3, t0
#else
	li	t0, 2
	csrw	mhpmevent3, t0
	li	t0, 6
	slli	t0, t0, 28
	csrw	0x723, t0		/* mhpmeventh3 */
	li	t0, -1
	csrw	mhpmcounter3h, t0
#endif
	neg	t0, s3
	csrw	mhpmcounter3, t0
	csrw	mcountinhibit, zero
	slli	t0, s3, 2
	add	s5, s4, t0		/* where the interrupt is to come */
	csrw	mepc, s4
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	mret

	.balign	4
in_s:					/* 15 instructions and an ecall */
	csrr	t0, scause
	bgez	t0, 1f
	andi	t0, t0, 0xf
	li	t1, IRQ_LCOFI
	bne	t0, t1, 1f
	csrr	t0, sepc
	bne	t0, s5, 1f
	csrr	t0, hpmcounter3
	bnez	t0, 1f
	csrr	t0, 0xda0		/* scountovf */
	andi	t0, t0, 8
	beqz	t0, 1f
	li	t0, 1
	slli	t0, t0, IRQ_LCOFI
	csrc	sip, t0
	ecall
1:	j	1b			/* runs into the limit of cycles */

	.balign	4
from_below:
	csrr	t0, mcause
	li	t1, CAUSE_ECALL_S
	li	a0, 1
	bne	t0, t1, failed		/* U's ecall: no interrupt came */
	addi	s3, s3, 1
	li	t0, D + 1
	bne	s3, t0, turn
	pass
failed:
	fail

	.balign	4096
pages:	.skip	4096 - 400
row:	.rept	D + 8
	addi	a1, a1, 1
	.endr
	ecall
	.balign	4096

	.data
	.balign	4096
root:	.skip	4096
middle:	.skip	4096
leafs:	.skip	4096

	expect U, instructions, D * (D + 1) / 2
	expect U, interrupts, D
	expect U, exceptions, 0
	expect S, instructions, D * 15
	expect S, exceptions, D
