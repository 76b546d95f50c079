/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Floating point off is illegal, in 16 bits too, on it works, and its registers and flags are
 * the hart's own: kept over traps, changes of mode and other harts' turns.
 */
#include "bare.inc"

	.option	arch, +f, +d
	expect_run harts, 2
	.set	TURNS, 20000

	.macro want_flags flags, code
	frflags	t0
	li	a0, \code
	li	t1, \flags
	bne	t0, t1, failed
	.endm

	/* 16 bits, and as many behind them, for the handler */
	.macro	short insn
	.option	push
	.option	arch, +c
	c.\insn
	c.nop
	.option	pop
	.endm

_start:
	open_memory
	la	t0, handler
	csrw	mtvec, t0
	csrr	s0, mhartid
	li	t0, 0x6000
	csrc	mstatus, t0
	li	s1, 0			/* illegal instructions */
	la	a5, doubles
	la	sp, doubles
	fadd.s	fa0, fa0, fa0
	fmv.w.x	fa0, zero
	frflags	t0
	.irp	insn, "fld fs1, 8(a5)", "fsd fs1, 8(a5)", "fldsp ft8, 8(sp)", \
		"fsdsp ft8, 8(sp)"
	short	"\insn"
	.endr
	.set	ILLEGAL, 7
	.if	__riscv_xlen == 32
	.set	ILLEGAL, 11
	.irp	insn, "flw fs1, 4(a5)", "fsw fs1, 4(a5)", "flwsp ft8, 4(sp)", \
		"fswsp ft8, 4(sp)"
	short	"\insn"
	.endr
	.endif
	li	a0, 1
	li	t0, ILLEGAL
	bne	s1, t0, failed
	li	t0, 0x6000
	csrs	mstatus, t0
	fsflags	zero
	fcvt.s.w fs0, s0		/* hart 0: 0, hart 1: 1 */
	li	t0, 1
	fcvt.s.w fs1, t0
	bnez	s0, inexact
	fdiv.s	fa0, fs1, fs0		/* 1 / 0: DZ */
	want_flags 8, 2
	j	turns
inexact:
	li	t0, 3
	fcvt.s.w fs2, t0
	fdiv.s	fa0, fs1, fs2		/* 1 / 3: NX */
	want_flags 1, 3
turns:
	frflags	s2
	li	s3, TURNS
	fcvt.s.w fa1, zero
1:	fadd.s	fa1, fa1, fs1
	andi	t0, s3, 0xff
	bnez	t0, 2f
	ecall
2:	addi	s3, s3, -1
	bnez	s3, 1b
	frflags	t0
	li	a0, 4
	bne	t0, s2, failed		/* exact sums add no flag */
	fcvt.w.s t0, fa1
	li	t1, TURNS
	li	a0, 5
	bne	t0, t1, failed
	fcvt.w.s t0, fs0
	li	a0, 6
	bne	t0, s0, failed
	la	t0, done
	li	t1, 1
	amoadd.w t1, t1, (t0)
	bnez	s0, 4f
3:	lw	t1, 0(t0)
	li	t2, 2
	bne	t1, t2, 3b
	pass
4:	wfi
	j	4b

	.balign	4
handler:
	csrr	t0, mcause
	li	t1, CAUSE_ILLEGAL
	bne	t0, t1, 1f
	addi	s1, s1, 1
1:	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret
failed:
	fail

	.data
	.balign	8
doubles: .dword	0, 0
done:	.word	0
