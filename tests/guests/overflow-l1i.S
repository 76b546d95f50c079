/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of fetches that miss: there is one line, of four
 * instructions, and the row goes straight on.
 */
#define SELECT	0x10009
#define EVERY	4
#define ALIGN	16
#define ROW	addi a1, a1, 1
#define HANDLER	2
#include "overflow.inc"

	expect_run uarch, 10
