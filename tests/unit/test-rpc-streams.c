/* SPDX-License-Identifier: BSD-2-Clause */
/* What of a machine's records and console reaches a reader through pmud. */
#include "hosted-fixture.h"

#include <string.h>

#include "server/store-inside.h"
#include "server/stream.h"
#include "unit.h"
#include "wire/record.h"

#define KIND(name) PMU__V1__RECORD__KIND_##name

static struct hosted *m;

static void setup(void)
{
	fixture_begin();
	m = fixture_machine(&alice, false);
}

/* The machine records something. */
static void record(uint64_t cycle, Pmu__V1__Record__KindCase kind)
{
	Pmu__V1__Trap trap = PMU__V1__TRAP__INIT;
	Pmu__V1__HartChange change = PMU__V1__HART_CHANGE__INIT;
	Pmu__V1__ConsoleOutput output = PMU__V1__CONSOLE_OUTPUT__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	uint8_t bytes[128];
	bool full = false;
	size_t n;

	r.cycle = cycle;
	r.kind_case = kind;
	if (kind == KIND(TRAP))
		r.trap = &trap;
	else if (kind == KIND(HART_CHANGE))
		r.hart_change = &change;
	else
		r.console_output = &output;
	output.data = (ProtobufCBinaryData){ 5, (uint8_t *)"hello" };
	n = record_pack(RECORD_TAG_RECORD, &r.base, bytes);
	ck_assert_int_eq(child->cfg.ops->records(m, bytes, n, &full),
			 (ssize_t)n);
	ck_assert(!full);
}

/* The process answers with the header that it was asked for. */
static void header(uint32_t xlen)
{
	Pmu__Internal__SetRecordingResponse answer =
		PMU__INTERNAL__SET_RECORDING_RESPONSE__INIT;
	Pmu__V1__Header h = PMU__V1__HEADER__INIT;

	ck_assert_int_eq(child->asked, METHOD_SetRecording);
	h.xlen = xlen;
	answer.header = &h;
	fixture_answer(&answer.base);
}

static const Pmu__Internal__SetRecordingRequest *recording(void)
{
	ck_assert_int_eq(child->asked, METHOD_SetRecording);
	return (const Pmu__Internal__SetRecordingRequest *)child->request;
}

static const Pmu__V1__StreamRecordsResponse *live(const struct rpc_call *call)
{
	return (const Pmu__V1__StreamRecordsResponse *)call->got;
}

/* The last message is a batch of @n records, the first one of @cycle. */
static void batch(const struct rpc_call *call, size_t n, uint64_t cycle)
{
	ck_assert_int_eq(live(call)->item_case,
			 PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH);
	ck_assert_uint_eq(live(call)->batch->n_records, n);
	ck_assert_uint_eq(live(call)->batch->records[0]->cycle, cycle);
}

TEST_TIMES(a_stream_begins_with_the_header_then_follows, 2)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	record(1, KIND(HART_CHANGE));
	req.from_start = _i;
	call = fixture_stream(m, &req);
	ck_assert_uint_eq(call->sent, 0);
	header(32);
	ck_assert_uint_eq(call->sent, 1);
	ck_assert_int_eq(live(call)->item_case,
			 PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER);
	ck_assert_uint_eq(live(call)->header->xlen, 32);
	record(2, KIND(HART_CHANGE));
	fixture_turns(call);
	batch(call, _i ? 2 : 1, _i ? 1 : 2);
	record(3, KIND(HART_CHANGE));
	fixture_turns(call);
	batch(call, 1, 3);
	ck_assert(!call->over);
	fixture_die(child, "killed");
	fixture_turns(call);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(m->n_readers, 0);
}

/* Without its process: what is stored is all there is. */
TEST(a_dead_machines_records_are_streamed)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	record(7, KIND(HART_CHANGE));
	fixture_die(child, "killed");
	req.from_start = true;
	call = fixture_stream(m, &req);
	ck_assert_uint_eq(call->sent, 1);
	fixture_turns(call);
	batch(call, 1, 7);
	ck_assert(call->over && call->status == GRPC_OK);
}

