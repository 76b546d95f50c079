/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Logical counters and firmware events, as instruments see them.
 */
#ifndef FW_COUNTER_H
#define FW_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct fw;

enum {
	FW_N_EVENTS = 22,
	FW_MAX_COUNTERS = 32
};

/*
 * Firmware event totals since the firmware was made, 0-21, counted or not by a
 * counter. 0 for a hart or event that does not exist.
 */
uint64_t fw_event_total(const struct fw *fw, unsigned hart, unsigned event);
/* "fw_set_timer"; NULL beyond FW_N_EVENTS. perf's spelling. */
const char *fw_event_name(unsigned event);
/* Platform firmware event @event_data happened @n times on @hart. */
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
/* One more than the highest logical id (C7). */
unsigned fw_num_counters(const struct fw *fw, unsigned hart);

#endif
