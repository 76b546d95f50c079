/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Work whose instructions are known, each a function so that a profile names it.
 * n is in a0 and at least 1; what is counted is said with each, the last
 * instruction included.
 */
	/* named, or the linker names it after a file that is gone */
	.file "workloads.S"
	.option norvc

.macro work name
	.globl \name
	.type \name, @function
	.balign 64
\name:
.endm

.macro done name
	ret
	.size \name, . - \name
.endm

/* 2n + 1 instructions, n + 1 branches */
work w_loop
1:	addi a0, a0, -1
	bnez a0, 1b
	done w_loop

/* 102n + 1 instructions, n + 1 branches */
work w_straight
1:	.rept 100
	addi t0, t0, 1
	.endr
	addi a0, a0, -1
	bnez a0, 1b
	done w_straight

/* for even n 9n/2 + 1 instructions, 2n + 1 branches */
work w_branch
1:	andi t0, a0, 1
	bnez t0, 2f
	addi t1, t1, 1
2:	addi a0, a0, -1
	bnez a0, 1b
	done w_branch

/* from address a1 on in steps of a2: 4n + 1 instructions, n loads */
work w_walk
1:	ld t0, 0(a1)
	add a1, a1, a2
	addi a0, a0, -1
	bnez a0, 1b
	done w_walk

/* the same with stores */
work w_fill
1:	sd zero, 0(a1)
	add a1, a1, a2
	addi a0, a0, -1
	bnez a0, 1b
	done w_fill

/* getppid() n times: ECALL does not retire, so 2n + 3 instructions */
work w_syscall
	mv t0, a0
	li a7, 173
1:	ecall
	addi t0, t0, -1
	bnez t0, 1b
	done w_syscall

/* the counter CSR 0xc00 + a0, or 0: u64 counter_csr(unsigned) */
work counter_csr
	andi a0, a0, 31
	slli a0, a0, 3
	lla t0, 1f
	add t0, t0, a0
	jr t0
1:
	.set csr, 0xc00
	.rept 32
	csrr a0, csr
	ret
	.set csr, csr + 1
	.endr
	.size counter_csr, . - counter_csr

	.section .note.GNU-stack, "", @progbits
