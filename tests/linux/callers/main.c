/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program that has its work from a shared library, which calls it back. It
 * has no C library: its first function is its own, and has no caller.
 */
#include "callers.h"

int begin(void);
void end(unsigned sum);

static unsigned own(unsigned x)
{
	return leaf(x) * 3;
}

/* Where who watches it has seen all. */
__attribute__((noinline, noclone)) void end(unsigned sum)
{
	register long status __asm__("a0") = sum == 0;
	register long number __asm__("a7") = 94; /* exit_group() */

	__asm__ volatile("ecall" : : "r"(status), "r"(number));
}

int begin(void)
{
	end(calls_back(own, 7));
	return 0;
}

__asm__(".text\n"
	".globl _start\n"
	".type _start, @function\n"
	"_start:\n"
	"	.cfi_startproc\n"
	"	.cfi_undefined ra\n"
	"	call begin\n"
	"	ebreak\n"
	"	.cfi_endproc\n"
	".size _start, .-_start\n");
