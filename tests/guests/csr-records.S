/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CSRs of each class, read and written in M, S, U, VS and VU, and what is
 * refused there: `told` and `refused` count how many records of accesses that
 * must be, expect.told.MODE and expect.refused.MODE. Handlers and changes of
 * mode use CSRs that are in no record, but for mstatus. s11: where M goes on
 * after an ecall.
 */
#include "bare.inc"

	.set TOLD_M, 0
	.set TOLD_S, 0
	.set TOLD_U, 0
	.set TOLD_VS, 0
	.set TOLD_VU, 0
	.set REFUSED_M, 0
	.set REFUSED_S, 0
	.set REFUSED_U, 0
	.set REFUSED_VS, 0
	.set REFUSED_VU, 0

	/* One instruction, which is executed \n times. */
	.macro told mode, n, insn:vararg
	\insn
	.set TOLD_\mode, TOLD_\mode + \n
	.endm
	.macro refused mode, n, insn:vararg
	\insn
	.set REFUSED_\mode, REFUSED_\mode + \n
	.endm

#define SCOUNTINHIBIT	0x120
#define SISELECT	0x150
#define SIREG		0x151
#define SIREG2		0x152
#define STIMECMP	0x14d
#define MVIEN		0x308
#define MISELECT	0x350
#define MIREG		0x351
#define SEBBCS		0x5c0
#define SEBBCLAIM	0x5c2
#define HEBBEN		0x6c0
#define MEBBEN		0x7c0
#define EBBHR		0x800
#define EBBOWN		0x806
#define EBBCTR3		0x823
#define SCOUNTOVF	0xda0
#define STOPI		0xdb0
#define MTOPI		0xfb0

#if __riscv_xlen == 64
#define MENVCFG		0x30a
#define TOP		63
#else
#define MENVCFG		0x31a		/* menvcfgh */
#define TOP		31
#endif
#define MSTATUSH	0x310
#define CDE		(TOP - 3)

	/* From M to \label below, in the mode of \mpp, of a guest if \virtual.*/
	.macro enter label, mpp, virtual
	li	t0, 3 << MPP_SHIFT
	told	M, 1, csrc mstatus, t0
	li	t0, \mpp << MPP_SHIFT
	told	M, 1, csrs mstatus, t0
	li	t0, 1 << 7		/* MPV */
#if __riscv_xlen == 64
	slli	t0, t0, 32
	.if	\virtual
	told	M, 1, csrs mstatus, t0
	.else
	told	M, 1, csrc mstatus, t0
	.endif
#else
	.if	\virtual
	csrs	MSTATUSH, t0
	.else
	csrc	MSTATUSH, t0
	.endif
#endif
	la	t0, \label
	csrw	mepc, t0
	la	s11, 9f
	mret
9:
	.endm

_start:
	open_memory
	la	t0, handler
	csrw	mtvec, t0
	li	t0, 9			/* CDE, and three bits on, STCE */
	slli	t0, t0, CDE
	csrs	MENVCFG, t0
	li	s0, 0x1f

	/* M: counters */
	told	M, 1, csrw mcounteren, s0
	told	M, 1, csrw scounteren, s0
	li	t0, 7
	told	M, 1, csrw hcounteren, t0
	li	t0, 2
	told	M, 1, csrw mhpmevent3, t0
	told	M, 1, csrr t0, mhpmevent3
	told	M, 1, csrw mhpmcounter3, t0
	told	M, 1, csrr t0, mhpmcounter3
	told	M, 1, csrr t0, mcycle
	told	M, 1, csrrw t0, minstret, t0
	told	M, 1, csrsi mcountinhibit, 0x10
	told	M, 1, csrr t0, SCOUNTOVF
	told	M, 1, rdcycle t0
	refused	M, 1, csrw cycle, t0
	told	M, 1, csrw SISELECT, zero
#if __riscv_xlen == 32
	told	M, 1, csrr t0, mcycleh
	told	M, 1, csrw mhpmcounter3h, zero
	told	M, 1, csrr t0, 0x723	/* mhpmevent3h */
	told	M, 1, csrr t0, 0xc80	/* cycleh */
	told	M, 1, csrr t0, 0x144 + 0x10	/* siph */
	told	M, 1, csrr t0, 0x314	/* mieh */
#endif
	/* interrupts */
	li	t0, 0x222
	told	M, 1, csrw mideleg, t0
	told	M, 1, csrs mie, t0
	told	M, 1, csrr t0, mip
	told	M, 1, csrsi mip, 2
	told	M, 1, csrci mip, 2
	told	M, 1, csrr t0, mstatus
	told	M, 1, csrw MVIEN, zero
	told	M, 1, csrr t0, MTOPI
	li	t0, 0x30
	told	M, 1, csrw MISELECT, t0
	told	M, 1, csrr t0, MIREG
	li	t0, 0x444
	told	M, 1, csrw 0x603, t0	/* hideleg */
	/* event-based branches */
	li	t0, 8
	told	M, 1, csrw MEBBEN, t0
	told	M, 1, csrw HEBBEN, zero
	/* others, of which nothing is told */
	csrw	mscratch, t0
	csrr	t0, mscratch
	csrr	t0, mhartid
	csrw	fcsr, zero

	enter	in_s, 1, 0
	enter	in_u, 0, 0
	enter	in_vs, 1, 1
	enter	in_vu, 0, 1
	told	M, 1, csrr t0, mstatus
	pass

