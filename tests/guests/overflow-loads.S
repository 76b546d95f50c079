/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of loads.
 */
#define SELECT	0x100000
#define ROW	lw a1, 0(s3)
#define HANDLER	0
#include "overflow.inc"
