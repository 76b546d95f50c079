/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A smoke run of fw-fuzz.c with fixed random bytes: nothing crashes, and the
 * sanitizers have nothing to say.
 */
#include "../fuzz/seeds.h"
#include "unit.h"

#include <stdint.h>

enum {
	RUNS = 200,
	INPUT = 4096
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

TEST_RANGE(random_input_does_no_harm, fuzz_first(), fuzz_end(8))
{
	uint64_t rng = fuzz_seed((unsigned)_i);
	uint8_t data[INPUT];

	for (unsigned run = 0; run < RUNS; run++) {
		for (unsigned i = 0; i < INPUT; i++) {
			rng = rng * 6364136223846793005 + 1442695040888963407;
			data[i] = (uint8_t)(rng >> 56);
		}
		LLVMFuzzerTestOneInput(data, 1 + (rng >> 40) % INPUT);
	}
}

SUITE("fw-fuzz", .timeout = 60);
