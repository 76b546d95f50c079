/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmud serves: the rows of methods.h, each with its handler. Those that
 * are more than forwarded have one by their name, serve_create_machine() and so
 * on, in the file of their kind.
 */
#ifndef SERVER_RPC_SERVICES_H
#define SERVER_RPC_SERVICES_H

#include "grpc/rpc.h"
#include "methods/methods.h"

#define SERVE(package, method, name)                                           \
	void serve_##name(struct rpc_call *call,                               \
			  const METHOD_REQUEST(package, method) * req);
METHODS_OF_PMUD(SERVE)
#undef SERVE
/* The client of a client-streaming method has sent all. */
void serve_end(struct rpc_call *call);

extern const struct rpc_table services_table;

#endif
