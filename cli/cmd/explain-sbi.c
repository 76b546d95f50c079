/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SBI errors in words, as the SBI specification's table has them.
 */
#include "explain-facts.h"

#include <string.h>

#include "number.h"

static const struct error_info errors[] = {
	{ SBI_SUCCESS, "the call was done", "a1 has the value, 0 if none" },
	{ SBI_ERR_FAILED, "the call failed for a reason without a code",
	  "a snapshot page that has gone" },
	{ SBI_ERR_NOT_SUPPORTED,
	  "no such extension, function or event on this machine",
	  "an event that no counter of the set can count, or that all are "
	  "taken; an event_idx that is reserved" },
	{ SBI_ERR_INVALID_PARAM, "an argument is invalid",
	  "a set beyond num_counters or with an absent counter; reserved "
	  "flags; a counter that nobody has configured" },
	{ SBI_ERR_DENIED, "the call is not allowed", NULL },
	{ SBI_ERR_INVALID_ADDRESS, "an address is not memory of the caller",
	  "a snapshot page or a list of events outside of RAM" },
	{ SBI_ERR_ALREADY_AVAILABLE, "it is there already", NULL },
	{ SBI_ERR_ALREADY_STARTED, "it has been started already",
	  "counter_start: some counter of the set runs; the others are "
	  "started all the same" },
	{ SBI_ERR_ALREADY_STOPPED, "it has been stopped already",
	  "counter_stop: some counter of the set stands; the others are "
	  "stopped all the same" },
	{ SBI_ERR_NO_SHMEM, "no shared memory has been set",
	  "a snapshot flag without snapshot_set_shmem" },
	{ SBI_ERR_INVALID_STATE, "not in this state", NULL },
	{ SBI_ERR_BAD_RANGE, "a range is bad", NULL },
	{ SBI_ERR_TIMEOUT, "it took too long", NULL },
	{ SBI_ERR_IO, "a device failed", NULL },
	{ SBI_ERR_DENIED_LOCKED, "the value is locked", NULL },
};

const struct error_info *error_info_find(const char *text)
{
	static const char prefix[] = "SBI_ERR_";
	uint64_t code;
	bool number = number_parse_signed(text, &code);

	if (!strncmp(text, prefix, sizeof(prefix) - 1))
		text += sizeof(prefix) - 1;
	for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
		if (!strcmp(sbi_error_name(errors[i].code), text) ||
		    (number && (int64_t)errors[i].code == (int64_t)code))
			return &errors[i];
	return NULL;
}
