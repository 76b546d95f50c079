/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inputs there and back, their bytes borrowed; numbers that both sides have.
 */
#include <string.h>

#include "control/codec.h"
#include "control/codec-request.h"
#include "control/refusal.h"
#include "unit.h"

static const uint8_t bytes[] = "hello";

static const struct input inputs[] = {
	{ .kind = INPUT_CONSOLE, .console = { bytes, 5 } },
	{ .kind = INPUT_CSR_WRITE, .csr_write = { 0x340, UINT64_MAX } },
	{ .kind = INPUT_REGISTER_WRITE, .register_write = { 31, 8 } },
	{ .kind = INPUT_MEMORY_WRITE,
	  .memory_write = { 0x80000000, bytes, 5, true } },
	{ .kind = INPUT_MEMORY_WRITE, .memory_write = { 1, bytes, 1, false } },
	{ .kind = INPUT_EBB, .ebb = { EBB_OPEN, 1, .freezes = true } },
	{ .kind = INPUT_EBB, .ebb = { EBB_OPEN, 1, .reloads = true } },
	{ .kind = INPUT_EBB, .ebb = { EBB_ADD, 2, 31, UINT64_MAX, 7 } },
	{ .kind = INPUT_EBB, .ebb = { EBB_RETURN, 3, .masked = true } },
	{ .kind = INPUT_EBB, .ebb = { EBB_DEATH, UINT32_MAX } },
	{ .kind = INPUT_INJECT, .inject = { PMU_EV_INSNS, 1, 0 } },
	{ .kind = INPUT_INJECT,
	  .inject = { PMU_N_EVENTS - 1, UINT64_MAX, 0x80000000 } },
	{ .kind = INPUT_SBI_CALL,
	  .sbi_call = { { 1, 2, 3, 4, 5, 6, 7, 8 }, INPUT_SBI_ARGS } },
};

static void check_same(const struct input *a, const struct input *b)
{
	ck_assert_int_eq(a->kind, b->kind);
	ck_assert_uint_eq(a->hart, b->hart);
	ck_assert_uint_eq(a->cycle, b->cycle);
	ck_assert_uint_eq(a->moment, b->moment);
	switch (a->kind) {
	case INPUT_CONSOLE:
		ck_assert_ptr_eq(a->console.bytes, b->console.bytes);
		ck_assert_uint_eq(a->console.len, b->console.len);
		break;
	case INPUT_CSR_WRITE:
		ck_assert_uint_eq(a->csr_write.csr, b->csr_write.csr);
		ck_assert_uint_eq(a->csr_write.value, b->csr_write.value);
		break;
	case INPUT_REGISTER_WRITE:
		ck_assert_uint_eq(a->register_write.number,
				  b->register_write.number);
		ck_assert_uint_eq(a->register_write.value,
				  b->register_write.value);
		break;
	case INPUT_MEMORY_WRITE:
		ck_assert_uint_eq(a->memory_write.address,
				  b->memory_write.address);
		ck_assert_ptr_eq(a->memory_write.bytes, b->memory_write.bytes);
		ck_assert_uint_eq(a->memory_write.len, b->memory_write.len);
		ck_assert(a->memory_write.virtual == b->memory_write.virtual);
		break;
	case INPUT_SBI_CALL:
		ck_assert_uint_eq(a->sbi_call.n_args, b->sbi_call.n_args);
		ck_assert_mem_eq(a->sbi_call.args, b->sbi_call.args,
				 sizeof(a->sbi_call.args));
		break;
	case INPUT_EBB:
		ck_assert_int_eq(a->ebb.what, b->ebb.what);
		ck_assert_uint_eq(a->ebb.session, b->ebb.session);
		ck_assert_uint_eq(a->ebb.counter, b->ebb.counter);
		ck_assert_uint_eq(a->ebb.event, b->ebb.event);
		ck_assert_uint_eq(a->ebb.period, b->ebb.period);
		ck_assert(a->ebb.freezes == b->ebb.freezes);
		ck_assert(a->ebb.reloads == b->ebb.reloads);
		ck_assert(a->ebb.masked == b->ebb.masked);
		break;
	case INPUT_INJECT:
		ck_assert_int_eq(a->inject.event, b->inject.event);
		ck_assert_uint_eq(a->inject.n, b->inject.n);
		ck_assert_uint_eq(a->inject.last_pc, b->inject.last_pc);
		break;
	case INPUT_UNKNOWN:
		ck_abort_msg("an input has become unknown");
	}
}

TEST_ROWS(an_input_there_and_back_is_the_same, inputs)
{
	struct input in = inputs[_i], back;
	struct input_message m;

	in.hart = 3;
	in.cycle = 44;
	in.moment = 5;
	encode_input(&in, &m);
	decode_input(&m.in, &back);
	check_same(&in, &back);
}

TEST(a_message_of_no_kind_is_an_unknown_input)
{
	Pmu__V1__Input m = PMU__V1__INPUT__INIT;
	struct input in;

	decode_input(&m, &in);
	ck_assert_int_eq(in.kind, INPUT_UNKNOWN);
}

