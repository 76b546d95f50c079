/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of what memory is asked to store: all that is written
 * through, whether the cache has the line or not, which loads in between do not
 * ask for.
 */
#define SELECT	0x10032
#define EVERY	2
#define PREPARE	lw a1, 0(s3)
	.set AT, 0
	.macro	row_of_accesses
	.if	AT % 2
	lw	a1, 0(s3)
	.else
	sw	a1, 0(s3)
	.endif
	.set	AT, AT + 1
	.endm
#define ROW	row_of_accesses
#define HANDLER	0
#include "overflow.inc"

	.space	64
	expect_run uarch, 15
