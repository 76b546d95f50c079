/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The page of tohost and fromhost is RAM but for their 16 bytes: atomics, LR
 * and SC, misaligned stores and those over a page's end, code, a page table
 * with A and D bits to be set. What reaches tohost is a command, however it was
 * stored.
 */
#include "bare.inc"

	expect_run exit, 7
	.set LOADS, 0
	.set STORES, 0

	.macro loads n
	.set LOADS, LOADS + \n
	.endm

	.macro stores n
	.set STORES, STORES + \n
	.endm

	/* The value of @insn's register t1 is @want. */
	.macro gives want, code
	li	t2, \want
	want_equal t1, t2, \code
	.endm

_start:
	open_memory
	la	t0, unexpected
	csrw	mtvec, t0
	la	s0, page
	la	s1, plain
	li	t0, 5
	sw	t0, 0(s1)
	amoadd.w t1, t0, (s1)
	stores	2
	loads	1
	gives	5, 1
	amoswap.w t1, zero, (s1)
	loads	1
	stores	1
	gives	10, 2

	lr.w	t1, (s1)
	addi	t1, t1, 9
	sc.w	t2, t1, (s1)
	lw	t1, 0(s1)
	loads	2
	stores	1
	want_equal t2, zero, 3
	gives	9, 4
	sc.w	t2, zero, (s1)		/* without a reservation */
	snez	t2, t2
	li	t1, 1
	want_equal t2, t1, 5
	lw	t1, 0(s1)
	loads	1
	stores	1
	gives	9, 6

	li	t0, 0x11223344
	sw	t0, 1(s1)		/* misaligned */
	lw	t1, 1(s1)
	stores	1
	loads	1
	gives	0x11223344, 7
	lw	t1, 0(s1)
	loads	1
	gives	0x22334409, 8
	sh	t0, -1(s1)
	lhu	t1, -1(s1)
	stores	1
	loads	1
	gives	0x3344, 9
	li	t3, 4096
	add	s2, s0, t3
	sw	t0, -2(s2)		/* out of the page */
	lw	t1, -2(s2)
	stores	1
	loads	1
	gives	0x11223344, 10
	sw	t0, -2(s0)		/* into it */
	lhu	t1, 0(s0)
	lhu	t2, -2(s0)
	stores	1
	loads	2
	gives	0x1122, 11
	sh	zero, 0(s0)
	stores	1
#if __riscv_xlen == 64
	amoor.d	t1, s0, (s1)
	ld	t1, -3(s2)
	sd	t1, -3(s2)
	loads	2
	stores	2
#endif

	fence.i
	jal	ra, in_page
	gives	77, 12

	/* a table in the page: its entry of RAM without A and D, menvcfg.ADUE */
#if __riscv_xlen == 64
	li	t0, 1 << 61
	csrs	0x30a, t0
#else
	li	t0, 1 << 29
	csrs	0x31a, t0
#endif
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
	ori	t0, t0, 0xf
	sd	t0, 16(s0)
#else
	ori	t0, t0, 0xf
	lui	t1, 1
	add	t1, t1, s0
	sw	t0, -2048(t1)
	li	t1, 1 << 31
#endif
	stores	1
#if __riscv_xlen == 64
	li	t1, 8 << 60
#endif
	srli	t0, s0, 12
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	la	t0, from_s
	csrw	mtvec, t0
	la	t0, in_s
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	mret
in_s:
	sw	s0, 2(s1)
	ecall
	.balign	4
from_s:
	csrr	t1, mcause
	gives	CAUSE_ECALL_S, 13
	la	t0, unexpected
	csrw	mtvec, t0
#if __riscv_xlen == 64
	lbu	t1, 16(s0)
#else
	lui	t1, 1
	add	t1, t1, s0
	lbu	t1, -2048(t1)
#endif
	loads	1
	gives	0xcf, 14

	/* 'A' by atomics; the end by a store that only reaches into tohost */
	la	s3, tohost
#if __riscv_xlen == 64
	li	t0, 0x0101000000000000 + 'A'
	amoswap.d t1, t0, (s3)
	gives	0, 15
	ld	t1, 0(s3)
	loads	2
	stores	1
#else
	addi	t2, s3, 4
	li	t0, 0x01010000
	amoswap.w t1, t0, (t2)
	li	t0, 'A'
	amoadd.w t1, t0, (s3)
	gives	0, 15
	lw	t1, 0(s3)
	loads	3
	stores	2
#endif
	gives	0, 16
	li	t0, (7 << 1 | 1) << 16
	sw	t0, -2(s3)		/* its upper half is the command */
	stores	1
	j	.
	expect	M, loads, LOADS
	expect	M, stores, STORES
	expect	S, stores, 1

	.balign	4
unexpected:
	li	a0, 99
failed:
	fail

	.section .htif, "awx"
	.balign	4096
page:	.zero	1024
	.globl	tohost
tohost:	.dword	0
	.zero	56
	.globl	fromhost
fromhost:
	.dword	0
	.zero	512 - 72
plain:	.dword	0
	.zero	248
in_page:
	li	t1, 77
	ret
	.balign	4096
