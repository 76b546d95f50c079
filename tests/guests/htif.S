/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Console output and an exit code through tohost, by a command, by a proxied
 * system call, and the end.
 */
#include "bare.inc"

_start:
	la	s0, tohost
	la	s1, fromhost
	la	s2, block
#if __riscv_xlen == 64
	li	t0, 0x0101000000000000 + 'H'
	sd	t0, 0(s0)
#else
	li	t0, 0x01010000		/* the high half first */
	sw	t0, 4(s0)
	li	t0, 'H'
	sw	t0, 0(s0)
#endif
	la	t0, text
	REG_S	t0, 16(s2)
	REG_S	s2, 0(s0)
1:	REG_L	t0, 0(s1)
	beqz	t0, 1b
	REG_S	zero, 0(s1)
	lw	t0, 0(s2)		/* written: 5 */
	li	t1, 5
	bne	t0, t1, 2f
	li	t1, 7 << 1 | 1
	REG_S	t1, 0(s0)
	j	.
2:	li	t1, 1 << 1 | 1
	REG_S	t1, 0(s0)
	j	.

	.section .htif, "aw"
	.balign	64
	.globl	tohost
tohost:	.dword	0
	.balign	64
	.globl	fromhost
fromhost:
	.dword	0

	.data
	.balign	64
block:	.dword	64, 1, 0, 5, 0, 0, 0, 0
text:	.ascii	"TIF!\n"

	expect_run exit, 7
