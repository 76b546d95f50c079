/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow of a counter of fetches whose translation misses: the TLB has one
 * entry, and each instruction is on the other of two pages.
 */
#define SELECT	0x10021
#define ALIGN	4096
#define PAGED
#define PREPARE	sfence.vma
#define ROWS	.rept D / 2 + 8; j . + 4096; .endr; .balign 4096; \
		.rept D / 2 + 8; j . - 4092; .endr
#define PLACE	srli t0, s0, 1; slli t0, t0, 2; andi t1, s0, 1; slli t1, t1, 12; \
		add t0, t0, t1
#define HANDLER	0
#include "overflow.inc"

	expect_run uarch, 11
