/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that a machine's process answers: found, checked, sent on, answered.
 */
#ifndef SERVER_RPC_FORWARD_H
#define SERVER_RPC_FORWARD_H

#include "machines.h"

/* The methods that are nothing but forwarded. */
extern const struct rpc_table forward_table;

/*
 * Sends @msg to @m's process and calls @done with its good answer; a bad one,
 * and its absence, finish the call. @done must finish or reply to @call, or
 * give it an owner with rpc_call_watch(); @m lives while it is called.
 */
typedef void forward_done_fn(struct rpc_call *call, struct machine *m,
			     const Pmu__Internal__Reply *reply);
void forward(struct rpc_call *call, struct machine *m,
	     Pmu__Internal__ToMachine *msg, forward_done_fn *done);
/* Refuses @call for what a process's reply says, whose code is no OK. */
void forward_refuse(struct rpc_call *call, const Pmu__Internal__Reply *reply);
/* Answers with the reply's result, in the call's own response message. */
void forward_answer(struct rpc_call *call, struct machine *m,
		    const Pmu__Internal__Reply *reply);

#endif
