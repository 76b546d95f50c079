/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which seeds a fuzzer runs: a fixed few in the suite, any others for those who
 * hunt: PMU_FUZZ_FIRST and PMU_FUZZ_COUNT, which scripts/fuzz sets.
 */
#ifndef TESTS_FUZZ_SEEDS_H
#define TESTS_FUZZ_SEEDS_H

#include <stdint.h>
#include <stdlib.h>

static inline int fuzz_number(const char *name, int otherwise)
{
	const char *text = getenv(name);

	return text ? atoi(text) : otherwise;
}

/* For tcase_add_loop_test(): the first seed, and the one behind the last. */
static inline int fuzz_first(void)
{
	return fuzz_number("PMU_FUZZ_FIRST", 0);
}

static inline int fuzz_end(int count)
{
	return fuzz_first() + fuzz_number("PMU_FUZZ_COUNT", count);
}

/* xorshift64*, as any fuzzer of ours needs it; @state is not 0. */
static inline uint64_t fuzz_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline uint64_t fuzz_seed(unsigned nr)
{
	return (nr + 1) * UINT64_C(0x9e3779b97f4a7c15);
}

#endif
