/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest that owes its fences. Over a window of pages that are mapped, mapped
 * elsewhere, taken away, given other rights and robbed of their A and D bits by
 * dice, it loads, stores, adds, fetches and runs over page ends, in S and U,
 * with an interrupt to M now and then; it fences all once in five hundred times
 * and a page more often. What it saw, old or new, goes into a sum that it prints at the end, with the tables
 * and the memory: the same however and wherever the guest runs.
 */
#include "bare.inc"

#if __riscv_xlen == 64
#define STORE_INSN 0x00c6b023		/* sd a2, 0(a3) */
#else
#define STORE_INSN 0x00c6a023		/* sw a2, 0(a3) */
#endif

#define V	 0x01
#define R	 0x02
#define W	 0x04
#define X	 0x08
#define U	 0x10
#define A	 0x40
#define D	 0x80
#define SUM	 (1 << 18)
#define SPP	 (1 << 8)

#define PAGES	 2048			/* of the window, 128 times */
#define SWEEP	 40000			/* more than an engine may know */
#define FRAMES	 64
#define TURNS	 12000
#define PERIOD	 7			/* of the timer, in ticks */

	/* s3 is the dice's state; @rd gets 24 bits. */
	.macro dice rd
	li	t0, 1664525
	mul	s3, s3, t0
	li	t0, 1013904223
	add	s3, s3, t0
#if __riscv_xlen == 64
	slli	s3, s3, 32
	srli	s3, s3, 32
#endif
	srli	\rd, s3, 8
	.endm

	/* @reg goes into the sum. */
	.macro note reg
	slli	t0, s4, 5
	add	s4, s4, t0
	xor	s4, s4, \reg
	.endm

	/* Where a trap goes on, with a0 = its cause and more. */
	.macro resume_at label
	la	s8, \label
	.endm

	/* An identity megapage or gigapage of RAM at @at, for @user. */
	.macro root_entry at, more
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
#endif
	ori	t0, t0, V | R | W | X | A | D | \more
#if __riscv_xlen == 64
	sd	t0, \at * 8(s0)
#else
	li	t1, \at * 1024
	add	t1, t1, s0
	sw	t0, 0(t1)
#endif
	.endm

	/* a0 = a table's entry for the table at @reg */
	.macro table_entry reg
	srli	a0, \reg, 12
	slli	a0, a0, 10
	ori	a0, a0, V
	.endm

_start:
	open_memory
	la	t0, in_m
	csrw	mtvec, t0
	li	t0, -1
	csrw	medeleg, t0
	hardware_ad
	la	s0, root
	la	s1, frames
	la	s2, leafs
	root_entry 2, 0			/* 0x80000000 */
	root_entry 1, U			/* 0x40000000, for U */
	li	t0, V | R | W | A | D	/* devices */
	REG_S	t0, 0(s0)
#if __riscv_xlen == 32
	li	t0, UART << 10 | V | R | W | A | D
	sw	t0, 64 * 4(s0)
#endif
#if __riscv_xlen == 64
	la	t1, middle
	table_entry t1
	sd	a0, 3 * 8(s0)		/* 0xc0000000 */
	mv	t2, t1
	li	t3, 512
#else
	li	t2, 3 * 1024
	add	t2, t2, s0
	li	t3, 256
#endif
	li	t5, PAGES * SZ - 1
	mv	t1, zero
1:	add	a0, s2, t1		/* the same tables over and over */
	table_entry a0
	REG_S	a0, 0(t2)
	addi	t2, t2, SZ
	lui	t4, 1
	add	t1, t1, t4
	and	t1, t1, t5
	addi	t3, t3, -1
	bnez	t3, 1b
	/* what a frame holds: its number as half an instruction, code, data */
	li	t1, 0
	mv	t2, s1