static const struct reply_row {
	enum grpc_status code;
	bool goes_on;
} reply_rows[] = {
	{ GRPC_UNAVAILABLE, true },
	{ GRPC_INTERNAL, false },
};

TEST_ROWS(what_the_process_refuses_ends_the_stream, reply_rows)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call = fixture_stream(m, &req);

	fixture_error(reply_rows[_i].code, "no");
	ck_assert(call->over == !reply_rows[_i].goes_on);
	ck_assert_uint_eq(call->sent, reply_rows[_i].goes_on);
	if (call->over)
		ck_assert_int_eq(call->status, reply_rows[_i].code);
}

/* It is not stored, and recorded as long as somebody watches. */
TEST(a_kind_that_is_not_stored_can_be_watched)
{
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call, *other;

	filter.traps = filter.deliveries = true;
	req.filter = &filter;
	call = fixture_stream(m, &req);
	ck_assert(recording()->traps && !recording()->sbi_calls);
	ck_assert(recording()->deliveries);
	header(64);
	other = fixture_stream(m, &req);
	header(64);
	record(1, KIND(TRAP));
	record(2, KIND(HART_CHANGE));
	fixture_turns(call);
	batch(call, 1, 1);
	ck_assert_uint_eq(store_items(m->trace), 1); /* the change */
	fixture_cancel(call);
	ck_assert(recording()->traps);
	ck_assert_ptr_nonnull(m->live);
	fixture_cancel(other);
	ck_assert(!recording()->traps && !recording()->deliveries);
	ck_assert_ptr_null(m->live);
	ck_assert_uint_eq(m->n_readers, 0);
}

/* From the start on it cannot: something of it may be missing. */
TEST(what_was_not_stored_is_not_promised)
{
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__QueryRecordsRequest query =
		PMU__V1__QUERY_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	filter.sbi_calls = true;
	req.filter = query.filter = &filter;
	req.from_start = true;
	call = fixture_stream(m, &req);
	ck_assert(!call->over); /* nothing has been recorded so far */
	fixture_cancel(call);
	record(1, KIND(HART_CHANGE));
	call = fixture_stream(m, &req);
	ck_assert_int_eq(call->status, GRPC_FAILED_PRECONDITION);
	ck_assert_str_eq(call->reason, "NOT_RECORDED");
	ck_assert_str_eq(call->text,
			 "machine m1 does not store records of kind sbi: what "
			 "is stored is said when a machine is created");
	call = fixture_call(&alice, METHOD_QueryRecords);
	query.machine = "m1";
	serve_query_records(call, &query);
	ck_assert_str_eq(call->reason, "NOT_RECORDED");
}

static const struct query_row {
	uint64_t first, last, limit;
	size_t n;
	uint64_t begins, from; /* from: a number */
} query_rows[] = {
	{ 0, 0, 0, 10, 1 },    { 4, 0, 0, 7, 4 },    { 0, 4, 0, 4, 1 },
	{ 4, 6, 0, 3, 4 },     { 0, 0, 2, 2, 1 },    { 9, 0, 5, 2, 9 },
	{ 0, 0, 0, 1, 10, 9 }, { 0, 0, 2, 2, 4, 3 }, { 6, 7, 0, 2, 6, 2 },
};

