/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of loads whose translation misses: the TLB has one
 * entry, and two pages are loaded from in turn.
 */
#define SELECT	0x10019
#define PAGED
	.set AT, -4
#define PREPARE	la s3, border; sfence.vma
#define ROW	lw a1, AT(s3); .set AT, -4 - AT
#define HANDLER	0
#include "overflow.inc"

	.balign	4096
	.space	4096
border:	.space	4096
	expect_run uarch, 12
