/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The event numbers of the SBI's PMU extension (event_idx): their types, which
 * of them it defines, and the firmware events by name. They need no firmware
 * that runs, so whoever reads a device tree or a command line has them, too.
 */
#ifndef FW_EVENT_NAME_H
#define FW_EVENT_NAME_H

#include <stdbool.h>
#include <stdint.h>

enum {
	FW_EVENT_CYCLES = 0x1,
	FW_EVENT_INSTRUCTIONS = 0x2,
	FW_EVENT_GENERAL_LAST = 0xa,
	FW_EVENT_CACHE = 0x10000,
	FW_EVENT_CACHE_LAST = 0x10035,
	FW_EVENT_RAW = 0x20000,
	FW_EVENT_RAW_V2 = 0x30000,
	FW_EVENT_FIRMWARE = 0xf0000,
	FW_EVENT_PLATFORM = 0xfffff,
	FW_EVENT_BITS = 0xfffff,
};

/* Is it one of those with a meaning of their own, below the raw ones? 0 is not.
 */
static inline bool fw_event_is_defined(uint32_t idx)
{
	uint32_t code = idx & 0xffff;

	if (idx < FW_EVENT_CACHE)
		return idx && idx <= FW_EVENT_GENERAL_LAST;
	return idx <= FW_EVENT_CACHE_LAST && (code >> 1 & 3) <= 2;
}

enum {
	FW_N_STANDARD = 22, /* SBI's own, codes 0-21 */
	FW_N_EVENTS = 27,   /* with those of this implementation */
	FW_OWN_FIRST = 256, /* code of their first */
};

/* A firmware event, in the order in which totals are kept. */
struct fw_event_desc {
	uint32_t code;	    /* event_idx is 0xf0000 + code */
	const char *name;   /* "fw_set_timer", perf's spelling */
	const char *counts; /* what exactly, one line */
	const char *rule;
	uint32_t since; /* version of SBI; 0: the PMU extension's first */
};
/* @event: 0 to FW_N_EVENTS - 1, of the first 22 also the code. Else NULL. */
const struct fw_event_desc *fw_event_desc(unsigned event);
/* NULL where there is no event, the platform's own (65535) included. */
const struct fw_event_desc *fw_event_by_code(uint32_t code);

#endif
