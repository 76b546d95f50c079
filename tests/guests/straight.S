/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One thousand instructions in a row, and nothing else.
 */
#include "bare.inc"

_start:
	.rept 1000
	addi a0, a0, 1
	.endr
	pass

	expect M, instructions, 1000 + PASS_INSNS
	expect M, branches, 0
	expect M, loads, 0
	expect M, stores, 1
	expect M, exceptions, 0
	expect S, instructions, 0
	expect U, instructions, 0
