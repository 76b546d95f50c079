/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs until somebody ends it; a0 counts the turns, two instructions each.
 */
#include "bare.inc"

_start:
	li	a0, 0
turn:
	addi	a0, a0, 1
	j	turn

	expect_run exit, 124
	expect_run max_cycles, 1000000
