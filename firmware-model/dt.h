/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The riscv,pmu node as the firmware uses it: three tables.
 */
#ifndef FIRMWARE_DT_H
#define FIRMWARE_DT_H

#include <fw/fw.h>

#include "text.h"

enum {
	DT_MAX_ROWS = 256
}; /* per property */

struct dt_map {
	struct dt_select { /* riscv,event-to-mhpmevent */
		uint32_t event_idx;
		uint64_t select; /* 0: the event_idx itself (C99) */
	} selects[DT_MAX_ROWS];
	struct dt_range { /* riscv,event-to-mhpmcounters */
		uint32_t first, last, counters;
	} ranges[DT_MAX_ROWS];
	struct dt_raw { /* riscv,raw-event-to-mhpmcounters */
		uint64_t select, mask;
		uint32_t counters;
	} raws[DT_MAX_ROWS];
	unsigned n_selects, n_ranges, n_raws;
};

struct dt_source {
	const void *dtb;
	size_t size; /* 0: the tree's totalsize */
	enum fw_profile profile;
	struct text *warnings, *error;
};

/*
 * Reads the node. @ret_found: there is one. Returns 0, or -FW_EDT with the
 * text of @src->error saying what and where. In the opensbi profile nothing but
 * a broken tree is an error: the first bad row ends the reading (C100).
 */
int dt_parse(const struct dt_source *src, struct dt_map *ret, bool *ret_found);

#endif
