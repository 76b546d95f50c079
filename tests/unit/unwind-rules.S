/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Unwind tables for test-unwind.c: a function for each rule that it asks about,
 * which holds from its second instruction on.
 */
#define REG_RA 1
#define REG_SP 2
#define REG_S0 8
#define REG_S1 9
#define REG_A0 10
#define REG_T6 31
#define WORD (__riscv_xlen / 8)
#define FAR  (0x7000 + 64 * WORD) /* 64 words above where sp is */
#define MANY                                                                \
	LIT(1), LIT(2), LIT(3), LIT(4), LIT(5), LIT(6), LIT(7), LIT(8),     \
		LIT(9), LIT(10), LIT(11), LIT(12), LIT(13), LIT(14), LIT(15)

#define BREG(r)	  0x70 + (r)
#define LIT(n)	  0x30 + (n)
#define BREGX	  0x92
#define DEREF	  0x06
#define CONST1U	  0x08
#define CONST1S	  0x09
#define CONST2U	  0x0a
#define CONST2S	  0x0b
#define CONST4U	  0x0c
#define CONST4S	  0x0d
#define CONST8U	  0x0e
#define CONST8S	  0x0f
#define CONSTU	  0x10
#define CONSTS	  0x11
#define DUP	  0x12
#define AND	  0x1a
#define MINUS	  0x1c
#define PLUS	  0x22
#define PLUS_UC	  0x23
#define VALUE	  0x9f
#define GARBAGE	  0x02 /* no operation */
#define FRAME	  0x9c /* DW_OP_call_frame_cfa */

	.macro function name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	nop
	.endm

	.macro end name
	nop
	.cfi_endproc
	.size \name, . - \name
	.endm

	/* DW_CFA_def_cfa_expression, _expression and _val_expression */
	.macro count ops:vararg
	.set n, 0
	.irp op, \ops
	.set n, n + 1
	.endr
	.endm

	.macro cfa_is ops:vararg
	count \ops
	.cfi_escape 0x0f, n, \ops
	.endm

	.macro saved_at reg, ops:vararg
	count \ops
	.cfi_escape 0x10, \reg, n, \ops
	.endm

	.macro was reg, ops:vararg
	count \ops
	.cfi_escape 0x16, \reg, n, \ops
	.endm

	/* A function whose frame is at what the expression says. */
	.macro cfa name, ops:vararg
	function \name
	cfa_is \ops
	end \name
	.endm

	/* One whose caller's a0 was so. */
	.macro value name, ops:vararg
	function \name
	was REG_A0, \ops
	end \name
	.endm

	.option norvc
	.text

	.globl _start
