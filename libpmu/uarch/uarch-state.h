/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an instance of a core's models consists of: the parts as configured, and
 * behind them all that they remember, in words that are zero when it is cold.
 */
#ifndef LIBPMU_UARCH_STATE_H
#define LIBPMU_UARCH_STATE_H

#include <pmu/uarch.h>

#include "assoc.h"
#include "misses.h"
#include "predictor.h"

enum {
	/* words of the line fetched last */
	LAST_VLINE = 0,
	LAST_PLINE,
	LAST_SPACE,
	LAST_KNOWN,
	LAST_WORDS,
};

struct cache {
	struct assoc lines;
	uint8_t shift; /* a line has 1 << shift bytes */
	bool through;  /* write through */
};

struct pmu_uarch {
	struct cache l1i, l1d, ll;
	struct assoc itlb, dtlb, stlb;
	struct predictor predictor;
	struct pmu_stall_config stalls;
	uint8_t prefetch;	/* enum pmu_prefetch */
	unsigned looks;		/* PMU_LOOK_... */
	uint64_t *last;		/* of what was fetched */
	struct pmu_misses *why; /* NULL: nobody asks why it misses */
	size_t n_words;
	uint64_t words[];
};

#endif
