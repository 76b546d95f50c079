/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a branch goes: the program's registers are live, its stack is used from
 * sp down. What counters that were frozen count of it is the same each time:
 * EBB_TAIL of ebb.h.
 */
#if __riscv_xlen == 64
#define REG_S sd
#define REG_L ld
#define SZ 8
#else
#define REG_S sw
#define REG_L lw
#define SZ 4
#endif

	.text
	.globl	ebb_entry
	.align	2
ebb_entry:
	addi	sp, sp, -32 * SZ
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_S	x\r, \r * SZ(sp)
	.endr
	call	ebb_dispatch
	csrw	0x803, a0		/* ebbctl: they go on behind this */
	csrci	0x802, 4		/* ebbcs: EO */
	csrsi	0x802, 2		/* PE; GE comes with the return */
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_L	x\r, \r * SZ(sp)
	.endr
	addi	sp, sp, 32 * SZ
	.word	0x8c100073		/* ebbret 1 */
