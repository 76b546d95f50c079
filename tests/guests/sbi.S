/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * S-mode above the firmware: BASE, the console, a timer interrupt by SBI TIME,
 * and shutdown. Start state as for a kernel: a0 = hart id, a1 = device tree.
 */
#include "bare.inc"

	expect_run s_mode, 1

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

_start:
	mv	s0, a1
	bnez	a0, failed
	csrr	t0, satp
	bnez	t0, failed
	la	t0, handler
	csrw	stvec, t0
	lw	t0, 0(s0)		/* the tree's magic, big-endian */
	li	t1, 0xedfe0dd0
	sub	t0, t0, t1
	slli	t0, t0, __riscv_xlen - 32
	bnez	t0, failed
	sbi	0x10, 0			/* the specification's version */
	bnez	a0, failed
	srli	a1, a1, 24
	beqz	a1, failed		/* at least 1.0 */
	li	s2, 5
	la	s1, text
1:	lbu	a0, 0(s1)
	sbi	0x4442434e, 2		/* DBCN.console_write_byte */
	bnez	a0, failed
	addi	s1, s1, 1
	addi	s2, s2, -1
	bnez	s2, 1b
	li	t0, 0x20
	csrw	sie, t0			/* STIE */
	csrsi	sstatus, 2
	rdtime	a0
	addi	a0, a0, 1000
#if __riscv_xlen == 32
	li	a1, 0
#endif
	sbi	0x54494d45, 0		/* TIME.set_timer */
	li	s3, 0
2:	wfi
	beqz	s3, 2b
	li	a0, 0
	li	a1, 0
	sbi	0x53525354, 0		/* SRST: shutdown, no reason */
failed:
	li	a0, 0
	li	a1, 1
	sbi	0x53525354, 0		/* shutdown, system failure */
	j	.

	.balign	4
handler:
	csrr	t0, scause
	bgez	t0, failed
	slli	t0, t0, 1
	li	t1, 5 << 1
	bne	t0, t1, failed
	li	s3, 1
	li	a0, -1
	li	a1, -1
	sbi	0x54494d45, 0		/* never again; clears STIP */
	sret

	.section .rodata
text:	.ascii	"SBI!\n"

	expect_run waits, 1
	expect S, interrupts, 1
