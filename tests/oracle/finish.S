/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How every generated program ends: x27 is behind the last record. REG_L, SZ
 * and `records' are the harness's.
 */
#define UART		0x10000000
#define FINISHER	0x00100000

/* Prints the records and ends the machine. */
finish:
	la	x1, records
	li	x2, UART
1:	REG_L	x3, 0(x1)
	li	x4, __riscv_xlen - 4
2:	srl	x5, x3, x4		/* no leading zeros */
	bnez	x5, 3f
	beqz	x4, 3f
	addi	x4, x4, -4
	j	2b
3:	srl	x5, x3, x4
	andi	x5, x5, 15
	li	x6, 10
	addi	x7, x5, '0'
	bltu	x5, x6, 4f
	addi	x7, x5, 'a' - 10
4:	jal	x8, print
	addi	x4, x4, -4
	bgez	x4, 3b
	li	x7, '\n'
	jal	x8, print
	addi	x1, x1, SZ
	bltu	x1, x27, 1b
	li	x1, FINISHER
	li	x2, 0x5555
	sw	x2, 0(x1)
	j	.
print:
	lbu	x9, 5(x2)
	andi	x9, x9, 0x20
	beqz	x9, print
	sb	x7, 0(x2)
	jr	x8