TEST_ROWS(a_query_is_of_so_many_records_of_a_time, query_rows)
{
	const struct query_row *row = &query_rows[_i];
	Pmu__V1__QueryRecordsRequest req = PMU__V1__QUERY_RECORDS_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_QueryRecords);
	const Pmu__V1__QueryRecordsResponse *got;

	for (uint64_t cycle = 1; cycle <= 10; cycle++)
		record(cycle, KIND(HART_CHANGE));
	req.machine = "m1";
	req.first_cycle = row->first;
	req.last_cycle = row->last;
	req.limit = row->limit;
	req.first_record = row->from;
	serve_query_records(call, &req);
	record(5, KIND(HART_CHANGE)); /* too late for it */
	fixture_turns(call);
	ck_assert(call->over && call->status == GRPC_OK);
	got = (const Pmu__V1__QueryRecordsResponse *)call->got;
	ck_assert_uint_eq(got->n_records, row->n);
	ck_assert_uint_eq(got->records[0]->cycle, row->begins);
	ck_assert_uint_eq(got->n_numbers, row->n);
	ck_assert_uint_eq(got->numbers[0], row->begins - 1);
	ck_assert_uint_eq(child->n_asked, 1); /* Configure */
}

static const struct console_row {
	uint64_t offset;
	const char *want;
} console_rows[] = {
	{ 0, "hellohello" }, { 3, "lohello" }, { 9, "o" },
	{ 10, "" },	     { 99, "" },
};

TEST_ROWS(a_console_is_read_from_an_offset, console_rows)
{
	const struct console_row *row = &console_rows[_i];
	Pmu__V1__ReadConsoleRequest req = PMU__V1__READ_CONSOLE_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_ReadConsole);
	const Pmu__V1__ReadConsoleResponse *got;

	record(1, KIND(CONSOLE_OUTPUT));
	record(2, KIND(CONSOLE_OUTPUT));
	req.machine = "m1";
	req.offset = row->offset;
	serve_read_console(call, &req);
	fixture_turns(call);
	ck_assert_uint_eq(call->sent, *row->want != 0);
	if (call->sent) {
		got = (const Pmu__V1__ReadConsoleResponse *)call->got;
		ck_assert_uint_eq(got->data.len, strlen(row->want));
		ck_assert_mem_eq(got->data.data, row->want, got->data.len);
	}
	ck_assert(!call->over);
	hosted_delete(m, NULL);
	ck_assert(call->over && call->status == GRPC_OK);
}

/* And nothing of the watching is left: the next one is not taken for it. */
TEST_TIMES(a_kind_that_cannot_be_watched_is_refused, 2)
{
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;

	filter.traps = true;
	req.filter = &filter;
	config.state_dir = "/nonexistent";
	call = fixture_stream(m, &req);
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(call->reason, "STORE_LIMIT");
	ck_assert_uint_eq(m->n_live, 0);
	ck_assert_ptr_null(m->live);
	ck_assert_uint_eq(m->n_readers, 0);
	config.state_dir = "/tmp";
	call = fixture_stream(m, &req);
	ck_assert(!call->over && recording()->traps);
	fixture_cancel(call);
}

/* What it records is nobody's concern any more. */
TEST(who_watches_a_machine_that_is_deleted_asks_it_nothing)
{
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct rpc_call *call;
	unsigned asked;

	filter.traps = true;
	req.filter = &filter;
	call = fixture_stream(m, &req);
	header(64);
	asked = child->n_asked;
	hosted_delete(m, NULL);
	fixture_turns(call);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(child->n_asked, asked);
}

/* A machine whose trace rotates, which the test has instead of its first. */
static void rotate(void)
{
	Pmu__V1__CreateMachineRequest req =
		PMU__V1__CREATE_MACHINE_REQUEST__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;

	recording.when_full = PMU__V1__WHEN_FULL__WHEN_FULL_ROTATE;
	req.recording = &recording;
	serve_create_machine(fixture_call(&alice, METHOD_CreateMachine), &req);
	fixture_state(PMU__V1__MACHINE_STATE__MACHINE_STATE_NEW);
	m = SLIST_FIRST(&pmud.machines);
	/* what replays it is never given up */
	ck_assert_int_eq(m->trace->how, STORE_ROTATES);
	ck_assert_int_eq(m->inputs->how, STORE_HOLDS);
}

enum {
	CHUNK = 1000 /* records, of which the first is an input */
};

