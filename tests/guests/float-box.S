/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Single-precision numbers in registers of 64 bits: results have ones above
 * them, an operand without them is the canonical NaN, moves and stores of the
 * low half do not care. And fmin and fmax, which give the other operand where
 * one is a NaN. Each row in one block, and with a block for each step; what it
 * reads is the same afterwards.
 */
#include "bare.inc"

	.option	arch, +f, +d

#define BOX(x)	 (0xffffffff00000000 | (x))
#define ONE	 0x3f800000
#define TWO	 0x40000000
#define MINUS	 0xbf800000
#define NAN_S	 0x7fc00000
#define SNAN_S	 0x7fa00000
#define ONE_D	 0x3ff0000000000000
#define TWO_D	 0x4000000000000000
#define NAN_D	 0x7ff8000000000000
#define SNAN_D	 0x7ff4000000000000
#define NV	 0x10

	.macro	none
	.endm

	.macro	gap
	j	gap.\@
gap.\@:
	.endm

	/* Fails unless the 8 bytes at \a and \b (offsets to s1, s0) agree. */
	.macro	same_dword a, b
	lw	t0, \a(s1)
	lw	t1, \b(s0)
	bne	t0, t1, failed
	lw	t0, \a+4(s1)
	lw	t1, \b+4(s0)
	bne	t0, t1, failed
	.endm

	.macro	once between, insn, flags
	addi	a6, a6, 1
	fsflags	zero
	fld	fa0, 0(s0)
	fld	fa1, 8(s0)
	\between
	\insn
	\between
	fsd	fa3, 0(s1)
	fsd	fa0, 8(s1)
	fsd	fa1, 16(s1)
	frflags	t0
	li	t1, \flags
	bne	t0, t1, failed
	same_dword 0, 16
	same_dword 8, 0
	same_dword 16, 8
	.endm

	/* \insn makes \want of fa0 = \a and fa1 = \b in fa3. */
	.macro	row insn, a, b, want, flags=0
	.pushsection .rodata
	.balign	8
row.\@:	.dword	\a, \b, \want
	.popsection
	la	s0, row.\@
	once	none, "\insn", \flags
	once	gap, "\insn", \flags
	.endm

