/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What answers say, field by field: each of its own, and none where there is
 * nothing to say.
 */
#include <string.h>

#include "control/codec-answer.h"
#include "core/ebb-session.h"
#include "unit.h"

/* On the wire they are the same bytes. */
static void same(const void *got, const void *want)
{
	uint8_t a[2048], b[2048];
	size_t n = protobuf_c_message_get_packed_size(want);

	ck_assert_uint_gt(n, 0);
	ck_assert_uint_le(n, sizeof(a));
	ck_assert_uint_eq(protobuf_c_message_get_packed_size(got), n);
	protobuf_c_message_pack(got, a);
	protobuf_c_message_pack(want, b);
	ck_assert_mem_eq(a, b, n);
}

TEST_TIMES(a_state_is_told, 2)
{
	const struct ebb_session session = { .number = 77 };
	const struct machine_status s = {
		.state = MACHINE_PAUSED,
		.cause = CAUSE_BREAKPOINT,
		.exit_code = 3,
		.detail = "why",
		.cycle = 40,
		.insn = 50,
		.hart = 6,
		.ebb = _i ? &session : NULL,
	};
	Pmu__V1__MachineInfo got = PMU__V1__MACHINE_INFO__INIT;
	Pmu__V1__MachineInfo want = PMU__V1__MACHINE_INFO__INIT;

	want.state = PMU__V1__MACHINE_STATE__MACHINE_STATE_PAUSED;
	want.cause = PMU__V1__STOP_CAUSE__STOP_CAUSE_BREAKPOINT;
	want.exit_code = 3;
	want.detail = "why";
	want.cycle = 40;
	want.insn = 50;
	want.hart = 6;
	want.ebb_session = _i ? 77 : 0;
	encode_status(&s, &got);
	same(&got, &want);
}

TEST_TIMES(a_piece_of_the_engine_is_on_or_says_why_not, 2)
{
	const struct engine_piece p = {
		.name = "feed",
		.of = "blocks",
		.off = _i ? "no room" : NULL,
		.taken = 8,
		.all = 9,
	};
	Pmu__V1__EnginePiece got = PMU__V1__ENGINE_PIECE__INIT;
	Pmu__V1__EnginePiece want = PMU__V1__ENGINE_PIECE__INIT;

	want.name = "feed";
	want.unit = "blocks";
	want.on = !_i;
	want.why_off = _i ? "no room" : "";
	want.taken = 8;
	want.all = 9;
	encode_piece(&p, &got);
	ck_assert_str_eq(got.why_off, want.why_off);
	same(&got, &want);
}

TEST_TIMES(an_access_is_of_a_watchpoint, 2)
{
	const struct machine_access a = {
		.hart = 2,
		.point = { .address = 0x1000, .bytes = 64 },
		.address = 0x1008,
		.size = 4,
		.store = _i,
	};
	Pmu__V1__WatchedAccess got = PMU__V1__WATCHED_ACCESS__INIT;
	Pmu__V1__WatchedAccess want = PMU__V1__WATCHED_ACCESS__INIT;

	want.hart = 2;
	want.address = 0x1008;
	want.bytes = 4;
	want.store = _i;
	want.watchpoint = 0x1000;
	encode_access(&a, &got);
	same(&got, &want);
}

TEST_TIMES(a_configuration_says_where_it_starts, 2)
{
	struct machine_config cfg = {
		.harts = 5,
		.memory = 1 << 20,
		.m_mode = _i,
		.bootargs = "quiet",
	};
	Pmu__V1__MachineConfig got = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__MachineConfig want = PMU__V1__MACHINE_CONFIG__INIT;

	want.harts = 5;
	want.memory_bytes = 1 << 20;
	want.start_mode = _i ? PMU__V1__START_MODE__START_MODE_M
			     : PMU__V1__START_MODE__START_MODE_S;
	want.bootargs = "quiet";
	encode_config(&cfg, &got);
	same(&got, &want);
}

TEST(a_part_of_an_image_lies_somewhere)
{
	const struct loader_range part = { 0x1000, 0x20, false, "segment 2" };
	Pmu__V1__LoadedPart got = PMU__V1__LOADED_PART__INIT;
	Pmu__V1__LoadedPart want = PMU__V1__LOADED_PART__INIT;

	want.what = "segment 2";
	want.address = 0x1000;
	want.bytes = 0x20;
	encode_part(&part, &got);
	same(&got, &want);
}

TEST(a_hart_is_told)
{
	const struct inspect_hart h = {
		HART_WAITING, PMU_MODE_VS, 0x10, 20, 30, "rv64ima",
	};
	Pmu__V1__HartInfo got = PMU__V1__HART_INFO__INIT;
	Pmu__V1__HartInfo want = PMU__V1__HART_INFO__INIT;

	want.hart = 3;
	want.status = PMU__V1__HART_STATUS__HART_STATUS_WAITING;
	want.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_VS;
	want.pc = 0x10;
	want.cycle = 20;
	want.insn = 30;
	want.isa = "rv64ima";
	encode_hart(3, &h, &got);
	same(&got, &want);
}

