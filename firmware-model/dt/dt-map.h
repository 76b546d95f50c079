/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the folder dt/ offers to the others: the tables of a riscv,pmu node, as
 * they were read.
 */
#ifndef FIRMWARE_DT_DT_MAP_H
#define FIRMWARE_DT_DT_MAP_H

#include <fw/pmu-node.h>

#define DT_PROP_SELECTS "riscv,event-to-mhpmevent"
#define DT_PROP_RANGES	"riscv,event-to-mhpmcounters"
#define DT_PROP_RAWS	"riscv,raw-event-to-mhpmcounters"

enum {
	DT_PATH = 256 /* bytes of a node's path, its end included */
};

/* One node's tables. */
struct dt_map {
	struct dt_select { /* riscv,event-to-mhpmevent */
		uint32_t event_idx;
		uint64_t select; /* 0: the event_idx itself (C99) */
	} selects[FW_DT_MAX_ROWS];
	struct dt_range { /* riscv,event-to-mhpmcounters */
		uint32_t first, last, counters;
	} ranges[FW_DT_MAX_ROWS];
	struct dt_raw { /* riscv,raw-event-to-mhpmcounters */
		uint64_t select, mask;
		uint32_t counters;
	} raws[FW_DT_MAX_ROWS];
	unsigned n_selects, n_ranges, n_raws;
	char path[DT_PATH];
};

/* What a node says for @hartid, NULL if none does. */
const struct dt_map *dt_map_of(const struct fw_dt *dt, uint32_t hartid);
/* mhpmevent's selector for a general or cache event (C99). */
uint64_t dt_select_of(const struct dt_map *map, uint32_t event_idx);

#endif
