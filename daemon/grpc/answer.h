/* SPDX-License-Identifier: BSD-2-Clause */
/* The way out of a call, for the files that end one. */
#ifndef GRPC_ANSWER_H
#define GRPC_ANSWER_H

#include "refuse.h"

void rpc_answer_http(struct rpc_call *call, const char *http_status);
/* Ends a call from below its handler, who is told. */
void rpc_answer_abort(struct rpc_call *call, enum grpc_status status,
		      struct rpc_at at, const char *text);
/* Tells the handler that has waited for room, if there is some again. */
void rpc_answer_drained(struct rpc_call *call);

#endif
