/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every program of guests.py starts with. A step sets up the state of a
 * hart with guests in M-mode and goes down to some mode by MRET; its first trap
 * into M-mode ends it. The tables of HS and VS only ask for that by ecall, each
 * entry at its own address. All records are printed at the end, a hexadecimal
 * word a line.
 *
 * Steps use x1-x15; x9 points to data, x26 to the next step, x27 to the place
 * of the next record.
 */
#if __riscv_xlen == 64
#define REG_S	sd
#define REG_L	ld
#define SZ	8
#else
#define REG_S	sw
#define REG_L	lw
#define SZ	4
#endif

#define CLINT		0x02000000

	.option norelax
	.option norvc

	.macro put reg
	REG_S	\reg, 0(x27)
	addi	x27, x27, SZ
	.endm

	.macro put_csr csr
	csrr	x5, \csr
	put	x5
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	la	x27, records
	la	x5, m_handler
	csrw	mtvec, x5
	li	x4, CLINT + 0x4000
	li	x5, -1
	sw	x5, 0(x4)
	sw	x5, 4(x4)
	j	steps

	.balign	256
m_handler:
	.irp	n, 10,11,12,13,14,15
	put	x\n
	.endr
	snapshot
	jr	x26

	.balign	256
s_table:
	.rept	32
	ecall
	.endr
	.balign	256
vs_table:
	.rept	32
	ecall
	.endr

#include "finish.S"

	.data
	.balign	8
data:	.dword	0x8182838485868788, 0
	.section .records, "aw", @nobits
	.balign	8
records: .skip	0x100000
	.text
