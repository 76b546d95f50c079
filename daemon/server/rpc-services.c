/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of methods.h as the gRPC server wants them. */
#include "rpc-services.h"

#include "methods/method-calls.h"
#include "rpc-forward.h"

/* One handler for each. Its message is of the method's type: grpc/ sees to it
 */
#define DO_PMUD(package, method, name)                                         \
	serve_##name(call, (const METHOD_REQUEST(package, method) *)msg)
#define DO_BOTH(package, method, name) DO_PMUD(package, method, name)
#define DO_MACHINE(package, method, name)                                      \
	forward_request(call, METHOD_##method, msg)
#define HANDLE_V1(method, name, place)                                         \
	static void handle_##name(struct rpc_call *call,                       \
				  const ProtobufCMessage *msg)                 \
	{                                                                      \
		DO_##place(V1, method, name);                                  \
	}
#define HANDLE_Internal(...)
#define HANDLE(DO, package, service, method, name, place, ...)                 \
	HANDLE_##package(method, name, place)
METHODS(HANDLE, )

#define END_UNARY	  NULL
#define END_SERVER_STREAM NULL
#define END_CLIENT_STREAM serve_end
#define ROW_V1(method, name, needs)                                            \
	[METHOD_##method] = {                                                  \
		.path = "/pmu.v1." METHOD_PATH(method),                        \
		.request = METHOD_QUESTION(method),                            \
		.response = METHOD_ANSWER(method),                             \
		.kind = METHOD_BY_KIND(RPC_, method),                          \
		.anonymous = METHOD_##needs == METHOD_ANYBODY,                 \
		.handle = handle_##name,                                       \
		.end = METHOD_BY_KIND(END_, method),                           \
	},
#define ROW_Internal(...)
#define ROW(DO, package, service, method, name, place, needs)                  \
	ROW_##package(method, name, needs)

static const struct rpc_method rows[N_PUBLIC_METHODS] = { METHODS(ROW, ) };

const struct rpc_table services_table = { rows, N_PUBLIC_METHODS };
