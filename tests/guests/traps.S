/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Synchronous traps in M-mode. The trapping instruction does not retire, the
 * handler's seven do; each trap is one exception of M.
 */
#include "bare.inc"

	.set N, 200

	/* One trap with its cause expected; 1 instruction, a trap, handler. */
	.macro trap_here cause, insn:vararg
	li	s1, \cause
	\insn
	.endm

_start:
	la	t0, handler		/* 2 + 1 + 1 */
	csrw	mtvec, t0
	li	s0, N
1:	trap_here CAUSE_ECALL_M, ecall	/* 6 traps, 8 instructions a turn */
	trap_here CAUSE_BREAKPOINT, ebreak
	trap_here CAUSE_ILLEGAL, .word 0xffffffff
	trap_here CAUSE_ILLEGAL, csrw cycle, zero
	trap_here CAUSE_LOAD_ACCESS, lw t1, 0(zero)
	trap_here CAUSE_STORE_ACCESS, sw t1, 0(zero)
	addi	s0, s0, -1
	bnez	s0, 1b
	pass

	.balign	4
handler:				/* 7 */
	csrr	t0, mcause
	want_equal t0, s1, 1
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	addi	s2, s2, 1
	mret
failed:
	fail

	expect M, instructions, 4 + N * (8 + 6 * 7) + PASS_INSNS
	expect M, exceptions, 6 * N
	expect M, branches, N + 6 * N
	expect M, loads, 0
	expect M, stores, 1
