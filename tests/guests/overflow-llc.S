/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores that miss the last level, which has one line:
 * two are stored to in turn.
 */
#define SELECT	0x10013
	.set LINE, 0
#define PREPARE sw a1, 128(s3)
#define ROW	sw a1, LINE(s3); .set LINE, 64 - LINE
#define HANDLER	0
#include "overflow.inc"

	.space	256
	expect_run uarch, 3