2:	slli	t3, t1, 4
	ori	t3, t3, 5
	sh	t3, 0(t2)
	li	t3, 0x8082		/* c.jr ra */
	sh	t3, 2(t2)
	slli	t3, t1, 20
	ori	t3, t3, 0x513		/* li a0, number */
	sw	t3, 0x100(t2)
	li	t3, 0x8067		/* ret */
	sw	t3, 0x104(t2)
	sw	t1, 0x200(t2)
	lui	t4, 1
	add	t2, t2, t4
	li	t3, STORE_INSN
	sw	t3, -16(t2)
	li	t3, 0x513		/* li a0, 0 */
	sw	t3, -12(t2)
	li	t3, 0x13		/* nop */
	sw	t3, -8(t2)
	li	t3, 0x05130001		/* c.nop; addi a0, a0, half of it */
	sw	t3, -4(t2)
	addi	t1, t1, 1
	li	t3, FRAMES
	bne	t1, t3, 2b
	fence.i
	/* the timer, and to S */
	la	t0, again
	csrw	mscratch, t0
	lui	t0, CLINT + 0xc
	lw	t1, -8(t0)		/* mtime */
	addi	t1, t1, PERIOD
	lui	t0, CLINT + 4
	sw	t1, 0(t0)
	sw	zero, 4(t0)
	li	t0, 1 << IRQ_MTI
	csrs	mie, t0
	la	t0, in_s
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	mret

	.align	2
in_m:	csrrw	sp, mscratch, sp
	REG_S	t0, 0(sp)
	REG_S	t1, SZ(sp)
	lui	t0, CLINT + 4
	lw	t1, 0(t0)
	addi	t1, t1, PERIOD
	sw	t1, 0(t0)
	REG_L	t0, 0(sp)
	REG_L	t1, SZ(sp)
	csrrw	sp, mscratch, sp
	mret

	/* Every trap of S and U: a0 tells of it. */
	.align	2
handler:
	csrr	a0, scause
	csrr	t0, stval
	slli	a0, a0, 24
	xor	a0, a0, t0
	li	t0, SPP
	csrs	sstatus, t0
	csrw	sepc, s8
	sret

in_s:	la	t0, handler
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
	li	s9, 3			/* the window, zero-extended */
	slli	s9, s9, 30
	la	s3, seed
	lw	s3, 0(s3)
	li	s4, 0
	li	s5, TURNS

	/* s6: address of a page in the window; s7: of its entry */
turn:	dice	a1
	srli	a2, a1, 11
	andi	a2, a2, 3
	li	a3, 31			/* of few pages, of many, of all */
	beqz	a2, 1f
	li	a3, PAGES / 4 - 1
	andi	a2, a2, 1
	beqz	a2, 1f
	li	a3, PAGES * 128 - 1
1:	and	a1, a1, a3
	slli	s6, a1, 12
	add	s6, s6, s9
	li	t0, PAGES - 1
	and	a1, a1, t0
#if __riscv_xlen == 64
	slli	s7, a1, 3
#else
	slli	s7, a1, 2
#endif
	add	s7, s7, s2
	dice	s10
	andi	t0, s10, 15
	slli	t0, t0, 2
	la	t1, kinds
	add	t1, t1, t0
	jr	t1
	.align	2
kinds:	j	load
	j	load
	j	store
	j	add_to
	j	fetch
	j	over_end
	j	over_end_storing
	j	cross
	j	user_load
	j	user_store
	j	map
	j	map
	j	map
	j	rob
	j	unmap
	j	seldom

load:	resume_at noted
	lw	a0, 0x200(s6)
	j	noted
store:	resume_at noted
	sw	s10, 0x400(s6)
	li	a0, 1
	j	noted
add_to:	resume_at noted
	addi	a1, s6, 0x404
	amoadd.w a0, s10, (a1)
	j	noted
fetch:	resume_at noted
	addi	a1, s6, 0x100
	jalr	a1
	j	noted
over_end:
	resume_at noted
	lui	a1, 1
	add	a1, a1, s6
	jalr	-12(a1)
	j	noted
	/* the page behind is mapped elsewhere just before it is reached */
over_end_storing:
	resume_at noted
	srli	a1, s10, 4
	call	entry
	mv	a2, a0
	addi	a3, s7, SZ
	lui	a1, 1
	add	a1, a1, s6
	jalr	-16(a1)
	j	noted
cross:	resume_at noted
	lui	a1, 1
	add	a1, a1, s6
	lw	a0, -2(a1)
	j	noted
user_load:
	la	a1, in_u
	j	to_u
user_store:
	la	a1, in_u_storing
