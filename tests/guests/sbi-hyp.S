/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hypervisor above the firmware: what its guest's traps do that M-mode does
 * not delegate. The firmware hands them on to HS or, by hedeleg, to VS, and
 * counts them as firmware events; a counter that it configured counts the guest
 * alone. Codes as in hyp-paging.S.
 */
#include "hyp.inc"

	.set IN_VS, 1000

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	/* Counters \base and on, \mask of them, for \event; idx into \idx. */
	.macro configure base, mask, flags, event, idx, code
	li	a0, \base
	li	a1, \mask
	li	a2, \flags
	li	a3, \event
	li	a4, 0
	li	a5, 0
	sbi	0x504d55, 2
	mv	\idx, a1
	mv	t2, a0
	want	t2, 0, \code
	.endm
#define CLEAR_AND_START 6
#define ONLY_VS		0xe8		/* SET_VUINH, UINH, SINH, MINH */

	.macro want_events idx, n, code
	mv	a0, \idx
	sbi	0x504d55, 5		/* counter_fw_read */
	mv	t2, a0
	want	t2, 0, \code
	want	a1, \n, \code + 1
	.endm

_start:
	la	t0, hs_trap
	csrw	stvec, t0
	csrw	hedeleg, zero
	csrw	hcounteren, zero
	li	s11, 0
	build_tables
	configure 32, 0xffffff, CLEAR_AND_START, 0xf0004, s4, 10
	configure 32, 0xffffff, CLEAR_AND_START, 0xf0002, s5, 11
	configure 3, 0xff, CLEAR_AND_START | ONLY_VS, 2, s6, 12
	want	s6, 3, 13
	csrr	s6, hpmcounter3
	want	s6, 0, 14
	la	s10, back
	enter_vs in_vs

in_vs:
	li	a7, 0			/* not the firmware's */
	ecall
	vleaf	0, ALL
	vleaf	5, ALL
	lui	t1, 0x8000		/* nothing is there */
	gleaf	5, t1, ALL | U
	fence_all
	attempt	lw a5, 4(s3)
	want_guest CAUSE_LOAD_GUEST, 4, T_LW_A5, 15
	attempt	mret
	want	a0, CAUSE_ILLEGAL, 19
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP
	want	a4, HSTATUS_SPV | HSTATUS_SPVP, 20
	lui	t3, 5
	add	t3, s3, t3
	attempt	lw a5, 8(t3)
	want	a0, CAUSE_LOAD_ACCESS, 21
	addi	t3, t3, 8
	want_reg a1, t3, 22
	want	a2, 0, 23
	want_tinst T_LW_A5, 24
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP
	want	a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP, 25
	attempt	csrr a5, cycle
	want	a0, CAUSE_VIRTUAL, 26
	li	a7, 1
	ecall

back:
	li	t0, 1 << CAUSE_ILLEGAL	/* the guest's own */
	csrw	hedeleg, t0
	la	t0, vs_trap
	csrw	vstvec, t0
	la	s10, 1f
	enter_vs in_vs_again
1:	want_events s4, 2, 30
	want_events s5, 1, 32
	csrr	s6, hpmcounter3		/* goes on counting: from here */
	la	s10, 1f
	enter_vs count_me
1:	csrr	t2, hpmcounter3
	sub	t2, t2, s6
	want	t2, 2 * IN_VS + 2, 34
	pass

in_vs_again:
	mret

	.balign	4
vs_trap:
	csrr	a0, scause
	want	a0, CAUSE_ILLEGAL, 27
	csrr	a0, sepc
	la	t2, in_vs_again
	want_reg a0, t2, 28
	csrr	a0, sstatus
	andi	a0, a0, SSTATUS_SPP
	want	a0, SSTATUS_SPP, 29
	li	a7, 1
	ecall

count_me:
	li	t0, IN_VS
1:	addi	t0, t0, -1
	bnez	t0, 1b
	li	a7, 1
	ecall

bad:
	ecall
failed:
	mv	a0, a7
	fail

	hs_handler

	.data
	tables
	.balign	4096
frame:	.skip	4096

	expect_run s_mode, 1
	expect_run h, 1