_start:
	nop /* no table */
	nop

	function leaf
	end leaf

	function saves
	.cfi_def_cfa_offset 4 * WORD
	.cfi_offset ra, -WORD
	.cfi_offset s0, -2 * WORD
	end saves

	function restores
	.cfi_def_cfa_offset 4 * WORD
	.cfi_offset s0, -2 * WORD
	.cfi_restore s0
	end restores

	function by_frame_pointer
	.cfi_def_cfa s0, 2 * WORD
	.cfi_offset ra, -WORD
	end by_frame_pointer

	function outermost
	.cfi_undefined ra
	end outermost

	function loses
	.cfi_undefined s1
	.cfi_same_value s0
	end loses

	function ra_in_t0
	.cfi_register ra, t0
	end ra_in_t0

	function swapped
	.cfi_register s1, t6
	.cfi_register t6, s1
	end swapped

	function by_value
	.cfi_def_cfa_offset 4 * WORD
	.cfi_val_offset s1, -WORD
	end by_value

	/* the slots at both ends of what is kept and beyond them */
	function first_slot
	.cfi_offset ra, 0
	end first_slot
	function below_first_slot
	.cfi_offset ra, -WORD
	end below_first_slot
	function last_slot
	.cfi_offset ra, 15 * WORD
	end last_slot
	function half_a_slot
	saved_at REG_RA, BREG(REG_SP), (15 * WORD + 1) & 0x7f | 0x80, \
		(15 * WORD + 1) >> 7
	end half_a_slot
	function behind_last_slot
	.cfi_offset ra, 16 * WORD
	end behind_last_slot
	function s1_behind_last_slot
	.cfi_offset s1, 16 * WORD
	.cfi_offset s0, 15 * WORD
	end s1_behind_last_slot
	function far_slot
	.cfi_offset ra, 1000 * WORD
	end far_slot

	function its_own_sp
	.cfi_offset sp, 0
	.cfi_def_cfa_offset 2 * WORD
	end its_own_sp

	function below_itself
	.cfi_def_cfa_offset -WORD
	end below_itself

	/* another register holds the return address */
	function returns_by_t6
	.cfi_return_column t6
	end returns_by_t6
	function returns_by_t6_again
	.cfi_return_column t6
	.cfi_offset ra, WORD
	end returns_by_t6_again
	function returns_by_zero
	.cfi_return_column 0
	end returns_by_zero
	function returns_by_none
	.cfi_return_column 32
	end returns_by_none

	/* frames by expressions */
	cfa by_t6, BREG(REG_T6), 2 * WORD
	cfa by_zero, BREG(0), 0x00
	cfa by_address, BREG(0), FAR & 0x7f | 0x80, FAR >> 7 & 0x7f | 0x80, \
		FAR >> 14
	cfa by_number, BREGX, REG_S0, -WORD & 0x7f
	cfa by_no_number, BREGX, 32, 0
	cfa by_slot, BREG(REG_SP), 2 * WORD, DEREF
	cfa by_far_slot, BREG(REG_T6), 0, DEREF
	cfa by_itself, FRAME
	cfa by_nothing, 0x96 /* nop */
	cfa by_dup, BREG(REG_SP), 0, DUP
	cfa by_plus_of_none, PLUS_UC, 1
	cfa by_deref_of_none, DEREF
	cfa by_too_many, MANY, LIT(16), LIT(17)
	cfa by_garbage, GARBAGE
	cfa by_sum_of_one, BREG(REG_SP), 0, PLUS

	/* values by expressions, which begin with the frame's address */
	value lit_0, LIT(0)
	value lit_31, LIT(31)
	value const_1u, CONST1U, 0xff
	value const_1s, CONST1S, 0xff
	value const_2u, CONST2U, 0xfe, 0xff
	value const_2s, CONST2S, 0xfe, 0xff
	value const_4u, CONST4U, 0xfd, 0xff, 0xff, 0xff
	value const_4s, CONST4S, 0xfd, 0xff, 0xff, 0xff
	value const_8u, CONST8U, 1, 2, 3, 4, 5, 6, 7, 8
	value const_8s, CONST8S, 8, 7, 6, 5, 4, 3, 2, 0xf1
	value const_u, CONSTU, 0xff, 0x01
	value const_s, CONSTS, 0x7e
	value sum, CONST2U, 0x34, 0x12, LIT(5), PLUS
	value difference, CONST2U, 0x34, 0x12, LIT(5), MINUS
	value both, CONST2U, 0x34, 0x12, LIT(22), AND
	value sum_of_three, LIT(1), LIT(2), LIT(4), PLUS, PLUS
	value sum_with, CONST2U, 0x34, 0x12, PLUS_UC, 0x81, 0x02
	value below_zero, LIT(1), LIT(2), MINUS
	value frame, FRAME, PLUS_UC, 3
	value deep, MANY
	value too_deep, MANY, LIT(16)
	value garbage, GARBAGE
	value by_register, BREG(REG_S1), 0x04
	value from_frame, LIT(1), MINUS

	function saved_by_expression
	saved_at REG_A0, BREG(REG_SP), WORD
	end saved_by_expression
	function a_value_after_all
	saved_at REG_A0, BREG(REG_SP), WORD, VALUE
	end a_value_after_all
	function ra_is_garbage
	saved_at REG_RA, GARBAGE
	end ra_is_garbage

	.globl back_by_sret, back_by_mret, elsewhere
back_by_sret:
	sret
back_by_mret:
	mret
elsewhere:
	wfi
