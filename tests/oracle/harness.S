/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every generated program starts with: steps begin and end here, traps are
 * recorded here, and at the end all records are printed, a hexadecimal word a
 * line. Steps use x1-x19, x28 and x29. The rest is the harness's: x20-x23 carry
 * what the S-mode handler saw, x24 and x25 tell which entry of a vector table
 * was used, x27 is where the next record goes, x30 says that an ecall ends the
 * step, x31 points to the area below.
 *
 * The S-mode handler only looks and asks M-mode by ecall, so that one place
 * decides how it goes on: interrupts are switched off one by one, an
 * instruction that trapped is skipped, a step with too many traps ends.
 */
#if __riscv_xlen == 64
#define REG_S	sd
#define REG_L	ld
#define SZ	8
#define PTR	.dword
#else
#define REG_S	sw
#define REG_L	lw
#define SZ	4
#define PTR	.word
#endif

#define AREA_REG(n)	((n) * SZ)
#define AREA_TRAPS	(32 * SZ)
#define AREA_POLICY	(33 * SZ)	/* 0: end at a trap; 2, 4: skip so much */
#define AREA_NEXT	(34 * SZ)
#define AREA_HASH	(35 * SZ)	/* hash pages and tables at the end? */
#define AREA_FS		(36 * SZ)	/* print floating-point registers? */

#define MAX_TRAPS	12
#define END_OF_STEP	0x7ff
#define RECORD_STEP	0x57e90000
#define RECORD_TRAP_M	0x4d000000
#define RECORD_TRAP_S	0x53000000
#define RECORD_END	0x0e000000

#define CLINT		0x02000000

	.option norelax
	.option norvc

	.macro put reg
	REG_S	\reg, 0(x27)
	addi	x27, x27, SZ
	.endm

	.macro put_csr csr, mask=-1
	csrr	x1, \csr
	.if \mask != -1
	li	x2, \mask
	and	x1, x1, x2
	.endif
	put	x1
	.endm

	.macro each_free what:vararg
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,28,29
	\what	\n
	.endr
	.endm

	.macro save n
	REG_S	x\n, AREA_REG(\n)(x31)
	.endm
	.macro load n
	REG_L	x\n, AREA_REG(\n)(x31)
	.endm
	.macro load_first n
	REG_L	x\n, AREA_REG(\n)(x30)
	.endm
	.macro put_saved n
	REG_L	x1, AREA_REG(\n)(x31)
	put	x1
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	la	x31, area
	la	x27, records
	j	steps

/* x1: return address, x2: number of the step, x3: address of the next one. */
step_begin:
	li	x4, RECORD_STEP
	or	x2, x2, x4
	put	x2
	REG_S	x3, AREA_NEXT(x31)
	REG_S	zero, AREA_TRAPS(x31)
	REG_S	zero, AREA_HASH(x31)
	REG_S	zero, AREA_FS(x31)
	li	x4, 4
	REG_S	x4, AREA_POLICY(x31)
	jal	x28, normal_state
	li	x4, -1
	csrw	mcounteren, x4
	csrw	scounteren, x4
	.irp	csr, mscratch,sscratch,mepc,sepc,mcause,scause,mtval,stval,fcsr,medeleg,mideleg
	csrw	\csr, zero
	.endr
	la	x30, first_floats
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fld	f\n, \n * 8(x30)
	.endr
	mv	x26, x1
	la	x30, first_values
	li	x20, 0
	li	x21, 0
	li	x22, 0
	li	x23, 0
	li	x24, 0
	li	x25, 0
	each_free load_first
	li	x30, 0
	jr	x26

/* M-mode without interrupts, bare, with floating point. */
normal_state:
	li	x4, 0x6000
	csrw	mstatus, x4
	csrw	mie, zero
	csrw	mip, zero
	csrw	satp, zero
	sfence.vma
	csrw	mcountinhibit, zero
	csrw	menvcfg, zero
	csrw	senvcfg, zero
	la	x4, m_vectors
	csrw	mtvec, x4
	la	x4, s_vectors
	csrw	stvec, x4
	li	x4, CLINT
	sw	zero, 0(x4)
	li	x5, -1
	li	x4, CLINT + 0x4000
	sw	x5, 0(x4)
	sw	x5, 4(x4)
	jr	x28

/* Every entry of the tables leaves its address. */
	.balign	256
m_vectors:
	.rept	32
	jal	x25, m_trap
	.endr
	.balign	256
s_vectors:
	.rept	32
	jal	x24, s_trap
	.endr

s_trap:
	csrr	x20, scause
	csrr	x21, sepc
	csrr	x22, stval
	csrr	x23, sstatus
s_ask:
	ecall
	sret
	li	x30, END_OF_STEP
	ecall

