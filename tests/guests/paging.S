/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Translation in S-mode, Sv39 or Sv32: an identity map of all memory by large
 * pages, and one window page that is mapped, changed and taken away. Page
 * faults must name cause and address, A and D bits must be set as the page is
 * used, and SUM must guard U pages.
 */
#include "bare.inc"

#if __riscv_xlen == 64
#define PTE_S	 sd
#define PTE_L	 ld
#define SATP	 8 << 60
#else
#define PTE_S	 sw
#define PTE_L	 lw
#define SATP	 1 << 31
#endif

#define V	 0x01
#define R	 0x02
#define W	 0x04
#define X	 0x08
#define U	 0x10
#define A	 0x40
#define D	 0x80

	/* Tries @insn; a0 = its cause, or 0 where it does not trap. */
	.macro attempt insn:vararg
	li	a0, 0
	\insn
	.endm

	.macro want reg, value, code
	li	t1, \value
	li	a7, \code
	bne	\reg, t1, failed
	.endm

	/* The window's leaf gets the flags given. */
	.macro window flags
	srli	t0, s2, 12
	slli	t0, t0, 10
	ori	t0, t0, \flags
	PTE_S	t0, 0(s1)
	sfence.vma
	.endm

	.macro window_flags
	PTE_L	t2, 0(s1)
	andi	t2, t2, 0xff
	.endm

_start:
	open_memory
	la	t0, to_m
	csrw	mtvec, t0
	li	t0, -1
	csrw	medeleg, t0
	hardware_ad
	la	s0, root
	la	s1, leafs		/* entry 0: the window */
	la	s2, frame		/* what the window shows */
	/* the root's entry 2 is RAM (512: 0x80000000 on Sv32), as it is */
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
#endif
	ori	t0, t0, V | R | W | X | A | D
#if __riscv_xlen == 64
	PTE_S	t0, 16(s0)
	la	t1, middle
	srli	t0, t1, 12
	slli	t0, t0, 10
	ori	t0, t0, V
	PTE_S	t0, 24(s0)		/* 0xc0000000 */
	srli	t0, s1, 12
	slli	t0, t0, 10
	ori	t0, t0, V
	PTE_S	t0, 0(t1)
#else
	lui	t1, 1
	add	t1, s0, t1		/* 512 entries behind, less half */
	PTE_S	t0, -2048(t1)
	srli	t0, s1, 12
	slli	t0, t0, 10
	ori	t0, t0, V
	PTE_S	t0, -1024(t1)		/* 0xc0000000 */
#endif
	la	t0, in_s
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	mret

in_s:
	la	t0, handler
	csrw	stvec, t0
	srli	t0, s0, 12
	li	t1, 1
	slli	t1, t1, 31
#if __riscv_xlen == 64
	slli	t1, t1, 32
#endif
	or	t0, t0, t1
	sfence.vma
	csrw	satp, t0
	li	s3, 3			/* 0xc0000000, zero-extended */
	slli	s3, s3, 30

	attempt	lw a1, 0(s3)		/* no leaf */
	want	a0, CAUSE_LOAD_PAGE, 1
	csrr	t0, stval
	li	a7, 2
	bne	t0, s3, failed
	attempt	sw a1, 4(s3)
	want	a0, CAUSE_STORE_PAGE, 3

	window	V | R | W		/* A and D appear as it is used */
	attempt	lw a1, 0(s3)
	want	a0, 0, 4
	want	a1, 0x1234, 5
	window_flags
	want	t2, V | R | W | A, 6
	li	a1, 0x777
	attempt	sw a1, 0(s3)
	want	a0, 0, 7
	window_flags
	want	t2, V | R | W | A | D, 8
	lw	a1, 0(s2)		/* the same word, the other way */
	want	a1, 0x777, 9

	window	V | R | A
	attempt	sw zero, 0(s3)		/* read-only */
	want	a0, CAUSE_STORE_PAGE, 10
	lw	a1, 0(s2)
	want	a1, 0x777, 11

	window	V | W | A | D		/* W without R is reserved */
	attempt	lw a1, 0(s3)
	want	a0, CAUSE_LOAD_PAGE, 12

	window	V | X | A
	attempt	lw a1, 0(s3)		/* executable is not readable */
	want	a0, CAUSE_LOAD_PAGE, 13
	li	t0, 1 << 19		/* MXR */
	csrs	sstatus, t0
	attempt	lw a1, 0(s3)
	want	a0, 0, 14
	li	t0, 1 << 19
	csrc	sstatus, t0
	attempt	lw a1, 0(s3)
	want	a0, CAUSE_LOAD_PAGE, 15

	window	V | R | W | U | A | D
	attempt	lw a1, 0(s3)		/* a U page, SUM = 0 */
	want	a0, CAUSE_LOAD_PAGE, 16
	li	t0, 1 << 18		/* SUM */
	csrs	sstatus, t0
	attempt	lw a1, 0(s3)
	want	a0, 0, 17
	li	t0, 1 << 18
	csrc	sstatus, t0
	attempt	sw a1, 0(s3)
	want	a0, CAUSE_STORE_PAGE, 18

	window	0
	attempt	lw a1, 8(s3)
	want	a0, CAUSE_LOAD_PAGE, 19
	csrr	t0, stval
	addi	t1, s3, 8
	li	a7, 20
	bne	t0, t1, failed
	csrw	satp, zero
	sfence.vma
	pass

	/* a0 = the cause; goes on behind the instruction. */
	.balign	4
handler:
	csrr	a0, scause
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	sret

	.balign	4
to_m:
	li	a7, 30
failed:
	csrw	satp, zero
	mv	a0, a7
	fail

	.data
	.balign	4096
root:	.skip	4096
middle:	.skip	4096
leafs:	.skip	4096
frame:	.word	0x1234
	.skip	4092
