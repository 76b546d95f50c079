/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI errors in words, as the SBI specification's table has them.
 */
#include "explain-facts.h"

#include <string.h>

#include "number.h"

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
	uint64_t code;
	bool number = number_parse_signed(text, &code);

	if (!strncmp(text, prefix, sizeof(prefix) - 1))
		text += sizeof(prefix) - 1;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(errors[i].name, text) ||
		    (number && errors[i].code == (int64_t)code))
			return &errors[i];
	return NULL;
}
