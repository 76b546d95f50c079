/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI errors in words, and what an event_idx says of itself. Both follow the
 * SBI specification: its table of errors, and the event types of the PMU
 * extension.
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct error_info errors[] = {
	{ "SUCCESS", 0, "the call was done", "a1 has the value, 0 if none" },
	{ "FAILED", -1, "the call failed for a reason without a code",
	  "a snapshot page that has gone" },
	{ "NOT_SUPPORTED", -2,
	  "no such extension, function or event on this machine",
	  "an event that no counter of the set can count, or that all are "
	  "taken; an event_idx that is reserved" },
	{ "INVALID_PARAM", -3, "an argument is invalid",
	  "a set beyond num_counters or with an absent counter; reserved "
	  "flags; a counter that nobody has configured" },
	{ "DENIED", -4, "the call is not allowed", NULL },
	{ "INVALID_ADDRESS", -5, "an address is not memory of the caller",
	  "a snapshot page or a list of events outside of RAM" },
	{ "ALREADY_AVAILABLE", -6, "it is there already", NULL },
	{ "ALREADY_STARTED", -7, "it has been started already",
	  "counter_start: some counter of the set runs; the others are "
	  "started all the same" },
	{ "ALREADY_STOPPED", -8, "it has been stopped already",
	  "counter_stop: some counter of the set stands; the others are "
	  "stopped all the same" },
	{ "NO_SHMEM", -9, "no shared memory has been set",
	  "a snapshot flag without snapshot_set_shmem" },
	{ "INVALID_STATE", -10, "not in this state", NULL },
	{ "BAD_RANGE", -11, "a range is bad", NULL },
	{ "TIMEOUT", -12, "it took too long", NULL },
	{ "IO", -13, "a device failed", NULL },
	{ "DENIED_LOCKED", -14, "the value is locked", NULL },
};

const struct error_info *error_info_find(const char *text)
{
	static const char prefix[] = "SBI_ERR_";
	char *end;
	long code = strtol(text, &end, 10);

	if (!strncmp(text, prefix, sizeof(prefix) - 1))
		text += sizeof(prefix) - 1;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(errors[i].name, text) ||
		    (*text && !*end && errors[i].code == code))
			return &errors[i];
	return NULL;
}

static const char *cache_text(unsigned code, char *buf)
{
	static const char *const caches[] = { "L1D",  "L1I", "LL",  "DTLB",
					      "ITLB", "BPU", "NODE" };
	static const char *const ops[] = { "read", "write", "prefetch" };
	unsigned cache = code >> 3, op = code >> 1 & 3;

	if (cache >= sizeof(caches) / sizeof(caches[0]) || op > 2)
		snprintf(buf, EVENT_TEXT, "cache event: reserved");
	else
		snprintf(buf, EVENT_TEXT, "cache event: %s, %s, %s",
			 caches[cache], ops[op], code & 1 ? "miss" : "access");
	return buf;
}

static const char *general_text(unsigned code, char *buf)
{
	static const char *const names[] = {
		"NO_EVENT",
		"CPU_CYCLES",
		"INSTRUCTIONS",
		"CACHE_REFERENCES",
		"CACHE_MISSES",
		"BRANCH_INSTRUCTIONS",
		"BRANCH_MISSES",
		"BUS_CYCLES",
		"STALLED_CYCLES_FRONTEND",
		"STALLED_CYCLES_BACKEND",
		"REF_CPU_CYCLES",
	};
	const char *name = code < sizeof(names) / sizeof(names[0]) ? names[code]
								   : "reserved";

	snprintf(buf, EVENT_TEXT, "general event: %s", name);
	return buf;
}

static const char *firmware_text(unsigned code, char *buf)
{
	if (code == 0xffff)
		snprintf(buf, EVENT_TEXT,
			 "platform firmware event: event_data says which");
	else
		snprintf(buf, EVENT_TEXT, "firmware event %u%s", code,
			 code < 22    ? ""
			 : code < 256 ? ": reserved"
				      : ": of the implementation");
	return buf;
}

const char *event_idx_text(uint32_t idx, char *buf)
{
	unsigned type = idx >> 16, code = idx & 0xffff;

	switch (type) {
	case 0:
		return general_text(code, buf);
	case 1:
		return cache_text(code, buf);
	case 2:
	case 3:
		snprintf(buf, EVENT_TEXT,
			 "raw event%s: event_data selects it%s",
			 type == 3 ? ", version 2" : "",
			 code ? "; its code must be 0" : "");
		return buf;
	case 15:
		return firmware_text(code, buf);
	default:
		snprintf(buf, EVENT_TEXT,
			 type < 16 ? "event type %u: reserved"
				   : "not an event_idx: it "
				     "has 20 bits",
			 type);
		return buf;
	}
}
