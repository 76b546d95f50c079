/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waits for an interrupt that nothing can raise.
 */
#include "bare.inc"

_start:
	csrw	mie, zero
	wfi
	j	.

	expect_run exit, 125