in_s:
	li	t0, -1
	told	S, 1, csrw STIMECMP, t0
	told	S, 1, csrr t0, SCOUNTOVF
	told	S, 1, csrr t0, scounteren
	told	S, 1, rdcycle t0
	told	S, 1, rdtime t0
	told	S, 1, csrr t0, hpmcounter4
	refused	S, 1, csrr t0, hpmcounter5
	refused	S, 1, csrr t0, mcycle
	li	t0, 0x43
	told	S, 1, csrw SISELECT, t0
	told	S, 1, csrr t0, SIREG
	told	S, 1, csrw SIREG, t0
	told	S, 1, csrr t0, SIREG2
	told	S, 1, csrw SCOUNTINHIBIT, zero
	li	t0, 0x45
	told	S, 1, csrw SISELECT, t0
	refused	S, 1, csrr t0, SIREG
	told	S, 1, csrsi sie, 2
	told	S, 1, csrr t0, sip
	told	S, 1, csrsi sstatus, 2
	told	S, 1, csrci sstatus, 2
	told	S, 1, csrr t0, STOPI
	refused	S, 1, csrw mie, t0
	told	S, 1, csrwi SEBBCS, 1	/* UE */
	told	S, 1, csrwi SEBBCLAIM, 8
	csrw	sscratch, t0
	ecall

in_u:					/* among code that runs as blocks */
	li	s1, 50
1:	addi	a0, a0, 1
	told	U, 50, rdcycle t0
	andi	a1, a0, 3
	bnez	a1, 2f
	xor	a2, a1, a0
2:	told	U, 50, rdinstret t1
	told	U, 50, rdtime t2
	addi	s1, s1, -1
	bnez	s1, 1b
	told	U, 1, csrr t0, hpmcounter3
	told	U, 1, csrr x0, hpmcounter4
	refused	U, 1, csrr t0, hpmcounter5
	refused	U, 1, csrw cycle, zero
	refused	U, 1, csrr t0, sip
	told	U, 1, csrw EBBHR, t0
	told	U, 1, csrr t0, EBBOWN
	told	U, 1, csrr t0, EBBCTR3
	refused	U, 1, csrr t0, EBBCTR3 + 1
	csrr	t0, fcsr
	ecall

in_vs:
	told	VS, 1, csrsi sie, 2
	told	VS, 1, csrr t0, sip
	told	VS, 1, csrsi sstatus, 2
	told	VS, 1, csrr t0, sstatus
	told	VS, 1, rdcycle t0
	told	VS, 1, rdtime t0
	told	VS, 1, csrr t0, STOPI
	refused	VS, 1, csrr t0, hpmcounter3
	refused	VS, 1, csrr t0, 0x604	/* hie */
	refused	VS, 1, csrr t0, SIREG
	refused	VS, 1, csrw SEBBCS, zero
	csrw	sscratch, t0
	ecall

in_vu:
	li	s1, 20
1:	told	VU, 20, rdinstret t0
	addi	s1, s1, -1
	told	VU, 20, rdcycle t0
	bnez	s1, 1b
	refused	VU, 1, csrr t0, hpmcounter3
	refused	VU, 1, csrr t0, sie
	refused	VU, 1, csrr t0, EBBHR
	ecall

	/* Goes on behind what is refused. */
	.balign	4
handler:
	csrr	s2, mcause
	li	s3, CAUSE_ILLEGAL
	beq	s2, s3, 1f
	li	s3, 22			/* virtual instruction */
	beq	s2, s3, 1f
	jr	s11
1:	csrr	s2, mepc
	addi	s2, s2, 4
	csrw	mepc, s2
	mret
failed:
	fail

	expect_run h, 1
	expect_run sstc, 1
	expect_run smcsrind, 1
	expect_run sscsrind, 1
	expect_run smcdeleg, 1
	expect_run ssccfg, 1
	expect_run smaia, 1
	expect_run ssaia, 1
	expect_run xpmuebb, 1
	expect told, M, TOLD_M
	expect told, S, TOLD_S
	expect told, U, TOLD_U
	expect told, VS, TOLD_VS
	expect told, VU, TOLD_VU
	expect refused, M, REFUSED_M
	expect refused, S, REFUSED_S
	expect refused, U, REFUSED_U
	expect refused, VS, REFUSED_VS
	expect refused, VU, REFUSED_VU
