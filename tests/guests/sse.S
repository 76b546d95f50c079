/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflows as supervisor software events, at every distance as in overflow.inc:
 * the event must come right behind the d-th counted instruction, with everything
 * that SSE says it brings, and what it interrupted goes on as if nothing had
 * been. Then one from U-mode, and one that the guest injects itself.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run software_events, 0

	.set D, 100
	.set ARG, 0x5a5
	.set SSE, 0x535345
	.set PMU, 0x504d55
	.set OVERFLOW, 0x10000
	.set INJECTED, 0xffff0000
	.set SPP, 0x100
	.set SPIE, 0x20
	.set SIE, 0x2

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	/* Registers @handler for the event and enables it. */
	.macro wanted event, handler
	li	a0, \event
	la	a1, \handler
	li	a2, ARG
	sbi	SSE, 2
	bnez	a0, failed
	li	a0, \event
	sbi	SSE, 4
	bnez	a0, failed
	.endm

	/* Counter 3 counts instructions but in the modes of @flags. */
	.macro count flags
	li	a0, 3
	li	a1, 1
	li	a2, \flags
	li	a3, 2
	li	a4, 0
	li	a5, 0
	sbi	PMU, 2
	bnez	a0, failed
	.endm

	/* It starts @d before its overflow; nothing is counted before the next. */
	.macro start d
	li	a0, 3
	li	a1, 1
	li	a2, 1
	neg	a3, \d
	li	a4, -1
	sbi	PMU, 3
	.endm

_start:
	bnez	a0, failed
	la	t0, failed
	csrw	stvec, t0
	wanted	OVERFLOW, handler
	sbi	SSE, 8			/* unmask */
	bnez	a0, failed
	count	0
	csrsi	sstatus, SIE
	li	s4, SPP | SPIE		/* what the handler is to find */
	li	s0, 1			/* d */
turn:
	la	s1, row
	slli	t0, s0, 2
	add	s1, s1, t0		/* where */
	li	s2, 0
	li	s3, 0
	start	s0
row:
	.rept D + 8
	addi	s2, s2, 1
	.endr
	bnez	a0, failed
	li	t0, D + 8		/* each ran once */
	bne	s2, t0, failed
	li	t0, 1			/* and one event came */
	bne	s3, t0, failed
	csrr	t0, sstatus
	andi	t0, t0, SIE
	beqz	t0, failed
	addi	s0, s0, 1
	li	t0, D + 1
	bne	s0, t0, turn

	li	a0, 3			/* now from U, counting there alone */
	li	a1, 1
	li	a2, 1
	sbi	PMU, 4
	count	0x40
	la	t0, in_u
	csrw	sepc, t0
	addi	s1, t0, 5 * 4
	la	t0, from_u
	csrw	stvec, t0
	li	t0, SPP
	csrc	sstatus, t0
	li	t0, SPIE
	csrs	sstatus, t0
	li	s0, 5
	li	s2, 0
	li	s3, 0
	li	s4, SPIE
	start	s0
	sret
in_u:
	.rept 16
	addi	s2, s2, 1
	.endr
	ecall
	j	.
	.balign	4
from_u:
	li	t0, 16
	bne	s2, t0, failed
	li	t0, 1
	bne	s3, t0, failed

	la	t0, failed
	csrw	stvec, t0
	wanted	INJECTED, injected
	la	s1, behind
	li	a0, INJECTED
	li	a1, 0
	sbi	SSE, 7
behind:
	bnez	a0, failed
	li	t0, 2
	bne	s3, t0, failed
	li	t0, 7			/* a6 and a7 are back */
	bne	a6, t0, failed
	li	t0, SSE
	bne	a7, t0, failed
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

	/* What every handler is told, and where it came from. */
	.macro entered
	bnez	a6, failed
	li	t0, ARG
	bne	a7, t0, failed
	csrr	t0, sepc
	bne	t0, s1, failed
	addi	s3, s3, 1
	.endm

	.balign	4
handler:
	entered
	csrr	t0, sstatus
	andi	t0, t0, SPP | SPIE | SIE
	bne	t0, s4, failed
	csrr	t0, 0xda0		/* scountovf: counter 3 */
	li	t1, 8
	bne	t0, t1, failed
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

	.balign	4
injected:
	entered
	mv	t3, a0
	mv	t4, a1
	li	a0, INJECTED		/* INTERRUPTED_A6, _A7 */
	li	a1, 8
	li	a2, 2
	la	a3, buffer
	li	a4, 0
	sbi	SSE, 0
	bnez	a0, failed
	la	t0, buffer
	REG_L	t1, 0(t0)
	addi	t1, t1, -7
	bnez	t1, failed
	REG_L	t1, SZ(t0)
	li	t2, SSE
	bne	t1, t2, failed
	mv	a0, t3
	mv	a1, t4
	sbi	SSE, 6
	j	failed

	.data
	.balign	8
buffer:	.dword	0, 0

	expect S, interrupts, D
	expect U, interrupts, 1
	expect U, instructions, 16
