/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TLBs of a hart that has them: S-mode touches pages whose walks are known. The
 * first levels have 32 entries, the second 256 for both: 40 pages are walked for
 * once, found in the second level then, and walked for again behind a fence and
 * in another address space. Code is in one page.
 */
#include "bare.inc"

	.set PAGES, 40
	.set ROUNDS, 2

#if __riscv_xlen == 64
#define PTE_S	 sd
#define SATP	 8 << 60
#define ASID_AT	 44
#else
#define PTE_S	 sw
#define SATP	 1 << 31
#define ASID_AT	 22
#endif

/* Loads from each page, by turns, and stores to the first one. */
	.macro	touch
	li	s4, ROUNDS
3:	mv	s2, s1
	li	s3, PAGES
4:	lw	t0, 0(s2)
	add	s2, s2, s5
	addi	s3, s3, -1
	bnez	s3, 4b
	sw	zero, 0(s1)
	addi	s4, s4, -1
	bnez	s4, 3b
	.endm

_start:
	open_memory
	la	t0, done
	csrw	mtvec, t0
	la	s0, root
	la	s1, pages
	lui	s5, 1
	/* the root's entry 2 is RAM (512: 0x80000000 on Sv32), as it is */
	lui	t0, 0x20000
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
	ori	t0, t0, 0xcf
	PTE_S	t0, 16(s0)
#else
	ori	t0, t0, 0xcf
	li	t1, 512 * 4
	add	t1, t1, s0
	PTE_S	t0, 0(t1)
#endif
	srli	t0, s0, 12
	li	t1, SATP
	or	s6, t0, t1
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	la	t0, in_s
	csrw	mepc, t0
	mret

	.balign	4096
in_s:
	csrw	satp, s6		/* from here on translated */
	touch
	sfence.vma
	touch
	li	t0, 1
	slli	t0, t0, ASID_AT
	or	s6, s6, t0
	csrw	satp, s6
	touch
	ecall

	.balign	4
done:
	csrr	t0, mcause
	li	t1, CAUSE_ECALL_S
	want_equal t0, t1, 1
	pass
failed:
	fail

	.data
	.balign	4096
root:	.space	4096
pages:	.space	4096 * PAGES

	expect_run uarch, 2
	.globl	"expect.S.dTLB-loads"
	.set	"expect.S.dTLB-loads", 3 * ROUNDS * PAGES
	.globl	"expect.S.dTLB-load-misses"
	.set	"expect.S.dTLB-load-misses", 3 * PAGES
	.globl	"expect.S.dTLB-stores"
	.set	"expect.S.dTLB-stores", 3 * ROUNDS
	.globl	"expect.S.dTLB-store-misses"
	.set	"expect.S.dTLB-store-misses", 0
	.globl	"expect.S.iTLB-load-misses"
	.set	"expect.S.iTLB-load-misses", 3
	.globl	"expect.M.dTLB-loads"
	.set	"expect.M.dTLB-loads", 0
	.globl	"expect.M.iTLB-loads"
	.set	"expect.M.iTLB-loads", 0
	expect M, exceptions, 0
	expect S, exceptions, 1
