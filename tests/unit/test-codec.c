/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inputs there and back, their bytes borrowed; numbers that both sides have.
 */
#include <string.h>

#include "control/codec.h"
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
	ck_assert_int_eq(encode_mode(PMU_MODE_M), 1);
	ck_assert_int_eq(encode_mode(PMU_MODE_VU), 5);
	for (int kind = 0; kind < 4; kind++)
		ck_assert_int_eq(decode_image_kind((Pmu__V1__ImageKind)kind),
				 (int)IMAGE_ANY + kind);
}

SUITE("codec");
