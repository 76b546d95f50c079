/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the batches of a record stream apart for the caller's functions. */
#include <pmuclient/records.h>

#include "session.h"
#include "sized.h"

struct stream_reader {
	const struct pmuclient_record_ops *ops;
	void *data;
};

static int pass_batch(const struct stream_reader *r,
		      const Pmu__V1__RecordBatch *b)
{
	int stop = 0;

	for (size_t i = 0; r->ops->record && i < b->n_records && !stop; i++)
		stop = r->ops->record(r->data, b->records[i]);
	return stop;
}

static int pass_message(const struct stream_reader *r,
			const Pmu__V1__StreamRecordsResponse *msg)
{
	switch (msg->item_case) {
	case PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER:
		return r->ops->header ? r->ops->header(r->data, msg->header)
				      : 0;
	case PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH:
		return pass_batch(r, msg->batch);
	case PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST:
		return r->ops->lost ? r->ops->lost(r->data, msg->lost) : 0;
	case PMU__V1__STREAM_RECORDS_RESPONSE__ITEM__NOT_SET:
	case _PMU__V1__STREAM_RECORDS_RESPONSE__ITEM__CASE_IS_INT_SIZE:
		break;
	}
	return 0; /* of a newer daemon */
}

int pmuclient_records(struct pmuclient *c,
		      const Pmu__V1__StreamRecordsRequest *req, int timeout_ms,
		      const struct pmuclient_record_ops *ops, void *data)
{
	struct pmuclient_record_ops known;
	const struct stream_reader r = { &known, data };
	struct pmuclient_stream *s;
	ProtobufCMessage *msg;
	int n, stop = 0;

	n = sized_take(c, "record ops", ops, sizeof(known), &known);
	if (n)
		return n;
	n = pmuclient_open(c, METHOD_PATH(StreamRecords), &req->base,
			   METHOD_ANSWER(StreamRecords), &s);
	if (n)
		return n;
	while (!stop && (n = pmuclient_next(s, timeout_ms, &msg)) == 1) {
		stop = pass_message(&r, (Pmu__V1__StreamRecordsResponse *)msg);
		pmuclient_free_message(msg);
	}
	pmuclient_close(s);
	return stop ? stop : n;
}
