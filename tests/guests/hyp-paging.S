/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two stages of translation: what a guest's fault tells its hypervisor, from VS
 * and VU, and by the hypervisor's loads and stores. hyp-portable.S leaves out
 * what QEMU 7.2 answers otherwise than the specification wants.
 */
#include "hyp.inc"

_start:
	open_memory
	la	t0, m_trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	medeleg, t0
	csrw	hedeleg, zero
	hardware_ad
	build_tables
	li	t0, MSTATUS_FS
	csrs	mstatus, t0
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
	li	s11, 0
	enter_vs in_vs

in_vs:
	vleaf	0, 0			/* VS-stage's own fault */
	fence_all
	attempt	lw a5, 12(s3)
	want	a0, CAUSE_LOAD_PAGE, 21
	addi	t2, s3, 12
	want_reg a1, t2, 22
	want	a2, 0, 23
	want_tinst T_LW_A5, 24
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP
	want	a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP, 25

	vleaf	0, V | R | W | X	/* G-stage's fault */
	fence_all
	attempt	lw a5, 8(s3)
	want_guest CAUSE_LOAD_GUEST, 8, T_LW_A5, 26
	attempt	sw a5, 16(s3)
	want_guest CAUSE_STORE_GUEST, 16, T_SW_A5, 30
	la	s11, 1f
	jr	s3
1:	want_guest CAUSE_FETCH_GUEST, 0, 0, 34
#ifndef PORTABLE
	attempt	amoadd.w a5, a5, (s3)
	want_guest CAUSE_STORE_GUEST, 0, T_AMO_A5, 38
#endif

	gleaf	0, s2, V | R | W | X | U	/* A and D of both stages */
	vleaf	0, V | R | W | X
	fence_all
	attempt	lw a5, 0(s3)
	want	a0, 0, 42
	want	a5, 0x1234, 43
	PTE_L	t2, 0(s0)
	andi	t2, t2, 0xff
	want	t2, V | R | W | X | A, 44
	PTE_L	t2, 0(s1)
	andi	t2, t2, 0xff
	want	t2, V | R | W | X | U | A, 45
	li	a5, 0x777
	attempt	sw a5, 0(s3)
	want	a0, 0, 46
	lw	t2, 0(s2)
	want	t2, 0x777, 47
	PTE_L	t2, 0(s0)
	andi	t2, t2, 0xff
	want	t2, V | R | W | X | A | D, 48
	PTE_L	t2, 0(s1)
	andi	t2, t2, 0xff
	want	t2, V | R | W | X | U | A | D, 49

	gleaf	0, s2, V | R | U | A	/* G-stage read-only */
	fence_all
	attempt	lw a5, 0(s3)
	want	a0, 0, 50
	attempt	sw a5, 4(s3)
	want_guest CAUSE_STORE_GUEST, 4, T_SW_A5, 51
	gleaf	0, s2, V | R | W | A | D	/* not the user's */
	fence_all
	attempt	lw a5, 4(s3)
	want_guest CAUSE_LOAD_GUEST, 4, T_LW_A5, 55
	gleaf	0, s2, V | X | U | A	/* vsstatus.MXR is VS-stage's */
	fence_all
	li	t0, MSTATUS_MXR
	csrs	sstatus, t0
	attempt	lw a5, 4(s3)
	want_guest CAUSE_LOAD_GUEST, 4, T_LW_A5, 59
	li	t0, MSTATUS_MXR
	csrc	sstatus, t0

	gleaf	0, s2, ALL | U		/* SUM, MXR and satp act at once */
	vleaf	0, V | R | U | A
	vleaf	2, V | X | A
	gleaf	2, s2, ALL | U
	fence_all
	attempt	lw a5, 0(s3)
	want	a0, CAUSE_LOAD_PAGE, 140
	li	t4, MSTATUS_SUM
	csrs	sstatus, t4
	attempt	lw a5, 0(s3)
	want	a0, 0, 141
	csrc	sstatus, t4
	attempt	lw a5, 0(s3)
	want	a0, CAUSE_LOAD_PAGE, 142
	lui	t3, 2
	add	t3, s3, t3
	li	t4, MSTATUS_MXR
	csrs	sstatus, t4
	attempt	lw a5, 0(t3)
	want	a0, 0, 143
	csrc	sstatus, t4
	attempt	lw a5, 0(t3)
	want	a0, CAUSE_LOAD_PAGE, 144
	vleaf	0, ALL
	fence_all
	attempt	lw a5, 0(s3)
	want	a0, 0, 145
	csrr	t3, satp
	csrw	satp, zero
	attempt	lw a5, 0(s3)		/* now a guest physical address */
	want	a0, CAUSE_LOAD_GUEST, 146
	want_reg a1, s3, 147
	srli	t2, s3, 2
	want_reg a2, t2, 148
	csrw	satp, t3
	attempt	lw a5, 0(s3)
	want	a0, 0, 149

	gleaf	0, s2, ALL | U		/* no way to VS-stage's leafs */
	gleaf	LEAFS_PAGE, s0, 0
	fence_all
	attempt	lw a5, 4(s3)
	want	a0, CAUSE_LOAD_GUEST, 63
	addi	t2, s3, 4
	want_reg a1, t2, 64
	want	a2, (WINDOW_GPA + LEAFS_PAGE * 4096) / 4, 65
	want	a3, PSEUDO, 66
