/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * M, HS, VS, VU and U in turn: what retires is counted in the mode it retires
 * in, xRET in the mode it leaves, a hypervisor load or store in the mode that
 * executes it. A counter for each mode, filtered from all others, agrees with
 * what is known of the code.
 */
#include "hyp.inc"

	.set N, 50
	.set IN_HS, 5
	.set IN_VS, 40
	.set IN_VU, 90
	.set IN_U, 17

	/* What retires in each mode, all turns. */
	.set HS_TURN, 2 + 8 + 3 + 2 * IN_HS + 3 + 10 + 2 + 2
	.set VS_TURN, 1 + 4 * IN_VS + 6
	.set VU_TURN, 1 + 2 * IN_VU
	.set U_TURN, 1 + 3 * IN_U

	/* Counter \n counts \event in one mode: the others' filters. */
	.macro count n, event, filters
#if __riscv_xlen == 64
	li	t0, (\filters) << 58 | \event
	csrw	mhpmevent\n, t0
#else
	li	t0, (\filters) << 26
	csrw	0x720 + \n, t0
	li	t0, \event
	csrw	mhpmevent\n, t0
#endif
	.endm
#define LOADS  0x100000
#define STORES 0x100001
#define MINH  16			/* of bits 62-58 */
#define SINH  8
#define UINH  4
#define VSINH 2
#define VUINH 1

	.macro check_counter n, want, code
	csrr	t0, mhpmcounter\n
	li	t1, \want
	li	a7, \code
	bne	t0, t1, failed
	.endm

_start:
	open_memory
	la	t0, m_trap
	csrw	mtvec, t0
	li	t0, 1 << CAUSE_ECALL_U	/* U's and VU's */
	csrw	medeleg, t0
	build_tables
	gleaf	0, s2, ALL | U
	vleaf	0, ALL
	la	t0, in_vu		/* VU's code is page 4 */
	gleaf	4, t0, ALL | U
	vleaf	4, ALL | U
	fences
	la	t0, from_below
	csrw	stvec, t0
	li	s7, N
	li	t0, -1
	csrw	mcountinhibit, t0
	count	3, 2, MINH | SINH | UINH | VUINH
	count	4, 2, MINH | SINH | UINH | VSINH
	count	5, 2, MINH | UINH | VSINH | VUINH
	count	6, 2, MINH | SINH | VSINH | VUINH
	count	7, 1, MINH | SINH | UINH | VUINH
	count	8, LOADS, MINH | UINH | VSINH | VUINH
	count	9, STORES, MINH | UINH | VSINH | VUINH
	count	10, LOADS, MINH | SINH | UINH | VUINH
	count	11, 2, MINH | SINH | UINH
	la	t0, turn
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	csrw	mcountinhibit, zero
	mret

	/* In HS. */
turn:
	la	s10, from_vu		/* 2 */
	li	t0, SSTATUS_SPP		/* 8 */
	csrs	sstatus, t0
	li	t0, HSTATUS_SPV
	csrs	hstatus, t0
	la	t0, in_vs
	csrw	sepc, t0
	sret
from_vu:
	li	t0, HSTATUS_SPVP	/* 3 */
	csrs	hstatus, t0
	li	t0, IN_HS
1:	addi	t0, t0, -1
	bnez	t0, 1b
	hlv.w	t1, (s3)		/* 3 */
	hsv.w	t1, (s3)
	hlvx.hu	t1, (s3)
	la	s10, from_u		/* 10 */
	li	t0, SSTATUS_SPP
	csrc	sstatus, t0
	li	t0, HSTATUS_SPV
	csrc	hstatus, t0
	la	t0, in_u
	csrw	sepc, t0
	sret
from_u:
	addi	s7, s7, -1		/* 2 */
	bnez	s7, turn
	ecall

	.balign	4
from_below:				/* 1, a turn twice */
	jr	s10

in_vs:
	li	t0, IN_VS		/* 1 */
1:	lw	t1, 0(s3)
	sw	t1, 4(s3)
	addi	t0, t0, -1
	bnez	t0, 1b
	li	t0, SSTATUS_SPP		/* 6 */
	csrc	sstatus, t0
	lui	t0, 4
	add	t0, s3, t0
	csrw	sepc, t0
	sret

in_u:
	li	t0, IN_U
1:	addi	t0, t0, -1
	nop
	bnez	t0, 1b
	ecall

	.balign	4
m_trap:
	csrr	t1, mcause
	li	t2, CAUSE_ECALL_S
	li	a7, 1
	bne	t1, t2, failed
	check_counter 3, N * VS_TURN, 3
	check_counter 4, N * VU_TURN, 4
	check_counter 5, N * HS_TURN, 5
	check_counter 6, N * U_TURN, 6
	check_counter 7, N * VS_TURN, 7
	check_counter 8, 2 * N, 8
	check_counter 9, N, 9
	check_counter 10, N * IN_VS, 10
	check_counter 11, N * (VS_TURN + VU_TURN), 11
	pass
bad:
failed:
	mv	a0, a7
	fail

	.balign	4096
in_vu:
	li	t0, IN_VU
1:	addi	t0, t0, -1
	bnez	t0, 1b
	ecall
	.balign	4096

	.data
	tables
	.balign	4096
frame:	.word	0x1234
	.skip	4092

	expect VS, instructions, N * VS_TURN
	expect VU, instructions, N * VU_TURN
	expect S, instructions, N * HS_TURN
	expect U, instructions, N * U_TURN
	expect VS, loads, N * IN_VS
	expect VS, stores, N * IN_VS
	expect VS, branches, N * IN_VS
	expect VU, branches, N * IN_VU
	expect VU, exceptions, N
	expect VS, exceptions, 0
	expect U, exceptions, N
	expect S, exceptions, 1
	expect S, loads, 2 * N
	expect S, stores, N
	expect VU, cycles, N * (VU_TURN + 1)
	expect VS, cycles, N * VS_TURN
	expect_run h, 1
