/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of misses: there is one line, and two are asked for in
 * turn.
 */
#define SELECT	0x10001
	.set LINE, 0
#define PREPARE lw a1, 128(s3)
#define ROW	lw a1, LINE(s3); .set LINE, 64 - LINE
#define HANDLER	0
#include "overflow.inc"

	.space	256
	expect_run uarch, 1
