/* SPDX-License-Identifier: BSD-2-Clause */
/* Unwind tables for debuggers alone: see unwind-rules.S. */
#define WORD (__riscv_xlen / 8)

	.option norvc
	.text
	.cfi_sections .debug_frame
	.globl in_debug_frame, behind_the_last
	.type in_debug_frame, @function
in_debug_frame:
	.cfi_startproc
	nop
	.cfi_def_cfa_offset 2 * WORD
	.cfi_offset ra, -WORD
	nop
	.cfi_endproc
	.size in_debug_frame, . - in_debug_frame
behind_the_last:
	nop
