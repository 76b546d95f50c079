/* SPDX-License-Identifier: BSD-2-Clause */
/* External interrupts to S-mode of four harts. */
#include "bare.inc"

#define MODE	   s
#define IRQ_XEI	   9
#define STATUS_XIE 0x2
#define CONTEXT	   1
#define HARTS	   4

#define HSM	   0x48534d

	expect_run s_mode, 1

	.macro start_others
	.set	n, 1
	.rept	HARTS - 1
	li	a0, n
	la	a1, begin
	li	a7, HSM
	li	a6, 0
	ecall
	bnez	a0, failed
	.set	n, n + 1
	.endr
	.endm

#include "plic.inc"
