/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The streams of what a machine did: its console, its records as they happen,
 * and the stored ones. Filters apply here; the stores know nothing of them.
 */
#include <stdlib.h>
#include <string.h>

#include "ipc/record.h"
#include "daemon-limits.h"
#include "rpc-services.h"
#include "stream.h"

enum {
	BATCH_RECORDS = 512
};

/* Whole records at the beginning of a portion that match, unpacked. */
struct batch {
	Pmu__V1__Record *records[BATCH_RECORDS];
	size_t n, bytes, used;
	uint64_t items;
};

static void batch_fill(struct batch *b, struct stream *s, const uint8_t *bytes,
		       size_t n)
{
	struct record_view v;

	memset(b, 0, sizeof(*b));
	while (b->n < BATCH_RECORDS && b->bytes < STREAM_BATCH_BYTES &&
	       b->n < s->left && s->reader.item + b->items < s->end_item &&
	       record_first(bytes + b->used, n - b->used, &v) > 0) {
		Pmu__V1__Record *r =
			pmu__v1__record__unpack(NULL, v.message_len, v.message);

		b->used += v.field_len;
		b->items++;
		if (r && filter_match(&s->filter, r)) {
			b->records[b->n++] = r;
			b->bytes += v.field_len;
		} else if (r) {
			pmu__v1__record__free_unpacked(r, NULL);
		}
	}
}

static void batch_free(struct batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		pmu__v1__record__free_unpacked(b->records[i], NULL);
}

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
	*ret_sent = b.n ? rpc_send(s->call, &msg.base) : 0;
	*ret_items = b.items;
	batch_free(&b);
	return (ssize_t)b.used;
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
	*ret_sent = b.n ? rpc_send(s->call, &msg.base) : 0;
	*ret_items = b.items;
	s->left -= b.n;
	batch_free(&b);
	return (ssize_t)b.used;
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
	struct machine *m = s->watcher.machine;
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__Header empty = PMU__V1__HEADER__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
	msg.header = m->header ? m->header : &empty;
	(void)rpc_send(s->call, &msg.base);
	stream_begin(s, m->trace, s->from_start);
}

static void on_recording(void *arg, const Pmu__Internal__Reply *reply)
{
	struct stream *s = arg;

	bool header = reply->result_case == PMU__INTERNAL__REPLY__RESULT_HEADER;

	s->pending_id = 0;
	if (reply->code == GRPC_OK && !header) {
		stream_finish(s, GRPC_INTERNAL,
			      "the machine answered something else");
		return;
	}
	if (reply->code == GRPC_OK)
		machine_set_header(s->watcher.machine, reply->header);
	/* without its process: what is stored is all there is */
	if (reply->code == GRPC_OK || reply->code == GRPC_UNAVAILABLE)
		begin_live(s);
	else
		stream_finish(s, (enum grpc_status)reply->code, reply->message);
}

static bool wants(const struct stream *s, unsigned kind)
{
	return s->filter.kinds >> kind & 1;
}

/* Has the process record what the stream wants, and say the header. */
static void ask_recording(struct stream *s)
{
	struct machine *m = s->watcher.machine;
	Pmu__Internal__ToMachine to = PMU__INTERNAL__TO_MACHINE__INIT;
	Pmu__Internal__SetRecording set = PMU__INTERNAL__SET_RECORDING__INIT;
	const char *why;

	m->records_traps |= wants(s, PMU__V1__RECORD__KIND_TRAP);
	m->records_sbi |= wants(s, PMU__V1__RECORD__KIND_SBI_CALL);
	set.traps = m->records_traps;
	set.sbi_calls = m->records_sbi;
	to.call_case = PMU__INTERNAL__TO_MACHINE__CALL_SET_RECORDING;
	to.set_recording = &set;
	s->pending_id = child_call(m->child, &to, on_recording, s, &why);
	if (!s->pending_id)
		begin_live(s); /* it is gone: what is stored is all there is */
}

static void stream_records(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__StreamRecordsRequest *req =
		(const Pmu__V1__StreamRecordsRequest *)msg;
	struct machine *m = machine_find(call, req->machine);
	struct stream *s = m ? stream_new(call, m) : NULL;

	if (!s)
		return;
	filter_init(&s->filter, req->filter);
	s->reader.lossless = !req->drop;
	s->send = send_live;
	s->lost = send_lost;
	s->from_start = req->from_start;
	ask_recording(s);
}

static void query_records(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__QueryRecordsRequest *req =
		(const Pmu__V1__QueryRecordsRequest *)msg;
	struct machine *m = machine_find(call, req->machine);
	struct stream *s = m ? stream_new(call, m) : NULL;

	if (!s)
		return;
	filter_init(&s->filter, req->filter);
	s->filter.first_cycle = req->first_cycle;
	s->filter.last_cycle = req->last_cycle ? req->last_cycle : UINT64_MAX;
	if (req->limit)
		s->left = req->limit;
	s->reader.lossless = true;
	s->send = send_stored;
	s->end_item = store_items(m->trace);
	stream_begin(s, m->trace, true);
}

static void read_console(struct rpc_call *call, const ProtobufCMessage *msg)
{
	const Pmu__V1__ReadConsoleRequest *req =
		(const Pmu__V1__ReadConsoleRequest *)msg;
	struct machine *m = machine_find(call, req->machine);
	struct stream *s = m ? stream_new(call, m) : NULL;
	uint64_t skip;

	if (!s)
		return;
	s->reader.lossless = true;
	s->send = send_console;
	stream_begin(s, m->console, true);
	skip = store_items(m->console) - s->reader.item;
	if (req->offset <= s->reader.item)
		skip = 0;
	else if (req->offset - s->reader.item < skip)
		skip = req->offset - s->reader.item;
	store_consume(&s->reader, skip, skip);
}

#define METHOD(service, method, name, handle_)                                 \
	{                                                                      \
		.path = "/pmu.v1." #service "/" #method,                       \
		.request = &pmu__v1__##name##_request__descriptor,             \
		.response = &pmu__v1__##name##_response__descriptor,           \
		.kind = RPC_SERVER_STREAM, .handle = handle_,                  \
	}

static const struct rpc_method methods[] = {
	METHOD(TraceService, StreamRecords, stream_records, stream_records),
	METHOD(TraceService, QueryRecords, query_records, query_records),
	METHOD(MachineService, ReadConsole, read_console, read_console),
};

const struct rpc_table streams_table = {
	methods,
	sizeof(methods) / sizeof(*methods),
};
