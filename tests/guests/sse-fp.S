/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A software event takes a hart out of VS, which has no floating point, into HS,
 * which has, without any trap; and completing it takes the hart back.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run h, 1
	expect_run harts, 2
	expect_run software_events, 1

	.set SSE, 0x535345
	.set HSM, 0x48534d
	.set LOCAL, 0xffff0000
	.set FS, 0x6000
	.set SPP, 0x100
	.set SPV, 0x80
	.set FCVT, 0xd0007053		/* fcvt.s.w ft0, zero */

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	/* Until the other hart has said \n. */
	.macro await n
1:	lw	t0, 0(s1)
	li	t1, \n
	bne	t0, t1, 1b
	.endm

	.macro say n
	li	t0, \n
	sw	t0, 0(s1)
	.endm

_start:
	la	s1, said
	li	a0, 1
	la	a1, second
	li	a2, 0
	sbi	HSM, 0
	bnez	a0, failed
	await	1
	li	a0, LOCAL
	li	a1, 1
	sbi	SSE, 7
	bnez	a0, failed
	await	3
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

second:
	la	s1, said
	li	a0, LOCAL
	la	a1, handler
	li	a2, 0
	sbi	SSE, 2
	bnez	a0, failed
	li	a0, LOCAL
	sbi	SSE, 4
	sbi	SSE, 8
	bnez	a0, failed
	li	t0, FS
	csrs	sstatus, t0
	csrw	vsstatus, zero
	csrw	hedeleg, zero
	la	t0, hs_trap
	csrw	stvec, t0
	la	t0, in_vs
	csrw	sepc, t0
	li	t0, SPV
	csrs	hstatus, t0
	li	t0, SPP
	csrs	sstatus, t0
	sret

in_vs:
	say	1
	await	2
here:	.word	FCVT
	j	.

	.balign	4
handler:
	.word	FCVT
	say	2
	sbi	SSE, 6
	j	failed

	.balign	4
hs_trap:
	csrr	t0, scause
	li	t1, CAUSE_ILLEGAL
	bne	t0, t1, failed
	csrr	t0, sepc
	la	t1, here
	bne	t0, t1, failed
	say	3
	j	.

	.data
	.balign	8
said:	.dword	0
