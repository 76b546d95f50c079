/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/rpc-forward.c, with call, machine and process played: what goes
 * to the process, and what comes of its reply.
 */
#include "server/rpc-forward.h"

#include <string.h>

#include "server/daemon-limits.h"
#include "unit.h"

static struct played {
	/* what the others say */
	struct rpc_method method;
	struct rpc_bytes message;
	bool found;
	const char *unsent; /* NULL: it is sent */
	/* what was done */
	char found_id[16];
	enum method_id asked;
	struct rpc_bytes sent;
	child_reply_fn *reply;
	void *arg;
	const struct rpc_call_ops *ops;
	void *data;
	uint64_t forgotten;
	unsigned replies, refusals, updates;
	enum grpc_status status;
	char text[128], field[32], reason[32];
	uint8_t answer[256];
	size_t answer_len;
} now;

static struct hosted machine;
static struct rpc_call *const call = (struct rpc_call *)&now;

enum {
	ID = 77
};

const struct rpc_method *rpc_call_method(const struct rpc_call *c)
{
	return &now.method;
}

struct rpc_bytes rpc_call_message(const struct rpc_call *c)
{
	return now.message;
}

void rpc_call_watch(struct rpc_call *c, const struct rpc_call_ops *ops,
		    void *data)
{
	now.ops = ops;
	now.data = data;
}

void rpc_refuse(struct rpc_call *c, enum grpc_status status, struct rpc_at at,
		const char *text, ...)
{
	va_list ap;

	now.refusals++;
	now.status = status;
	snprintf(now.field, sizeof(now.field), "%s", at.field ? at.field : "");
	snprintf(now.reason, sizeof(now.reason), "%s", at.reason);
	va_start(ap, text);
	vsnprintf(now.text, sizeof(now.text), text, ap);
	va_end(ap);
}

void rpc_reply_bytes(struct rpc_call *c, struct rpc_bytes packed)
{
	now.replies++;
	now.answer_len = packed.len;
	memcpy(now.answer, packed.data, packed.len);
}

void rpc_reply(struct rpc_call *c, const ProtobufCMessage *msg)
{
	now.replies++;
	now.answer_len = protobuf_c_message_pack(msg, now.answer);
}

struct hosted *hosted_find(struct rpc_call *c, const char *id)
{
	snprintf(now.found_id, sizeof(now.found_id), "%s", id);
	return now.found ? &machine : NULL;
}

void hosted_update(struct hosted *m, const Pmu__V1__MachineInfo *said)
{
	ck_assert_ptr_eq(m, &machine);
	now.updates++;
}

void hosted_describe(const struct hosted *m, const Pmu__V1__MachineInfo *said,
		     Pmu__V1__MachineInfo *ret)
{
	ck_assert_ptr_eq(m, &machine);
	*ret = *said;
	ret->id = "m1";
	ret->owner_uid = 1000;
	ret->detached = true;
}

uint64_t child_call(struct child *c, const struct child_request *request,
		    child_reply_fn *reply, void *arg,
		    struct child_reply *ret_refusal)
{
	ck_assert_ptr_null(request->message);
	now.asked = request->method;
	now.sent = (struct rpc_bytes){ request->bytes, request->len };
	now.reply = reply;
	now.arg = arg;
	if (now.unsent)
		*ret_refusal = (struct child_reply){
			.code = GRPC_UNAVAILABLE,
			.text = now.unsent,
			.field = "",
			.reason = "MACHINE_UNAVAILABLE",
		};
	return now.unsent ? 0 : ID;
}

void child_forget(struct child *c, uint64_t id)
{
	now.forgotten = id;
}

static void setup(void)
{
	memset(&now, 0, sizeof(now));
	memset(&machine, 0, sizeof(machine));
	strcpy(machine.id, "m1");
	now.found = true;
	now.asked = N_METHODS;
}

/* As the gRPC server does: the message, and the bytes that it was. */
static void request(enum method_id id, const void *bytes, size_t len)
{
	const ProtobufCMethodDescriptor *d = method_descriptor(id);
	ProtobufCMessage *msg =
		protobuf_c_message_unpack(d->input, NULL, len, bytes);

	ck_assert_ptr_nonnull(msg);
	now.method.request = d->input;
	now.method.response = d->output;
	now.message = (struct rpc_bytes){ bytes, len };
	forward_request(call, id, msg);
	now.message = (struct rpc_bytes){ 0 };
	protobuf_c_message_free_unpacked(msg, NULL);
}

/* The hart before the machine, and a field that nobody knows. */
static const uint8_t odd[] = { 0x10, 1, 0x0a, 2, 'm', '7', 0xf8, 7, 1 };

TEST(a_request_goes_on_as_it_came)
{
	request(METHOD_ReadRegisters, odd, sizeof(odd));
	ck_assert_str_eq(now.found_id, "m7");
	ck_assert_int_eq(now.asked, METHOD_ReadRegisters);
	ck_assert_ptr_eq(now.sent.data, odd);
	ck_assert_uint_eq(now.sent.len, sizeof(odd));
	ck_assert_ptr_nonnull(now.ops);
	ck_assert_uint_eq(now.replies + now.refusals, 0);
	now.ops->on_cancel(call, now.data);
	ck_assert_uint_eq(now.forgotten, ID);
}

/* A request that may have a list or bytes may be long. */
static const struct long_row {
	enum method_id method;
	size_t len;
	bool goes;
} long_rows[] = {
	{ METHOD_GetMachine, FORWARD_MAX, true },
	{ METHOD_GetMachine, FORWARD_MAX + 1, false },
	{ METHOD_ReadCsr, FORWARD_MAX + 1, false },
	{ METHOD_WriteMemory, FORWARD_MAX + 1, true },
	{ METHOD_DescribeAddresses, FORWARD_MAX + 1, true },
};

