/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Floating point as kernels give it: FS is Off when a task's turn begins, its
 * first instruction of floating point traps, the kernel brings its registers and
 * turns FS on, and the instruction begins again. What is saved when the turn ends
 * is what FS says was used. Each kind of instruction that FS guards is the first
 * in turn, in two tasks of U below a kernel in S; and, in M, in each state of
 * FS. The one that trapped has neither retired nor loaded nor stored.
 */
#include "bare.inc"

	.option	arch, +f, +d

	.set N, 40			/* rounds of a task */
#define FS	  0x6000
#define FS_CLEAN  0x4000
#define NX	  1

	/* Of a task, at tp: its registers, fcsr and pc. */
#define TASK_SUM  0
#define TASK_BY	  8
#define TASK_FCSR 16
#define TASK_PC	  24

	/* One of each kind, by \do; s10 points to data. */
	.macro	uses do
	\do	"fadd.s ft0, fs1, fs1"
	\do	"fmadd.s ft0, fs1, fs1, fs1"
	\do	"fsgnj.s ft0, fs1, fs1"
	\do	"fcvt.s.w ft0, zero"
	\do	"fcvt.d.s ft0, fs1"
	\do	"fmv.w.x ft0, zero"
	\do	"fmv.x.w a1, fs1"
	\do	"fclass.s a1, fs1"
	\do	"feq.s a1, fs1, fs1"
	\do	"flw ft0, 0(s10)"
	\do	"fsw fs1, 0(s10)"
	\do	"fld ft0, 0(s10)"
	\do	"fsd fs1, 0(s10)"
	\do	"frflags a1"
	\do	"csrrsi a1, fflags, 0"
	\do	"frrm a1"
	\do	"fsrmi a1, 0"
	\do	"frcsr a1"
	\do	"csrrci a1, fcsr, 0"
	.endm
	.set	USES, 19
	.set	USES_LOAD, 2
	.set	USES_STORE, 2

	.macro	once insn
	\insn
	.endm

	/* A turn of a task: \insn traps, and adds what the task adds. */
	.macro	turn insn
	\insn
	fadd.s	fs0, fs0, fs1
	ecall
	.endm

	/* The instruction at \epc is in \tval. */
	.macro	want_insn epc, tval, code
	csrr	t0, \epc
	lw	t0, 0(t0)
#if __riscv_xlen == 64
	slli	t0, t0, 32
	srli	t0, t0, 32
	.set	WANT_INSN, 6
#else
	.set	WANT_INSN, 4
#endif
	csrr	t1, \tval
	want_equal t0, t1, \code
	.endm

	/* Adds \by each turn; its flags are its own. */
	.macro	task n, by, flags, left
task_\n:
	li	\left, N			/* 1 */
1:	uses	turn			/* 2 * USES + 3 a round */
	nop				/* a turn without */
	ecall
	addi	\left, \left, -1
	bnez	\left, 1b
	fadd.s	fs0, fs0, fs1		/* 9 */
	fcvt.w.s a0, fs0
	li	a1, \by * (N * USES + 1)
	want_equal a0, a1, 10 + \n
	frflags	a0
	li	a1, \flags
	want_equal a0, a1, 20 + \n
	li	a7, 1
	ecall
	.endm

_start:					/* M */
	open_memory
	la	t0, m_trap		/* 6 */
	csrw	mtvec, t0
	la	s10, data
	li	s0, FS
	csrc	mstatus, s0		/* 2 */
	li	s1, 0
	uses	once
	li	t0, USES		/* 2 */
	want_equal s1, t0, 1
	.irp	state, 1, 2, 3		/* 13 each, and the uses */
	csrc	mstatus, s0
	li	t0, \state << 13
	csrs	mstatus, t0
	csrr	t0, mstatus
	and	t0, t0, s0
	beqz	t0, off
	uses	once
	fcvt.s.w fs0, zero
	csrr	t0, mstatus		/* now Dirty, and SD says so */
	bgez	t0, clean
	and	t0, t0, s0
	want_equal t0, s0, 2
	li	t0, USES
	want_equal s1, t0, 3
	.endr
	csrc	mstatus, s0		/* 16 */
	li	t0, 1 << CAUSE_ECALL_U | 1 << CAUSE_ILLEGAL
	csrw	medeleg, t0
	la	t0, s_trap
	csrw	stvec, t0
	la	t0, kernel
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	li	t0, 1 << MPP_SHIFT
	csrs	mstatus, t0
	mret
