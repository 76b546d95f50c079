/* SPDX-License-Identifier: BSD-2-Clause */
/* What an error of a machine is on the wire. */
#include "unit.h"

#include <string.h>

#include "control/refusal.h"

static const struct status_row {
	enum error_kind kind;
	unsigned want; /* google.rpc.Code */
} status_rows[] = {
	{ ERROR_NONE, 0 },     { ERROR_INVALID, 3 }, { ERROR_NOT_FOUND, 5 },
	{ ERROR_NO_ROOM, 8 },  { ERROR_NOT_NOW, 9 }, { ERROR_OUT_OF_RANGE, 11 },
	{ ERROR_UNKNOWN, 12 }, { ERROR_HOST, 13 },
};

TEST_ROWS(a_kind_of_errors_has_a_status, status_rows)
{
	const struct status_row *r = &status_rows[_i];

	ck_assert_uint_eq(refusal_status(r->kind), r->want);
}

static const struct field_row {
	unsigned part;
	const char *alone, *listed; /* NULL: never */
} field_rows[] = {
	{ PART_NONE, "", "" }, /* no field stays none */
	{ PART_MACHINE, "machine", NULL },
	{ PART_HARTS, "config.harts", NULL },
	{ PART_MEMORY, "config.memory_bytes", NULL },
	{ PART_START_MODE, "config.start_mode", NULL },
	{ PART_BOOTARGS, "config.bootargs", NULL },
	{ PART_SETTINGS, "config.settings", NULL },
	{ PART_SETTING_KEY, NULL, "config.settings[7].key" },
	{ PART_SETTING_VALUE, NULL, "config.settings[7].value" },
	{ PART_IMAGE_PART, "part", NULL },
	{ PART_IMAGE, "chunk", NULL },
	{ PART_IMAGE_KIND, "start.kind", NULL },
	{ PART_IMAGE_ADDRESS, "start.address", NULL },
	{ PART_IMAGE_ENTRY, "start.entry", NULL },
	{ PART_IMAGE_SIZE, "start.total_bytes", NULL },
	{ PART_HART, "hart", "inputs[7].hart" },
	{ PART_CSR, "csr", "inputs[7].csr_write.csr" },
	{ PART_REGISTER, "number", "inputs[7].register_write.number" },
	{ PART_VALUE, "value", "inputs[7].register_write.value" },
	{ PART_ADDRESS, "address", "inputs[7].memory_write.address" },
	{ PART_SIZE, "size", NULL },
	{ PART_BYTES, "data", "inputs[7].memory_write.data" },
	{ PART_CONSOLE, "data", "inputs[7].console" },
	{ PART_SBI_ARGS, "args", "inputs[7].sbi_call.args" },
	{ PART_INPUT_KIND, NULL, "inputs[7].kind" },
	{ PART_CYCLE, NULL, "inputs[7].cycle" },
	{ PART_CONDITION, "condition", NULL },
	{ PART_INSNS, "insns", NULL },
	{ PART_BREAKPOINTS, "pcs", NULL },
	{ PART_WATCHPOINTS, "watchpoints", NULL },
	{ PART_COUNTER, "index", NULL },
	{ PART_EBB_SESSION, "session", "inputs[7].ebb.session" },
	{ PART_EBB_COUNTER, "counter", "inputs[7].ebb.counter" },
	{ PART_EBB_EVENT, "event", "inputs[7].ebb.event" },
	{ PART_EBB_PERIOD, "period", "inputs[7].ebb.period" },
	{ PART_ADDRESSES, "addresses", NULL },
	{ PART_SYMBOL, "name", NULL },
	{ PART_RANGES_OF, "of", NULL },
	{ PART_FUNCTION, "function", NULL },
	{ PART_SOURCE_LINE, "line", NULL },
	{ PART_FIRST, "first", NULL },
	{ PART_EBB_ACTS, "inputs", NULL },
	{ PART_SAMPLERS, "recording.samplers", NULL },
	{ PART_EVENT, "event", "inputs[7].inject.event" },
	{ PART_COUNT, "count", "inputs[7].inject.count" },
	{ PART_INSN, "insn", NULL },
	{ PART_PC, "pc", NULL },
	{ PART_INJECTION, "injection", NULL },
	{ PART_ASKED_HARTS, "harts", NULL },
	{ PART_PRIVILEGES, "privileges", NULL },
	{ PART_LIMIT, "limit", NULL },
};

TEST_ROWS(a_part_is_a_field_of_the_request, field_rows)
{
	const struct field_row *r = &field_rows[_i];
	struct error e;
	char field[REFUSAL_FIELD];

	error_set(&e, ERROR_INVALID, AT(r->part, "A"), "x");
	refusal_field(&e, field);
	if (r->alone)
		ck_assert_str_eq(field, r->alone);
	error_within(&e, 7);
	refusal_field(&e, field);
	if (r->listed)
		ck_assert_str_eq(field, r->listed);
}

TEST(every_part_has_a_field)
{
	ck_assert_uint_eq(ARRAY_SIZE(field_rows), N_REFUSAL_PARTS);
	for (unsigned part = 0; part < N_REFUSAL_PARTS; part++) {
		unsigned rows = 0;

		for (size_t i = 0; i < ARRAY_SIZE(field_rows); i++)
			rows += field_rows[i].part == part;
		ck_assert_msg(rows == 1, "part %u has %u rows", part, rows);
	}
}

SUITE("refusal");
