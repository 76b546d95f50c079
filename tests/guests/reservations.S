/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which SC may succeed. One that fails writes nothing, whatever size its LR had;
 * none succeeds on another page than that of its LR, though both hold the same;
 * and loops come to an end. Pages are told apart by two tables: TABLE_OTHER has
 * page "other" where TABLE_SAME has page "cell", at the address of "cell".
 */
#include "bare.inc"

	.set	TIMES, 100
	.set	CAUSE_STORE_MISALIGNED, 6
	.set	MSTATUS_MPRV, 1 << 17
	.set	MPP_S, 1 << MPP_SHIFT
	.set	PTE_TABLE, 1
	.set	PTE_RWXAD, 0xcf

#if __riscv_xlen == 64
	.set	SUPER, 2			/* of the root, for 0x80000000 */
#else
	.set	SUPER, 512
#endif

/* Entry @index of @table leads to @target. */
	.macro entry table, index, target, flags
	la	t0, \table
	li	t1, \index * SZ
	add	t0, t0, t1
	la	t1, \target
	srli	t1, t1, 2
	ori	t1, t1, \flags
	REG_S	t1, 0(t0)
	.endm

/* "cell" is at its own address, or "other" is. */
	.macro place page
	la	t1, \page
	srli	t1, t1, 2
	ori	t1, t1, PTE_RWXAD
	REG_S	t1, 0(s3)
	.endm

/* @rd: satp of @table. */
	.macro satp_of rd, table
	la	\rd, \table
	srli	\rd, \rd, 12
#if __riscv_xlen == 64
	li	t0, 8 << 60
#else
	li	t0, 1 << 31
#endif
	or	\rd, \rd, t0
	.endm

	.macro use satp
	csrw	satp, \satp
	sfence.vma
	.endm

/* a0: @code. The SC has failed, and neither page has changed. */
	.macro want_nothing code
	li	a0, \code
	beqz	a1, failed
	.endm

	.macro enter_s
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, MPP_S
	csrs	mstatus, t0
	la	t0, 99f
	csrw	mepc, t0
	mret
99:
	.endm

	.macro enter_m
	la	s11, 99f
	ecall
	.balign	4
99:
	.endm

_start:
	la	t0, trap
	csrw	mtvec, t0
	open_memory
	la	s0, cell
	la	s1, other
	li	s2, 0x55

	/* Loops of each size. */
	li	s4, TIMES
1:	lr.w	a0, (s0)
	addi	a0, a0, 1
	sc.w	a1, a0, (s0)
	bnez	a1, 1b
	addi	s4, s4, -1
	bnez	s4, 1b
	lw	a0, 0(s0)
	li	t0, TIMES
	want_equal a0, t0, 1
	/* One that compares, as they are most often. */
	li	s4, TIMES
1:	lr.w	a0, (s0)
	bnez	s4, 2f
	j	3f
2:	addi	a0, a0, -1
	sc.w	a1, a0, (s0)
	bnez	a1, 1b
	addi	s4, s4, -1
	j	1b
3:	bnez	a0, 3f
	j	4f
3:	li	a0, 2
	j	failed
4:
	/* A second SC. */
	lr.w	a0, (s0)
	sc.w	a1, zero, (s0)
	li	a0, 3
	bnez	a1, failed
	sc.w	a1, s2, (s0)
	want_nothing 4
	lw	a0, 0(s0)
	want_equal a0, zero, 5

#if __riscv_xlen == 64
	li	s4, TIMES
1:	lr.d	a0, (s0)
	addi	a0, a0, 1
	sc.d	a1, a0, (s0)
	bnez	a1, 1b
	addi	s4, s4, -1
	bnez	s4, 1b
	ld	a0, 0(s0)
	li	t0, TIMES
	want_equal a0, t0, 6

	/* Of other sizes, in one block and, often run before, in two. */
	li	s5, 0x1111111122222222
	sd	s5, 0(s0)
	lr.d	a0, (s0)
	sc.w	a1, s2, (s0)
	want_nothing 7
	ld	a0, 0(s0)
	want_equal a0, s5, 8
	lr.w	a0, (s0)
	sc.d	a1, s2, (s0)
	want_nothing 9
	ld	a0, 0(s0)
	want_equal a0, s5, 10
	li	s4, TIMES
1:	lr.w	a0, (s0)
	jal	a3, store
	li	a2, 11
	bnez	a1, mixed
	sd	s5, 0(s0)
	addi	s4, s4, -1
	bnez	s4, 1b
	lr.d	a0, (s0)
	jal	a3, store
	want_nothing 12
	ld	a0, 0(s0)
	want_equal a0, s5, 13
	/* the sign extension of its lower half: whatever it says is so */
	li	s5, -5
	sd	s5, 0(s0)
	lr.d	a0, (s0)
	jal	a3, store
	lw	a0, 0(s0)
	li	a2, 14
	beqz	a1, 1f
	bne	a0, s5, mixed
	j	2f
