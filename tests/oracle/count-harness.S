/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What every program that compares counts starts with. Steps use x5-x15. The
 * rest is the harness's: x27 is where the next record goes, x28 where a trap
 * into M-mode that the step asked for goes on, x29 the same of S-mode, x30 and
 * x31 belong to the handlers.
 *
 * Handlers are counted, too, so each way through them has the same number of
 * instructions whatever the counters do: they record nothing but interrupts.
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

#define RECORD_LCOFI_M	0x4d000000
#define RECORD_LCOFI_S	0x53000000
#define LCOFI		13


	.option norelax
	.option norvc

	.macro put reg
	REG_S	\reg, 0(x27)
	addi	x27, x27, SZ
	.endm

	.macro put_csr csr
	csrr	x31, \csr
	put	x31
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	la	x27, records
	la	x30, m_trap
	csrw	mtvec, x30
	la	x30, s_trap
	csrw	stvec, x30
	li	x30, -1			/* no PMP where there is none: skipped */
	la	x28, 1f
	csrw	pmpaddr0, x30
	li	x30, 0x1f
	csrw	pmpcfg0, x30
1:	j	steps

	/* An exception goes on at x28; an interrupt is told and switched off. */
	.balign	4
m_trap:
	csrr	x30, mcause
	bltz	x30, 1f
	jr	x28
1:	li	x31, RECORD_LCOFI_M
	put	x31
	put	x30
	put_csr	mepc
	csrr	x30, mstatus
	srli	x30, x30, 11
	andi	x30, x30, 3
	put	x30
	li	x31, 1 << LCOFI
	csrc	mie, x31
	csrc	mip, x31
	mret

	.balign	4
s_trap:
	csrr	x30, scause
	bltz	x30, 1f
	jr	x29
1:	li	x31, RECORD_LCOFI_S
	put	x31
	put	x30
	put_csr	sepc
	csrr	x30, sstatus
	srli	x30, x30, 8
	andi	x30, x30, 1
	put	x30
	li	x31, 1 << LCOFI
	csrc	sie, x31
	csrc	sip, x31
	sret

#include "finish.S"

	.data
	.balign	16
scratch: .skip	256
	.section .records, "aw", @nobits
	.balign	16
records: .skip	0x100000
	.text
