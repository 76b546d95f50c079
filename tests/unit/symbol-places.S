/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions, labels and lines at known places, for test-symbol-places.c: every
 * instruction has 4 bytes, the first is at 0x10000.
 */
	.option norvc
	.file "first.s"
	.file 1 "/src/first.c"
	.file 2 "/src/sub/second.c"
	.file 3 "third.c"

	.macro code line, file=1
	.loc \file \line 0
	nop
	.endm

	.macro function name
	.globl \name
	.type \name, @function
\name:
	.endm

	.text
	function start	/* 0x10000 */
	code 10
	code 11
	.size start, . - start
	code 12		/* 0x10008: behind its end */
	.globl fixed
	.type fixed, @function
	.set fixed, 0x10008
label:			/* 0x1000c */
__pi_label:		/* the plain one of two names is told */
	code 20
	code 21
	code 20		/* 0x10014 */
	function outer	/* 0x10018 */
	code 30
	.loc 1 30 0 is_stmt 0
	nop
inside:			/* 0x10020 */
	code 31, 2
	.type entry, @function
entry:			/* 0x10024 */
	code 31, 3
	code 31
	.size outer, . - outer
	.type object, @object
object:			/* 0x1002c */
	.word 0
	.size object, . - object
	.type twice, @function
twice:			/* 0x10030 */
	.loc 1 40 0
	code 41
	.size twice, . - twice
$x:
.L_local:
	code 42		/* 0x10034 */
	.globl number
	.set number, 0x10038
	code 43		/* 0x10038 */

	.section .another, "ax"
	.type bare, @function
bare:			/* 0x20000 */
	.globl alias
alias:
	code 70
	function other	/* 0x20004 */
	code 20
	.size other, . - other
	.type last, @function
last:
	code 60
	.size last, . - last

	.data
	.globl datum
datum:
	.word 1
