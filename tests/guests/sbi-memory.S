/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls for which firmware reads and writes memory, of each kind: the console's,
 * snapshots, a list of events longer than a record has accesses, attributes of
 * software events, masks of harts as SBI 0.1 had them, with translation and
 * without; some of these are refused, and two fault.
 */
#include "bare.inc"

	expect_run s_mode, 1

	.set DBCN, 0x4442434e
	.set PMU, 0x504d55
	.set SSE, 0x535345
	.set SEND_IPI, 4		/* of SBI 0.1 */
	.set INJECTED, 0xffff0000
	.set N_EVENTS, 300
	.set TEXT, 5000			/* bytes */

	.macro sbi eid, fid
	li	a7, \eid
	li	a6, \fid
	ecall
	.endm

	.macro done error=0
	li	t0, \error
	bne	a0, t0, failed
	.endm

	.macro console function, length, buffer
	li	a0, \length
	la	a1, \buffer
	li	a2, 0
	sbi	DBCN, \function
	.endm

	/* Counters from 3 on, with the snapshot. */
	.macro counters function, set
	li	a0, 3
	li	a1, \set
	li	a2, 2
	li	a3, 0
	li	a4, 0
	sbi	PMU, \function
	.endm

	.macro attributes function, base, n
	li	a0, INJECTED
	li	a1, \base
	li	a2, \n
	la	a3, values
	li	a4, 0
	sbi	SSE, \function
	.endm

	.macro events address, n
	la	a0, \address
	li	a1, 0
	li	a2, \n
	li	a3, 0
	sbi	PMU, 8
	.endm

_start:
	la	t0, handler
	csrw	stvec, t0
	console	0, 12, text
	done
	console	0, TEXT, text		/* more than a record has of it */
	done
	li	t0, 4000
1:	addi	t0, t0, -1		/* some input comes meanwhile */
	bnez	t0, 1b
	console	1, 64, input
	done
	console	0, 8, 0x1000		/* no RAM */
	done	-3

	la	a0, page
	li	a1, 0
	li	a2, 0
	sbi	PMU, 7
	done
	li	s0, 3			/* counters 3 and 4, and 5 */
2:	mv	a0, s0
	li	a1, 1
	li	a2, 0
	li	a3, 2			/* instructions */
	li	a4, 0
	li	a5, 0
	sbi	PMU, 2
	done
	addi	s0, s0, 1
	li	t0, 6
	bne	s0, t0, 2b
	counters 3, 5			/* two that are not side by side */
	done
	counters 4, 5
	done
	counters 3, 7
	done
	counters 4, 7
	done
	counters 4, 7			/* they stand already */
	done	-8

	events	list, 2
	done
	events	list, N_EVENTS
	done
	events	bad_list, 2		/* an event that cannot be */
	done	-3

	attributes 1, 1, 1
	done
	attributes 0, 0, 10
	done
	attributes 1, 0, 1		/* read-only */
	done	-4

	la	a0, mask
	sbi	SEND_IPI, 0
	done
	li	a0, 0x1000		/* no RAM: it traps, and nothing is read */
	li	s2, 0
	sbi	SEND_IPI, 0
	li	t0, CAUSE_LOAD_ACCESS
	bne	s2, t0, failed
	/* the table: RAM is where it is, and nothing else is anywhere */
	la	s1, root
	li	t0, 0x20000000 | 0xcf	/* V, R, W, X, A, D */
#if __riscv_xlen == 64
	sd	t0, 16(s1)
	li	t1, 8 << 60
#else
	lui	t1, 1
	add	t1, s1, t1
	sw	t0, -2048(t1)
	li	t1, 1 << 31
#endif
	srli	t0, s1, 12
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	la	a0, mask
	sbi	SEND_IPI, 0
	done
	li	a0, 16			/* is not mapped: it traps */
	li	s2, 0
	sbi	SEND_IPI, 0
	li	t0, CAUSE_LOAD_PAGE
	bne	s2, t0, failed
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
	csrr	s2, scause
	csrr	t0, sepc
	addi	t0, t0, 4
	csrw	sepc, t0
	sret

	.data
	.balign	4096
root:	.skip	4096
page:	.skip	4096
	.globl	text
text:	.ascii	"hello world\n"
	.rept	(TEXT - 12) / 4
	.ascii	"abc\n"
	.endr
	.balign	16
list:
	.set	i, 0
	.rept	N_EVENTS
	.word	1 + i % 12, 0xdead, i, 0
	.set	i, i + 1
	.endr
bad_list:
	.word	1, 0xdead, 0, 0
	.word	0x100001, 0xdead, 0, 0
values:	.skip	128
input:	.skip	64
mask:	.dword	0
