/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores.
 */
#define SELECT	0x100001
#define ROW	sw a1, 0(s3)
#define HANDLER	0
#include "overflow.inc"
