/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflows of a hypervisor's guest as software events: they interrupt VS and VU
 * right behind the instruction that overflowed, HS handles them and sees in
 * hstatus where they came from, and the guest goes on as if nothing had been.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run h, 1

	.set ARG, 0x6b
	.set SSE, 0x535345
	.set PMU, 0x504d55
	.set OVERFLOW, 0x10000
	.set D, 40
	.set ROW, 64
	.set SPP, 0x100
	.set SPIE, 0x20
	.set SPV, 0x80
	.set SPVP, 0x100
	.set ONLY_VS, 0xe8		/* SET_VUINH, UINH, SINH, MINH */
	.set ONLY_VU, 0xf0		/* SET_VSINH, UINH, SINH, MINH */
	.set RESET, 1
	.set ECALL_VU, 8
	.set ECALL_VS, 10

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro count flags
	li	a0, 3
	li	a1, 1
	li	a2, RESET
	sbi	PMU, 4
	li	a0, 3
	li	a1, 1
	li	a2, \flags
	li	a3, 2			/* instructions */
	li	a4, 0
	li	a5, 0
	sbi	PMU, 2
	bnez	a0, failed
	.endm

	/* The guest runs \row from its start, the d-th instruction overflows. */
	.macro run row
	li	a0, 3
	li	a1, 1
	li	a2, 1
	neg	a3, s0
	li	a4, -1
	sbi	PMU, 3
	bnez	a0, failed
	la	t0, \row
	csrw	sepc, t0
	slli	s1, s0, 2
	add	s1, s1, t0		/* where the event is to come */
	li	s2, 0
	li	s3, 0
	li	t0, SPV
	csrs	hstatus, t0
	.endm

	/* It has: \row ran to its ecall once, with one event on the way. */
	.macro back cause
	csrr	t0, scause
	li	t1, \cause
	bne	t0, t1, failed
	li	t0, ROW
	bne	s2, t0, failed
	li	t0, 1
	bne	s3, t0, failed
	addi	s0, s0, 1
	li	t0, D + 1
	.endm

_start:
	bnez	a0, failed
	csrw	hedeleg, zero
	li	a0, OVERFLOW
	la	a1, handler
	li	a2, ARG
	sbi	SSE, 2
	bnez	a0, failed
	li	a0, OVERFLOW
	sbi	SSE, 4
	bnez	a0, failed
	sbi	SSE, 8
	bnez	a0, failed

	count	ONLY_VS
	la	t0, from_vs
	csrw	stvec, t0
	li	s0, 1			/* d */
	li	s4, SPP
	li	s5, SPV | SPVP
in_vs:
	run	row
	li	t0, SPP
	csrs	sstatus, t0
	sret
	.balign	4
from_vs:
	back	ECALL_VS
	bne	s0, t0, in_vs

	count	ONLY_VU
	la	t0, from_vu
	csrw	stvec, t0
	li	s0, 1
	li	s4, 0
	li	s5, SPV
in_vu:
	run	row
	li	t0, SPP
	csrc	sstatus, t0
	sret
	.balign	4
from_vu:
	back	ECALL_VU
	bne	s0, t0, in_vu
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

	.balign	4
row:
	.rept ROW
	addi	s2, s2, 1
	.endr
	ecall
	j	.

	.balign	4
handler:
	bnez	a6, failed
	li	t0, ARG
	bne	a7, t0, failed
	csrr	t0, sepc
	bne	t0, s1, failed
	csrr	t0, sstatus
	andi	t0, t0, SPP
	bne	t0, s4, failed
	csrr	t0, hstatus
	andi	t0, t0, SPV | SPVP
	bne	t0, s5, failed
	addi	s3, s3, 1
	mv	t3, a0
	mv	t4, a1
	li	a0, 3
	li	a1, 1
	li	a2, 0
	sbi	PMU, 4
	bnez	a0, failed
	mv	a0, t3
	mv	a1, t4
	sbi	SSE, 6
	j	failed

	expect VS, instructions, D * ROW
	expect VU, instructions, D * ROW
	expect VS, interrupts, D
	expect VU, interrupts, D