#ifndef PORTABLE
	la	s11, 1f
	jr	s3
1:	want	a0, CAUSE_FETCH_GUEST, 67
	want	a2, (WINDOW_GPA + LEAFS_PAGE * 4096) / 4, 68
	want	a3, PSEUDO, 69
	gleaf	LEAFS_PAGE, s0, V | R | U | A	/* no A can be set there */
	vleaf	0, V | R | W
	fence_all
	attempt	lw a5, 4(s3)
	want	a0, CAUSE_LOAD_GUEST, 70
	want	a2, (WINDOW_GPA + LEAFS_PAGE * 4096) / 4, 71
	want	a3, PSEUDO | 0x20, 72
	attempt	sw a5, 4(s3)
	want	a0, CAUSE_STORE_GUEST, 73
	want	a3, PSEUDO | 0x20, 74
#endif
	gleaf	LEAFS_PAGE, s0, ALL | U

	vleaf	0, ALL			/* across the border of two pages */
	vleaf	1, ALL
	gleaf	1, s2, 0
	fence_all
	lui	t3, 1
	add	t3, s3, t3		/* the second one */
	attempt	lw a5, -2(t3)
	want_guest CAUSE_LOAD_GUEST, 4096, T_LW_A5 | T_OFFSET(2), 75
	attempt	sw a5, -1(t3)
	want_guest CAUSE_STORE_GUEST, 4096, T_SW_A5 | T_OFFSET(1), 79

	li	t1, 0x8393		/* addi t2, t2, 1 at the border */
	la	t2, frame + 4094
	sh	t1, 0(t2)
	li	t1, 0x80820013		/* and c.jr ra behind it */
	sw	t1, 2(t2)
	fence.i
	addi	t4, t3, -2
	la	s11, 1f
	jr	t4
1:	want_guest CAUSE_FETCH_GUEST, 4096, 0, 160
	la	t1, frame + 4096
	gleaf	1, t1, ALL | U
	fence_all
	li	t2, 7
	jalr	t4
	want	t2, 8, 164
	gleaf	1, s2, 0
	fence_all

	attempt	hlv.w a5, (s3)		/* not the guest's instructions */
	want	a0, CAUSE_VIRTUAL, 83
	want	a2, 0, 84
	attempt	csrr a5, hstatus
	want	a0, CAUSE_VIRTUAL, 85
	attempt	hfence.gvma
	want	a0, CAUSE_VIRTUAL, 86

	attempt	.word 0x53		/* fadd.s: vsstatus.FS is Off */
	want	a0, CAUSE_ILLEGAL, 87
	li	t0, MSTATUS_FS
	csrs	sstatus, t0
	attempt	.word 0x53
	want	a0, 0, 88
	li	a7, 2			/* sstatus.FS goes Off */
	ecall
	attempt	.word 0x53
	want	a0, CAUSE_ILLEGAL, 89

	la	t0, in_vu		/* VU's code is page 4 */
	gleaf	4, t0, V | R | X | U | A
	vleaf	4, V | R | X | U | A
	fence_all
	li	t0, SSTATUS_SPP
	csrc	sstatus, t0
	lui	t0, 4
	add	t0, s3, t0
	csrw	sepc, t0
	la	s10, from_vu
	sret

	/* In HS, as VU left it by ecall. */
