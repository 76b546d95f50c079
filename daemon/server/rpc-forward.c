/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forwarded calls as one table. A row says which case of ToMachine a request
 * becomes; that requests have a field `machine`, and that answers either are
 * the reply's own message or have a field `machine` for the machine's state, is
 * read from the descriptors.
 */
#include "rpc-forward.h"

#include <stdlib.h>
#include <string.h>

#include "pmu/v1/events.pb-c.h"
#include "pmu/v1/harts.pb-c.h"
#include "pmu/v1/sbi.pb-c.h"
#include "pmu/v1/symbols.pb-c.h"

struct waiting {
	struct rpc_call *call; /* NULL: cancelled */
	struct machine *machine;
	uint64_t id;
	forward_done_fn *done;
};

static void on_cancel(struct rpc_call *call, void *data)
{
	struct waiting *w = data;

	child_forget(w->machine->child, w->id);
	free(w);
}

static const struct rpc_call_ops waiting_ops = { .on_cancel = on_cancel };

void forward_refuse(struct rpc_call *call, const Pmu__Internal__Reply *reply)
{
	rpc_refuse(call, (enum grpc_status)reply->code,
		   RPC_AT(reply->field, reply->reason), "%s", reply->message);
}

static void on_reply(void *arg, const Pmu__Internal__Reply *reply)
{
	struct waiting *w = arg;
	struct waiting got = *w;

	free(w);
	rpc_call_watch(got.call, NULL, NULL);
	if (reply->code != GRPC_OK)
		forward_refuse(got.call, reply);
	else
		got.done(got.call, got.machine, reply);
}

void forward(struct rpc_call *call, struct machine *m,
	     Pmu__Internal__ToMachine *msg, forward_done_fn *done)
{
	struct waiting *w = calloc(1, sizeof(*w));
	const char *why = "out of memory";

	if (w) {
		w->call = call;
		w->machine = m;
		w->done = done;
		w->id = child_call(m->child, msg, on_reply, w, &why);
	}
	if (!w || !w->id) {
		const char *detail = m->info ? m->info->detail : "";

		free(w);
		rpc_refuse(call, GRPC_UNAVAILABLE,
			   RPC_AT(NULL, "MACHINE_UNAVAILABLE"),
			   "machine %s: %s%s%s", m->id, why,
			   *detail ? ": " : "", detail);
		return;
	}
	rpc_call_watch(call, &waiting_ops, w);
}

/* A response whose field `machine` is the machine's state. */
static void answer_info(struct rpc_call *call, struct machine *m,
			const Pmu__V1__MachineInfo *said)
{
	const ProtobufCMessageDescriptor *desc =
		rpc_call_method(call)->response;
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(desc,
								"machine");
	_Alignas(max_align_t) uint8_t room[256];
	ProtobufCMessage *msg = (ProtobufCMessage *)room;
	Pmu__V1__MachineInfo info, *pointer = &info;

	if (!field || desc->sizeof_message > sizeof(room)) {
		rpc_refuse(call, GRPC_INTERNAL,
			   RPC_AT(NULL, "MACHINE_CONFUSED"), "no such answer");
		return;
	}
	machine_update(m, said);
	machine_describe(m, said, &info);
	protobuf_c_message_init(desc, msg);
	memcpy(room + field->offset, &pointer, sizeof(pointer));
	rpc_reply(call, msg);
}

void forward_answer(struct rpc_call *call, struct machine *m,
		    const Pmu__Internal__Reply *reply)
{
	const ProtobufCMessageDescriptor *desc =
		rpc_call_method(call)->response;
	_Alignas(max_align_t) uint8_t room[256];
	const ProtobufCMessage *result = NULL;

	/* the cases of the oneof are all messages, so any names the pointer */
	if (reply->result_case != PMU__INTERNAL__REPLY__RESULT__NOT_SET)
		result = (const ProtobufCMessage *)reply->machine;
	if (reply->result_case == PMU__INTERNAL__REPLY__RESULT_MACHINE) {
		answer_info(call, m, reply->machine);
	} else if (result && result->descriptor == desc) {
		rpc_reply(call, result);
	} else if (!result && !desc->n_fields) {
		protobuf_c_message_init(desc, room);
		rpc_reply(call, (const ProtobufCMessage *)room);
	} else {
		rpc_refuse(call, GRPC_INTERNAL,
			   RPC_AT(NULL, "MACHINE_CONFUSED"),
			   "machine %s answered something else", m->id);
	}
}

