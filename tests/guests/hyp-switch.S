/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same addresses lead HS and U to other pages than VS and VU, for code and
 * data. No translation of one may be left when the other runs, and none of a
 * guest when its tables are exchanged by hgatp or vsatp.
 */
#include "hyp.inc"

	.set N, 20

	/* Page \page of HS's window. */
	.macro hleaf page, addr, flags
	pte	\addr, \flags
	PTE_S	t0, \page * PTE_SIZE(s4)
	.endm

	/* From HS to the user's page, as U or, \spv, VU; back at \label. */
	.macro run_user spv, label
	li	t0, SSTATUS_SPP
	csrc	sstatus, t0
	li	t0, HSTATUS_SPV
	csrc	hstatus, t0
	li	t0, \spv
	csrs	hstatus, t0
	csrw	sepc, s8
	la	s10, \label
	sret
	.endm

_start:
	open_memory
	la	t0, failed
	csrw	mtvec, t0
	li	t0, -1
	csrw	medeleg, t0
	csrw	hedeleg, zero
	build_tables
	la	s4, hleafs
	la	t2, hroot
	lui	t1, 0x80000
#if __riscv_xlen == 64
	slli	t1, t1, 32
	srli	t1, t1, 32
	pte	t1, ALL
	sd	t0, 2 * 8(t2)
	la	t1, hmiddle
	pte	t1, V
	sd	t0, 3 * 8(t2)
	pte	s4, V
	sd	t0, 0(t1)
#else
	lui	t3, 1
	add	t3, t2, t3
	pte	t1, ALL
	sw	t0, -2048(t3)
	pte	s4, V
	sw	t0, -1024(t3)
#endif
	mv	s5, t2			/* hroot */
	la	t1, in_hs_data		/* 0: data, 1: the user's, 5: code */
	hleaf	0, t1, ALL
	hleaf	1, t1, ALL | U
	gleaf	0, s2, ALL | U
	vleaf	0, ALL
	vleaf	1, ALL | U
	gleaf	1, s2, ALL | U
	la	t1, users		/* 4: the user's code, in both */
	hleaf	4, t1, ALL | U
	gleaf	4, t1, ALL | U
	vleaf	4, ALL | U
	la	t1, hs_code
	hleaf	5, t1, ALL
	la	t1, vs_code
	gleaf	5, t1, ALL | U
	vleaf	5, ALL
	lui	t0, 4
	add	s8, s3, t0
	lui	t0, 5
	add	s7, s3, t0
	li	s6, N
	li	s11, 0
	la	t0, in_hs
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	mret

in_hs:
	la	t0, hs_trap
	csrw	stvec, t0
	atp	s5
	csrw	satp, t0
	sfence.vma
turn:
	lw	a5, 0(s3)
	want	a5, 100, 10
	jalr	s7
	want	a5, 1, 11
	run_user 0, 1f
1:	want	s9, 101, 12
	run_user HSTATUS_SPV, 1f
1:	want	s9, 201, 13
	run_user 0, 1f
1:	want	s9, 101, 14
	la	s10, from_guest
	enter_vs in_vs
from_guest:
	want	s9, 200, 15
	lw	a5, 0(s3)
	want	a5, 100, 16
	la	t0, other_data		/* another guest's memory */
	gleaf	0, t0, ALL | U
	csrr	t0, hgatp
	csrw	hgatp, t0
	hfence.gvma
	la	s10, 1f
	enter_vs in_vs
1:	want	s9, 300, 17
	gleaf	0, s2, ALL | U
	hfence.gvma
	csrr	s4, vsatp		/* VS-stage Bare: nothing is at s3 */
	csrw	vsatp, zero
	hfence.vvma
	la	s10, 1f
	enter_vs in_vs
1:	want	s9, CAUSE_LOAD_GUEST, 18
	csrw	vsatp, s4
	hfence.vvma
	addi	s6, s6, -1
	bnez	s6, turn
	li	t0, HSTATUS_SPVP	/* the guest's code is written anew */
	csrs	hstatus, t0
	li	t1, 0x00300793		/* li a5, 3 */
	hsv.w	t1, (s7)
	fence.i
	la	s10, 1f
	enter_vs call_code
1:	want	s9, 3, 19
	hlvx.wu	a5, (s7)
	want	a5, 0x00300793, 20
	csrw	satp, zero
	sfence.vma
	pass

call_code:
	jalr	s7
	mv	a0, a5
	li	a7, 1
	ecall

in_vs:
	li	a0, 0
	lw	a5, 0(s3)
	bnez	a0, 1f
	mv	s0, a5
	jalr	s7
	mv	a0, a5
	addi	t1, a5, -2
	bnez	t1, 1f
	mv	a0, s0
1:	li	a7, 1
	ecall

bad:
failed:
	csrw	satp, zero
	mv	a0, a7
	fail

	hs_handler

	.balign	4096
users:
	lui	a0, 1
	add	a0, a0, s3
	lw	a0, 4(a0)
	ecall
	.balign	4096
hs_code:
	li	a5, 1
	ret
	.balign	4096
vs_code:
	li	a5, 2
	ret
	.balign	4096

	.data
	tables
hroot:	.skip	4096
hmiddle: .skip	4096
hleafs:	.skip	4096
frame:	.word	200, 201
	.skip	4088
in_hs_data: .word 100, 101
	.skip	4088
other_data: .word 300, 301
	.skip	4088

	expect_run h, 1
