/* SPDX-License-Identifier: BSD-2-Clause */
/* External interrupts to M-mode of four harts. */
#include "bare.inc"

#define MODE	   m
#define IRQ_XEI	   11
#define STATUS_XIE 0x8
#define CONTEXT	   0
#define HARTS	   4

	.macro start_others
	.endm

#include "plic.inc"

	expect M, exceptions, 0
