/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Refusing a call so that a program can act on it: beside the words, which
 * field of the request is wrong and why. It becomes grpc-status-details-bin.
 */
#ifndef GRPC_REFUSE_H
#define GRPC_REFUSE_H

#include "rpc.h"

struct rpc_at {
	/* path in the request, as "config.harts"; NULL: no field is at fault */
	const char *field;
	const char
		*reason; /* as "NO_SUCH_MACHINE"; NULL: the status says all */
};

#define RPC_AT(field_, reason_)                                                \
	((struct rpc_at){ .field = (field_), .reason = (reason_) })

/* As rpc_finish(), with what a program can act on. Both are copied. */
void rpc_refuse(struct rpc_call *call, enum grpc_status status,
		struct rpc_at at, const char *text, ...)
	__attribute__((format(printf, 4, 5)));

#endif
