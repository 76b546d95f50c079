/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of loads, by a hypervisor's and by plain ones in turn.
 * Both stages of translation are Bare.
 */
	.option arch, +h
#define SELECT	0x100000
#define ROW	in_turn
#define HANDLER	0
#define OPEN

	.set HYPERVISOR, 1
	.macro in_turn
	.if HYPERVISOR
	hlv.w a1, (s3)
	.else
	lw a1, 0(s3)
	.endif
	.set HYPERVISOR, 1 - HYPERVISOR
	.endm

#include "overflow.inc"

	expect_run h, 1
