/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random guest programs, the same for the same seed: straight and branchy
 * code, compressed or not, that computes, loads and stores (aligned or not, to
 * RAM, devices and nowhere), modifies itself behind a fence.i, reads counters,
 * traps, and crosses pages wherever it can.
 */
#ifndef TESTS_ENGINE_PROGRAM_H
#define TESTS_ENGINE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PROGRAM_CODE = 0, /* pages of the rig's window */
	PROGRAM_CODE_PAGES = 6,
	PROGRAM_PATCH = 7,  /* code that is written to, through an alias */
	PROGRAM_ALIAS = 16, /* the same page of RAM */
	PROGRAM_DATA = 8,
	PROGRAM_DATA_PAGES = 4,
	PROGRAM_DEVICE = 20,
	PROGRAM_NOWHERE = 21,
	/*
	 * So many blocks in the patch page, of so many bytes each, that store
	 * x5 over what is behind them, through the alias, and fault by the
	 * atomic access at x6, which has to be misaligned.
	 */
	PROGRAM_OWN = 1024,
	PROGRAM_OWN_SIZE = 64,
	PROGRAM_OWN_BLOCKS = 8,
	/* registers with a fixed use */
	REG_DATA = 8,
	REG_DEVICE = 9,
	REG_ALIAS = 18,
	REG_PATCH = 19,
	REG_NOWHERE = 20,
};

struct rng {
	uint64_t state;
};

uint32_t rng_next(struct rng *rng);
/* From 0 to @n - 1. */
uint32_t rng_below(struct rng *rng, uint32_t n);

/* What else a program is made of; NULL: nothing. */
enum {
	PROGRAM_WORDS = 8
};
struct program_more {
	/* Writes at most PROGRAM_WORDS instructions. Returns how many. */
	size_t (*make)(const struct program_more *more, uint32_t *ret);
	void *arg; /* the maker's */
};

struct program {
	struct rng *rng;
	uint8_t xlen;
	uint8_t *code; /* to be filled */
	size_t size;
	uint8_t *patch; /* a page, to be filled */
	const struct program_more *more;
};
void program_make(const struct program *p);

#endif
