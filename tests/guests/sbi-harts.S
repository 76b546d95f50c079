/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Four harts by SBI HSM: hart 0 starts the others, which find a0 and a1 as
 * promised and wait; it wakes each by an IPI, sends a remote fence.i after
 * changing code that they run, and sees them stop.
 */
#include "bare.inc"

	expect_run s_mode, 1

	expect_run harts, 4
	.set	OPAQUE, 0x123

#define HSM	0x48534d
#define IPI	0x735049
#define RFENCE	0x52464e43
#define SRST	0x53525354

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	/* Waits until all of harts 1-3 have got to \count. */
	.macro await count
1:	lw	t0, 0(s1)
	li	t1, \count
	bne	t0, t1, 1b
	.endm

_start:
	la	s1, arrived
	mv	s0, a0
	li	s2, 1
	bnez	s0, failed
start:
	mv	a0, s2
	la	a1, second
	li	a2, OPAQUE
	sbi	HSM, 0
	bnez	a0, failed
	addi	s2, s2, 1
	li	t0, 4
	bne	s2, t0, start
	mv	a0, zero		/* hart 4 does not exist */
	li	a0, 4
	la	a1, second
	sbi	HSM, 0
	li	t0, -3
	bne	a0, t0, failed
	await	3
	li	a0, 7			/* harts 1-3, in two forms */
	li	a1, 1
	sbi	IPI, 0
	bnez	a0, failed
	await	6
	la	t0, patch
	la	t1, other
	lw	t1, 0(t1)
	sw	t1, 0(t0)
	fence	w, w
	li	a0, 0
	li	a1, -1			/* all harts */
	sbi	RFENCE, 0
	bnez	a0, failed
	la	t0, go
	li	t1, 1
	sw	t1, 0(t0)
	await	9
	li	s2, 1
stopped:
	mv	a0, s2
	sbi	HSM, 2
	bnez	a0, failed
	li	t0, 1
	bne	a1, t0, stopped
	addi	s2, s2, 1
	li	t0, 4
	bne	s2, t0, stopped
	li	a0, 0
	li	a1, 0
	sbi	SRST, 0
failed:
	li	a0, 0
	li	a1, 1
	sbi	SRST, 0
	j	.

second:
	la	s1, arrived
	beqz	a0, failed
	li	t0, OPAQUE
	bne	a1, t0, failed
	csrr	t0, satp
	bnez	t0, failed
	csrr	t0, sstatus
	andi	t0, t0, 2
	bnez	t0, failed		/* SIE is 0 */
	jal	ra, patch
	li	t0, 1
	bne	a0, t0, failed
	csrwi	sie, 2			/* SSIE */
	li	t1, 1
	amoadd.w zero, t1, (s1)
1:	wfi
	csrr	t0, sip
	andi	t0, t0, 2
	beqz	t0, 1b
	csrci	sip, 2
	amoadd.w zero, t1, (s1)
	la	t2, go
2:	lw	t0, 0(t2)
	beqz	t0, 2b
	jal	ra, patch
	li	t0, 2
	bne	a0, t0, failed
	li	t1, 1
	amoadd.w zero, t1, (s1)
	sbi	HSM, 1
	j	failed

	.balign	4096
patch:	li	a0, 1
	ret
other:	li	a0, 2

	.data
	.balign	64
arrived:
	.word	0
	.balign	64
go:	.word	0
