/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sstc's timer where mtime wraps to 0: STIP pends before the wrap, falls there,
 * and rises again at stimecmp. Its interrupt comes at that tick, for a hart that
 * runs by itself and reads nothing but `time`.
 */
#include "bare.inc"

	.set CMP, 50			/* ticks behind the wrap */
	.set BEFORE, 20			/* ticks ahead of it */
	.set IRQ_STI, 5
	.set STIMECMP, 0x14d
	.set STIMECMPH, 0x15d

_start:
	open_memory
	la	t0, failed
	csrw	mtvec, t0
	la	t0, handler
	csrw	stvec, t0
#if __riscv_xlen == 64
	li	t0, 1
	slli	t0, t0, 63
	csrs	0x30a, t0		/* menvcfg.STCE */
#else
	li	t0, 1 << 31
	csrs	0x31a, t0		/* menvcfgh.STCE */
	csrw	STIMECMPH, zero
#endif
	li	t0, CMP
	csrw	STIMECMP, t0
	li	t0, 1 << IRQ_STI
	csrw	mideleg, t0
	csrw	sie, t0
	li	t0, 2
	csrw	mcounteren, t0
	lui	s0, CLINT
	lui	t0, 4
	add	t1, s0, t0		/* mtimecmp of hart 0: MTIP never falls */
	sw	zero, 0(t1)
	sw	zero, 4(t1)
	lui	t0, 0xc
	add	t1, s0, t0		/* behind mtime */
	li	t0, -1
	sw	t0, -4(t1)
	li	t0, -BEFORE
	sw	t0, -8(t1)
	csrr	t0, mip
	andi	t0, t0, 1 << IRQ_STI
	li	a0, 1
	beqz	t0, failed
	li	t0, 1 << MPP_SHIFT
	csrw	mstatus, t0		/* to S */
	la	t0, 1f
	csrw	mepc, t0
	mret
1:	csrr	t0, time
	bltz	t0, 1b
	csrr	t0, sip
	andi	t0, t0, 1 << IRQ_STI
	li	a0, 2
	bnez	t0, failed
	csrsi	sstatus, 2
	li	t1, 4 * CMP
1:	csrr	t0, time
	bltu	t0, t1, 1b
	li	a0, 3
	j	failed

	.balign	4
handler:
	csrr	t1, time
	csrr	t0, scause
	andi	t0, t0, 0xf
	li	t2, IRQ_STI
	want_equal t0, t2, 4
	li	t2, CMP
	want_equal t1, t2, 5
	pass

	.balign	4
failed:
	fail

	expect_run sstc, 1
	expect S, interrupts, 1
	expect M, interrupts, 0
