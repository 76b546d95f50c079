/* SPDX-License-Identifier: BSD-2-Clause */
/* The handlers that the tests of the RPC server call. */
#include "rpc-service.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "unit.h"

struct service service;

static void on_cancel(struct rpc_call *call, void *data)
{
	service.cancelled++;
	if (service.held == call)
		service.held = NULL;
}

static const struct rpc_call_ops hold_ops = { .on_cancel = on_cancel };

static void unary(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Test__Item *item = (const Test__Item *)msg;

	service.begun++;
	if (!strcmp(item->name, "hold")) {
		service.held = call;
		rpc_call_watch(call, &hold_ops, NULL);
		return;
	}
	service.done++;
	if (!strncmp(item->name, "fail", 4))
		rpc_finish(call, GRPC_NOT_FOUND, "%s", item->name + 4);
	else if (!strcmp(item->name, "bytes"))
		rpc_reply_bytes(call, rpc_call_message(call));
	else
		rpc_reply(call, msg);
}

static void up(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Test__Item *item = (const Test__Item *)msg;

	if (!rpc_call_data(call)) {
		service.begun++;
		rpc_call_watch(call, &hold_ops, &service);
	}
	service.messages++;
	service.in_order += item->number == service.messages;
	service.bytes += item->data.len;
	if (!strncmp(item->name, "fail", 4)) {
		service.done++;
		rpc_finish(call, GRPC_NOT_FOUND, "%s", item->name + 4);
	} else if (service.pause) {
		service.held = call;
		rpc_call_pause(call);
	}
}

static void up_end(struct rpc_call *call)
{
	Test__Item answer = TEST__ITEM__INIT;

	if (!rpc_call_data(call))
		service.begun++;
	service.done++;
	answer.number = service.bytes;
	rpc_reply(call, &answer.base);
}

static void more_down(struct rpc_call *call)
{
	Test__Item item = TEST__ITEM__INIT;
	int rc = 0;

	item.data.data = calloc(1, service.size);
	item.data.len = service.size;
	while (rc == 0 && service.next < service.n) {
		item.number = service.next++;
		rc = rpc_send(call, &item.base);
		MUST(rc >= 0);
	}
	free(item.data.data);
	if (rc == 1)
		service.full++;
	if (service.stay || service.next < service.n)
		return;
	service.done++;
	rpc_finish(call, GRPC_OK, NULL);
}

static void on_writable(struct rpc_call *call, void *data)
{
	service.writable++;
	more_down(call);
}

static void on_turn(struct rpc_call *call, void *data)
{
	service.turns++;
	rpc_call_work(call, service.work);
}

static void down(struct rpc_call *call, const ProtobufCMessage *msg)
{
	static const struct rpc_call_ops ops = { on_cancel, on_writable,
						 on_turn };

	service.begun++;
	service.held = call;
	rpc_call_watch(call, &ops, NULL);
	if (service.n)
		more_down(call);
}

static void both(struct rpc_call *call, const ProtobufCMessage *msg)
{
	if (!rpc_call_data(call)) {
		service.begun++;
		rpc_call_watch(call, &hold_ops, &service);
	}
	MUST(rpc_send(call, msg) >= 0);
}

static void both_end(struct rpc_call *call)
{
	if (!rpc_call_data(call))
		service.begun++;
	service.done++;
	rpc_finish(call, GRPC_OK, NULL);
}

#define ROW(name, how, first, last)                                            \
	{                                                                      \
		.path = "/test.Test/" name,                                    \
		.request = &test__item__descriptor,                            \
		.response = &test__item__descriptor, .kind = (how),            \
		.handle = (first), .end = (last),                              \
	}

static const struct rpc_method methods[] = {
	ROW("Unary", RPC_UNARY, unary, NULL),
	ROW("Up", RPC_CLIENT_STREAM, up, up_end),
	ROW("Down", RPC_SERVER_STREAM, down, NULL),
	ROW("Both", RPC_BIDI, both, both_end),
};

const struct rpc_table service_table = { methods, ARRAY_SIZE(methods) };

static void conn_opened(struct rpc_conn *conn)
{
	service.opened++;
	service.last = *rpc_conn_peer(conn);
}

static void conn_closed(struct rpc_conn *conn)
{
	service.closed++;
}

static bool conn_admit(struct rpc_server *srv, const struct rpc_peer *peer,
		       char ret_why[RPC_WHY])
{
	if (!service.refuse)
		return true;
	snprintf(ret_why, RPC_WHY, "%s", service.refuse);
	return false;
}

void service_start(const struct rpc_limits *limits)
{
	static const struct rpc_limits plain;
	struct rpc_config cfg = {
		.limits = limits ? *limits : plain,
		.tables = &service_table,
		.n_tables = 1,
		.user = &service,
		.conn_admit = conn_admit,
		.conn_opened = conn_opened,
		.conn_closed = conn_closed,
	};

	service = (struct service){ .loop = ev_loop_new(0) };
	cfg.loop = service.loop;
	MUST(!rpc_server_new(&service.server, &cfg));
	MUST(rpc_server_user(service.server) == &service);
}

void service_stop(void)
{
	rpc_server_free(service.server);
	ev_loop_destroy(service.loop);
	/* every call had exactly one end, every connection too */
	MUST(service.begun == service.done + service.cancelled);
	MUST(service.opened == service.closed);
}

int service_connect(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

	strcpy(addr.sun_path, path);
	if (!connect(fd, (struct sockaddr *)&addr, sizeof(addr)))
		return fd;
	close(fd);
	return -1;
}

int service_call_over(int fd)
{
	struct peer peer;
	struct peer_call *c;
	int status;

	ck_assert_int_ge(fd, 0);
	peer_adopt(&peer, fd, service.loop, 1000);
	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .body = "\0\0\0\0\0",
					       .len = 5 });
	peer_run(&peer);
	status = c->status;
	peer_close(&peer);
	loop_run(service.loop);
	return status;
}
