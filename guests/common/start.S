/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Entry and trap entry of a bare S-mode guest. Every hart comes here with
 * a0 = hart id and a1 = device tree (boot hart) or the opaque value of
 * HSM.hart_start: the first, whatever its id, clears bss and calls
 * main(hartid, dtb), the others call hart_main(hartid, opaque). A return shuts
 * the machine down with the returned value as failure (not 0) or success.
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

	.section .text.start, "ax"
	.globl _start
_start:
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	la	t0, trap_entry
	csrw	stvec, t0
	la	sp, __stacks
	addi	t1, a0, 1
	slli	t1, t1, 14
	add	sp, sp, t1
	la	t0, booted
	li	t1, 1
	amoadd.w t1, t1, (t0)
	bnez	t1, 2f
	la	t0, __bss_begin
	la	t1, __bss_end
1:	bgeu	t0, t1, 3f
	REG_S	zero, 0(t0)
	addi	t0, t0, SZ
	j	1b
3:	call	main
	j	4f
2:	call	hart_main
4:	call	guest_exit
5:	wfi
	j	5b

	.data
	.balign	4
booted:	.word	0
	.section .text.start, "ax"
	.weak hart_main
hart_main:
	wfi
	j	hart_main

	/* The interrupted registers, as struct trap_frame; then trap(frame). */
	.text
	.align 2
trap_entry:
	addi	sp, sp, -32 * SZ
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_S	x\r, \r * SZ(sp)
	.endr
	mv	a0, sp
	call	trap
	.irp r, 1,5,6,7,10,11,12,13,14,15,16,17,28,29,30,31
	REG_L	x\r, \r * SZ(sp)
	.endr
	addi	sp, sp, 32 * SZ
	sret

	.weak trap
trap:
	li	a0, 1
	tail	guest_exit
