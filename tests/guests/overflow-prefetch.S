/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of prefetches that ask memory: of two lines the even one
 * is loaded and the odd one fetched ahead, and two pairs take turns. There is no
 * event where a page ends.
 */
#define SELECT	0x10034
	.set AT, 0
#define PREPARE	la s3, lines; lw a1, 128(s3)
#define ROW	lw a1, AT(s3); .set AT, 128 - AT
#define HANDLER	0
#include "overflow.inc"

	.balign	4096
lines:	.space	256
	expect_run uarch, 14
