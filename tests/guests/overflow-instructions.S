/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of any instruction.
 */
#define SELECT	2
#define ROW	addi a1, a1, 1
#define HANDLER	5
#include "overflow.inc"
