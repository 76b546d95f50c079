/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * M-mode reaches a guest's memory by MPRV and MPV, through both stages, while
 * its own fetches go through none.
 */
#include "hyp.inc"

	/* In M: \insn as VS. */
	.macro as_vs insn:vararg
	li	t0, MSTATUS_MPRV | 1 << MPP_SHIFT
	li	t1, 1 << MPV_BIT
	li	a0, 0
	csrs	MSTATUSV, t1
	csrs	mstatus, t0
	\insn
	csrc	mstatus, t0
	csrc	MSTATUSV, t1
	.endm

_start:
	open_memory
	la	t0, m_trap
	csrw	mtvec, t0
	hardware_ad
	build_tables
	gleaf	0, s2, V | R | W | X | U
	vleaf	0, V | R | W | X
	fences
	as_vs	lw a5, 0(s3)
	want	a0, 0, 10
	want	a5, 0x1234, 11
	gleaf	0, s2, 0
	fences
	as_vs	lw a5, 4(s3)
	want_guest CAUSE_LOAD_GUEST, 4, T_LW_A5, 12
	srli	a4, a4, GVA_BIT
	andi	a4, a4, 3		/* GVA, and MPV: M was not a guest */
	want	a4, 1, 16
	as_vs	sw a5, 8(s3)
	want_guest CAUSE_STORE_GUEST, 8, T_SW_A5, 17
	as_vs	amoadd.w a5, a5, (s3)
	want_guest CAUSE_STORE_GUEST, 0, T_AMO_A5, 25
	vleaf	0, V | R | W | X | U
	gleaf	0, s2, V | R | W | X | U
	fences
	as_vs	lw a5, 0(s3)		/* the page of VU, by vsstatus.SUM only */
	want	a0, CAUSE_LOAD_PAGE, 21
	li	t0, MSTATUS_SUM
	csrs	mstatus, t0
	as_vs	lw a5, 0(s3)
	want	a0, CAUSE_LOAD_PAGE, 22
	li	t0, MSTATUS_SUM
	csrs	vsstatus, t0
	as_vs	lw a5, 0(s3)
	want	a0, 0, 23
	want	a5, 0x1234, 24
	pass

bad:
failed:
	mv	a0, a7
	fail

	.balign	4
m_trap:
	csrr	a0, mcause
	csrr	a1, mtval
	csrr	a2, mtval2
	csrr	a3, mtinst
	csrr	a4, MSTATUSV
	li	t2, MSTATUS_MPRV
	csrc	mstatus, t2
	csrr	t2, mepc
	addi	t2, t2, 4
	csrw	mepc, t2
	mret

	.data
	tables
	.balign	4096
frame:	.word	0x1234
	.skip	4092

	expect_run h, 1
