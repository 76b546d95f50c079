/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest that fails with a code.
 */
#include "bare.inc"

_start:
	li	a0, 42
	fail

	expect_run exit, 42
	expect M, instructions, 1 + FAIL_INSNS
