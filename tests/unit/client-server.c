/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ids that the fake daemon knows: "gone" is not found, "hang" is never
 * answered, "die" ends the daemon, "stop" halts it, "leave" lets it go down in
 * order, "big" has a detail of 3 MiB; any other is answered with itself.
 * Streams send SERVER_OVERFLOWS overflows, ten a batch, those of "lossy" that
 * five are lost before.
 */
#include "client-server.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "client-machine.h"
#include "pmu/v1/machines.pb-c.h"
#include "pmu/v1/traces.pb-c.h"
#include "grpc/refuse.h"

enum {
	BATCH = 10,
	CHUNK = 256 << 10,
	BIG = 3 << 20
};

static void get(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__GetMachineRequest *req =
		(const Pmu__V1__GetMachineRequest *)msg;
	Pmu__V1__GetMachineResponse answer =
		PMU__V1__GET_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = client_machine_info();
	char *big = NULL;

	if (!strcmp(req->machine, "hang"))
		return;
	if (!strcmp(req->machine, "die"))
		_exit(0);
	if (!strcmp(req->machine, "stop"))
		raise(SIGSTOP);
	if (!strcmp(req->machine, "leave"))
		rpc_server_shutdown(rpc_call_server(call), 1000, NULL);
	if (!strcmp(req->machine, "gone")) {
		rpc_refuse(call, GRPC_NOT_FOUND,
			   RPC_AT("machine", "NO_SUCH_MACHINE"),
			   "no machine 'gone': 100%% \xc3\xa4");
		return;
	}
	if (!strcmp(req->machine, "big")) {
		big = malloc(BIG);
		assert(big);
		memset(big, 'x', BIG);
		big[BIG - 1] = '\0';
		info.detail = big;
	}
	info.id = req->machine;
	/* a broken daemon */
	if (strcmp(req->machine, "nothing"))
		answer.machine = &info;
	rpc_reply(call, &answer.base);
	free(big);
}

struct upload {
	uint64_t bytes;
};

static void load(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__LoadImageRequest *req =
		(const Pmu__V1__LoadImageRequest *)msg;
	struct upload *u = rpc_call_data(call);

	if (!u) {
		u = calloc(1, sizeof(*u));
		assert(u);
		rpc_call_watch(call, NULL, u);
	}
	if (req->part_case == PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK) {
		assert(req->chunk.len && req->chunk.len <= CHUNK &&
		       u->bytes % CHUNK == 0);
		u->bytes += req->chunk.len;
	} else if (!strcmp(req->start->machine, "gone")) {
		free(u);
		rpc_finish(call, GRPC_NOT_FOUND, "no machine 'gone'");
	}
}

static void load_end(struct rpc_call *call)
{
	Pmu__V1__LoadImageResponse answer = PMU__V1__LOAD_IMAGE_RESPONSE__INIT;
	struct upload *u = rpc_call_data(call);

	answer.entry = u->bytes;
	free(u);
	rpc_reply(call, &answer.base);
}

static int send_header(struct rpc_call *call)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
	msg.header = &header;
	return rpc_send(call, &msg.base);
}

static int send_batch(struct rpc_call *call, unsigned first)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__RecordBatch batch = PMU__V1__RECORD_BATCH__INIT;
	Pmu__V1__Record record[BATCH], *rows[BATCH];
	Pmu__V1__Overflow overflow[BATCH];

	for (unsigned i = 0; i < BATCH; i++) {
		pmu__v1__record__init(&record[i]);
		pmu__v1__overflow__init(&overflow[i]);
		record[i].insn = first + i;
		record[i].pc = 0x80000004;
		record[i].privilege = PMU__V1__PRIVILEGE__PRIVILEGE_S;
		record[i].kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
		record[i].overflow = &overflow[i];
		overflow[i].counter = 3;
		overflow[i].last_pc = 0x80000000;
		overflow[i].event = "cycles";
		rows[i] = &record[i];
	}
	batch.n_records = BATCH;
	batch.records = rows;
	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH;
	msg.batch = &batch;
	return rpc_send(call, &msg.base);
}

static int send_lost(struct rpc_call *call, uint64_t records)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST;
	msg.lost = records;
	return rpc_send(call, &msg.base);
}

static void stream(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__StreamRecordsRequest *req =
		(const Pmu__V1__StreamRecordsRequest *)msg;

	send_header(call);
	if (!strcmp(req->machine, "lossy"))
		send_lost(call, 5);
	for (unsigned i = 0; i < SERVER_OVERFLOWS; i += BATCH)
		assert(send_batch(call, i) >= 0);
	rpc_finish(call, GRPC_OK, NULL);
}

static const struct rpc_method methods[] = {
	{ "/pmu.v1.MachineService/GetMachine",
	  &pmu__v1__get_machine_request__descriptor,
	  &pmu__v1__get_machine_response__descriptor, RPC_UNARY, false, get,
	  NULL },
	{ "/pmu.v1.MachineService/LoadImage",
	  &pmu__v1__load_image_request__descriptor,
	  &pmu__v1__load_image_response__descriptor, RPC_CLIENT_STREAM, false,
	  load, load_end },
	{ "/pmu.v1.TraceService/StreamRecords",
	  &pmu__v1__stream_records_request__descriptor,
	  &pmu__v1__stream_records_response__descriptor, RPC_SERVER_STREAM,
	  false, stream, NULL },
};

static void on_closed(struct rpc_conn *conn)
{
	_exit(0);
}

static void serve(int fd)
{
	const struct rpc_table tables[] = { { methods, 3 },
					    client_machine_table };
	struct rpc_config cfg = {
		.loop = ev_default_loop(0),
		.tables = tables,
		.n_tables = 2,
		.conn_closed = on_closed,
	};
	struct rpc_server *server;

	signal(SIGPIPE, SIG_IGN);
	if (rpc_server_new(&server, &cfg) || rpc_adopt(server, fd))
		_exit(1);
	ev_run(cfg.loop, 0);
	_exit(0);
}

void client_server_start(struct client_server *s)
{
	int pair[2];
	int err = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);

	assert(!err);
	s->pid = fork();
	assert(s->pid >= 0);
	if (s->pid == 0) {
		close(pair[0]);
		serve(pair[1]);
	}
	close(pair[1]);
	s->fd = pair[0];
}

void client_server_stop(struct client_server *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
}
