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

/* Fills the code pages at @code and the page at @patch. */
void program_make(struct rng *rng, uint8_t xlen, uint8_t *code, size_t size,
		  uint8_t *patch);

#endif
