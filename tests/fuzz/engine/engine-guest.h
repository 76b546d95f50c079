/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Guests by dice for whole machines, the same for the same seed: the programs
 * of tests/engine/program.h, run in M, S and U behind page tables, among
 * counters about to overflow, interrupts and several harts. Every trap leads to
 * a handler that goes on elsewhere, with other rights and registers, by a table
 * of places; so a guest never ends by itself.
 */
#ifndef TESTS_FUZZ_ENGINE_GUEST_H
#define TESTS_FUZZ_ENGINE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/sampler.h"

enum {
	ENGINE_GUEST_PAGES = 256,
	ENGINE_GUEST_SIZE = ENGINE_GUEST_PAGES * 4096,
	ENGINE_GUEST_SAMPLERS = 3,
};

struct engine_guest {
	uint8_t xlen;
	bool m_mode; /* without firmware */
	unsigned harts;
	uint64_t base; /* where the image is */
	uint8_t *image;
	char settings[256];
	unsigned n_samplers;
	struct machine_sampler samplers[ENGINE_GUEST_SAMPLERS];
	/* where breakpoints find something */
	uint64_t pcs[8];
};

void engine_guest_make(struct engine_guest *g, unsigned seed);
void engine_guest_free(struct engine_guest *g);

#endif
