/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Echoes the serial port's input with the low digit of the cycle at which each
 * byte was seen, until "q": what comes out depends on when input acts, so a
 * replay is right only if it acts at the same cycles.
 */
#include "bare.inc"

_start:
	lui	s0, UART
	li	s1, 'q'
1:	lbu	t0, 5(s0)		/* LSR */
	andi	t0, t0, 1
	beqz	t0, 1b
	rdcycle	t1
	lbu	t0, 0(s0)
	sb	t0, 0(s0)
	andi	t1, t1, 0xf
	addi	t1, t1, 'a'
	sb	t1, 0(s0)
	bne	t0, s1, 1b
	li	t1, '\n'
	sb	t1, 0(s0)
	pass

	expect_run reads, 1
