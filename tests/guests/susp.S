/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * FWFT and SUSP: misaligned atomics trap to the firmware, which hands them on
 * and counts them, until they are delegated; the machine does not sleep while
 * another hart runs, sleeps until its timer, and wakes where it was told to.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run harts, 2
	expect_run waits, 1

	.set HSM, 0x48534d
	.set SUSP, 0x53555350
	.set FWFT, 0x46574654
	.set PMU, 0x504d55
	.set OPAQUE, 0x1234
	.set STORE_MISALIGNED, 6
	.set LOCK, 1

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro want reg, value
	li	t6, \value
	bne	\reg, t6, failed
	.endm

	/* A misaligned atomic traps; so many have by now come by the firmware. */
	.macro misaligned n
	la	t0, 1f
	csrw	stvec, t0
	la	t0, said
	addi	t0, t0, 1
	amoadd.w t1, t0, (t0)
	j	failed
	.balign	4
1:	csrr	t0, scause
	want	t0, STORE_MISALIGNED
	mv	a0, s0
	sbi	PMU, 5			/* counter_fw_read */
	want	a0, 0
	want	a1, \n
	.endm

_start:
	la	s1, said
	want	a0, 0
	li	a0, 32			/* any firmware counter: fw_misaligned_store */
	li	a1, 0xffffff
	li	a2, 6			/* from 0, at once */
	li	a3, 0xf0001
	li	a4, 0
	li	a5, 0
	sbi	PMU, 2
	want	a0, 0
	mv	s0, a1
	misaligned 1
	li	a0, 0
	sbi	FWFT, 1
	want	a1, 0
	li	a0, 0
	li	a1, 1
	li	a2, LOCK
	sbi	FWFT, 0
	want	a0, 0
	misaligned 1			/* straight to S-mode */
	li	a0, 0
	li	a1, 0
	li	a2, 0
	sbi	FWFT, 0
	want	a0, -14

	li	a0, 1
	la	a1, second
	li	a2, 0
	sbi	HSM, 0
	want	a0, 0
	call	sleep
	want	a0, -4			/* hart 1 runs */
	li	t0, 1
	sw	t0, 0(s1)
1:	li	a0, 1
	sbi	HSM, 2
	li	t0, 1
	bne	a1, t0, 1b
	la	t0, failed
	csrw	stvec, t0
	li	t0, 0x20
	csrw	sie, t0
	csrsi	sstatus, 2
	rdtime	a0
	addi	a0, a0, 50
	li	a1, 0
	sbi	0x54494d45, 0
	call	sleep
	j	failed

resumed:
	want	a0, 0
	want	a1, OPAQUE
	csrr	t0, satp
	want	t0, 0
	csrr	t0, sstatus
	andi	t0, t0, 2
	want	t0, 0
	csrr	t0, sip
	andi	t0, t0, 0x20
	want	t0, 0x20		/* what woke it */
	li	a0, 0
	sbi	FWFT, 1
	want	a1, 1			/* kept, and so is the lock */
	li	a0, 0
	li	a1, 0			/* another value */
	li	a2, 0
	sbi	FWFT, 0
	want	a0, -14
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

sleep:
	li	a0, 0
	la	a1, resumed
	li	a2, OPAQUE
	sbi	SUSP, 0
	ret

second:
	la	s1, said
1:	lw	t0, 0(s1)
	beqz	t0, 1b
	sbi	HSM, 1
	j	failed

	.data
	.balign	8
said:	.dword	0
