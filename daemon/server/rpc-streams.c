/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The streams of what a machine did: its console, its records as they happen,
 * and the stored ones. Filters apply here; the stores know nothing of them.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmud-config.h"
#include "daemon-limits.h"
#include "rpc-services.h"
#include "stream-batch.h"

static ssize_t send_live(struct stream *s, const uint8_t *bytes, size_t n,
			 uint64_t *ret_items, int *ret_sent)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__RecordBatch inner = PMU__V1__RECORD_BATCH__INIT;
	struct batch b;

	batch_fill(&b, s, bytes, n);
	inner.n_records = b.n;
	inner.records = b.records;
	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH;
	msg.batch = &inner;
	return batch_send(&b, s, &msg.base, ret_items, ret_sent);
}

static ssize_t send_stored(struct stream *s, const uint8_t *bytes, size_t n,
			   uint64_t *ret_items, int *ret_sent)
{
	Pmu__V1__QueryRecordsResponse msg =
		PMU__V1__QUERY_RECORDS_RESPONSE__INIT;
	struct batch b;

	batch_fill(&b, s, bytes, n);
	msg.n_records = b.n;
	msg.records = b.records;
	if (s->at == &s->reader) {
		msg.n_numbers = b.n;
		msg.numbers = b.numbers;
	}
	s->left -= b.n;
	return batch_send(&b, s, &msg.base, ret_items, ret_sent);
}

static ssize_t send_console(struct stream *s, const uint8_t *bytes, size_t n,
			    uint64_t *ret_items, int *ret_sent)
{
	Pmu__V1__ReadConsoleResponse msg = PMU__V1__READ_CONSOLE_RESPONSE__INIT;

	msg.data.data = (uint8_t *)bytes;
	msg.data.len = n < STREAM_BATCH_BYTES ? n : STREAM_BATCH_BYTES;
	*ret_sent = rpc_send(s->call, &msg.base);
	*ret_items = msg.data.len;
	return (ssize_t)msg.data.len;
}

static int send_lost(struct stream *s, uint64_t items)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST;
	msg.lost = items;
	return rpc_send(s->call, &msg.base);
}

/* A live stream begins with the header, then follows the trace. */
static void begin_live(struct stream *s)
{
	struct hosted *m = s->watcher.machine;
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	static const Pmu__V1__Header empty = PMU__V1__HEADER__INIT;

	struct store_place from = store_place_first(m->trace);
	Pmu__V1__Header header = m->header ? *m->header : empty;

	if (s->from_start && !s->unstored) {
		header.first_record = from.item;
		header.kept_inputs = from.side_item;
	}
	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
	msg.header = &header;
	(void)rpc_send(s->call, &msg.base);
	if (s->unstored)
		stream_begin(s, m->live, false, NULL);
	else
		stream_begin(s, m->trace, s->from_start, m->inputs);
}

static void on_recording(void *arg, const struct child_reply *reply)
{
	const Pmu__Internal__SetRecordingResponse *answer =
		(const Pmu__Internal__SetRecordingResponse *)reply->answer;
	struct stream *s = arg;

	s->pending_id = 0;
	if (reply->code == GRPC_OK)
		hosted_set_header(s->watcher.machine, answer->header);
	/* without its process: what is stored is all there is */
	if (reply->code == GRPC_OK || reply->code == GRPC_UNAVAILABLE)
		begin_live(s);
	else
		stream_finish(s, reply->code,
			      RPC_AT(reply->field, reply->reason), reply->text);
}

/* Of the kinds asked for by name, those that @m does not store. */
static uint32_t unstored(const struct hosted *m, const struct wanted *f)
{
	const uint32_t named = f->kinds == UINT32_MAX ? 0 : f->kinds;

	return named & RECORDED_ALL & ~recorded_stored(&m->records);
}

static void refuse_unstored(struct stream *s)
{
	struct hosted *m = s->watcher.machine;
	char why[160];

	snprintf(why, sizeof(why),
		 "machine %s does not store records of kind %s: what is "
		 "stored is said when a machine is created",
		 m->id, recorded_name(unstored(m, &s->filter)));
	stream_finish(s, GRPC_FAILED_PRECONDITION,
		      RPC_AT("filter", "NOT_RECORDED"), why);
}

static void end_watching(struct stream *s)
{
	struct hosted *m = s->watcher.machine;
	struct child_reply unsent; /* then more is recorded than is watched */

	recorded_watch(&m->watched, s->unstored, false);
	hosted_unwatch_live(m);
	if (!m->deleting)
		(void)hosted_record(m, NULL, NULL, &unsent);
}