1:	bne	a0, s2, mixed
2:	sd	zero, 0(s0)
	j	tables

store:
	sc.w	a1, s2, (s0)
	jr	a3
mixed:
	mv	a0, a2
	j	failed
#endif

tables:
	la	t0, leaves
	li	t1, 0x80000000
	srli	t1, t1, 2
	ori	t1, t1, PTE_RWXAD
	li	t2, 4096 / SZ
1:	REG_S	t1, 0(t0)
	addi	t0, t0, SZ
	addi	t1, t1, 1024
	addi	t2, t2, -1
	bnez	t2, 1b
	la	t0, leaves
	srli	s3, s0, 12
	andi	s3, s3, 4096 / SZ - 1
	slli	s3, s3, (SZ + 4) / 4		/* 3 or 2 */
	add	s3, s3, t0
	place	other
#if __riscv_xlen == 64
	entry	root_other, SUPER, middle, PTE_TABLE
	entry	middle, 0, leaves, PTE_TABLE
#else
	entry	root_other, SUPER, leaves, PTE_TABLE
#endif
	la	t0, root_same
	li	t1, SUPER * SZ
	add	t0, t0, t1
	li	t1, 0x80000000
	srli	t1, t1, 2
	ori	t1, t1, PTE_RWXAD
	REG_S	t1, 0(t0)
	satp_of	s6, root_same
	satp_of	s7, root_other
	sw	zero, 0(s0)
	sw	zero, 0(s1)
	use	s7

	/* M-mode's own address, then S-mode's by MPRV, and the other way round.*/
	li	t0, MPP_S
	csrw	mstatus, t0
	li	s8, MSTATUS_MPRV
	lr.w	a0, (s0)
	csrs	mstatus, s8
	sc.w	a1, s2, (s0)
	csrc	mstatus, s8
	want_nothing 20
	csrs	mstatus, s8
	lr.w	a0, (s0)
	csrc	mstatus, s8
	sc.w	a1, s2, (s0)
	want_nothing 21
	/* MPP, with MPRV */
	li	t1, 3 << MPP_SHIFT
	csrs	mstatus, s8
	lr.w	a0, (s0)
	csrs	mstatus, t1
	sc.w	a1, s2, (s0)
	csrc	mstatus, s8
	want_nothing 22
	/* mret */
	lr.w	a0, (s0)
	enter_s
	sc.w	a1, s2, (s0)
	want_nothing 23

	/* In S-mode: other tables, another entry. */
	lr.w	a0, (s0)
	use	s6
	sc.w	a1, s2, (s0)
	want_nothing 24
	lr.w	a0, (s0)
	csrw	satp, s7
	sc.w	a1, s2, (s0)
	want_nothing 25
	sfence.vma
	lr.w	a0, (s0)
	place	cell
	sfence.vma s0
	sc.w	a1, s2, (s0)
	want_nothing 26
	lr.w	a0, (s0)
	place	other
	sfence.vma
	sc.w	a1, s2, (s0)
	want_nothing 27
	lr.w	a0, (s0)			/* as it should be */
	sc.w	a1, zero, (s0)
	li	a0, 28
	bnez	a1, failed
	enter_m
	lw	a0, 0(s0)
	want_equal a0, zero, 30
	lw	a0, 0(s1)
	want_equal a0, zero, 31

	/* Without a reservation: where it could be none. */
	li	s9, 0
	sc.w	a1, s2, (s0)
	want_nothing 32
	want_equal s9, zero, 33
	li	t0, -1
	sc.w	a1, s2, (t0)
	li	t0, CAUSE_STORE_MISALIGNED
	want_equal s9, t0, 34
	pass

	/* An SC is left behind; an ecall goes on in M-mode where s11 says. */
	.balign	4
trap:
	csrr	s9, mcause
	li	t0, CAUSE_ECALL_S
	beq	s9, t0, 1f
	li	t0, CAUSE_ECALL_M
	beq	s9, t0, 1f
	li	t0, CAUSE_STORE_MISALIGNED
	li	a0, 40
	bne	s9, t0, failed
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret
1:	jr	s11
failed:
	la	s11, 1f
	ecall
	.balign	4
1:	li	t0, MSTATUS_MPRV
	csrc	mstatus, t0
	fail

	.data
	.balign	4096
root_same:	.skip	4096
root_other:	.skip	4096
middle:	.skip	4096
leaves:	.skip	4096
cell:	.skip	4096
other:	.skip	4096
