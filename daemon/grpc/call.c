/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A call from its first header to the end of its stream: what it holds, who
 * answers it, and when that handler has its turn. How requests come in is
 * request.c's, how answers go out answer.c's.
 */
#include <stdlib.h>

#include "internal.h"

struct rpc_call *rpc_call_new(struct rpc_conn *conn, int32_t sid)
{
	struct rpc_call *call;

	rpc_share_work(conn, RPC_WORK_CALL);
	if (!rpc_share_charge(conn, RPC_CALL_BYTES))
		return NULL;
	call = calloc(1, sizeof(*call));
	if (!call) {
		rpc_share_refund(conn, RPC_CALL_BYTES);
		return NULL;
	}
	call->conn = conn;
	call->sid = sid;
	ev_init(&call->deadline, NULL);
	LIST_INSERT_HEAD(&conn->calls, call, link);
	conn->last_use = ev_now(conn->srv->loop);
	return call;
}

void rpc_call_free(struct rpc_call *call)
{
	struct rpc_conn *conn = call->conn;

	ev_timer_stop(conn->srv->loop, &call->deadline);
	rpc_share_refund(conn, RPC_CALL_BYTES + buf_len(&call->in) +
				       buf_len(&call->out));
	buf_free(&call->in);
	buf_free(&call->out);
	LIST_REMOVE(call, link);
	if (call->due)
		TAILQ_REMOVE(&conn->due, call, due_link);
	conn->last_use = ev_now(conn->srv->loop);
	free(call);
}

void rpc_call_cancel(struct rpc_call *call)
{
	const struct rpc_call_ops *ops = call->ops;

	if (call->finished)
		return;
	call->finished = true;
	call->ops = NULL;
	if (ops && ops->on_cancel)
		ops->on_cancel(call, call->data);
}

void rpc_call_set_due(struct rpc_call *call)
{
	if (!call->due)
		TAILQ_INSERT_TAIL(&call->conn->due, call, due_link);
	call->due = true;
	rpc_share_touch(call->conn);
}

void rpc_call_pause(struct rpc_call *call)
{
	call->paused = true;
}

void rpc_call_resume(struct rpc_call *call)
{
	call->paused = false;
	rpc_call_set_due(call);
}

void rpc_call_later(struct rpc_call *call)
{
	call->turn = true;
	rpc_call_set_due(call);
}

void rpc_call_work(struct rpc_call *call, size_t bytes)
{
	rpc_share_work(call->conn, bytes);
}

size_t rpc_call_queued(const struct rpc_call *call)
{
	return buf_len(&call->out) + buf_len(&call->conn->out);
}

void rpc_call_watch(struct rpc_call *call, const struct rpc_call_ops *ops,
		    void *data)
{
	call->ops = ops;
	call->data = data;
}

void *rpc_call_data(const struct rpc_call *call)
{
	return call->data;
}

struct rpc_conn *rpc_call_conn(const struct rpc_call *call)
{
	return call->conn;
}

struct rpc_server *rpc_call_server(const struct rpc_call *call)
{
	return call->conn->srv;
}

struct rpc_bytes rpc_call_message(const struct rpc_call *call)
{
	return call->message;
}

const struct rpc_method *rpc_call_method(const struct rpc_call *call)
{
	return call->method;
}
