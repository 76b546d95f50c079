/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of a shared library whose frames compilers lay out differently, all
 * without a frame pointer: a leaf, recursion, a last call that is a jump, a
 * stack that moves, a call back into the program. And one that has no unwind
 * table.
 */
#include "callers.h"

#define NOINLINE __attribute__((noinline, noclone))

NOINLINE unsigned leaf(unsigned x)
{
	for (unsigned i = 0; i < 3; i++)
		x = x * 5 + (x >> 3);
	return x;
}

/* Only a register of its own knows where its frame is. */
NOINLINE static unsigned moves(unsigned x)
{
	volatile unsigned char *bytes = __builtin_alloca(16 + x % 64);

	bytes[x % 16] = (unsigned char)x;
	return bytes[x % 16] + leaf(x);
}

NOINLINE static unsigned recurses(unsigned n)
{
	return n ? recurses(n - 1) * 3 + leaf(n) : 1;
}

NOINLINE static unsigned jumps(unsigned x)
{
	return moves(leaf(x) + 1);
}

unsigned calls_back(unsigned (*function)(unsigned), unsigned x)
{
	return function(x) + recurses(DEPTH) + jumps(x) +
	       without_table(function, x);
}

__asm__(".text\n"
	".globl without_table\n"
	".type without_table, @function\n"
	"without_table:\n"
	"	addi sp, sp, -32\n"
	"	sd ra, 8(sp)\n"
	"	mv t0, a0\n"
	"	mv a0, a1\n"
	"	jalr t0\n"
	"	ld ra, 8(sp)\n"
	"	addi sp, sp, 32\n"
	"	ret\n"
	".size without_table, .-without_table\n");
