/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of jumps that were not predicted: each goes to the next
 * one by a register, and no target is kept.
 */
#define SELECT	0x10029
#define PREPARE	la a2, row
#define ROW	jalr a2, 4(a2)
#define HANDLER	0
#include "overflow.inc"

	expect_run uarch, 9
