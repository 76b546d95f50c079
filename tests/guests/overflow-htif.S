/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores, all to the page of tohost.
 */
#define SELECT	0x100001
#define ROW	amoadd.w a2, a1, (s3)
#define HANDLER	0
#define HTIF
#include "overflow.inc"
