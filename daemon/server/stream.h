/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A server stream that follows one of a machine's stores at the speed of its
 * reader. What is read and how it is told is the kind's.
 */
#ifndef SERVER_STREAM_H
#define SERVER_STREAM_H

#include "hosted.h"
#include "wanted/wanted-records.h"

struct stream;

/*
 * Sends what @n bytes at the stream's place have to say. Returns how many bytes
 * it used (0: not even one whole item), @ret_items of them items; *@ret_sent is
 * rpc_send()'s answer, 0 when nothing was worth sending.
 */
typedef ssize_t stream_send_fn(struct stream *s, const uint8_t *bytes, size_t n,
			       uint64_t *ret_items, int *ret_sent);

struct stream {
	struct watcher watcher; /* first: found again from it */
	struct rpc_call *call;
	struct store_reader reader;
	/* Inputs of before the first record stored, which come first. */
	struct store_reader early;
	uint64_t early_end;	 /* offset there */
	struct store_reader *at; /* the one of these that is read now */
	stream_send_fn *send;
	/* Tells the reader that items are missing; may be NULL. */
	int (*lost)(struct stream *s, uint64_t items);
	/* It follows nothing any more and is about to be freed; may be NULL. */
	void (*end)(struct stream *s);
	struct wanted filter; /* wanted_fini() when it ends */
	uint64_t first;	      /* number of the first record that is wanted */
	uint64_t left;	      /* records still wanted */
	uint64_t end_item;    /* stop there */
	uint32_t unstored;    /* kinds that are only watched, as filter.kinds */
	bool from_start;      /* begin with what is stored */
	bool blocked;	      /* the reader is slow: wait for on_writable */
	uint64_t pending_id;  /* of a call to the process before it begins */
	struct served_sampling *sampling; /* whose samples it tells, or NULL */
};

/*
 * A stream for @call, registered with its machine. NULL: the call was finished
 * with RESOURCE_EXHAUSTED.
 */
struct stream *stream_new(struct rpc_call *call, struct hosted *m);
/*
 * Starts to follow @store; the stream's fields are set. Items that are gone
 * already are told by lost(). @inputs is the side store of @store, or NULL:
 * what it has from before the first item still stored then comes first, with
 * @from_start, and is not counted as lost.
 */
void stream_begin(struct stream *s, struct store *store, bool from_start,
		  struct store *inputs);
/* What it waits for has come. */
void stream_go_on(struct stream *s);
/* Ends stream and call. */
void stream_finish(struct stream *s, enum grpc_status status, struct rpc_at at,
		   const char *why);

#endif