/* service, method, the names of its messages, the case of ToMachine */
#define FORWARDS(X)                                                            \
	X(Machine, StartMachine, start_machine, START)                         \
	X(Machine, PauseMachine, pause_machine, PAUSE)                         \
	X(Machine, ResumeMachine, resume_machine, RESUME)                      \
	X(Machine, StepMachine, step_machine, STEP)                            \
	X(Machine, RunUntil, run_until, RUN_UNTIL)                             \
	X(Machine, SetBreakpoints, set_breakpoints, SET_BREAKPOINTS)           \
	X(Machine, GetDeviceTree, get_device_tree, GET_DEVICE_TREE)            \
	X(Machine, WriteConsole, write_console, WRITE_CONSOLE)                 \
	X(Hart, ListHarts, list_harts, LIST_HARTS)                             \
	X(Hart, ReadCsr, read_csr, READ_CSR)                                   \
	X(Hart, WriteCsr, write_csr, WRITE_CSR)                                \
	X(Hart, ListCsrs, list_csrs, LIST_CSRS)                                \
	X(Hart, ReadRegisters, read_registers, READ_REGISTERS)                 \
	X(Hart, WriteRegister, write_register, WRITE_REGISTER)                 \
	X(Hart, ReadMemory, read_memory, READ_MEMORY)                          \
	X(Hart, WriteMemory, write_memory, WRITE_MEMORY)                       \
	X(Sbi, CallSbi, call_sbi, CALL_SBI)                                    \
	X(Symbol, DescribeAddresses, describe_addresses, DESCRIBE_ADDRESSES)   \
	X(Symbol, FindSymbol, find_symbol, FIND_SYMBOL)                        \
	X(Event, ReadTotals, read_totals, READ_TOTALS)                         \
	X(Event, ListCounters, list_counters, LIST_COUNTERS)                   \
	X(Event, ExplainCounter, explain_counter, EXPLAIN_COUNTER)

enum forward_row {
#define X(service, method, name, call) ROW_##method,
	FORWARDS(X)
#undef X
	N_ROWS
};

static const Pmu__Internal__ToMachine__CallCase call_cases[N_ROWS] = {
#define X(service, method, name, call)                                         \
	[ROW_##method] = PMU__INTERNAL__TO_MACHINE__CALL_##call,
	FORWARDS(X)
#undef X
};

static void handle(struct rpc_call *call, const ProtobufCMessage *request)
{
	size_t row = (size_t)(rpc_call_method(call) - forward_table.methods);
	const ProtobufCFieldDescriptor *field =
		protobuf_c_message_descriptor_get_field_by_name(
			request->descriptor, "machine");
	Pmu__Internal__ToMachine msg = PMU__INTERNAL__TO_MACHINE__INIT;
	const char *id;
	struct machine *m;

	memcpy(&id, (const uint8_t *)request + field->offset, sizeof(id));
	m = machine_find(call, id);
	if (!m)
		return;
	msg.call_case = call_cases[row];
	msg.start = (Pmu__V1__StartMachineRequest *)request; /* any of them */
	forward(call, m, &msg, forward_answer);
}

static const struct rpc_method methods[N_ROWS] = {
#define X(service, method, name, call)                                         \
	[ROW_##method] = {                                                     \
		.path = "/pmu.v1." #service "Service/" #method,                \
		.request = &pmu__v1__##name##_request__descriptor,             \
		.response = &pmu__v1__##name##_response__descriptor,           \
		.kind = RPC_UNARY,                                             \
		.handle = handle,                                              \
	},
	FORWARDS(X)
#undef X
};

const struct rpc_table forward_table = { methods, N_ROWS };
