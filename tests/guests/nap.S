/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sleeps for 1000 ticks and then looks at the serial port, until "q": echoes
 * each byte with the low digit of the cycle at which it was read, as it was
 * typed while the hart slept. Nobody wakes it but its timer.
 */
#include "bare.inc"

	.set STEP, 1000			/* ticks */

_start:
	lui	s0, UART
	lui	s1, CLINT
	lui	t0, 4			/* mtimecmp of hart 0 */
	add	s1, s1, t0
#if __riscv_xlen == 32
	sw	zero, 4(s1)
#endif
	li	t0, 1 << IRQ_MTI
	csrw	mie, t0
	li	s2, 0			/* the tick to be woken at */
	li	s3, 'q'
1:	addi	s2, s2, STEP
	REG_S	s2, 0(s1)
	wfi
2:	lbu	t0, 5(s0)		/* LSR */
	andi	t0, t0, 1
	beqz	t0, 1b
	lbu	t0, 0(s0)
	sb	t0, 0(s0)
	rdcycle	t1
	andi	t1, t1, 0xf
	addi	t1, t1, 'a'
	sb	t1, 0(s0)
	bne	t0, s3, 2b
	li	t1, '\n'
	sb	t1, 0(s0)
	pass

	expect_run reads, 1
	expect_run waits, 1
