/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that a machine's process answers: found, checked, sent on, answered.
 */
#ifndef SERVER_RPC_FORWARD_H
#define SERVER_RPC_FORWARD_H

#include "hosted.h"

/* A method that is nothing but forwarded; requests name their machine. */
void forward_request(struct rpc_call *call, enum method_id method,
		     const ProtobufCMessage *request);
/* Sends what @call's handler has to @m's process, which answers the call. */
void forward(struct rpc_call *call, struct hosted *m, enum method_id method);
/* Refuses @call for what a process's reply says, whose code is no OK. */
void forward_refuse(struct rpc_call *call, const struct child_reply *reply);

#endif
