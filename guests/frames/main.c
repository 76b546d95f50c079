/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions whose frames compilers lay out differently: leaves, calls, big
 * frames, a stack that moves, recursion, last calls that are jumps, calls
 * through pointers. Who walks callers meets each of them.
 */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

enum {
	ROUNDS = 12,
	BIG = 5000,
	DEPTH = 6,
	N_CALLS = 5
};

static volatile unsigned seed = 1;

/* Saves nothing but a frame pointer. */
NOINLINE static unsigned leaf(unsigned x)
{
	for (unsigned i = 0; i < 8; i++)
		x = x * 5 + (x >> 3);
	return x;
}

NOINLINE static unsigned calls(unsigned x)
{
	return leaf(x + 1) ^ leaf(x + 2);
}

/* Returns early, before what it would have to save. */
NOINLINE static unsigned early(unsigned x)
{
	if (x % 2)
		return x + 1;
	return calls(x) + calls(x + 1);
}

/* More than an immediate is far. */
NOINLINE static unsigned big(unsigned x)
{
	volatile unsigned char bytes[BIG];

	bytes[x % BIG] = (unsigned char)x;
	bytes[0] = (unsigned char)leaf(x);
	return bytes[x % BIG] + early(x);
}

/* Only fp knows where its frame is. */
NOINLINE static unsigned moves(unsigned x)
{
	volatile unsigned char *bytes = __builtin_alloca(16 + x % 64);

	bytes[x % 16] = (unsigned char)x;
	return bytes[x % 16] + calls(x);
}

NOINLINE static unsigned recurses(unsigned n)
{
	return n ? recurses(n - 1) * 3 + leaf(n) : seed;
}

NOINLINE static unsigned jumps(unsigned x)
{
	seed = calls(x);
	return moves(seed + 1);
}

static unsigned (*const volatile functions[N_CALLS])(unsigned) = {
	calls, early, big, moves, jumps,
};

NOINLINE static unsigned jumps_to_any(unsigned x)
{
	return functions[leaf(x) % N_CALLS](x);
}

int main(unsigned long hartid, unsigned long dtb)
{
	unsigned sum = 0;

	(void)hartid, (void)dtb;
	for (unsigned i = 0; i < ROUNDS; i++)
		sum += functions[i % N_CALLS](i) + recurses(DEPTH) +
		       jumps_to_any(i);
	printf("sum %u\n", sum);
	return 0;
}