m_trap:
	each_free save
	save	30
	la	x2, m_vectors + 4
	sub	x25, x25, x2
	csrr	x3, mcause
	csrr	x4, mepc
	la	x5, s_ask
	bne	x4, x5, 1f
	li	x5, 9
	beq	x3, x5, s_asks
1:	li	x1, RECORD_TRAP_M
	or	x1, x1, x25
	put	x1
	put	x3
	put	x4
	put_csr	mtval
	put_csr	mstatus, KNOWN_MSTATUS
	put_csr	mip, KNOWN_MIP
	bltz	x3, m_interrupt
	li	x5, 11			/* an ecall of this step's end? */
	bgtu	x3, x5, 2f
	li	x5, 8
	bltu	x3, x5, 2f
	REG_L	x5, AREA_REG(30)(x31)
	li	x6, END_OF_STEP
	beq	x5, x6, step_end
2:	jal	x6, may_go_on
	add	x4, x4, x7
	csrw	mepc, x4
back:
	each_free load
	load	30
	mret

m_interrupt:
	jal	x6, count_trap
	jal	x6, disable_cause
	j	back

s_asks:
	li	x1, RECORD_TRAP_S
	la	x2, s_vectors + 4
	sub	x2, x24, x2
	or	x1, x1, x2
	put	x1
	put	x20
	put	x21
	put	x22
	li	x2, KNOWN_SSTATUS
	and	x23, x23, x2
	put	x23
	put_csr	mstatus, KNOWN_MSTATUS
	mv	x3, x20
	bltz	x3, 3f
	li	x5, 10
	bgtu	x3, x5, 2f
	li	x5, 8
	bltu	x3, x5, 2f
	REG_L	x5, AREA_REG(30)(x31)
	li	x6, END_OF_STEP
	beq	x5, x6, step_end
2:	jal	x6, may_go_on
	add	x21, x21, x7
	csrw	sepc, x21
	j	4f
3:	jal	x6, count_trap
	jal	x6, disable_cause
4:	addi	x4, x4, 4
	csrw	mepc, x4
	j	back

/* The interrupt of cause x3 is not enabled any more. */
disable_cause:
	li	x5, 1
	sll	x5, x5, x3
	csrc	mie, x5
	jr	x6

count_trap:
	REG_L	x5, AREA_TRAPS(x31)
	addi	x5, x5, 1
	REG_S	x5, AREA_TRAPS(x31)
	li	x7, MAX_TRAPS
	bgeu	x5, x7, step_end
	jr	x6

/* Ends the step, or returns in x7 how much of the code of cause x3 to skip. */
may_go_on:
	mv	x8, x6
	jal	x6, count_trap
	REG_L	x7, AREA_POLICY(x31)
	beqz	x7, step_end
	li	x5, 1
	bleu	x3, x5, step_end
	li	x5, 12
	beq	x3, x5, step_end
	jr	x8

/* Everything the step may have changed is recorded, then comes the next. */
step_end:
	li	x1, RECORD_END
	put	x1
	each_free put_saved
	known_snapshot
	csrr	x1, mstatus
	li	x2, 0x6000
	and	x1, x1, x2
	REG_L	x3, AREA_FS(x31)
	or	x1, x1, x3
	REG_L	x3, AREA_HASH(x31)
	or	x3, x3, x1
	put	x3			/* what follows */
	and	x1, x1, x2
	beqz	x1, 1f
	put_csr	fcsr
	jal	x6, put_floats
1:	jal	x28, normal_state
	REG_L	x1, AREA_HASH(x31)
	beqz	x1, 2f
	li	x1, 0x80100000
	li	x2, 0x80110000
	jal	x6, put_hash
	li	x1, 0x80110000
	li	x2, 0x80120000
	jal	x6, put_hash
2:	REG_L	x1, AREA_NEXT(x31)
	jr	x1

put_floats:
	REG_L	x1, AREA_FS(x31)
	beqz	x1, 2f
	la	x1, floats
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fsd	f\n, \n * 8(x1)
	.endr
	addi	x2, x1, 256
1:	REG_L	x3, 0(x1)
	put	x3
	addi	x1, x1, SZ
	bltu	x1, x2, 1b
2:	jr	x6

/* One word for memory from x1 to x2. */
put_hash:
	li	x3, 0
	li	x4, 0x9e3779b1
1:	REG_L	x5, 0(x1)
	xor	x3, x3, x5
	mul	x3, x3, x4
	srli	x5, x3, 15
	xor	x3, x3, x5
	addi	x1, x1, SZ
	bltu	x1, x2, 1b
	put	x3
	jr	x6

#include "finish.S"

	.data
	.balign	8
area:	.skip	40 * SZ
floats:	.skip	256
	.section .records, "aw", @nobits
records: .skip	0x100000
	.text
