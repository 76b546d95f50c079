/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Logical counters and firmware events, as instruments see them.
 */
#ifndef FW_LOGICAL_COUNTER_H
#define FW_LOGICAL_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include <fw/event-name.h>

struct fw;

enum {
	FW_MAX_COUNTERS = 32
};

/*
 * Total of fw_event_desc(@event) since the firmware was made, counted or not by
 * a counter. 0 for a hart or event that does not exist.
 */
uint64_t fw_event_total(const struct fw *fw, unsigned hart, unsigned event);
/* @fw, which is new, goes on with the totals of @old, of the same harts. */
void fw_event_totals_take(struct fw *fw, const struct fw *old);
/*
 * Platform firmware event @event_data happened @n times on @hart. A platform
 * calls it that has such events (fw_platform_ops); pmud's has none.
 */
void fw_platform_event(struct fw *fw, unsigned hart, uint64_t event_data,
		       uint64_t n);

/* A logical counter as `pmuctl` shows it. */
struct fw_counter {
	bool exists, firmware, mapped, started;
	uint32_t event_idx;
	uint64_t event_data, value;
	uint64_t flags; /* of config_matching */
};
/* False: @idx is not below the number of counters. */
bool fw_counter_state(const struct fw *fw, unsigned hart, unsigned idx,
		      struct fw_counter *ret);
/* The row of the device tree by which a counter got its event. */
struct fw_counter_row {
	const char *path, *property; /* as long as the firmware lives */
	unsigned row;		     /* from 1 */
};
/* False: no such counter, not mapped, a fixed one, or no row says so. */
bool fw_counter_row(const struct fw *fw, unsigned hart, unsigned idx,
		    struct fw_counter_row *ret);
/* One more than the highest logical id (C7). */
unsigned fw_num_counters(const struct fw *fw, unsigned hart);

#endif
