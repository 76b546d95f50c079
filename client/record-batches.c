/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes batches apart, and skips what a newer daemon may say between them. */
#include "record-batches.h"

#include <stdbool.h>

#include "session.h"

static void drop(struct record_batches *b)
{
	if (b->under_way)
		pmuclient_free_message(&b->under_way->base);
	b->under_way = NULL;
	b->next = 0;
}

/* The stream begins with the header once it is established. */
static int await_header(struct record_batches *b)
{
	ProtobufCMessage *msg;
	int n = pmuclient_next(b->stream, b->client->timeout_ms, &msg);

	bool header;

	if (n == 0)
		return session_fail(b->client, PMUCLIENT_EPROTO,
				    "the stream ended before it began");
	if (n < 0)
		return n;
	header = ((const Pmu__V1__StreamRecordsResponse *)msg)->item_case ==
		 PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
	pmuclient_free_message(msg);
	return header ? 0
		      : session_fail(b->client, PMUCLIENT_EPROTO,
				     "the stream began without its header");
}

int record_batches_open(struct record_batches *b, struct pmuclient *c,
			const Pmu__V1__StreamRecordsRequest *req)
{
	int err;

	*b = (struct record_batches){ .client = c };
	err = pmuclient_open(c, METHOD_PATH(StreamRecords), &req->base,
			     METHOD_ANSWER(StreamRecords), &b->stream);
	return err ? err : await_header(b);
}

void record_batches_close(struct record_batches *b)
{
	drop(b);
	pmuclient_close(b->stream);
	b->stream = NULL;
}

/* 1: there is another message, of whatever kind. */
static int fetch(struct record_batches *b, int timeout_ms)
{
	ProtobufCMessage *msg;
	int n = pmuclient_next(b->stream, timeout_ms, &msg);

	if (n == -PMUCLIENT_ETIMEOUT)
		return 0;
	if (n == 0)
		return session_fail(b->client, PMUCLIENT_ELOST,
				    "the machine is gone");
	if (n < 0)
		return n;
	b->under_way = (Pmu__V1__StreamRecordsResponse *)msg;
	if (b->under_way->item_case !=
	    PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		drop(b);
	return 1;
}

static bool has_next(const struct record_batches *b)
{
	return b->under_way && b->next < b->under_way->batch->n_records;
}

int record_batches_next(struct record_batches *b, int timeout_ms,
			const Pmu__V1__Record **ret)
{
	int n = 1;

	while (n == 1 && !has_next(b)) {
		drop(b);
		n = fetch(b, timeout_ms);
	}
	if (n == 1)
		*ret = b->under_way->batch->records[b->next++];
	return n;
}