from_vu:
	li	a7, 90
	bnez	s9, bad
	csrr	a4, hstatus
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV | HSTATUS_SPVP
	want	a4, HSTATUS_SPV, 91

	/* HLV and HSV: first as VS, then as VU */
	li	t0, HSTATUS_SPVP
	csrs	hstatus, t0
	li	t0, 0x8899aabb
	sw	t0, 0(s2)
	lw	s4, 0(s2)
	attempt	hlv.w a5, (s3)
	want_reg a5, s4, 92
	attempt	hlv.b a5, (s3)
	want	a5, -0x45, 93
	attempt	hlv.bu a5, (s3)
	want	a5, 0xbb, 94
	attempt	hlv.h a5, (s3)
	want	a5, -0x5545, 95
	attempt	hlv.hu a5, (s3)
	want	a5, 0xaabb, 96
	attempt	hlvx.hu a5, (s3)
	want	a5, 0xaabb, 97
#if __riscv_xlen == 64
	attempt	hlv.wu a5, (s3)
	slli	t2, s4, 32
	srli	t2, t2, 32
	want_reg a5, t2, 98
	ld	t2, 0(s2)
	attempt	hlv.d a5, (s3)
	want_reg a5, t2, 99
	not	a5, t2
	attempt	hsv.d a5, (s3)
	ld	t2, 0(s2)
	want_reg a5, t2, 100
#endif
	addi	s5, s3, 20
	li	a5, 0x13572468
	attempt	hsv.w a5, (s5)
	want	a0, 0, 101
	lw	t2, 20(s2)
	want_reg a5, t2, 102
	attempt	hsv.h a5, (s3)
	lhu	t2, 0(s2)
	want	t2, 0x2468, 103
	addi	s5, s3, 22
	attempt	hsv.b a5, (s5)
	lw	t2, 20(s2)
	want	t2, 0x13682468, 104

	vleaf	0, V | X | A		/* X in the place of R */
	gleaf	0, s2, V | X | U | A
	fences
#ifndef PORTABLE
	attempt	hlvx.wu a5, (s3)
	want	a0, 0, 105
	attempt	hlv.w a5, (s3)
	want	a0, CAUSE_LOAD_PAGE, 106
#endif
	vleaf	0, V | R | X | A
	fences
	attempt	hlv.w a5, (s3)
	want_guest CAUSE_LOAD_GUEST, 0, T_HLV_W, 107
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV
	want	a4, HSTATUS_GVA, 111
	li	a5, 1
#ifndef PORTABLE
	attempt	hsv.w a5, (s3)
	want	a0, CAUSE_STORE_PAGE, 112
#endif
	vleaf	0, ALL
	fences
	attempt	hsv.w a5, (s3)
	want_guest CAUSE_STORE_GUEST, 0, T_HSV_W, 113
	vleaf	0, V | X | A
	fences
	li	t0, MSTATUS_MXR		/* HS-level: both stages */
	csrs	sstatus, t0
#ifndef PORTABLE
	attempt	hlv.w a5, (s3)
	want	a0, 0, 117
#endif
	li	t0, MSTATUS_MXR
	csrc	sstatus, t0

	vleaf	0, ALL
	gleaf	0, s2, ALL | U
	fences
	li	t0, HSTATUS_SPVP	/* as VU */
	csrc	hstatus, t0
#ifndef PORTABLE
	attempt	hlv.w a5, (s3)
	want	a0, CAUSE_LOAD_PAGE, 118
#endif
	vleaf	0, ALL | U
	fences
	attempt	hlv.w a5, (s3)
	want	a0, 0, 119
	li	t0, HSTATUS_SPVP
	csrs	hstatus, t0
#ifndef PORTABLE
	attempt	hlv.w a5, (s3)		/* VS on VU's page */
	want	a0, CAUSE_LOAD_PAGE, 120
#endif
	li	t0, MSTATUS_SUM
	csrs	sstatus, t0		/* not this one's */
#ifndef PORTABLE
	attempt	hlv.w a5, (s3)
	want	a0, CAUSE_LOAD_PAGE, 121
