/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A random walk over a hart: its random configuration, and what must hold
 * after every step, whatever the step was. Which steps there are, and what is
 * special to each, is fuzz-hart.c's.
 */
#ifndef TESTS_FUZZ_WALK_H
#define TESTS_FUZZ_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/counter.h>
#include <pmu/hart.h>

#include "../unit/unit.h"

struct walk {
	struct pmu_hart_config cfg;
	struct pmu_timebase tb;
	struct pmu_hart *h;
	uint64_t seed, now;
	unsigned seed_nr, step;
	uint32_t records; /* counters that overflowed in the last step */

	/* before the step */
	uint64_t value[PMU_N_COUNTERS], event[PMU_N_COUNTERS];
	uint64_t totals[PMU_N_EVENTS][PMU_N_MODES];
	uint64_t cycles;
	bool lcofip;

	/* what the step may change, said by the step */
	uint32_t values_written, events_written; /* by counter */
	bool mip_written, emulated, halted;
	uint64_t cycles_spent; /* exactly */
};

/*
 * Fails the test, with seed and step, unless @cond. Check is told of failures
 * only: it sends a message for every assertion otherwise.
 */
#define HOLDS(w, cond)                                                         \
	do {                                                                   \
		if (!(cond))                                                   \
			ck_abort_msg("seed %u, step %u: " #cond, (w)->seed_nr, \
				     (w)->step);                               \
	} while (0)

uint64_t walk_random(struct walk *w);
/* 0 to @n - 1 */
uint64_t walk_below(struct walk *w, uint64_t n);
/* A value of any size: small, large, near the end, or any. */
uint64_t walk_value(struct walk *w);

void walk_init(struct walk *w, unsigned seed);
void walk_fini(struct walk *w);
/* Implemented bits of counter @n. */
uint64_t walk_mask(const struct walk *w, unsigned n);
bool walk_has(const struct walk *w, uint64_t ext);
/* Remembers the hart as it is; nothing may change yet. */
void walk_begin(struct walk *w);
/* Checks everything against what walk_begin() saw and the step allowed. */
void walk_end(struct walk *w);

/* fuzz-translate.c: a step, the translation of some address. */
void walk_translate(struct walk *w);

#endif
