/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Echoes the serial port's input, each byte with the low digit of the cycle at
 * which its interrupt found it, until "q". It waits between them: a byte that
 * wakes it, or that comes while it is busy, must be seen at the same cycle when
 * it is replayed.
 */
#include "bare.inc"

#define PLIC		0xc000 /* in units of 4 KiB, for lui */
#define SOURCE_UART	10
#define IRQ_MEI		11

_start:
	la	t0, handler
	csrw	mtvec, t0
	lui	s0, UART
	lui	s1, PLIC
	li	s2, 'q'
	li	t0, 1
	sw	t0, 4 * SOURCE_UART(s1)
	lui	t1, 2			/* enables of hart 0's M-mode */
	add	t1, t1, s1
	li	t0, 1 << SOURCE_UART
	sw	t0, 0(t1)
	lui	s3, 0x200		/* its threshold, its claims */
	add	s3, s3, s1
	sw	zero, 0(s3)
	li	t0, 1			/* RDI */
	sb	t0, 1(s0)
	li	t0, 1
	slli	t0, t0, IRQ_MEI
	csrw	mie, t0
	csrsi	mstatus, MSTATUS_MIE
1:	li	t0, 100			/* busy, waiting, busy ... */
2:	addi	t0, t0, -1
	bnez	t0, 2b
	wfi
	j	1b

	.balign	4
handler:
	rdcycle	t1
	lw	t2, 4(s3)
	li	t0, SOURCE_UART
	li	a0, 1
	bne	t2, t0, failed
	lbu	t0, 2(s0)		/* IIR: received data */
	li	a0, 2
	li	a1, 4
	bne	t0, a1, failed
	lbu	a2, 0(s0)
	sb	a2, 0(s0)
	andi	t1, t1, 0xf
	addi	t1, t1, 'a'
	sb	t1, 0(s0)
	sw	t2, 4(s3)
	beq	a2, s2, 3f
	mret
3:	li	t1, '\n'
	sb	t1, 0(s0)
	pass
failed:
	fail

	expect_run reads, 1
	expect_run waits, 1
	expect M, exceptions, 0
