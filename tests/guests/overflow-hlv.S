/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of loads, by those of a hypervisor. Both stages of
 * translation are Bare.
 */
	.option arch, +h
#define SELECT	0x100000
#define ROW	hlv.w a1, (s3)
#define HANDLER	0
#include "overflow.inc"

	expect_run h, 1