off:
	li	a0, 4
	fail
clean:
	li	a0, 5
	fail

	/* Illegal instructions of M are counted, and skipped. */
	.balign	4
m_trap:					/* 8 + WANT_INSN */
	csrr	t0, mcause
	addi	t0, t0, -CAUSE_ILLEGAL
	want_equal t0, zero, 6
	want_insn mepc, mtval, 7
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	addi	s1, s1, 1
	mret

kernel:					/* 8, and resume */
	la	tp, task_data_0
	la	gp, task_data_1
	li	s6, 0			/* how often it brought registers, */
	li	s7, 0			/* and saved them */
	li	s8, 0			/* tasks that ended */
	j	resume

	.balign	4
s_trap:					/* 19 + WANT_INSN */
	csrr	t0, scause
	addi	t0, t0, -CAUSE_ECALL_U
	beqz	t0, yield
	addi	t0, t0, CAUSE_ECALL_U - CAUSE_ILLEGAL
	want_equal t0, zero, 30
	want_insn sepc, stval, 31
	csrr	t0, sstatus
	li	t1, FS
	and	t0, t0, t1
	want_equal t0, zero, 32		/* Off, or why does it trap? */
	li	t1, FS_CLEAN
	csrs	sstatus, t1
	fld	fs0, TASK_SUM(tp)
	fld	fs1, TASK_BY(tp)
	lw	t0, TASK_FCSR(tp)
	fscsr	t0
	li	t1, FS & ~FS_CLEAN	/* Clean, where that is told apart */
	csrc	sstatus, t1
	addi	s6, s6, 1
	sret				/* again */

	/* The end of a turn: 3 before, 19 from here, 9 more to save. */
yield:
	csrr	t0, sepc
	addi	t0, t0, 4
	REG_S	t0, TASK_PC(tp)
	csrr	t0, sstatus
	li	t1, FS
	and	t0, t0, t1
	beqz	t0, 1f			/* nothing to save */
	want_equal t0, t1, 33		/* it has written fs0: Dirty */
	fsd	fs0, TASK_SUM(tp)
	frcsr	t0
	sw	t0, TASK_FCSR(tp)
	fmv.w.x	fs0, zero		/* the next has its own */
	fmv.w.x	fs1, zero
	csrwi	fcsr, 0
	csrc	sstatus, t1
	addi	s7, s7, 1
1:	add	s8, s8, a7
	li	a7, 0
	li	t0, 2
	beq	s8, t0, over
	mv	t0, tp
	mv	tp, gp
	mv	gp, t0
resume:					/* 5 */
	REG_L	t0, TASK_PC(tp)
	csrw	sepc, t0
	li	t0, 0x100		/* SPP */
	csrc	sstatus, t0
	sret
over:					/* 3 */
	li	t0, 2 * (USES * N + 1)	/* each turn with, and the end */
	want_equal s6, t0, 34
	want_equal s7, t0, 35
	pass
failed:
	fail

	task	0, 1, 0, s2
	task	1, 3, NX, s3

	.data
	.balign	8
data:	.dword	0x3f800000
	.macro	task_data n, by, flags
task_data_\n:
	.dword	0xffffffff00000000, 0xffffffff00000000 | \by
	.dword	\flags
	.dword	task_\n
	.endm
	task_data 0, 0x3f800000, 0
	task_data 1, 0x40400000, NX

	.set TRAPS, 2 * (USES * N + 1)	/* of first uses, and of turns with any */
	.set TURNS, TRAPS + 2 * N
	expect M, instructions, OPEN_INSNS + 8 + USES * (8 + WANT_INSN) + 2 + 3 * (13 + USES) + 16
	expect M, exceptions, USES
	expect M, loads, USES + 3 * USES_LOAD
	expect M, stores, 3 * USES_STORE
	expect S, instructions, 8 + 5 + TRAPS * (19 + WANT_INSN + 9) + TURNS * 22 - 8 + 3 + PASS_INSNS
	expect S, exceptions, 0
	expect S, loads, TRAPS * 4 + TURNS
	expect S, stores, TURNS + TRAPS * 2 + 1
	expect U, instructions, 2 * (1 + N * (2 * USES + 3)) + 8 + 9
	expect U, exceptions, TRAPS + TURNS
	expect U, loads, 2 * N * USES_LOAD
	expect U, stores, 2 * N * USES_STORE
	expect U, branches, 2 * N + 2 * 2