TEST(an_act_of_a_later_version_is_unknown)
{
	Pmu__V1__Input m = PMU__V1__INPUT__INIT;
	Pmu__V1__EbbInput act = PMU__V1__EBB_INPUT__INIT;
	struct input in;

	act.what = (Pmu__V1__EbbInput__What)EBB_N_WHATS;
	m.kind_case = PMU__V1__INPUT__KIND_EBB;
	m.ebb = &act;
	decode_input(&m, &in);
	ck_assert_int_eq(in.kind, INPUT_EBB);
	ck_assert_int_eq(in.ebb.what, EBB_UNKNOWN);
	act.what = PMU__V1__EBB_INPUT__WHAT__WHAT_DEATH;
	decode_input(&m, &in);
	ck_assert_int_eq(in.ebb.what, EBB_DEATH);
}

TEST(an_event_that_harts_do_not_count_is_none)
{
	Pmu__V1__Input m = PMU__V1__INPUT__INIT;
	Pmu__V1__EventInput event = PMU__V1__EVENT_INPUT__INIT;
	struct input in;

	event.event = "SBI_PMU_FW_SET_TIMER";
	m.kind_case = PMU__V1__INPUT__KIND_INJECT;
	m.inject = &event;
	decode_input(&m, &in);
	ck_assert_int_eq(in.kind, INPUT_INJECT);
	ck_assert_int_eq(in.inject.event, PMU_N_EVENTS);
}

static const size_t counts[] = { 0, 7, 9, 100 };

TEST_ROWS(a_call_of_other_registers_keeps_their_number, counts)
{
	Pmu__V1__Input m = PMU__V1__INPUT__INIT;
	Pmu__V1__SbiInput call = PMU__V1__SBI_INPUT__INIT;
	uint64_t args[100];
	struct input in;

	memset(args, 'a', sizeof(args));
	call.args = args;
	call.n_args = counts[_i];
	m.kind_case = PMU__V1__INPUT__KIND_SBI_CALL;
	m.sbi_call = &call;
	decode_input(&m, &in);
	ck_assert_uint_eq(in.sbi_call.n_args, counts[_i]);
}

TEST(numbers_are_those_of_the_protocol)
{
	ck_assert_int_eq(encode_state(MACHINE_NEW), 1);
	ck_assert_int_eq(encode_state(MACHINE_CRASHED), 6);
	ck_assert_int_eq(encode_cause(CAUSE_NONE), 0);
	ck_assert_int_eq(encode_cause(CAUSE_SHUTDOWN), 1);
	ck_assert_int_eq(encode_cause(CAUSE_TRAP_LOOP), 15);
	ck_assert_int_eq(encode_cause(CAUSE_WATCHPOINT), 16);
	ck_assert_int_eq(encode_change(CHANGE_STARTED), 1);
	ck_assert_int_eq(encode_change(CHANGE_SOFTWARE_EVENT), 5);
	ck_assert_int_eq(encode_change(CHANGE_EVENT_BRANCH), 6);
	ck_assert_int_eq(encode_hart_status(HART_RUNNING), 1);
	ck_assert_int_eq(encode_hart_status(HART_WAITING), 2);
	ck_assert_int_eq(encode_hart_status(HART_STOPPED), 3);
	ck_assert_int_eq(encode_chain_end(CHAIN_NONE), 0);
	ck_assert_int_eq(encode_chain_end(CHAIN_BOTTOM), 1);
	ck_assert_int_eq(encode_chain_end(CHAIN_LEFT_MODE), 6);
	ck_assert_int_eq(encode_chain_end(CHAIN_NO_RETURN), 10);
	ck_assert_int_eq(encode_mode(PMU_MODE_M), 1);
	ck_assert_int_eq(encode_mode(PMU_MODE_VU), 5);
	for (int kind = 0; kind < 4; kind++)
		ck_assert_int_eq(decode_image_kind((Pmu__V1__ImageKind)kind),
				 (int)IMAGE_ANY + kind);
}

/* Of an enum: those of the core, from its first on, and what becomes of them */
#define ENCODE(name)                                                           \
	static int number_of_##name(int value)                                 \
	{                                                                      \
		return (int)encode_##name(value);                              \
	}
ENCODE(state)
ENCODE(cause)
ENCODE(change)
ENCODE(reboot)
ENCODE(mode)
ENCODE(hart_status)
ENCODE(chain_end)
#undef ENCODE

static const struct enum_row {
	const ProtobufCEnumDescriptor *protocol;
	int first, n;
	int (*number)(int value);
	int others; /* values that no machine says */
} enum_rows[] = {
	{ &pmu__v1__machine_state__descriptor, MACHINE_NEW, 6,
	  number_of_state },
	{ &pmu__v1__stop_cause__descriptor, CAUSE_SHUTDOWN, 16,
	  number_of_cause },
	{ &pmu__v1__hart_change__what__descriptor, CHANGE_STARTED, 6,
	  number_of_change },
	{ &pmu__v1__reset__kind__descriptor, REBOOT_COLD, 3, number_of_reboot },
	{ &pmu__v1__privilege__descriptor, PMU_MODE_M, 5, number_of_mode },
	{ &pmu__v1__hart_status__descriptor, HART_STOPPED, 3,
	  number_of_hart_status },
	{ &pmu__v1__chain_end__descriptor, CHAIN_BOTTOM, 7, number_of_chain_end,
	  .others = 3 },
};

