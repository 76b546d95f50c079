/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two users in turn, for ever, each in an address space of its own: the programs
 * first and second (spaces-user.S) as their files have them, both at USERS_AT.
 */
#include "bare.inc"

	.set USERS_AT, 0x40000000
	.set IN_FILE, 0x1000	/* where a program's file has its code */
	.set USER, 0x5b		/* A U X R V */

	/* The entry of the page or table at \addr, into t0. */
	.macro pte addr, flags
	srli	t0, \addr, 12
	slli	t0, t0, 10
	ori	t0, t0, \flags
	.endm

	/* \satp: of three tables at \tables, with the page of \file. */
	.macro space satp, tables, file
	la	t1, \tables
	li	t2, 0x1000
	add	t3, t1, t2
	pte	t3, 1
	sd	t0, 8(t1)
	add	t4, t3, t2
	pte	t4, 1
	sd	t0, 0(t3)
	la	t2, \file + IN_FILE
	pte	t2, USER
	sd	t0, 0(t4)
	srli	t1, t1, 12
	li	\satp, 8
	slli	\satp, \satp, 60
	or	\satp, \satp, t1
	.endm

_start:
	open_memory
	la	t0, next
	csrw	mtvec, t0
	li	t0, 1 << 3
	csrw	0x7c0, t0		/* mebben */
	csrw	0x5c1, t0		/* sebbown */
	csrwi	0x5c0, 1		/* sebbcs.UE */
	space	s1, first_tables, first
	space	s2, second_tables, second

	.balign	4
next:					/* from a user, by its ecall */
	csrw	satp, s1
	sfence.vma
	mv	t0, s1
	mv	s1, s2
	mv	s2, t0
	li	t0, USERS_AT
	csrw	mepc, t0
	li	t0, 3 << MPP_SHIFT
	csrc	mstatus, t0
	mret

	.data
	.balign	4096
first:	.incbin "spaces-first-rv64.elf"
	.balign	4096
second:	.incbin "spaces-second-rv64.elf"

	.bss
	.balign	4096
first_tables:
	.skip	3 * 4096
second_tables:
	.skip	3 * 4096
