/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * grpc.health.v1: a server that answers serves, all of its services. Watch says
 * so once and then stays open; the end of the connection is the bad news.
 */
#include <string.h>

#include "internal.h"
#include "refuse.h"
#include "grpc/std/health.pb-c.h"

#define SERVING GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVING
#define SERVICE_UNKNOWN                                                        \
	GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__SERVING_STATUS__SERVICE_UNKNOWN

/* "" is the server itself; else "package.Service" of some method. */
static bool knows(const struct rpc_server *srv, const char *service)
{
	size_t len = strlen(service);

	if (!len)
		return true;
	for (size_t i = 0; i < srv->n_methods; i++) {
		const char *path = srv->methods[i]->path + 1;

		if (!strncmp(path, service, len) && path[len] == '/')
			return true;
	}
	return false;
}

static void check(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Grpc__Health__V1__HealthCheckRequest *req =
		(const Grpc__Health__V1__HealthCheckRequest *)msg;
	Grpc__Health__V1__HealthCheckResponse answer =
		GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;

	if (!knows(rpc_call_server(call), req->service)) {
		rpc_refuse(call, GRPC_NOT_FOUND,
			   RPC_AT("service", "NO_SUCH_SERVICE"),
			   "no service '%s'", req->service);
		return;
	}
	answer.status = SERVING;
	rpc_reply(call, &answer.base);
}

static void watch(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Grpc__Health__V1__HealthCheckRequest *req =
		(const Grpc__Health__V1__HealthCheckRequest *)msg;
	Grpc__Health__V1__HealthCheckResponse answer =
		GRPC__HEALTH__V1__HEALTH_CHECK_RESPONSE__INIT;

	answer.status = knows(rpc_call_server(call), req->service)
				? SERVING
				: SERVICE_UNKNOWN;
	(void)rpc_send(call, &answer.base);
}

static const struct rpc_method methods[] = {
	{
		.path = "/grpc.health.v1.Health/Check",
		.request = &grpc__health__v1__health_check_request__descriptor,
		.response =
			&grpc__health__v1__health_check_response__descriptor,
		.kind = RPC_UNARY,
		.anonymous = true,
		.handle = check,
	},
	{
		.path = "/grpc.health.v1.Health/Watch",
		.request = &grpc__health__v1__health_check_request__descriptor,
		.response =
			&grpc__health__v1__health_check_response__descriptor,
		.kind = RPC_SERVER_STREAM,
		.anonymous = true,
		.handle = watch,
	},
};

const struct rpc_table rpc_health_table = {
	methods,
	sizeof(methods) / sizeof(*methods),
};