TEST_TIMES(a_csr_may_have_a_rule, 2)
{
	const struct inspect_csr csr = { 0x340, "mscratch",
					 _i ? "the_rule" : NULL, 9 };
	Pmu__V1__Csr got = PMU__V1__CSR__INIT;
	Pmu__V1__Csr want = PMU__V1__CSR__INIT;

	want.number = 0x340;
	want.name = "mscratch";
	want.value = 9;
	want.rule = _i ? "the_rule" : "";
	encode_csr(&csr, &got);
	ck_assert_str_eq(got.rule, want.rule);
	same(&got, &want);
}

TEST(registers_are_all_told)
{
	struct hart_state s = { .pc = 0x10, .fcsr = 0xe1 };
	Pmu__V1__ReadRegistersResponse got =
		PMU__V1__READ_REGISTERS_RESPONSE__INIT;
	Pmu__V1__ReadRegistersResponse want =
		PMU__V1__READ_REGISTERS_RESPONSE__INIT;

	for (unsigned i = 0; i < 32; i++) {
		s.x[i] = i;
		s.f[i] = 100 + i;
	}
	want.pc = 0x10;
	want.x = s.x;
	want.n_x = 32;
	want.f = s.f;
	want.n_f = 32;
	want.fcsr = 0xe1;
	encode_registers(&s, &got);
	same(&got, &want);
}

/* Each of its words alone is told as what it is. */
TEST_RANGE(a_counter_is_told, 0, 6)
{
	const struct inspect_counter c = {
		.firmware = _i == 0,
		.inhibited = _i == 1,
		.overflow = _i == 2,
		.mapped = _i == 3,
		.started = _i == 4,
		.event = _i == 5 ? "cycles" : NULL,
		.event_idx = 11,
		.event_data = 12,
		.value = 13,
		.config = 14,
		.width = 15,
	};
	Pmu__V1__Counter got = PMU__V1__COUNTER__INIT;
	Pmu__V1__Counter want = PMU__V1__COUNTER__INIT;

	want.hart = 7;
	want.index = 8;
	want.firmware = _i == 0;
	want.inhibited = _i == 1;
	want.overflow = _i == 2;
	want.mapped = _i == 3;
	want.started = _i == 4;
	want.event = _i == 5 ? "cycles" : "";
	want.event_idx = 11;
	want.event_data = 12;
	want.value = 13;
	want.config = 14;
	want.width = 15;
	encode_counter(7, 8, &c, &got);
	ck_assert_str_eq(got.event, want.event);
	same(&got, &want);
}

TEST_TIMES(a_fact_may_have_a_rule, 2)
{
	const struct explain_fact f = {
		.topic = "inhibit",
		.rule = _i ? "the_rule" : NULL,
		.hinders = !_i,
		.text = "it stands",
	};
	Pmu__V1__Fact got = PMU__V1__FACT__INIT;
	Pmu__V1__Fact want = PMU__V1__FACT__INIT;

	want.topic = "inhibit";
	want.text = "it stands";
	want.rule = _i ? "the_rule" : "";
	want.hinders = !_i;
	encode_fact(&f, &got);
	ck_assert_str_eq(got.rule, want.rule);
	same(&got, &want);
}

static const struct sbi_row {
	uint64_t eid, fid;
	int64_t error;
	const char *call_name, *error_name;
} sbi_rows[] = {
	{ 0x10, 3, 0, "BASE.probe_extension", "SUCCESS" },
	{ 0x504d55, 0, -3, "PMU.num_counters", "INVALID_PARAM" },
	{ 0x504d55, 99, -2, "", "NOT_SUPPORTED" },
	{ 0x10, 3, 12345, "BASE.probe_extension", "" },
};

TEST_ROWS(an_sbi_call_has_the_names_that_there_are, sbi_rows)
{
	const struct sbi_row *row = &sbi_rows[_i];
	const struct record_sbi call = {
		.args = { [6] = row->fid, [7] = row->eid },
		.error = row->error,
		.value = 42,
		.reason = "a reason",
	};
	Pmu__V1__CallSbiResponse got = PMU__V1__CALL_SBI_RESPONSE__INIT;
	Pmu__V1__CallSbiResponse want = PMU__V1__CALL_SBI_RESPONSE__INIT;

	want.error = row->error;
	want.value = 42;
	want.call_name = (char *)row->call_name;
	want.error_name = (char *)row->error_name;
	want.reason = "a reason";
	encode_sbi_answer(&call, &got);
	ck_assert_str_eq(got.call_name, row->call_name);
	ck_assert_str_eq(got.error_name, row->error_name);
	same(&got, &want);
}

SUITE("codec-answer");
