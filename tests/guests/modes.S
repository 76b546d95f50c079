/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * M, S and U in turn, each with a loop of its own length: what retires is
 * counted in the mode that it retires in, mret and sret in the mode they
 * leave, an exception in the mode that trapped.
 */
#include "bare.inc"

	.set N, 100
	.set IN_M, 7
	.set IN_S, 50
	.set IN_U, 300

_start:
	open_memory
	la	t0, from_below		/* 2 + 1 */
	csrw	mtvec, t0
	la	t0, from_u		/* 2 + 1 */
	csrw	stvec, t0
	li	t0, 1 << CAUSE_ECALL_U	/* 2: U's ecall goes to S */
	csrw	medeleg, t0
	li	s0, N			/* 1 */
turn:					/* 16 + 2 * IN_M a turn in M */
	li	t0, IN_M
	la	t1, in_s
	csrw	mepc, t1
1:	addi	t0, t0, -1
	bnez	t0, 1b
	li	t1, 3 << MPP_SHIFT	/* 2 */
	csrc	mstatus, t1
	li	t1, 1 << MPP_SHIFT	/* 2: S */
	csrs	mstatus, t1
	mret
	/* S's ecall comes back here */
	.balign	4
from_below:
	csrr	t1, mcause
	li	t2, CAUSE_ECALL_S
	want_equal t1, t2, 1
	addi	s0, s0, -1
	bnez	s0, turn
	pass

in_s:					/* 2 * IN_S + 7, then from_u */
	li	t0, IN_S
	la	t1, in_u
	csrw	sepc, t1
1:	addi	t0, t0, -1
	bnez	t0, 1b
	li	t1, 0x100		/* SPP */
	csrc	sstatus, t1
	sret
	.balign	4
from_u:					/* 3 and an ecall that traps */
	csrr	t1, scause
	li	t2, CAUSE_ECALL_U
	bne	t1, t2, wrong
	ecall
wrong:
	j	wrong			/* runs into --max-cycles */

in_u:					/* 1 + 2 * IN_U and an ecall */
	li	t0, IN_U
1:	addi	t0, t0, -1
	bnez	t0, 1b
	ecall
failed:
	fail

	expect M, instructions, OPEN_INSNS + 9 + N * (16 + 2 * IN_M) + PASS_INSNS
	expect S, instructions, N * (10 + 2 * IN_S)
	expect U, instructions, N * (1 + 2 * IN_U)
	expect M, exceptions, 0
	expect S, exceptions, N
	expect U, exceptions, N
	expect M, branches, N * (IN_M + 2)
	expect S, branches, N * (IN_S + 1)
	expect U, branches, N * IN_U
