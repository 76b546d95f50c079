/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sieve, matrix product, pointer chase, string work. Sizes are chosen so that
 * each takes about the same number of instructions, a few hundred thousand in
 * all: enough for dozens of samples, little enough to read.
 */
#include "work.h"

#define WORK(name) __attribute__((noinline, noclone, section("work_" #name)))
#define BOUNDS(name)                                                           \
	extern const char __begin_##name[] __asm__("__start_work_" #name);     \
	extern const char __end_##name[] __asm__("__stop_work_" #name)

enum {
	SIEVE = 4000,
	N = 16,
	NODES = 512,
	HOPS = 12000,
	TEXT = 600
};

static uint8_t composite[SIEVE];
static int32_t a[N][N], b[N][N], c[N][N];
static uint16_t next[NODES];
static char text[TEXT + 1];

/* Counts the primes below SIEVE. */
WORK(sieve) static uint32_t sieve(void)
{
	uint32_t primes = 0;

	for (unsigned i = 0; i < SIEVE; i++)
		composite[i] = 0;
	for (unsigned i = 2; i < SIEVE; i++) {
		if (composite[i])
			continue;
		primes++;
		for (unsigned k = i * 2; k < SIEVE; k += i)
			composite[k] = 1;
	}
	return primes;
}

/* The trace of the product of two N x N matrices. */
WORK(matrix) static uint32_t matrix(void)
{
	uint32_t trace = 0;

	for (int i = 0; i < N; i++) {
		for (int k = 0; k < N; k++) {
			a[i][k] = i + k;
			b[i][k] = i - k;
		}
	}
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < N; j++) {
			int32_t sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
		trace += (uint32_t)c[i][i];
	}
	return trace;
}

/* Walks a permutation: every load depends on the one before. */
WORK(chase) static uint32_t chase(void)
{
	uint32_t at = 0, sum = 0;

	for (unsigned i = 0; i < NODES; i++)
		next[i] = (uint16_t)((i * 167 + 13) % NODES);
	for (unsigned i = 0; i < HOPS; i++) {
		at = next[at];
		sum += at;
	}
	return sum;
}

/* Writes words, turns them round, counts letters. */
WORK(strings) static uint32_t strings(void)
{
	static const char words[] = "counters never lie ";
	uint32_t letters = 0;

	for (unsigned round = 0; round < 4; round++) {
		unsigned w = 0;

		for (unsigned i = 0; i < TEXT; i++) {
			text[i] = words[w];
			if (++w == sizeof(words) - 1)
				w = 0;
		}
		for (unsigned i = 0; i < TEXT / 2; i++) {
			char t = text[i];

			text[i] = text[TEXT - 1 - i];
			text[TEXT - 1 - i] = t;
		}
		for (unsigned i = 0; i < TEXT; i++)
			letters += text[i] != ' ';
	}
	return letters;
}

BOUNDS(sieve);
BOUNDS(matrix);
BOUNDS(chase);
BOUNDS(strings);

const struct work works[N_WORKS] = {
	{ "sieve", sieve, __begin_sieve, __end_sieve },
	{ "matrix", matrix, __begin_matrix, __end_matrix },
	{ "chase", chase, __begin_chase, __end_chase },
	{ "strings", strings, __begin_strings, __end_strings },
};
