/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A user's program, whose function NAME gives counter 3 the value VALUE by the
 * CSR of event-based branches. There are two, which differ in these alone.
 */
	.option norvc
	.section .text.start, "ax"
	.globl _start, NAME
	.type _start, @function
	.type NAME, @function
_start:
	j	NAME
	.size _start, . - _start

NAME:
	li	a0, VALUE
	csrw	0x823, a0		/* ebbctr3 */
	ecall
	.size NAME, . - NAME
