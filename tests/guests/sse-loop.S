/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two harts that work, wait and take software events for ever: overflows of a
 * counter, and whatever is injected from outside. It checks nothing, so it may
 * be disturbed at will.
 */
#include "bare.inc"

	expect_run s_mode, 1
	expect_run harts, 2
	expect_run max_cycles, 300000
	expect_run exit, 124
	expect_run waits, 1

	.set SSE, 0x535345
	.set PMU, 0x504d55
	.set HSM, 0x48534d
	.set TIME, 0x54494d45

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro wanted event, handler
	li	a0, \event
	la	a1, \handler
	li	a2, 0
	sbi	SSE, 2
	li	a0, \event
	sbi	SSE, 4
	.endm

	.macro start
	li	a0, 3
	li	a1, 1
	li	a2, 1
	li	a3, -777
	li	a4, -1
	sbi	PMU, 3
	.endm

_start:
	wanted	0xffff8000, simple
	li	a0, 1
	la	a1, both
	sbi	HSM, 0
both:
	wanted	0xffff0000, simple
	wanted	0x10000, overflow
	li	a0, 3
	li	a1, 1
	li	a2, 0
	li	a3, 2			/* instructions */
	li	a4, 0
	li	a5, 0
	sbi	PMU, 2
	start
	li	t0, 0x20
	csrw	sie, t0			/* the timer ends waits, no more */
	sbi	SSE, 8
loop:
	li	t0, 300
1:	addi	t0, t0, -1
	bnez	t0, 1b
	rdtime	a0
	addi	a0, a0, 5
	li	a1, 0
	sbi	TIME, 0
	wfi
	j	loop

	.balign	4
simple:
	sbi	SSE, 6
	j	simple

	.balign	4
overflow:
	mv	s8, a0
	mv	s9, a1
	mv	s10, a2
	mv	s11, a3
	mv	s7, a4
	li	a0, 3
	li	a1, 1
	li	a2, 0
	sbi	PMU, 4
	start
	mv	a0, s8
	mv	a1, s9
	mv	a2, s10
	mv	a3, s11
	mv	a4, s7
	sbi	SSE, 6
	j	overflow
