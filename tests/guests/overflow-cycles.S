/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of clock cycles; entering the handler takes one.
 */
#define SELECT	1
#define ROW	addi a1, a1, 1
#define HANDLER	6
#include "overflow.inc"
