/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of stores whose page is in neither level of TLBs, of
 * which the first has one entry and the second one for even and one for odd
 * pages. In between, stores to an odd page are found there.
 */
#define SELECT	0x1001b
#define EVERY	2
#define PAGED
#define MPRV	1 << 17
	.set AT, 0
	.macro	row_of_stores
	.if	AT % 2
	sw	a1, 0(s4)
	.elseif	AT % 4
	sw	a1, 0(s7)
	.else
	sw	a1, 0(s3)
	.endif
	.set	AT, AT + 1
	.endm

/* The odd page, and then the even one that the row does not begin with. */
	.macro	warm_up
	la	s3, pages
	lui	t1, 1
	add	s4, s3, t1
	add	s7, s4, t1
	li	t0, MPRV
	csrs	mstatus, t0
	sw	a1, 0(s4)
	sw	a1, 0(s7)
	csrc	mstatus, t0
	.endm
#define PREPARE	warm_up
#define ROW	row_of_stores
#define HANDLER	0
#include "overflow.inc"

	.balign	8192
pages:	.space	3 * 4096
	expect_run uarch, 13
