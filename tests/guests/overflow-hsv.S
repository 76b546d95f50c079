/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores, by those of a hypervisor. Both stages of
 * translation are Bare.
 */
	.option arch, +h
#define SELECT	0x100001
#define ROW	hsv.w a1, (s3)
#define HANDLER	0
#include "overflow.inc"

	expect_run h, 1
