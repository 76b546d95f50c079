/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hart whose models look at fetches and at nothing else: S-mode goes to and
 * fro between two pages, for which the TLB has one entry, and two lines, for
 * which the cache has a set each.
 */
#include "bare.inc"

#define ITLB_LOADS 0x10020
#define LINE	   64

	.set ROUNDS, 3
	.set FETCHES, 2 * ROUNDS

_start:
	open_memory
	la	t0, done
	csrw	mtvec, t0
	la	s0, root
	/* the root's entry 2 is RAM (512: 0x80000000 on Sv32), as it is */
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
	ori	t0, t0, 0xcf
	sd	t0, 16(s0)
	li	t1, 8 << 60
#else
	ori	t0, t0, 0xcf
	li	t1, 512 * 4
	add	t1, t1, s0
	sw	t0, 0(t1)
	li	t1, 1 << 31
#endif
	srli	t0, s0, 12
	or	t0, t0, t1
	csrw	satp, t0
	li	t0, ITLB_LOADS
	csrw	mhpmevent3, t0
	li	t0, ITLB_LOADS + 1
	csrw	mhpmevent4, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	la	t0, in_s
	csrw	mepc, t0
	mret

	.balign	4096
in_s:
	li	t0, ROUNDS
1:	j	2f

	.balign	4096
	.space	LINE
2:	addi	t0, t0, -1
	beqz	t0, 3f
	j	1b
3:	ecall

	.balign	4096
done:
	csrr	t0, mcause
	li	t1, CAUSE_ECALL_S
	want_equal t0, t1, 1
	li	t1, FETCHES
	csrr	t0, mhpmcounter3
	want_equal t0, t1, 2
	csrr	t0, mhpmcounter4
	want_equal t0, t1, 3
	pass
failed:
	fail

	.data
	.balign	4096
root:	.space	4096

	expect_run uarch, 8
	.globl	"expect.S.iTLB-loads"
	.set	"expect.S.iTLB-loads", FETCHES
	.globl	"expect.S.iTLB-load-misses"
	.set	"expect.S.iTLB-load-misses", FETCHES
	.globl	"expect.S.L1-icache-loads"
	.set	"expect.S.L1-icache-loads", FETCHES
	.globl	"expect.S.L1-icache-load-misses"
	.set	"expect.S.L1-icache-load-misses", 2
	.globl	"expect.M.iTLB-loads"
	.set	"expect.M.iTLB-loads", 0
