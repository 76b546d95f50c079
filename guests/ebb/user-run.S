/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's way into U-mode and back. */
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
	/* unsigned long user_run(struct process *p): p's registers stand at
	   its beginning, the pc in place of x0. Returns scause. */
	.globl	user_run
user_run:
	addi	sp, sp, -32 * SZ
	.irp r, 1,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	REG_S	x\r, \r * SZ(sp)
	.endr
	csrr	t0, stvec
	REG_S	t0, 2 * SZ(sp)
	REG_S	sp, 32 * SZ(a0)
	csrw	sscratch, a0
	la	t0, user_trap
	csrw	stvec, t0
	REG_L	t0, 0(a0)
	csrw	sepc, t0
	li	t0, 0x100		/* SPP: to U */
	csrc	sstatus, t0
	.irp r, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	REG_L	x\r, \r * SZ(a0)
	.endr
	REG_L	a0, 10 * SZ(a0)
	sret

	.align	2
user_trap:
	csrrw	a0, sscratch, a0
	.irp r, 1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	REG_S	x\r, \r * SZ(a0)
	.endr
	csrr	t0, sscratch
	REG_S	t0, 10 * SZ(a0)
	csrr	t0, sepc
	REG_S	t0, 0(a0)
	REG_L	sp, 32 * SZ(a0)
	REG_L	t0, 2 * SZ(sp)
	csrw	stvec, t0
	.irp r, 1,3,4,8,9,18,19,20,21,22,23,24,25,26,27
	REG_L	x\r, \r * SZ(sp)
	.endr
	addi	sp, sp, 32 * SZ
	csrr	a0, scause
	ret
