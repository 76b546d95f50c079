/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Errors on the wire. A part of an input has two fields: that of the request
 * that is this one input, and that of an Input in a request with several.
 */
#include "refusal.h"

#include <stdio.h>

uint32_t refusal_status(enum error_kind kind)
{
	/* gRPC's numbers; the ones that machines use */
	static const uint32_t status[] = {
		[ERROR_NONE] = 0,      [ERROR_INVALID] = 3,
		[ERROR_NOT_FOUND] = 5, [ERROR_NO_ROOM] = 8,
		[ERROR_NOT_NOW] = 9,   [ERROR_OUT_OF_RANGE] = 11,
		[ERROR_UNKNOWN] = 12,  [ERROR_HOST] = 13,
	};

	return status[kind];
}

static const struct refusal_place {
	const char *field;  /* of the request */
	const char *listed; /* of one of several; NULL: the same */
	const char *list;   /* where they are; NULL: inputs */
} places[N_REFUSAL_PARTS] = {
	[PART_NONE] = { "" },
	[PART_MACHINE] = { "machine" },

	[PART_HARTS] = { "config.harts" },
	[PART_MEMORY] = { "config.memory_bytes" },
	[PART_START_MODE] = { "config.start_mode" },
	[PART_BOOTARGS] = { "config.bootargs" },
	[PART_SETTINGS] = { "config.settings" },
	[PART_SETTING_KEY] = { "key", .list = "config.settings" },
	[PART_SETTING_VALUE] = { "value", .list = "config.settings" },

	[PART_IMAGE_PART] = { "part" },
	[PART_IMAGE] = { "chunk" },
	[PART_IMAGE_KIND] = { "start.kind" },
	[PART_IMAGE_ADDRESS] = { "start.address" },
	[PART_IMAGE_ENTRY] = { "start.entry" },
	[PART_IMAGE_SIZE] = { "start.total_bytes" },

	[PART_HART] = { "hart" },
	[PART_CSR] = { "csr", "csr_write.csr" },
	[PART_REGISTER] = { "number", "register_write.number" },
	[PART_VALUE] = { "value", "register_write.value" },
	[PART_ADDRESS] = { "address", "memory_write.address" },
	[PART_SIZE] = { "size" },
	[PART_BYTES] = { "data", "memory_write.data" },
	[PART_CONSOLE] = { "data", "console" },
	[PART_SBI_ARGS] = { "args", "sbi_call.args" },
	[PART_INPUT_KIND] = { "kind" },
	[PART_CYCLE] = { "cycle" },

	[PART_CONDITION] = { "condition" },
	[PART_INSNS] = { "insns" },
	[PART_BREAKPOINTS] = { "pcs" },
	[PART_WATCHPOINTS] = { "watchpoints" },
	[PART_COUNTER] = { "index" },
	[PART_EBB_SESSION] = { "session", "ebb.session" },
	[PART_EBB_COUNTER] = { "counter", "ebb.counter" },
	[PART_EBB_EVENT] = { "event", "ebb.event" },
	[PART_EBB_PERIOD] = { "period", "ebb.period" },
	[PART_SAMPLERS] = { "recording.samplers" },
	[PART_EVENT] = { "event", "inject.event" },
	[PART_COUNT] = { "count", "inject.count" },
	[PART_INSN] = { "insn" },
	[PART_ASKED_HARTS] = { "harts" },
	[PART_PRIVILEGES] = { "privileges" },
	[PART_LIMIT] = { "limit" },
	[PART_PC] = { "pc" },
	[PART_INJECTION] = { "injection" },
	[PART_ADDRESSES] = { "addresses" },
	[PART_SYMBOL] = { "name" },
	[PART_RANGES_OF] = { "of" },
	[PART_FUNCTION] = { "function" },
	[PART_SOURCE_LINE] = { "line" },
	[PART_FIRST] = { "first" },
	[PART_EBB_ACTS] = { "inputs" },
};

void refusal_field(const struct error *e, char ret[REFUSAL_FIELD])
{
	const struct refusal_place *p = &places[e->part];

	if (e->part == PART_NONE || e->index == ERROR_ALONE)
		snprintf(ret, REFUSAL_FIELD, "%s", p->field);
	else
		snprintf(ret, REFUSAL_FIELD, "%s[%d].%s",
			 p->list ? p->list : "inputs", e->index,
			 p->listed ? p->listed : p->field);
}
