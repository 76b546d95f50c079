/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What counters/ remembers of a machine; nobody else sees it.
 */
#ifndef FIRMWARE_COUNTERS_CTR_HART_H
#define FIRMWARE_COUNTERS_CTR_HART_H

#include <pmu/counter.h>

#include "fw-counters.h"
#include "dt/dt-map.h"

enum {
	N_HW = PMU_N_COUNTERS,
	N_LOGICAL = N_HW + FW_MAX_COUNTERS
};
_Static_assert(N_LOGICAL <= 64, "a bit for each in one word");
enum {
	FIXED_CYCLE = 0,
	FIXED_INSTRET = 2
};

/* One logical counter. */
struct ctr {
	bool mapped; /* has an event; cycle, instret: is owned (C26) */
	uint32_t event_idx;
	uint64_t event_data;
	uint64_t flags; /* of the config_matching that mapped it */
	uint64_t value; /* firmware counters only */
};

struct ctr_hart {
	const struct dt_map *map; /* MAP_DT; NULL: no node is for it */
	unsigned n_hw;		  /* ids below are hardware counters or holes */
	unsigned n;
	uint64_t valid; /* bit n: logical counter n exists */

	/* From here to the end it is state: counters_state(). */
	uint64_t totals[FW_N_EVENTS];
	uint64_t running; /* bit n: firmware counter n */
	struct ctr ctr[N_LOGICAL];
	bool page_on;
	uint64_t page; /* address of the snapshot page */
};

/* Who says which counter can count which event. */
enum map_source {
	MAP_NONE,
	MAP_IDENTITY,
	MAP_PLATFORM,
	MAP_DT
};

struct counters {
	enum map_source source;
	struct fw_dt *dt; /* MAP_DT, owned */
	bool usable;	  /* some event can be counted (C192) */
	struct ctr_hart hart[];
};

#endif
