/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI's event numbers: which exist. Which counter can count them is decided by
 * ctr-map.c.
 */
#ifndef FIRMWARE_COUNTERS_EVENT_NUMBER_H
#define FIRMWARE_COUNTERS_EVENT_NUMBER_H

#include <fw/event-name.h>

#include "firmware.h"

/* What the event_data of FW_EVENT_RAW has of mhpmevent (C40). */
#define RAW_SELECTOR (UINT64_MAX >> 16)

struct event {
	uint32_t idx;  /* 20 bits */
	uint64_t data; /* what counts of event_data, else 0 */
};

static inline bool event_is_firmware(uint32_t idx)
{
	return idx >> 16 == FW_EVENT_FIRMWARE >> 16;
}

static inline bool event_is_raw(uint32_t idx)
{
	return idx == FW_EVENT_RAW || idx == FW_EVENT_RAW_V2;
}

/*
 * What a guest asked for. Returns 0 with @ret set, or the answer to give: an
 * event that does not exist, or never can be counted (C19-C22, C40, C44).
 */
int64_t event_decode(const struct fw *fw, const struct fw_hart *h,
		     uint64_t event_idx, uint64_t event_data,
		     struct event *ret);

/*
 * The same where the reference keeps the event that a counter has, and looks at
 * the number alone: bits above its 20 and NO_EVENT pass (C206).
 */
int64_t event_exists(const struct fw *fw, uint64_t event_idx,
		     uint64_t event_data, struct event *ret);

#endif
