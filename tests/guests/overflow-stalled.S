/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of cycles, of which half are stalls: there is one line,
 * two are asked for in turn, and each is waited for in one cycle.
 */
#define SELECT	0x1
#define TWICE	1
	.set LINE, 0
#define PREPARE lw a1, 128(s3)
#define ROW	lw a1, LINE(s3); .set LINE, 64 - LINE
#define HANDLER	6
#include "overflow.inc"

	.space	256
	expect_run uarch, 5
