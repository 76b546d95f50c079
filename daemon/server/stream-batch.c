/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What matches is decided here; the stores know nothing of filters.
 */
#include "stream-batch.h"

#include <errno.h>
#include <string.h>

#include "daemon-limits.h"
#include "wire/record.h"

void batch_fill(struct batch *b, struct stream *s, const uint8_t *bytes,
		size_t n)
{
	struct record_view v;

	b->n = b->bytes = b->used = 0;
	b->items = 0;
	while (b->n < BATCH_RECORDS && b->bytes < STREAM_BATCH_BYTES &&
	       b->n < s->left && s->at->item + b->items < s->end_item &&
	       record_first(bytes + b->used, n - b->used, &v) > 0) {
		uint64_t number = s->at->item + b->items;
		Pmu__V1__Record *r = NULL;

		if (number >= s->first)
			r = pmu__v1__record__unpack(NULL, v.message_len,
						    v.message);
		b->used += v.field_len;
		b->items++;
		if (r && wanted_match(&s->filter, r)) {
			b->numbers[b->n] = number;
			b->records[b->n++] = r;
			b->bytes += v.field_len;
		} else if (r) {
			pmu__v1__record__free_unpacked(r, NULL);
		}
	}
}

ssize_t batch_send(struct batch *b, struct stream *s,
		   const ProtobufCMessage *msg, uint64_t *ret_items,
		   int *ret_sent)
{
	*ret_sent = b->n ? rpc_send(s->call, msg) : 0;
	*ret_items = b->items;
	for (size_t i = 0; i < b->n; i++)
		pmu__v1__record__free_unpacked(b->records[i], NULL);
	return (ssize_t)b->used;
}

bool stream_watch_live(struct stream *s)
{
	int err = hosted_watch_live(s->watcher.machine);

	if (err)
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, err == -ENOMEM ? "OUT_OF_MEMORY"
							  : "STORE_LIMIT"),
			      strerror(-err));
	return !err;
}
