/* SPDX-License-Identifier: BSD-2-Clause */
/* What streams of records share: their messages, and what is only watched. */
#ifndef SERVER_STREAM_BATCH_H
#define SERVER_STREAM_BATCH_H

#include "stream.h"

enum {
	BATCH_RECORDS = 512
};

/* Whole records at the beginning of a portion that match, unpacked. */
struct batch {
	Pmu__V1__Record *records[BATCH_RECORDS];
	uint64_t numbers[BATCH_RECORDS];
	size_t n, bytes, used;
	uint64_t items;
};

/* Of @n bytes at the place of @s. */
void batch_fill(struct batch *b, struct stream *s, const uint8_t *bytes,
		size_t n);
/*
 * Sends @msg, of what is in @b, unless that is nothing, and frees that. What a
 * stream's send() returns.
 */
ssize_t batch_send(struct batch *b, struct stream *s,
		   const ProtobufCMessage *msg, uint64_t *ret_items,
		   int *ret_sent);

/*
 * Has records stored that the machine does not store, as hosted_watch_live().
 * False: the call was finished.
 */
bool stream_watch_live(struct stream *s);

#endif
