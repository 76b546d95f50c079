/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tohost is the first word of its page: a store from the page before reaches
 * it with its end alone, which is the command.
 */
#include "bare.inc"

	expect_run exit, 7

_start:
	la	s0, tohost
	li	t0, 0x55667788
	sw	t0, -4(s0)		/* up to it: no command */
	li	t0, (7 << 1 | 1) << 16
	sw	t0, -2(s0)
	j	.

	.section .htif, "aw"
	.balign	4096
	.zero	4096
	.globl	tohost
tohost:	.dword	0
	.zero	56
	.globl	fromhost
fromhost:
	.dword	0
	.zero	4096 - 72
