/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A and D bits by the firmware's choice: they come by page faults until FWFT
 * lets the hardware set them, and by page faults again when it is taken back.
 */
#include "bare.inc"

	expect_run s_mode, 1

#if __riscv_xlen == 64
#define PTE_S	 sd
#define PTE_L	 ld
#else
#define PTE_S	 sw
#define PTE_L	 lw
#endif

#define V	 0x01
#define R	 0x02
#define W	 0x04
#define X	 0x08
#define A	 0x40
#define D	 0x80

	.set FWFT, 0x46574654
	.set PTE_AD_HW_UPDATING, 4

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro want reg, value
	li	t6, \value
	bne	\reg, t6, failed
	.endm

	.macro updating value
	li	a0, PTE_AD_HW_UPDATING
	sbi	FWFT, 1
	want	a0, 0
	want	a1, \value
	.endm

	.macro set_updating value
	li	a0, PTE_AD_HW_UPDATING
	li	a1, \value
	li	a2, 0
	sbi	FWFT, 0
	want	a0, 0
	.endm

	/* The window's leaf gets the flags given. */
	.macro window flags
	srli	t0, s2, 12
	slli	t0, t0, 10
	ori	t0, t0, \flags
	PTE_S	t0, 0(s1)
	sfence.vma
	.endm

	.macro window_has flags
	PTE_L	t2, 0(s1)
	andi	t2, t2, 0xff
	want	t2, \flags
	.endm

	/* Tries @insn; it must trap by this cause, 0: not. */
	.macro attempt cause, insn:vararg
	li	a0, 0
	\insn
	want	a0, \cause
	.endm

_start:
	la	t0, handler
	csrw	stvec, t0
	la	s0, root
	la	s1, leafs		/* entry 0: the window */
	la	s2, frame
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

	updating 0
	window	V | R | W
	attempt	CAUSE_LOAD_PAGE, lw a1, 0(s3)
	window_has V | R | W
	window	V | R | W | A
	attempt	0, lw a1, 0(s3)
	attempt	CAUSE_STORE_PAGE, sw a1, 0(s3)
	window_has V | R | W | A
	set_updating 1
	updating 1
	attempt	0, sw a1, 0(s3)
	window_has V | R | W | A | D
	window	V | R | W
	attempt	0, lw a1, 0(s3)
	window_has V | R | W | A
	set_updating 0
	updating 0
	attempt	CAUSE_STORE_PAGE, sw a1, 0(s3)
	window_has V | R | W | A
	csrw	satp, zero
	sfence.vma
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	csrw	satp, zero
	sfence.vma
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

	/* a0 = the cause; goes on behind the instruction. */
	.balign	4
handler:
	csrr	a0, scause
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	sret

	.data
	.balign	4096
root:	.skip	4096
middle:	.skip	4096
leafs:	.skip	4096
frame:	.word	0x1234
	.skip	4092
