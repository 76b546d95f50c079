/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pump between a store and a gRPC call. It reads while the call's queue
 * takes more, ends when the store has ended, and lets the ring of the machine
 * go on whenever it may have made room in the store.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "wire/record.h"

enum {
	READ_BYTES = RECORD_MAX, /* the greatest record must fit */
};

static void stream_free(struct stream *s)
{
	struct hosted *m = s->watcher.machine;

	store_unfollow(&s->reader);
	if (s->pending_id)
		child_forget(m->child, s->pending_id);
	if (s->end)
		s->end(s);
	child_resume_ring(m->child);
	hosted_unwatch(&s->watcher);
	free(s);
}

void stream_finish(struct stream *s, enum grpc_status status, struct rpc_at at,
		   const char *why)
{
	struct rpc_call *call = s->call;

	stream_free(s);
	rpc_call_watch(call, NULL, NULL);
	rpc_refuse(call, status, at, "%s", why);
}

/* Sends one portion. Whether there may be more; false, too, if it ended. */
static bool pump_once(struct stream *s, uint8_t *buf)
{
	uint64_t lost, items = 0;
	ssize_t n = store_read(&s->reader, buf, READ_BYTES, &lost);
	int sent = 0;

	if (n < 0) {
		stream_finish(s, GRPC_INTERNAL, RPC_AT(NULL, "TRACE_LOST"),
			      "the stored trace is lost");
		return false;
	}
	if (lost && s->lost && s->lost(s, lost) < 0) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "QUEUE_FULL"), "queue is full");
		return false;
	}
	n = n ? s->send(s, buf, (size_t)n, &items, &sent) : 0;
	rpc_call_work(s->call, (size_t)n);
	store_consume(&s->reader, (size_t)n, items);
	if (sent < 0) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "QUEUE_FULL"), "queue is full");
		return false;
	}
	s->blocked = sent == 1;
	if (!s->left || s->reader.item >= s->end_item ||
	    (!n && store_ended(s->reader.store))) {
		stream_finish(s, GRPC_OK, RPC_AT(NULL, NULL), "");
		return false;
	}
	return n > 0;
}

static void on_data(void *data)
{
	struct stream *s = data;

	if (!s->blocked)
		rpc_call_later(s->call);
}

/* One portion in each turn: others get theirs. */
static void on_turn(struct rpc_call *call, void *data)
{
	struct stream *s = data;
	struct child *child = s->watcher.machine->child;
	uint8_t *buf = malloc(READ_BYTES);

	if (!buf) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return;
	}
	if (pump_once(s, buf))
		on_data(s);
	free(buf);
	child_resume_ring(child);
}

static void on_cancel(struct rpc_call *call, void *data)
{
	stream_free(data);
}

static void on_writable(struct rpc_call *call, void *data)
{
	struct stream *s = data;

	s->blocked = false;
	if (s->reader.store)
		on_data(s);
}

static const struct rpc_call_ops stream_ops = {
	.on_cancel = on_cancel,
	.on_writable = on_writable,
	.on_turn = on_turn,
};

static void nothing(struct watcher *w)
{
}

static void on_deleted(struct watcher *w)
{
	stream_finish((struct stream *)w, GRPC_OK, RPC_AT(NULL, NULL), "");
}

struct stream *stream_new(struct rpc_call *call, struct hosted *m)
{
	struct stream *s;

	if (!hosted_admits(m, call))
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return NULL;
	}
	s->call = call;
	s->left = s->end_item = UINT64_MAX;
	s->watcher.on_change = nothing;
	s->watcher.on_deleted = on_deleted;
	hosted_watch(m, &s->watcher);
	s->reader.on_data = on_data;
	s->reader.data = s;
	rpc_call_watch(call, &stream_ops, s);
	return s;
}

void stream_begin(struct stream *s, struct store *store, bool from_start)
{
	uint64_t gone = store_follow(store, &s->reader, from_start);

	if (gone && s->lost)
		(void)s->lost(s, gone);
	on_data(s);
}
