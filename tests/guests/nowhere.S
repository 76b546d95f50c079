/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps to where nothing is, for ever: retires nothing after the first two
 * instructions, and ends by a limit of cycles only.
 */
#include "bare.inc"

_start:
	lui	t0, 0x40000
	csrw	mtvec, t0
	ecall

	expect_run exit, 124
	expect_run max_cycles, 20000
	expect M, instructions, 2
