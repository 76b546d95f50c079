/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: inputs that are queued before
 * the start, and the console.
 */
#include "control-peer.h"

enum {
	A0 = 10,
	LONGEST = 64 << 10 /* bytes that are typed at once */
};

static Pmu__V1__RegisterWrite writes[3];
static Pmu__V1__Input inputs[3];

/* Inputs that write their number, from 1, into a0 at these cycles. */
static unsigned queue(const uint64_t *cycles, size_t n)
{
	Pmu__V1__QueueInputsRequest q = PMU__V1__QUEUE_INPUTS_REQUEST__INIT;
	Pmu__V1__Input *list[ARRAY_SIZE(inputs)];

	for (size_t i = 0; i < n; i++) {
		pmu__v1__register_write__init(&writes[i]);
		pmu__v1__input__init(&inputs[i]);
		writes[i].number = A0;
		writes[i].value = i + 1;
		inputs[i].cycle = cycles[i];
		inputs[i].kind_case = PMU__V1__INPUT__KIND_REGISTER_WRITE;
		inputs[i].register_write = &writes[i];
		list[i] = &inputs[i];
	}
	q.n_inputs = n;
	q.inputs = list;
	return peer_call(&p, CALL(QueueInputs), &q.base)->code;
}

static uint64_t queued(void)
{
	return ((const Pmu__V1__QueueInputsResponse *)p.last.answer)->queued;
}

static uint64_t a0(void)
{
	Pmu__V1__ReadRegistersRequest q = PMU__V1__READ_REGISTERS_REQUEST__INIT;
	const Pmu__V1__ReadRegistersResponse *got;

	ck_assert_uint_eq(peer_call(&p, CALL(ReadRegisters), &q.base)->code,
			  OK);
	got = p.last.answer;
	return got->x[A0];
}

static void run_for(uint64_t insns)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
}

TEST(what_is_queued_acts_at_its_cycle)
{
	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(queue((const uint64_t[]){ 2, 4 }, 2), OK);
	ck_assert_uint_eq(queued(), 2);
	ck_assert_uint_eq(queue((const uint64_t[]){ 6, 6, 8 }, 3), OK);
	ck_assert_uint_eq(queued(), 5);
	ck_assert_uint_eq(queue(NULL, 0), OK);
	ck_assert_uint_eq(queued(), 5);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	run_for(3);
	ck_assert_uint_eq(a0(), 1);
	run_for(2);
	ck_assert_uint_eq(a0(), 2);
	run_for(2);
	ck_assert_uint_eq(a0(), 2); /* the second at 6 */
	run_for(2);
	ck_assert_uint_eq(a0(), 3);
	ck_assert_uint_eq(queue((const uint64_t[]){ 99 }, 1), PRECONDITION);
	ck_assert_str_eq(p.last.reason, "ALREADY_STARTED");
}

/* And those behind it; it is said which one it was. */
TEST(an_input_that_cannot_be_is_not_queued)
{
	loaded("");
	ck_assert_uint_ne(queue((const uint64_t[]){ 5, 9, 7 }, 3), OK);
	ck_assert_str_eq(p.last.field, "inputs[2].cycle");
	ck_assert_uint_eq(queue((const uint64_t[]){ 9 }, 1), OK);
	ck_assert_uint_eq(queued(), 3);
}

static unsigned type(size_t n, bool eof)
{
	static uint8_t bytes[LONGEST + 1];
	Pmu__V1__WriteConsoleRequest q = PMU__V1__WRITE_CONSOLE_REQUEST__INIT;

	memset(bytes, 'k', sizeof(bytes));
	q.data = (ProtobufCBinaryData){ n, bytes };
	q.eof = eof;
	return peer_call(&p, CALL(WriteConsole), &q.base)->code;
}

static const struct type_row {
	size_t n;
	unsigned code;
} type_rows[] = {
	{ 0, OK },
	{ 1, OK },
	{ LONGEST, OK },
	{ LONGEST + 1, INVALID },
};

/* It is an input, and recorded; nothing is none. */
TEST_ROWS(so_much_is_typed_at_once, type_rows)
{
	const struct type_row *row = &type_rows[_i];
	size_t before;

	paused("");
	peer_drain(&p);
	before = buf_len(&p.trace);
	ck_assert_msg(type(row->n, false) == row->code, "%zu: %s", row->n,
		      p.last.text);
	peer_drain(&p);
	if (row->code)
		ck_assert_str_eq(p.last.field, "data");
	if (row->code || !row->n)
		ck_assert_uint_eq(buf_len(&p.trace), before);
	else
		ck_assert_uint_gt(buf_len(&p.trace), before + row->n);
}

TEST(a_console_of_a_machine_that_has_not_started_is_refused)
{
	loaded("");
	ck_assert_uint_eq(type(1, false), PRECONDITION);
	ck_assert_str_ne(p.last.text, "");
}

SUITE("control-inputs", .teardown = teardown);