/* Each of the protocol's numbers but 0, which says nothing, is said once. */
TEST_ROWS(the_core_has_what_the_protocol_has, enum_rows)
{
	const struct enum_row *row = &enum_rows[_i];
	uint64_t said = 0;
	int others = 0;

	ck_assert_uint_eq(row->protocol->n_values, row->n + 1 + row->others);
	for (int i = row->first; i < row->first + row->n; i++) {
		int number = row->number(i);

		ck_assert_int_gt(number, 0);
		ck_assert_uint_eq(said >> number & 1, 0);
		said |= UINT64_C(1) << number;
	}
	for (int i = 1; i <= row->n + row->others; i++)
		others += !(said >> row->protocol->values[i].value & 1);
	ck_assert_int_eq(others, row->others);
}

#define PRIVILEGE(p) PMU__V1__PRIVILEGE__PRIVILEGE_##p

/* In which modes, and what a sampler is called. */
static const struct sampler_row {
	const char *why, *event, *name;
	Pmu__V1__Privilege in[3];
	size_t n;
	bool good;
	unsigned modes;
	const char *called;
} sampler_rows[] = {
	{ "all modes unless one is named",
	  "branches",
	  "",
	  { 0 },
	  0,
	  true,
	  (1u << PMU_N_MODES) - 1,
	  "branches" },
	{ "one mode",
	  "branches",
	  "b",
	  { PRIVILEGE(U) },
	  1,
	  true,
	  1u << PMU_MODE_U,
	  "b" },
	{ "three modes",
	  "cycles",
	  "cycles:msu",
	  { PRIVILEGE(M), PRIVILEGE(S), PRIVILEGE(U) },
	  3,
	  true,
	  1u << PMU_MODE_M | 1u << PMU_MODE_S | 1u << PMU_MODE_U,
	  "cycles:msu" },
	{ "a mode that there is not",
	  "cycles",
	  "",
	  { PRIVILEGE(M), PRIVILEGE(UNSPECIFIED) },
	  2,
	  true,
	  0,
	  "cycles" },
	{ "an event that there is not", "bananas", "", { 0 }, 0, false, 0, "" },
	{ "the longest name",
	  "cycles",
	  "012345678901234567890123456789012345678901234567890123456789012",
	  { 0 },
	  0,
	  true,
	  (1u << PMU_N_MODES) - 1,
	  "012345678901234567890123456789012345678901234567890123456789012" },
	{ "a name too long",
	  "cycles",
	  "0123456789012345678901234567890123456789012345678901234567890123",
	  { 0 },
	  0,
	  false,
	  0,
	  "" },
};

TEST_ROWS(a_sampler_is_of_an_event_and_modes, sampler_rows)
{
	const struct sampler_row *row = &sampler_rows[_i];
	Pmu__V1__Sampler m = PMU__V1__SAMPLER__INIT;
	struct machine_sampler s = { .modes = 0 };
	struct error e;

	m.event = (char *)row->event;
	m.name = (char *)row->name;
	m.privileges = (Pmu__V1__Privilege *)row->in;
	m.n_privileges = row->n;
	m.period = 77;
	m.callers = true;
	ck_assert_msg(decode_sampler(&m, &s, &e) == row->good, "%s", row->why);
	if (!row->good) {
		ck_assert_str_eq(e.reason, "BAD_VALUE");
		ck_assert(strstr(e.text, row->event) != NULL);
		return;
	}
	ck_assert_msg(s.modes == row->modes, "%s: %x", row->why, s.modes);
	ck_assert_str_eq(s.name, row->called);
	ck_assert_uint_eq(s.period, 77);
	ck_assert(s.callers && !s.registers);
}

SUITE("codec");

TEST_TIMES(a_machine_is_given_so_many_settings_and_no_more, 2)
{
	static struct machine_config got;
	static Pmu__V1__Setting *list[SETTINGS_MOST + 1];
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Setting setting = PMU__V1__SETTING__INIT;
	char field[REFUSAL_FIELD];
	struct error e;

	setting.key = (char *)"cpi";
	setting.value = (char *)"3";
	for (int i = 0; i <= SETTINGS_MOST; i++)
		list[i] = &setting;
	cfg.settings = list;
	cfg.n_settings = SETTINGS_MOST + (size_t)_i;
	ck_assert(decode_config(&cfg, &got, &e) == !_i);
	if (!_i) {
		ck_assert_uint_eq(got.settings.cpi, 3);
		return;
	}
	refusal_field(&e, field);
	ck_assert_str_eq(field, "config.settings");
	ck_assert_str_eq(e.reason, "TOO_MANY");
}
