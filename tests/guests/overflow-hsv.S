/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores, by a hypervisor's and by plain ones in turn.
 * Both stages of translation are Bare.
 */
	.option arch, +h
#define SELECT	0x100001
#define ROW	in_turn
#define HANDLER	0
#define OPEN

	.set HYPERVISOR, 1
	.macro in_turn
	.if HYPERVISOR
	hsv.w a1, (s3)
	.else
	sw a1, 0(s3)
	.endif
	.set HYPERVISOR, 1 - HYPERVISOR
	.endm

#include "overflow.inc"

	expect_run h, 1
