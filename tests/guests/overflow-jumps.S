/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of jumps, each in a block of its own.
 */
#define SELECT	5
#define ROW	j .+4
#define HANDLER	2
#include "overflow.inc"
