/* SPDX-License-Identifier: BSD-2-Clause */
/* The way out of a call, for the files that end one. */
#ifndef GRPC_ANSWER_H
#define GRPC_ANSWER_H

#include "refuse.h"

/* Which field and why, for the headers to come. */
void rpc_answer_at(struct rpc_call *call, struct rpc_at at);
void rpc_answer_http(struct rpc_call *call, const char *http_status);
/* @aborted: the queue was dropped; a peer that reads nothing gets a reset. */
void rpc_answer_end(struct rpc_call *call, bool aborted);
/* Ends a call from below its handler, who is told. */
void rpc_answer_abort(struct rpc_call *call, enum grpc_status status,
		      struct rpc_at at, const char *text);
/* Tells the handler that has waited for room, if there is some again. */
void rpc_answer_drained(struct rpc_call *call);

#endif
