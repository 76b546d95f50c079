/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counter can count which event, and which one a call gets.
 */
#ifndef FIRMWARE_COUNTERS_CTR_MAP_H
#define FIRMWARE_COUNTERS_CTR_MAP_H

#include "fw-counters.h"
#include "event-number.h"

/* A request for a counter. */
struct ctr_want {
	struct event event;
	uint64_t flags;
	unsigned base;	/* of the set, as the call named it */
	uint64_t set;	/* of logical ids */
	bool taken_too; /* as if every counter were free (C86) */
};

/* The filter flags (of CFG_INHIBIT) that stand for modes of @h. */
uint64_t ctr_map_filters(const struct fw_hart *h);
/* Can any hart's counter be reached through the mapping (C192)? */
bool ctr_map_usable(const struct fw *fw);
/*
 * The counter for @want, -1 if none. @ret_select (hardware): what goes to its
 * mhpmevent.
 */
int ctr_map_find(const struct fw *fw, const struct fw_hart *h,
		 const struct ctr_want *want, uint64_t *ret_select);

#endif