TEST_ROWS(a_long_request_needs_something_to_say, long_rows)
{
	const struct long_row *row = &long_rows[_i];
	static uint8_t bytes[FORWARD_MAX + 1] = { 0x0a, 2, 'm', '7', 0xfa, 7 };
	size_t rest = row->len - 9;

	/* a field that nobody knows, of 64 KiB or so: three bytes of length */
	bytes[6] = (uint8_t)(rest | 0x80);
	bytes[7] = (uint8_t)(rest >> 7 | 0x80);
	bytes[8] = (uint8_t)(rest >> 14);
	request(row->method, bytes, row->len);
	ck_assert_int_eq(now.asked, row->goes ? row->method : N_METHODS);
	ck_assert_uint_eq(now.refusals, !row->goes);
	if (row->goes) {
		now.ops->on_cancel(call, now.data);
		return;
	}
	ck_assert_int_eq(now.status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(now.reason, "REQUEST_TOO_LONG");
	ck_assert_ptr_null(now.ops);
}

/* hosted_find() has told the client so. */
TEST(a_machine_that_is_not_the_callers_is_not_asked)
{
	now.found = false;
	request(METHOD_ReadRegisters, odd, sizeof(odd));
	ck_assert_int_eq(now.asked, N_METHODS);
	ck_assert_ptr_null(now.ops);
	ck_assert_uint_eq(now.refusals, 0);
}

TEST(an_answer_comes_back_as_it_was_sent)
{
	const struct child_reply reply = {
		.answer = (ProtobufCMessage *)&now, /* there is one */
		.bytes = odd,
		.len = sizeof(odd),
	};

	request(METHOD_ReadRegisters, odd, sizeof(odd));
	now.reply(now.arg, &reply);
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_uint_eq(now.answer_len, sizeof(odd));
	ck_assert_mem_eq(now.answer, odd, sizeof(odd));
	ck_assert_ptr_null(now.ops); /* nobody is there to be cancelled */
	ck_assert_uint_eq(now.updates, 0);
}

/* All that have a state in their answer, wherever its field is. */
static const enum method_id telling[] = {
	METHOD_StartMachine, METHOD_PauseMachine, METHOD_ResumeMachine,
	METHOD_StepMachine,  METHOD_RunUntil,	  METHOD_GetMachine,
};

TEST_ROWS(a_state_is_told_with_what_only_pmud_knows, telling)
{
	const uint8_t named[] = { 0x0a, 2, 'm', '1' };
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;
	uint8_t five = 5;
	ProtobufCMessageUnknownField newer = { 15, PROTOBUF_C_WIRE_TYPE_VARINT,
					       1, &five };
	/* all of these answers have the same shape */
	Pmu__V1__GetMachineResponse answer =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	const struct child_reply reply = {
		.answer = &answer.base,
		.machine = &answer.machine,
		.bytes = odd,
		.len = sizeof(odd),
	};
	Pmu__V1__GetMachineResponse *got;

	said.id = "another's";
	said.cycle = 12;
	protobuf_c_message_init(method_descriptor(telling[_i])->output,
				&answer);
	answer.machine = &said;
	answer.base.n_unknown_fields = 1;
	answer.base.unknown_fields = &newer;
	request(telling[_i], named, sizeof(named));
	now.reply(now.arg, &reply);
	ck_assert_uint_eq(now.updates, 1);
	ck_assert_uint_eq(now.replies, 1);
	ck_assert_ptr_eq(answer.machine, &said);
	got = pmu__v1__get_machine_response__unpack(NULL, now.answer_len,
						    now.answer);
	ck_assert_ptr_nonnull(got);
	ck_assert_str_eq(got->machine->id, "m1");
	ck_assert_uint_eq(got->machine->owner_uid, 1000);
	ck_assert(got->machine->detached);
	ck_assert_uint_eq(got->machine->cycle, 12);
	ck_assert_uint_eq(got->base.n_unknown_fields, 1);
	pmu__v1__get_machine_response__free_unpacked(got, NULL);
}

TEST(an_error_comes_back_with_its_details)
{
	const struct child_reply reply = {
		.code = GRPC_NOT_FOUND,
		.text = "no 100% such CSR",
		.field = "csr",
		.reason = "NO_SUCH_CSR",
	};

	request(METHOD_ReadRegisters, odd, sizeof(odd));
	now.reply(now.arg, &reply);
	ck_assert_uint_eq(now.refusals, 1);
	ck_assert_uint_eq(now.replies, 0);
	ck_assert_int_eq(now.status, GRPC_NOT_FOUND);
	ck_assert_str_eq(now.text, "no 100% such CSR");
	ck_assert_str_eq(now.field, "csr");
	ck_assert_str_eq(now.reason, "NO_SUCH_CSR");
	ck_assert_ptr_null(now.ops);
}

/* With what its process said last, where it said anything. */
TEST_TIMES(a_process_that_cannot_be_asked_is_explained, 2)
{
	Pmu__V1__MachineInfo said = PMU__V1__MACHINE_INFO__INIT;

	said.detail = "killed by signal 9";
	machine.info = _i ? &said : NULL;
	now.unsent = "the machine's process is gone";
	request(METHOD_ReadRegisters, odd, sizeof(odd));
	ck_assert_uint_eq(now.refusals, 1);
	ck_assert_int_eq(now.status, GRPC_UNAVAILABLE);
	ck_assert_str_eq(now.reason, "MACHINE_UNAVAILABLE");
	ck_assert_str_eq(now.text,
			 _i ? "machine m1: the machine's process is gone: "
			      "killed by signal 9"
			    : "machine m1: the machine's process is gone");
	ck_assert_ptr_null(now.ops);
}

SUITE("rpc-forward", .setup = setup);
