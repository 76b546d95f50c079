/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a guest of KVM begins, its trap handler's frame, and its work. Its image
 * begins as a kernel's does, with the size that its memory has.
 */
	.file "start.S"
	.option norvc
	.text
	.globl _start
_start:
	j 1f
	.balign 16
	.dword 0x200000
1:	la sp, stack_end
	la t0, trap
	csrw stvec, t0
	call nested
2:	j 2b

	.balign 4
trap:
	addi sp, sp, -128
	.set at, 0
	.irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
	sd \r, at(sp)
	.set at, at + 8
	.endr
	csrr a0, scause
	csrr a1, sepc
	call trapped
	.set at, 0
	.irp r, ra, t0, t1, t2, t3, t4, t5, t6, a0, a1, a2, a3, a4, a5, a6, a7
	ld \r, at(sp)
	.set at, at + 8
	.endr
	addi sp, sp, 128
	sret

/* 2n + 1 instructions */
	.globl work
work:
1:	addi a0, a0, -1
	bnez a0, 1b
	ret

/* Moves a0 through ft0, and back with floating point off: it traps, once. */
	.option arch, +d
	.globl float_off
float_off:
	li t0, 3 << 13 /* sstatus.FS */
	csrs sstatus, t0
	fmv.d.x ft0, a0
	csrc sstatus, t0
	fmv.x.d a0, ft0
	ret

	.bss
	.balign 16
	.skip 16384
stack_end:
	.section .note.GNU-stack, "", @progbits
