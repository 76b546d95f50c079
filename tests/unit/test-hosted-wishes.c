/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/hosted-new.c: how much a machine's configuration and recording
 * may say, and which of it is looked at.
 */
#include "hosted-fixture.h"

#include <string.h>

#include "server/daemon-limits.h"
#include "settings/settings.h"
#include "unit.h"

#define STATE(name) PMU__V1__MACHINE_STATE__MACHINE_STATE_##name

TEST_TIMES(a_configuration_is_of_64_kib_at_most, 2)
{
	static char value[CONFIG_MAX];
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT, *list = &setting;
	struct rpc_call *call;
	size_t n = 0;

	cfg.settings = &list;
	cfg.n_settings = 1;
	setting.value = value;
	req.config = &cfg;
	memset(value, 'x', CONFIG_MAX - 16);
	for (n = CONFIG_MAX - 16;
	     pmu__v1__machine_config__get_packed_size(&cfg) <
	     (size_t)CONFIG_MAX + (size_t)_i;
	     n++)
		value[n] = 'x';
	call = fixture_create(&alice, &req);
	if (!_i) {
		ck_assert(!call->over);
		fixture_state(STATE(NEW));
		fixture_created(call);
		return;
	}
	fixture_refused(call, GRPC_RESOURCE_EXHAUSTED, "CONFIG_TOO_LONG");
	ck_assert_str_eq(call->field, "config");
	ck_assert_str_eq(call->text,
			 "config: must be at most 65536 bytes, not 65537");
}

static const struct settings_row_of {
	size_t n;
	size_t work;
	bool good;
} settings_rows[] = {
	{ 0, 8 << 10, true },
	{ 1, (8 << 10) + 512, true },
	{ SETTINGS_MOST, (8 << 10) + SETTINGS_MOST * 512, true },
	{ SETTINGS_MOST + 1, 0, false },
};

TEST_ROWS(settings_are_work_and_too_many_are_not_read, settings_rows)
{
	const struct settings_row_of *row = &settings_rows[_i];
	static Pmu__V1__Setting *list[SETTINGS_MOST + 1];
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT;
	struct rpc_call *call;

	for (size_t i = 0; i < row->n; i++)
		list[i] = &setting;
	cfg.settings = list;
	cfg.n_settings = row->n;
	req.config = &cfg;
	call = fixture_create(&alice, &req);
	ck_assert_uint_eq(call->work, row->work);
	if (row->good) {
		ck_assert(!call->over);
		fixture_state(STATE(NEW));
		fixture_created(call);
		return;
	}
	fixture_refused(call, GRPC_INVALID_ARGUMENT, "TOO_MANY");
	ck_assert_str_eq(call->field, "config.settings");
	ck_assert_str_eq(call->text,
			 "config.settings: must be at most 4096, not 4097");
}

static const struct recording_row {
	uint64_t trace_bytes;
	int when_full;
	const char *field, *reason, *text;
} recording_rows[] = {
	{ 1 << 20, PMU__V1__WHEN_FULL__WHEN_FULL_END, NULL, NULL, NULL },
	{ 1, 0, "recording.trace_bytes", "BAD_VALUE",
	  "recording.trace_bytes: must be at least 1048576, not 1" },
	{ (1 << 20) - 1, 0, "recording.trace_bytes", "BAD_VALUE",
	  "recording.trace_bytes: must be at least 1048576, not 1048575" },
	{ 0, 4, "recording.when_full", "UNKNOWN_VALUE",
	  "recording.when_full: must be a value of WhenFull, not 4" },
};

TEST_ROWS(what_shall_be_stored_is_looked_at, recording_rows)
{
	const struct recording_row *row = &recording_rows[_i];
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	struct rpc_call *call;

	recording.trace_bytes = row->trace_bytes;
	recording.when_full = (Pmu__V1__WhenFull)row->when_full;
	req.recording = &recording;
	call = fixture_create(&alice, &req);
	if (!row->field) {
		ck_assert(!call->over);
		fixture_cancel(call);
		return;
	}
	fixture_refused(call, GRPC_INVALID_ARGUMENT, row->reason);
	ck_assert_str_eq(call->field, row->field);
	ck_assert_str_eq(call->text, row->text);
}

/* What this build has no name for counts, too. */
TEST(a_recording_is_of_64_kib_at_most)
{
	static uint8_t much[CONFIG_MAX];
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	ProtobufCMessageUnknownField unknown = {
		.tag = 100,
		.wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED,
		.len = sizeof(much),
		.data = much,
	};
	struct rpc_call *call;

	recording.base.n_unknown_fields = 1;
	recording.base.unknown_fields = &unknown;
	req.recording = &recording;
	call = fixture_create(&alice, &req);
	fixture_refused(call, GRPC_RESOURCE_EXHAUSTED, "CONFIG_TOO_LONG");
	ck_assert_str_eq(call->field, "recording");
	ck_assert_str_eq(call->text,
			 "recording: must be at most 65536 bytes, not 65538");
}

SUITE("hosted-wishes", .setup = fixture_begin, .teardown = fixture_end);
