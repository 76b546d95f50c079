/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tohost lies in no segment, as sections without flags have it: it is where its
 * address says, if that is RAM.
 */
#include "bare.inc"

	.globl	tohost
	.set	tohost, 0x80100000
	expect_run exit, 7

_start:
	li	t0, 7 << 1 | 1
	lui	t1, 0x100		/* 1 MiB behind the first instruction */
	auipc	t2, 0
	addi	t2, t2, -8
	add	t1, t1, t2
	sw	t0, 0(t1)
	j	.
