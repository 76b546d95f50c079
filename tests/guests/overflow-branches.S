/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of branches that are never taken.
 */
#define SELECT	5
#define ROW	bne zero, zero, .
#define HANDLER	2
#include "overflow.inc"
