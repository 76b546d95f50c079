/* SPDX-License-Identifier: BSD-2-Clause */
/* One function, whose source has a path of more than 4096 bytes. */
#define FOUR_(a) a##a##a##a
#define FOUR(a)	 FOUR_(a)
#define TEXT_(a) #a
#define TEXT(a)	 TEXT_(a)
	.file 1 TEXT(FOUR(FOUR(FOUR(FOUR(FOUR(name))))))
	.globl start
	.type start, @function
start:
	.loc 1 10 0
	nop
	.size start, . - start
