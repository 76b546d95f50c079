/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * EbbService, as far as it is more than forwarding: a session lives as long as
 * the stream that opened it. When that ends, whichever way, the machine is
 * told, again and again until it takes it: a session without a client may hold
 * it.
 */
#include <stdlib.h>

#include "insistence.h"
#include "rpc-forward.h"
#include "rpc-services.h"
#include "tickets.h"

struct ebb_client {
	struct watcher watcher; /* first: found again from it */
	struct rpc_call *call;	/* NULL: the client is gone */
	uint32_t session;	/* 0: the machine has not answered yet */
	bool wants_ring;
	bool attaching;		   /* the machine is asked to take its ring */
	struct ebb_channel client; /* the client's side of it, until then */
	uint8_t ticket[EBB_TICKET];
	struct insistence ending; /* of the session, to the machine */
};

static const struct rpc_peer *caller(const struct rpc_call *call)
{
	return rpc_conn_peer(rpc_call_conn(call));
}

static void forget(struct ebb_client *s)
{
	struct hosted *m = s->watcher.machine;

	insistence_end(&s->ending);
	ebb_channel_close(&s->client);
	if (m->daemon->tickets)
		tickets_revoke(m->daemon->tickets, s->ticket);
	hosted_unwatch(&s->watcher);
	free(s);
}

/* Forgets it. Its call, which hears of nothing any more; NULL: it has none. */
static struct rpc_call *leave_call(struct ebb_client *s)
{
	struct rpc_call *call = s->call;

	forget(s);
	if (call)
		rpc_call_watch(call, NULL, NULL);
	return call;
}

/* The machine has no such session, or none any more. */
static void refuse(struct ebb_client *s, const struct child_reply *reply)
{
	struct rpc_call *call = leave_call(s);

	if (call)
		forward_refuse(call, reply);
}

static void on_ended(void *arg, const struct child_reply *reply)
{
}

/* Has the machine let go of what the session has. */
static uint64_t tell_end(void *arg)
{
	const struct ebb_client *s = arg;
	Pmu__Internal__EndEbbRequest req = PMU__INTERNAL__END_EBB_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_EndEbb,
		.message = &req.base,
	};
	struct child_reply why;

	req.session = s->session;
	return child_call(s->watcher.machine->child, &request, on_ended, NULL,
			  &why);
}

static void on_told(void *arg)
{
	forget(arg);
}

static const struct insistence_ops ending_ops = { tell_end, on_told };

static void on_cancel(struct rpc_call *call, void *data)
{
	struct ebb_client *s = data;

	s->call = NULL;
	if (s->session && !s->attaching)
		insistence_begin(&s->ending);
}

static const struct rpc_call_ops session_ops = { .on_cancel = on_cancel };

/* Without a ticket everything comes by the calls. */
static void answer(struct ebb_client *s)
{
	const struct daemon *d = s->watcher.machine->daemon;
	Pmu__V1__OpenEbbResponse r = PMU__V1__OPEN_EBB_RESPONSE__INIT;

	if (!s->call) {
		insistence_begin(&s->ending);
		return;
	}
	r.session = s->session;
	if (s->client.wake >= 0 &&
	    !tickets_issue(d->tickets, caller(s->call)->uid, &s->client,
			   s->ticket)) {
		r.ticket.data = s->ticket;
		r.ticket.len = sizeof(s->ticket);
		r.socket = (char *)tickets_path(d->tickets);
	}
	(void)rpc_send(s->call, &r.base);
}

static void on_attached(void *arg, const struct child_reply *reply)
{
	struct ebb_client *s = arg;

	s->attaching = false;
	if (reply->code == GRPC_UNAVAILABLE) { /* gone with its machine */
		refuse(s, reply);
		return;
	}
	if (reply->code != GRPC_OK)
		ebb_channel_close(&s->client);
	answer(s);
}

/* Has the machine take its side of a ring. False: there is none. */
static bool attach(struct ebb_client *s)
{
	struct child *child = s->watcher.machine->child;
	Pmu__Internal__AttachEbbRingRequest req =
		PMU__INTERNAL__ATTACH_EBB_RING_REQUEST__INIT;
	const struct child_request request = {
		.method = METHOD_AttachEbbRing,
		.message = &req.base,
	};
	struct ebb_channel machine;
	struct child_reply why;

	req.session = s->session;
	if (ebb_channel_make(&s->client, &machine))
		return false;
	s->attaching = !child_pass(child, s->session, &machine) &&
		       child_call(child, &request, on_attached, s, &why);
	ebb_channel_close(&machine);
	if (!s->attaching)
		ebb_channel_close(&s->client);
	return s->attaching;
}

static void on_opened(void *arg, const struct child_reply *reply)
{
	const Pmu__V1__OpenEbbResponse *said =
		(const Pmu__V1__OpenEbbResponse *)reply->answer;
	struct ebb_client *s = arg;

	if (reply->code != GRPC_OK) {
		refuse(s, reply);
		return;
	}
	s->session = said->session;
	if (!s->call || !s->wants_ring || !attach(s))
		answer(s);
}

static void on_change(struct watcher *watcher)
{
}

/* Its sessions are gone with it; an open under way is answered. */
static void on_deleted(struct watcher *watcher)
{
	struct ebb_client *s = (struct ebb_client *)watcher;
	struct rpc_call *call;

	if (!s->session || s->attaching)
		return;
	call = leave_call(s);
	if (call)
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
	s->client = ebb_channel_none();
	s->watcher.on_change = on_change;
	s->watcher.on_deleted = on_deleted;
	insistence_init(&s->ending, m, &ending_ops, s);
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
	s->wants_ring = req->ring && m->daemon->tickets && caller(call)->known;
	if (!child_call(m->child, &request, on_opened, s, &why)) {
		forget(s);
		forward_refuse(call, &why);
		return;
	}
	rpc_call_watch(call, &session_ops, s);
}
