/* SPDX-License-Identifier: BSD-2-Clause */
/* One machine that ends with its input; traces that begin as their names say.
 */
#include "fake-daemon.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "grpc/rpc.h"

static struct fake_daemon *shared;
static struct rpc_call *console, *watcher;

static void send_state(Pmu__V1__MachineState state)
{
	Pmu__V1__WatchMachineResponse answer =
		PMU__V1__WATCH_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;

	info.state = state;
	info.exit_code = 7;
	answer.machine = &info;
	rpc_send(watcher, &answer.base);
}

static void watch(struct rpc_call *call, const ProtobufCMessage *msg)
{
	watcher = call;
	send_state(PMU__V1__MACHINE_STATE__MACHINE_STATE_RUNNING);
}

static void read_console(struct rpc_call *call, const ProtobufCMessage *msg)
{
	console = call;
}

/* The end of the input is the machine's. */
static void write_console(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__WriteConsoleRequest *req =
		(const Pmu__V1__WriteConsoleRequest *)msg;
	Pmu__V1__WriteConsoleResponse answer =
		PMU__V1__WRITE_CONSOLE_RESPONSE__INIT;

	if (strcmp(req->machine, "m1") != 0) {
		rpc_finish(call, GRPC_NOT_FOUND, "no machine");
		return;
	}
	if (shared->full) {
		shared->full--;
		rpc_finish(call, GRPC_RESOURCE_EXHAUSTED, "no room");
		return;
	}
	if (req->data.len && shared->n + req->data.len < sizeof(shared->input))
		memcpy(shared->input + shared->n, req->data.data,
		       req->data.len);
	shared->n += req->data.len;
	shared->eofs += req->eof;
	rpc_reply(call, &answer.base);
	if (req->eof && watcher) {
		send_state(PMU__V1__MACHINE_STATE__MACHINE_STATE_ENDED);
		rpc_finish(watcher, GRPC_OK, NULL);
		rpc_finish(console, GRPC_OK, NULL);
	}
}

/* The machine's id says what the stream begins with. */
static void stream(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__StreamRecordsRequest *req =
		(const Pmu__V1__StreamRecordsRequest *)msg;
	Pmu__V1__StreamRecordsResponse answer =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	answer.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST;
	if (!strcmp(req->machine, "header")) {
		answer.item_case =
			PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
		answer.header = &header;
	}
	if (strcmp(req->machine, "nothing") != 0)
		rpc_send(call, &answer.base);
	rpc_finish(call,
		   strcmp(req->machine, "error") ? GRPC_OK : GRPC_NOT_FOUND,
		   "no machine");
}

#define ROW(service, method, name, how, handler)                               \
	{                                                                      \
		.path = "/pmu.v1." #service "Service/" #method,                \
		.request = &pmu__v1__##name##_request__descriptor,             \
		.response = &pmu__v1__##name##_response__descriptor,           \
		.kind = (how), .handle = (handler),                            \
	}

/* However the test ends, its daemon does. */
static void on_closed(struct rpc_conn *conn)
{
	_exit(0);
}

int main(void)
{
	static const struct rpc_method methods[] = {
		ROW(Machine, WatchMachine, watch_machine, RPC_SERVER_STREAM,
		    watch),
		ROW(Machine, ReadConsole, read_console, RPC_SERVER_STREAM,
		    read_console),
		ROW(Machine, WriteConsole, write_console, RPC_UNARY,
		    write_console),
		ROW(Trace, StreamRecords, stream_records, RPC_SERVER_STREAM,
		    stream),
	};
	const struct rpc_table table = { methods,
					 sizeof(methods) / sizeof(*methods) };
	struct rpc_config cfg = { .loop = ev_loop_new(0),
				  .tables = &table,
				  .n_tables = 1,
				  .conn_closed = on_closed };
	struct rpc_server *server;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      FAKE_MEMORY, 0);
	if (shared == MAP_FAILED || rpc_server_new(&server, &cfg) ||
	    rpc_adopt(server, FAKE_SOCKET))
		return 1;
	ev_run(cfg.loop, 0);
	return 0;
}
