/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes the bytes, each in a block of its own, and gives them to what is
 * tested.
 */
#include "hostile-bytes.h"

#include <stdlib.h>
#include <string.h>

#include "../fuzz/seeds.h"
#include "unit.h"

enum {
	SEEDS = 20000, /* unless told otherwise */
};

static const uint8_t values[] = { 0x00, 0x01, 0x02, 0x7f, 0x80, 0xff };

static uint64_t seed;

static uint64_t next(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 33;
}

static void try_copy(hostile_try *try, const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);

	ck_assert(copy);
	memcpy(copy, bytes, size);
	try(copy, size);
	free(copy);
}

void hostile_bytes(hostile_try *try, const uint8_t *good, size_t size,
		   size_t from)
{
	uint8_t *bytes = malloc(size);

	ck_assert(bytes);
	memcpy(bytes, good, size);
	for (size_t i = from; i < size; i++)
		try_copy(try, bytes, i);
	for (size_t i = from; i < size; i++) {
		for (size_t v = 0; v < ARRAY_SIZE(values); v++) {
			bytes[i] = values[v];
			try_copy(try, bytes, size);
		}
		bytes[i] = good[i];
	}
	for (int n = fuzz_first(); n < fuzz_end(SEEDS); n++) {
		seed = (unsigned)n;
		memcpy(bytes, good, size);
		for (unsigned i = 0; i < 4; i++)
			bytes[from + next() % (size - from)] = (uint8_t)next();
		try_copy(try, bytes, size);
	}
	free(bytes);
}
