/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EbbService, as far as it is more than forwarding: a session lives as long as
 * the stream that opened it. When that ends, whichever way, the machine is
 * told, again and again until it takes it: a session without a client may hold
 * it.
 */
#include <stdlib.h>

#include "rpc-forward.h"
#include "rpc-services.h"

#define RETRY_S 0.1

struct ebb_client {
	struct watcher watcher; /* first: found again from it */
	struct rpc_call *call;	/* NULL: the client is gone */
	uint32_t session;	/* 0: the machine has not answered yet */
	ev_timer retry;		/* while the machine takes no requests */
};

static void forget(struct ebb_client *s)
{
	struct hosted *m = s->watcher.machine;

	ev_timer_stop(m->daemon->loop, &s->retry);
	hosted_unwatch(&s->watcher);
	free(s);
}

static void on_ended(void *arg, const struct child_reply *reply)
{
}

/* The machine lets go what the session has. */
static void end(struct ebb_client *s)
{
	struct hosted *m = s->watcher.machine;
	Pmu__Internal__EndEbbRequest req = PMU__INTERNAL__END_EBB_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_EndEbb,
		.message = &req.base,
	};
	struct child_reply why;

	req.session = s->session;
	if (child_call(m->child, &request, on_ended, NULL, &why) ||
	    !child_alive(m->child))
		forget(s);
	else
		ev_timer_start(m->daemon->loop, &s->retry);
}

static void on_retry(struct ev_loop *loop, ev_timer *timer, int events)
{
	end(timer->data);
}

static void on_cancel(struct rpc_call *call, void *data)
{
	struct ebb_client *s = data;

	s->call = NULL;
	if (s->session)
		end(s);
}

static const struct rpc_call_ops session_ops = { .on_cancel = on_cancel };

static void on_opened(void *arg, const struct child_reply *reply)
{
	const Pmu__V1__OpenEbbResponse *answer =
		(const Pmu__V1__OpenEbbResponse *)reply->answer;
	struct ebb_client *s = arg;
	struct rpc_call *call = s->call;

	if (reply->code != GRPC_OK) {
		forget(s);
		if (!call)
			return;
		rpc_call_watch(call, NULL, NULL);
		forward_refuse(call, reply);
		return;
	}
	s->session = answer->session;
	if (call)
		(void)rpc_send(call, reply->answer);
	else
		end(s);
}

static void on_change(struct watcher *watcher)
{
}

/* Its sessions are gone with it; an open under way is answered. */
static void on_deleted(struct watcher *watcher)
{
	struct ebb_client *s = (struct ebb_client *)watcher;
	struct rpc_call *call = s->call;

	if (!s->session)
		return;
	forget(s);
	if (!call)
		return;
	rpc_call_watch(call, NULL, NULL);
	rpc_finish(call, GRPC_OK, NULL);
}

static struct ebb_client *client_new(struct rpc_call *call, struct hosted *m)
{
	struct ebb_client *s = calloc(1, sizeof(*s));

	if (!s) {
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return NULL;
	}
	s->call = call;
	s->watcher.on_change = on_change;
	s->watcher.on_deleted = on_deleted;
	ev_timer_init(&s->retry, on_retry, RETRY_S, 0);
	s->retry.data = s;
	hosted_watch(m, &s->watcher);
	return s;
}

void serve_open_ebb(struct rpc_call *call, const Pmu__V1__OpenEbbRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct rpc_bytes bytes = rpc_call_message(call);
	const struct child_request request = {
		.method = METHOD_OpenEbb,
		.bytes = bytes.data,
		.len = bytes.len,
	};
	struct child_reply why;
	struct ebb_client *s;

	if (!m || !hosted_admits(m, call))
		return;
	s = client_new(call, m);
	if (!s)
		return;
	if (!child_call(m->child, &request, on_opened, s, &why)) {
		forget(s);
		forward_refuse(call, &why);
		return;
	}
	rpc_call_watch(call, &session_ops, s);
}
