/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of mispredictions, where nothing but branches and jumps
 * is looked at: all would go backwards, which is thought to be taken, and do not.
 */
#define SELECT	0x6
#define ROW	bne zero, zero, turn
#define HANDLER	0
#include "overflow.inc"

	expect_run uarch, 9