_start:
	la	t0, unexpected
	csrw	mtvec, t0
	li	t0, 0x6000
	csrs	mstatus, t0
	la	s1, got
	li	a6, 0

	/* results */
	row	"fadd.s fa3, fa0, fa1", BOX(ONE), BOX(ONE), BOX(TWO)
	row	"fsub.s fa3, fa0, fa1", BOX(TWO), BOX(ONE), BOX(ONE)
	row	"fmul.s fa3, fa0, fa1", BOX(TWO), BOX(ONE), BOX(TWO)
	row	"fdiv.s fa3, fa0, fa1", BOX(TWO), BOX(ONE), BOX(TWO)
	row	"fsqrt.s fa3, fa0", BOX(ONE), 0, BOX(ONE)
	row	"fmadd.s fa3, fa0, fa1, fa0", BOX(ONE), BOX(ONE), BOX(TWO)
	row	"fnmsub.s fa3, fa0, fa1, fa0", BOX(ONE), BOX(ONE), BOX(0)
	row	"fsgnj.s fa3, fa0, fa1", BOX(ONE), BOX(MINUS), BOX(MINUS)
	row	"fsgnjn.s fa3, fa0, fa1", BOX(ONE), BOX(ONE), BOX(MINUS)
	row	"fsgnjx.s fa3, fa0, fa1", BOX(MINUS), BOX(MINUS), BOX(ONE)
	row	"fmin.s fa3, fa0, fa1", BOX(ONE), BOX(MINUS), BOX(MINUS)
	row	"fmax.s fa3, fa0, fa1", BOX(MINUS), BOX(ONE), BOX(ONE)
	row	"fcvt.s.d fa3, fa0", TWO_D, 0, BOX(TWO)
	row	"li a0, 2; fcvt.s.w fa3, a0", 0, 0, BOX(TWO)
	row	"li a0, 0x12345678; fmv.w.x fa3, a0", 0, 0, BOX(0x12345678)
	row	"flw fa3, 0(s0)", TWO, 0, BOX(TWO)

	/* as doubles, they are NaNs */
	row	"fadd.s fa3, fa0, fa0; fadd.d fa3, fa3, fa1", BOX(ONE), ONE_D, NAN_D
	row	"fadd.s fa3, fa0, fa0; fclass.d a0, fa3; fcvt.d.w fa3, a0", BOX(ONE), 0, 0x4080000000000000

	/* operands */
	row	"fadd.s fa3, fa0, fa1", TWO, BOX(ONE), BOX(NAN_S)
	row	"fadd.s fa3, fa1, fa0", TWO, BOX(ONE), BOX(NAN_S)
	row	"fadd.s fa3, fa0, fa1", 0xfffffffe40000000, BOX(ONE), BOX(NAN_S)
	row	"fadd.s fa3, fa0, fa1", BOX(SNAN_S), BOX(ONE), BOX(NAN_S), NV
	row	"fadd.s fa3, fa0, fa1", SNAN_S, BOX(ONE), BOX(NAN_S)
	row	"fsub.s fa3, fa0, fa1", TWO, TWO, BOX(NAN_S)
	row	"fmul.s fa3, fa0, fa1", TWO, BOX(ONE), BOX(NAN_S)
	row	"fdiv.s fa3, fa0, fa1", BOX(ONE), TWO, BOX(NAN_S)
	row	"fsqrt.s fa3, fa0", ONE, 0, BOX(NAN_S)
	row	"fmadd.s fa3, fa0, fa0, fa1", BOX(ONE), ONE, BOX(NAN_S)
	row	"fmsub.s fa3, fa1, fa0, fa0", BOX(ONE), ONE, BOX(NAN_S)
	row	"fnmadd.s fa3, fa0, fa1, fa0", BOX(ONE), ONE, BOX(NAN_S)
	row	"fsgnj.s fa3, fa0, fa1", ONE, BOX(MINUS), BOX(0xffc00000)
	row	"fsgnj.s fa3, fa0, fa1", BOX(MINUS), MINUS, BOX(ONE)
	row	"fsgnjn.s fa3, fa0, fa1", BOX(ONE), MINUS, BOX(MINUS)
	row	"fsgnjx.s fa3, fa0, fa1", MINUS, MINUS, BOX(NAN_S)
	row	"fmv.s fa3, fa0", TWO, 0, BOX(NAN_S)
	row	"fmin.s fa3, fa0, fa1", ONE, BOX(TWO), BOX(TWO)
	row	"fmax.s fa3, fa0, fa1", BOX(ONE), TWO, BOX(ONE)
	row	"fcvt.d.s fa3, fa0", TWO, 0, NAN_D
	row	"feq.s a0, fa0, fa0; fcvt.d.w fa3, a0", TWO, 0, 0
	row	"flt.s a0, fa0, fa1; fcvt.d.w fa3, a0", TWO, BOX(ONE), 0, NV
	row	"fle.s a0, fa1, fa0; fcvt.d.w fa3, a0", TWO, BOX(ONE), 0, NV
	row	"fclass.s a0, fa0; fcvt.d.w fa3, a0", TWO, 0, 0x4080000000000000
	row	"fcvt.w.s a0, fa0; fcvt.d.w fa3, a0", TWO, 0, 0x41dfffffffc00000, NV
	row	"fcvt.wu.s a0, fa0; fcvt.d.wu fa3, a0", TWO, 0, 0x41efffffffe00000, NV
	/* the low half as it is */
	row	"fmv.x.w a0, fa0; fcvt.d.w fa3, a0", 0x123, 0, 0x4072300000000000
	row	"fsw fa0, 24(s1); flw fa3, 24(s1)", TWO, 0, BOX(TWO)

	.macro	minmax w, one, two, nan, snan
	row	"fmin.\w fa3, fa0, fa1", \snan, \one, \one, NV
	row	"fmin.\w fa3, fa1, fa0", \snan, \one, \one, NV
	row	"fmax.\w fa3, fa0, fa1", \snan, \one, \one, NV
	row	"fmax.\w fa3, fa1, fa0", \snan, \one, \one, NV
	row	"fmin.\w fa3, fa0, fa1", \snan, \snan, \nan, NV
	row	"fmax.\w fa3, fa0, fa1", \snan, \nan, \nan, NV
	row	"fmin.\w fa3, fa0, fa1", \nan, \snan, \nan, NV
	row	"fmin.\w fa3, fa0, fa1", \nan, \one, \one
	row	"fmax.\w fa3, fa0, fa1", \one, \nan, \one
	row	"fmax.\w fa3, fa0, fa1", \one, \two, \two
	row	"fmin.\w fa3, fa0, fa1", \one, \two, \one
	row	"fsgnj.d fa3, fa0, fa0; fmin.\w fa3, fa3, fa1", \snan, \one, \one, NV
	row	"fsgnj.d fa3, fa0, fa0; fmax.\w fa3, fa1, fa3", \snan, \one, \one, NV
	.endm
	minmax	s, BOX(ONE), BOX(TWO), BOX(NAN_S), BOX(SNAN_S)
	minmax	d, ONE_D, TWO_D, NAN_D, SNAN_D
	row	"fmin.s fa3, fa0, fa1", BOX(0x80000000), BOX(0), BOX(0x80000000)
	row	"fmax.d fa3, fa0, fa1", 0x8000000000000000, 0, 0
	row	"fmin.s fa3, fa0, fa1", SNAN_S, BOX(ONE), BOX(ONE)
#if __riscv_xlen == 64
	row	"fcvt.l.s a0, fa0; fmv.d.x fa3, a0", TWO, 0, 0x7fffffffffffffff, NV
	row	"fadd.s fa3, fa0, fa0; fmv.x.d a0, fa3; fmv.d.x fa3, a0", BOX(ONE), 0, BOX(TWO)
	row	"fmv.d.x fa2, zero; fmv.w.x fa2, zero; fmv.d fa3, fa2", 0, 0, BOX(0)
#endif
	pass

	.balign	4
unexpected:
	li	a6, 99
failed:
	mv	a0, a6
	fail

	.data
	.balign	8
got:	.zero	32