#endif
	li	t0, MSTATUS_SUM
	csrs	vsstatus, t0
	attempt	hlv.w a5, (s3)
	want	a0, 0, 122

	vleaf	0, ALL			/* across the border of two pages */
	vleaf	1, ALL
	gleaf	1, s2, 0
	fences
	lui	s5, 1
	add	s5, s3, s5
	addi	s5, s5, -2
	attempt	hlv.w a5, (s5)
	want_guest CAUSE_LOAD_GUEST, 4096, T_HLV_W | T_OFFSET(2), 123
	la	t1, frame + 4096
	gleaf	1, t1, ALL | U
	fences
	li	a5, 0x55667788
	attempt	hsv.w a5, (s5)
	want	a0, 0, 127
	lui	t2, 1
	add	t2, s2, t2
	lw	t2, -2(t2)
	want_reg t2, a5, 128
	li	a5, 0
	attempt	hlv.w a5, (s5)
	want_reg t2, a5, 129

	lui	t1, UART		/* a device in the guest's window */
	gleaf	6, t1, ALL | U
	vleaf	6, ALL
	fences
	lui	s5, 6
	add	s5, s3, s5
	li	a5, 'h'
	attempt	hsv.b a5, (s5)
	want	a0, 0, 130
	addi	s5, s5, 5
	attempt	hlv.bu a5, (s5)		/* the line's status: idle */
	want	a5, 0x60, 131

#ifndef PORTABLE
	attempt	hlvx.hu a5, (s5)	/* devices have nothing to execute, */
	want	a0, CAUSE_LOAD_ACCESS, 150
	want_reg a1, s5, 151
	want	a2, 0, 152
	andi	a4, a4, HSTATUS_GVA | HSTATUS_SPV
	want	a4, HSTATUS_GVA, 153
	attempt	hsv.h a5, (s5)		/* take nothing misaligned, */
	want	a0, CAUSE_STORE_ACCESS, 154
	gleaf	5, s2, ALL | U		/* and no part of an access */
	vleaf	5, ALL
	fences
	addi	s4, s5, -7
	la	s10, frame + 4092
	lw	s7, 0(s10)
	attempt	hsv.w a5, (s4)
	want	a0, CAUSE_STORE_ACCESS, 155
	addi	t2, s5, -5
	want_reg a1, t2, 156
	lw	t2, 0(s10)
	want_reg t2, s7, 157
	lui	t1, 0x8000		/* nothing at all is there */
	gleaf	6, t1, ALL | U
	fences
	attempt	hlv.w a5, (s5)
	want	a0, CAUSE_LOAD_ACCESS, 158
	want_reg a1, s5, 159
#endif

	li	t0, HSTATUS_HU		/* from U, where it is allowed */
	csrs	hstatus, t0
	la	s10, 2f
	la	s8, 1f
	j	to_u
1:	attempt	hlv.w a5, (s3)
	ecall
2:	want	s9, 0, 132
	li	t0, HSTATUS_HU
	csrc	hstatus, t0
	la	s10, 2f
	la	s8, 1f
	j	to_u
1:	attempt	hlv.w a5, (s3)
	ecall
2:	want	s9, CAUSE_ILLEGAL, 133
	pass

	/* In HS: to s8 in U. */
to_u:
	li	t0, SSTATUS_SPP
	csrc	sstatus, t0
	li	t0, HSTATUS_SPV
	csrc	hstatus, t0
	csrw	sepc, s8
	sret

	/* Any mode: fails with a7. */
bad:
	ecall

	hs_handler

	.balign	4
m_trap:
failed:
	csrw	satp, zero
	mv	a0, a7
	fail

	.balign	4096
in_vu:
	attempt	lw a5, 0(s3)		/* VS's page */
	li	t0, CAUSE_LOAD_PAGE
	bne	a0, t0, 1f
#ifndef PORTABLE
	attempt	csrr a5, sscratch
	li	t0, CAUSE_VIRTUAL
	bne	a0, t0, 1f
#endif
	attempt	wfi
	li	t0, CAUSE_VIRTUAL
	bne	a0, t0, 1f
	li	a0, 0
1:	ecall
	.balign	4096

	.data
	tables
	.balign	4096
frame:	.word	0x1234
	.skip	8188

	expect_run h, 1