static void chunk(uint64_t *n)
{
	Pmu__V1__HartChange change = PMU__V1__HART_CHANGE__INIT;
	Pmu__V1__Input input = PMU__V1__INPUT__INIT;
	static uint8_t bytes[64 * CHUNK];
	bool full = false;
	size_t len = 0;

	for (int i = 0; i < CHUNK; i++, ++*n) {
		Pmu__V1__Record r = PMU__V1__RECORD__INIT;

		r.cycle = *n;
		r.kind_case = i ? KIND(HART_CHANGE) : KIND(INPUT);
		if (i)
			r.hart_change = &change;
		else
			r.input = &input;
		len += record_pack(RECORD_TAG_RECORD, &r.base, bytes + len);
	}
	ck_assert_int_eq(child->cfg.ops->records(m, bytes, len, &full),
			 (ssize_t)len);
	ck_assert(!full);
}

/* All records that were sent, how many of them inputs. */
struct received {
	uint64_t n, inputs, last;
};

static void receive(struct rpc_call *call, struct received *got)
{
	const Pmu__V1__StreamRecordsResponse *r;

	while (call->later) {
		unsigned sent = call->sent;

		call->later = false;
		call->ops->on_turn(call, call->data);
		if (call->sent == sent)
			continue;
		r = live(call);
		ck_assert_int_eq(r->item_case,
				 PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH);
		for (size_t i = 0; i < r->batch->n_records; i++) {
			const Pmu__V1__Record *one = r->batch->records[i];

			ck_assert_uint_ge(one->cycle, got->last);
			got->last = one->cycle;
			got->inputs += one->kind_case == KIND(INPUT);
			got->n++;
		}
	}
}

TEST(a_rotated_trace_begins_with_its_inputs_and_says_where_it_goes_on)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	struct received got = { 0 };
	struct rpc_call *call, begun;
	uint64_t n = 0, first, inputs;

	rotate();
	while (!store_place_first(m->trace).item && n < 1 << 20)
		chunk(&n);
	chunk(&n);
	req.from_start = true;
	call = fixture_stream(m, &req);
	header(64);
	first = store_place_first(m->trace).item;
	ck_assert_uint_gt(first, 1000);
	begun.got = call->first;
	ck_assert_uint_eq(live(&begun)->header->first_record, first);
	inputs = (first + CHUNK - 1) / CHUNK;
	ck_assert_int_eq(live(call)->item_case,
			 PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST);
	ck_assert_uint_eq(live(call)->lost, first - inputs);
	receive(call, &got);
	ck_assert_uint_eq(got.n, n - first + inputs);
	ck_assert_uint_ge(got.inputs, inputs);
	ck_assert_uint_eq(got.last, n - 1);
	fixture_cancel(call);
}

/* Who may lose records holds nobody up; who may not, does. */
TEST_TIMES(only_a_reader_that_may_drop_loses_records, 2)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	const struct store_reader *reader;
	struct rpc_call *call;
	static uint8_t bytes[32 << 10];
	bool full = false;
	size_t n = 0;
	Pmu__V1__HartChange change = PMU__V1__HART_CHANGE__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.kind_case = KIND(HART_CHANGE);
	r.hart_change = &change;
	while (n + 64 < sizeof(bytes))
		n += record_pack(RECORD_TAG_RECORD, &r.base, bytes + n);
	rotate();
	req.drop = _i;
	call = fixture_stream(m, &req);
	header(64);
	ck_assert_int_ge(child->cfg.ops->records(m, bytes, n, &full), 0);
	fixture_turns(call);
	reader = &((const struct stream *)call->data)->reader;
	ck_assert_uint_eq(reader->item, store_items(m->trace));
	ck_assert_uint_gt(reader->item, 1000);
	for (size_t i = 0; i < 4 * config.trace_bytes / n && !full; i++)
		ck_assert_int_ge(child->cfg.ops->records(m, bytes, n, &full),
				 0);
	ck_assert(full == !_i);
	fixture_cancel(call);
}

SUITE("rpc-streams", .setup = setup, .teardown = fixture_end);