to_u:	resume_at noted
	li	t0, 1 << 30		/* where U sees RAM */
	sub	a1, a1, t0
	csrw	sepc, a1
	li	t0, SPP
	csrc	sstatus, t0
	sret
in_u:	lw	a0, 0x200(s6)
	ecall
in_u_storing:
	sw	s10, 0x408(s6)
	ecall

map:	srli	a1, s10, 4
	call	entry
	REG_S	a0, 0(s7)
	j	over
rob:	REG_L	a0, 0(s7)
	mv	a1, a0
	andi	a1, a1, ~(A | D)
	REG_S	a1, 0(s7)
	j	noted
unmap:	REG_L	a0, 0(s7)
	REG_S	zero, 0(s7)
	j	noted
seldom:	srli	a1, s10, 4
	andi	a1, a1, 31
	li	t0, 1
	beqz	a1, fence
	beq	a1, t0, sum
	addi	a1, a1, -16
	bgez	a1, fence_some
	REG_L	a0, 0(s7)
	j	noted
fence:	sfence.vma
	j	over
	/* of a page, by its first byte and another; of the superpage of code */
fence_some:
	beqz	a1, 1f
	li	t0, 4
	blt	a1, t0, 2f
	add	a1, a1, s6
	sfence.vma a1
	j	over
1:	sfence.vma s0, a1
	j	over
2:	sfence.vma s6, a1
	j	over
sum:	li	t0, SUM
	csrr	a1, sstatus
	and	a1, a1, t0
	csrs	sstatus, t0
	beqz	a1, over
	csrc	sstatus, t0
	j	over

	/* a0 = an entry by the dice in a1: mostly everything is allowed. */
entry:	andi	a0, a1, FRAMES - 1
	slli	a0, a0, 12
	add	a0, a0, s1
	srli	a0, a0, 2
	srli	a1, a1, 6
	andi	a1, a1, 15
	la	t0, rights
	add	a1, a1, t0
	lbu	a1, 0(a1)
	or	a0, a0, a1
	ret
rights:	.byte	V | R | W | X | A | D, V | R | W | X | A | D
	.byte	V | R | W | X | A | D, V | R | W | X | A
	.byte	V | R | W | X, V | R | W | X
	.byte	V | R | X | A, V | R | W | A, V | X | A, V | R
	.byte	V | R | W | X | A | D | U, V | R | W | U, V | R | W | X | U
	.byte	V | R | A | U, 0, V | W | A

noted:	note	a0
over:	addi	s5, s5, -1
	li	t0, TURNS / 2
	beq	s5, t0, sweep
	bnez	s5, turn

	/* the tables, the frames */
	mv	a1, s2
	li	a2, PAGES * SZ
	call	add_all
	mv	a1, s1
	li	a2, FRAMES * 4096
	call	add_all
	lui	t1, UART
	li	t2, 4 * SZ * 2
1:	addi	t2, t2, -4
	srl	t0, s4, t2
	andi	t0, t0, 15
	addi	t0, t0, 'a'
	sb	t0, 0(t1)
	bnez	t2, 1b
	pass

	/* maps all and reads many pages, without a fence */
sweep:	mv	s7, s2
	li	s11, PAGES
1:	mv	a1, s11
	call	entry
	ori	a0, a0, V | R | W | X | A | D
	andi	a0, a0, ~U
	REG_S	a0, 0(s7)
	addi	s7, s7, SZ
	addi	s11, s11, -1
	bnez	s11, 1b
	mv	s6, s9
	li	s11, SWEEP
	resume_at swept
2:	lw	a0, 0x200(s6)
swept:	note	a0
	lui	a1, 1
	add	s6, s6, a1
	addi	s11, s11, -1
	bnez	s11, 2b
	j	turn

add_all:
	add	a2, a2, a1
1:	lw	a0, 0(a1)
	note	a0
	addi	a1, a1, 4
	bne	a1, a2, 1b
	ret

	.data
	.balign	4
	.ascii	"the seed"		/* by which a test finds it */
seed:	.word	12345

	.bss
	.balign	4096
root:	.skip	4096
middle:	.skip	4096
leafs:	.skip	PAGES * SZ + SZ
	.balign	4096
frames:	.skip	FRAMES * 4096
again:	.skip	2 * SZ
