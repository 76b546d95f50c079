/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pump between a store and a gRPC call. It reads while the call's queue
 * takes more, ends when the store has ended, and lets the ring of the machine
 * go on whenever it may have made room in the store.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include <pmu/hart.h>

#include "wire/record.h"

_Static_assert((int)WANTED_HARTS_MAX == (int)PMU_MAX_HARTS,
	       "a filter's harts are those of a machine");

enum {
	READ_BYTES = RECORD_MAX, /* the greatest record must fit */
};

static void stream_free(struct stream *s)
{
	struct hosted *m = s->watcher.machine;

	store_unfollow(&s->reader);
	store_unfollow(&s->early);
	if (s->pending_id)
		child_forget(m->child, s->pending_id);
	if (s->end)
		s->end(s);
	child_resume_ring(m->child);
	hosted_unwatch(&s->watcher);
	wanted_fini(&s->filter);
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

/* The early ones are read: the others follow. */
static void end_early(struct stream *s)
{
	store_unfollow(&s->early);
	s->at = &s->reader;
}

/* What is at hand, as much as there is of the early ones. */
static ssize_t read_some(struct stream *s, uint8_t *buf, uint64_t *ret_lost)
{
	ssize_t n = store_read(s->at, buf, READ_BYTES, ret_lost);

	if (s->at == &s->early && n > 0 &&
	    (uint64_t)n > s->early_end - s->early.offset)
		n = (ssize_t)(s->early_end - s->early.offset);
	return n;
}

/* Has it sent all that there will be? @n: how much it has sent now. */
static bool is_over(const struct stream *s, ssize_t n)
{
	if (!s->left)
		return true;
	return s->at == &s->reader && (s->reader.item >= s->end_item ||
				       (!n && store_ended(s->reader.store)));
}

/* Sends one portion. Whether there may be more; false, too, if it ended. */
static bool pump_once(struct stream *s, uint8_t *buf)
{
	uint64_t lost, items = 0;
	ssize_t n = read_some(s, buf, &lost);
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
	store_consume(s->at, (size_t)n, items);
	if (s->at == &s->early && s->early.offset >= s->early_end)
		end_early(s);
	if (sent < 0) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "QUEUE_FULL"), "queue is full");
		return false;
	}
	s->blocked = sent == 1;
	if (is_over(s, n)) {
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

void stream_go_on(struct stream *s)
{
	on_data(s);
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

/* What waits in the queue is not the client's yet. */
static size_t unsent(void *data)
{
	return rpc_call_queued(((struct stream *)data)->call);
}

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
	s->reader.unsent = unsent;
	s->reader.data = s;
	s->at = &s->reader;
	rpc_call_watch(call, &stream_ops, s);
	return s;
}

void stream_begin(struct stream *s, struct store *store, bool from_start,
		  struct store *inputs)
{
	uint64_t gone = store_follow(store, &s->reader, from_start);
	struct store_place begin = store_place_first(store);

	if (from_start && inputs && begin.side_item) {
		(void)store_follow(inputs, &s->early, true);
		s->early_end = begin.side_offset;
		s->at = &s->early;
		gone -= begin.side_item;
	}
	if (gone && s->lost)
		(void)s->lost(s, gone);
	on_data(s);
}