/* Watches kinds that are not stored. False: the call was finished. */
static bool begin_watching(struct stream *s)
{
	struct hosted *m = s->watcher.machine;

	s->unstored = unstored(m, &s->filter);
	if (!s->unstored)
		return true;
	if (s->from_start && store_items(m->trace)) {
		refuse_unstored(s);
		return false;
	}
	if (!stream_watch_live(s))
		return false;
	recorded_watch(&m->watched, s->unstored, true);
	s->end = end_watching;
	return true;
}

/* False: the call was finished. */
static bool take_filter(struct stream *s, const Pmu__V1__RecordFilter *want)
{
	int err = wanted_init(&s->filter, want);
	char why[80];

	if (err == -E2BIG) {
		snprintf(why, sizeof(why),
			 "filter.addresses: must be at most %d, not %zu",
			 WANTED_RANGES_MAX, want->n_addresses);
		stream_finish(s, GRPC_INVALID_ARGUMENT,
			      RPC_AT("filter.addresses", "TOO_MANY"), why);
	} else if (err) {
		stream_finish(s, GRPC_RESOURCE_EXHAUSTED,
			      RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
	}
	return !err;
}

void serve_stream_records(struct rpc_call *call,
			  const Pmu__V1__StreamRecordsRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct stream *s = m ? stream_new(call, m) : NULL;
	struct child_reply why;

	if (!s)
		return;
	if (!take_filter(s, req->filter))
		return;
	s->reader.lossless = !req->drop;
	s->send = send_live;
	s->lost = send_lost;
	s->from_start = req->from_start;
	s->filter.session = 0; /* the samples of others are theirs */
	if (!begin_watching(s))
		return;
	s->pending_id = hosted_record(m, on_recording, s, &why);
	if (s->pending_id)
		return;
	/* one that is gone has stored all there is; else none would come */
	if (child_alive(m->child))
		stream_finish(s, why.code, RPC_AT(why.field, why.reason),
			      why.text);
	else
		begin_live(s);
}

/* A query has no header; of a trace that has lost its beginning it says so. */
static void tell_first(struct stream *s, const struct store *trace)
{
	Pmu__V1__QueryRecordsResponse msg =
		PMU__V1__QUERY_RECORDS_RESPONSE__INIT;

	msg.first_record = store_place_first(trace).item;
	if (msg.first_record)
		(void)rpc_send(s->call, &msg.base);
}

void serve_query_records(struct rpc_call *call,
			 const Pmu__V1__QueryRecordsRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct stream *s = m ? stream_new(call, m) : NULL;

	if (!s)
		return;
	if (!take_filter(s, req->filter))
		return;
	if (unstored(m, &s->filter)) {
		refuse_unstored(s);
		return;
	}
	s->filter.first_cycle = req->first_cycle;
	s->filter.last_cycle = req->last_cycle ? req->last_cycle : UINT64_MAX;
	if (req->limit)
		s->left = req->limit;
	s->reader.lossless = true;
	s->send = send_stored;
	s->end_item = store_items(m->trace);
	s->first = req->first_record;
	tell_first(s, m->trace);
	/* the inputs that are there without the rest have no number */
	stream_begin(s, m->trace, true, s->first ? NULL : m->inputs);
}

/* NULL: it has no such port. */
static struct store *port_of(const struct hosted *m, uint32_t port)
{
	if (port > 1)
		return NULL;
	return port ? m->serial : m->console;
}

void serve_read_console(struct rpc_call *call,
			const Pmu__V1__ReadConsoleRequest *req)
{
	struct hosted *m = hosted_find(call, req->machine);
	struct store *port;
	struct stream *s;
	uint64_t skip;

	if (!m)
		return;
	port = port_of(m, req->port);
	if (!port) {
		rpc_refuse(call, GRPC_NOT_FOUND, RPC_AT("port", "NO_SUCH_PORT"),
			   "port %" PRIu32 ": 0 is the console, 1 the second "
			   "UART, which a machine has with serial=on",
			   req->port);
		return;
	}
	s = stream_new(call, m);
	if (!s)
		return;
	s->reader.lossless = true;
	s->send = send_console;
	stream_begin(s, port, true, NULL);
	skip = store_items(port) - s->reader.item;
	if (req->offset <= s->reader.item)
		skip = 0;
	else if (req->offset - s->reader.item < skip)
		skip = req->offset - s->reader.item;
	store_consume(&s->reader, skip, skip);
}
