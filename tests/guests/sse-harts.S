/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software events between two harts: hart 0 injects, hart 1 gets them, out of
 * WFI and out of a suspension. A global event goes to the hart it prefers, waits
 * for it while it is masked, and goes to the other when it is stopped.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run harts, 2
	expect_run software_events, 3

	.set ARG, 0x77
	.set SSE, 0x535345
	.set HSM, 0x48534d
	.set LOCAL, 0xffff0000
	.set GLOBAL, 0xffff8000
	.set STOPPED, 1
	.set SUSPENDED, 4

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro wanted event
	li	a0, \event
	la	a1, handler
	li	a2, ARG
	sbi	SSE, 2
	bnez	a0, failed
	li	a0, \event
	sbi	SSE, 4
	bnez	a0, failed
	.endm

	.macro inject event, hart
	li	a0, \event
	li	a1, \hart
	sbi	SSE, 7
	bnez	a0, failed
	.endm

	/* Until hart 1 has said \n, and then has had a turn or two to wait. */
	.macro await n
1:	lw	t0, 0(s1)
	li	t1, \n
	bne	t0, t1, 1b
	li	t0, 20000
2:	addi	t0, t0, -1
	bnez	t0, 2b
	.endm

	/* Hart 1: says \n and waits; an event must come. */
	.macro say n
	li	t0, \n
	sw	t0, 0(s1)
	.endm

_start:
	la	s1, said
	bnez	a0, failed
	wanted	GLOBAL
	li	a0, 1
	la	a1, second
	li	a2, 0
	sbi	HSM, 0
	bnez	a0, failed
	await	1			/* hart 1 is in WFI */
	inject	LOCAL, 1
	await	2			/* hart 1 is suspended */
	li	a0, 1
	sbi	HSM, 2
	bnez	a0, failed
	li	t0, SUSPENDED
	bne	a1, t0, failed
	inject	LOCAL, 1
	await	3
	li	a0, GLOBAL		/* PREFERRED_HART may change now ... */
	sbi	SSE, 5
	bnez	a0, failed
	la	a3, one
	li	a0, GLOBAL
	li	a1, 3
	li	a2, 1
	li	a4, 0
	sbi	SSE, 1
	bnez	a0, failed
	li	a0, GLOBAL
	sbi	SSE, 4
	bnez	a0, failed
	inject	GLOBAL, 99		/* ... and the argument says nothing */
	await	4			/* hart 1 has masked its events */
	sbi	SSE, 8
	bnez	a0, failed
	la	s3, here
	li	s4, 0
	inject	GLOBAL, 1		/* it waits for hart 1 */
	bnez	s4, failed
	inject	LOCAL, 1
	await	5			/* hart 1 has had both */
	bnez	s4, failed
stopping:
	li	a0, 1
	sbi	HSM, 2
	li	t0, STOPPED
	bne	a1, t0, stopping
	li	a0, GLOBAL
	li	a1, 1
	sbi	SSE, 7
here:
	bnez	a0, failed
	li	t0, 1
	bne	s4, t0, failed
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
	wanted	LOCAL
	sbi	SSE, 8
	bnez	a0, failed
	la	s3, behind_wfi
	li	s4, 0
	say	1
	wfi
behind_wfi:
	li	t0, 1
	bne	s4, t0, failed
	la	s3, behind_suspend
	say	2
	li	a0, 0
	sbi	HSM, 3			/* retentive */
behind_suspend:
	bnez	a0, failed
	li	t0, 2
	bne	s4, t0, failed
	la	s3, behind_global
	say	3
	wfi
behind_global:
	li	t0, 3
	bne	s4, t0, failed
	sbi	SSE, 9
	bnez	a0, failed
	say	4
	li	t0, 100000		/* hart 0 injects meanwhile */
1:	addi	t0, t0, -1
	bnez	t0, 1b
	li	t0, 3
	bne	s4, t0, failed
	la	s3, behind_unmask
	sbi	SSE, 8
behind_unmask:
	bnez	a0, failed
	li	t0, 5
	bne	s4, t0, failed
	say	5
	sbi	HSM, 1
	j	.

	/* s3: where from; s4: how many so far. */
	.balign	4
handler:
	li	t0, ARG
	bne	a7, t0, failed
	csrr	t0, sepc
	bne	t0, s3, failed
	addi	s4, s4, 1
	sbi	SSE, 6
	j	failed

	.data
	.balign	8
one:	.dword	1
said:	.word	0
