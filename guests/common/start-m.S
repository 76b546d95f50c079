/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry of a bare M-mode guest, and its trap entries. Hart 0 clears bss and
 * calls main(); the others wait for ever. Traps to M call trap(frame), traps
 * delegated to S trap_s(frame), both on the stack of what they interrupt.
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

	.macro save_and_call function
	addi	sp, sp, -32 * SZ
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_S	x\r, \r * SZ(sp)
	.endr
	mv	a0, sp
	call	\function
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_L	x\r, \r * SZ(sp)
	.endr
	addi	sp, sp, 32 * SZ
	.endm

	.section .text.start, "ax"
	.globl _start
_start:
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	la	t0, skip_trap
	csrw	mtvec, t0
	li	t0, -1			/* S and U reach all of memory */
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	la	t0, trap_entry_s	/* nothing where there is no S */
	csrw	stvec, t0
	la	t0, trap_entry
	csrw	mtvec, t0
	csrr	t0, mhartid
	bnez	t0, 3f
	la	sp, __stacks
	li	t0, 1 << 15
	add	sp, sp, t0
	la	t0, __bss_begin
	la	t1, __bss_end
1:	bgeu	t0, t1, 2f
	REG_S	zero, 0(t0)
	addi	t0, t0, SZ
	j	1b
2:	call	main
	call	guest_exit
3:	wfi
	j	3b

	.text
	.balign	4
trap_entry:
	save_and_call trap
	mret

	.balign	4
trap_entry_s:
	save_and_call trap_s
	sret

	/* Goes on behind an instruction of 4 bytes; 4 instructions, uses a7. */
	.globl	skip_trap
	.balign	4
	.option push
	.option norvc
skip_trap:
	csrr	a7, mepc
	addi	a7, a7, 4
	csrw	mepc, a7
	mret
	.option pop
