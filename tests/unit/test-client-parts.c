/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Answers that are messages and yet none of pmud's, as a part is missing that
 * every answer has: each is an error that names it, whoever would have read it.
 */
#include "unit.h"

#include <string.h>

#include <pmuclient/machine.h>

#include "client-script.h"
#include "methods/method-calls.h"
#include "methods/methods.h"

static struct script script;
static struct pmuclient *client;

static void setup(void)
{
	script_open(&script, &client);
}

static void teardown(void)
{
	pmuclient_free(client);
	script_close(&script);
}

/* The first message that comes of the method, which is @answer. */
static int take(const char *method, const ProtobufCMessage *answer)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	struct pmuclient_stream *s = NULL;
	ProtobufCMessage *msg = NULL;
	int n;

	script_answer(&script, FIRST_CALL);
	script_message(&script, FIRST_CALL, answer);
	script_end(&script, FIRST_CALL, "0");
	script_say(&script, client);
	PREPARING(ck_assert_int_eq(pmuclient_open(client, method, &req.base,
						  answer->descriptor, &s),
				   0));
	n = pmuclient_next(s, -1, &msg);
	pmuclient_free_message(msg);
	pmuclient_close(s);
	return n;
}

/* As it comes first: a number of a field that nobody here knows. */
static ProtobufCMessageUnknownField newer = {
	.tag = 99,
	.wire_type = PROTOBUF_C_WIRE_TYPE_VARINT,
	.len = 1,
	.data = (uint8_t *)"\1",
};

static void make_newer(ProtobufCMessage *m)
{
	m->n_unknown_fields = 1;
	m->unknown_fields = &newer;
}

/* Parts that an answer may well be without. */
static bool may_lack(const ProtobufCMessageDescriptor *answer,
		     const ProtobufCFieldDescriptor *part)
{
	return (answer == METHOD_ANSWER(ExplainCounter) &&
		!strcmp(part->name, "counter")) ||
	       (answer == METHOD_ANSWER(DescribeAddresses) &&
		!strcmp(part->name, "process"));
}

/* What a good @answer must have first, by its type; NULL: it may be empty. */
static const char *first_part(const ProtobufCMessageDescriptor *answer)
{
	for (unsigned i = 0; i < answer->n_fields; i++) {
		const ProtobufCFieldDescriptor *f = &answer->fields[i];

		if (f->flags & PROTOBUF_C_FIELD_FLAG_ONEOF)
			return "item";
		if (f->type == PROTOBUF_C_TYPE_MESSAGE &&
		    f->label != PROTOBUF_C_LABEL_REPEATED &&
		    !may_lack(answer, f))
			return f->name;
	}
	return answer == METHOD_ANSWER(OpenEbb) ? "session" : NULL;
}

TEST_TIMES(an_answer_without_its_part_is_none, N_PUBLIC_METHODS)
{
	const ProtobufCMessageDescriptor *answer =
		method_descriptor((enum method_id)_i)->output;
	const char *part = first_part(answer);
	ProtobufCMessage *empty = calloc(1, answer->sizeof_message);
	char want[128] = "";
	int n;

	protobuf_c_message_init(answer, empty);
	n = take("AnyService/AnyMethod", empty);
	free(empty);
	if (answer == METHOD_ANSWER(ReadRegisters))
		strcpy(want, "pmud sent a ReadRegistersResponse with 0 of x, "
			     "not 32");
	else if (part)
		snprintf(want, sizeof(want), "pmud sent a %s without %s",
			 answer->short_name, part);
	ck_assert_str_eq(pmuclient_error(client), want);
	ck_assert_int_eq(n, *want ? -PMUCLIENT_EPROTO : 1);
}

/* One item more than this library knows: it is skipped, as ever. */
TEST(what_a_newer_pmud_says_is_no_fault)
{
	Pmu__V1__StreamRecordsResponse r =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;

	make_newer(&r.base);
	ck_assert_int_eq(take("TraceService/StreamRecords", &r.base), 1);
}

static const struct registers_row {
	size_t x, f;
	const char *error; /* NULL: none */
} registers_rows[] = {
	{ 32, 32, NULL },
	{ 31, 32, "pmud sent a ReadRegistersResponse with 31 of x, not 32" },
	{ 33, 32, "pmud sent a ReadRegistersResponse with 33 of x, not 32" },
	{ 32, 0, "pmud sent a ReadRegistersResponse with 0 of f, not 32" },
};

TEST_ROWS(registers_are_as_many_as_there_are, registers_rows)
{
	const struct registers_row *row = &registers_rows[_i];
	Pmu__V1__ReadRegistersResponse r =
		PMU__V1__READ_REGISTERS_RESPONSE__INIT;
	uint64_t values[33] = { 0 };

	r.x = r.f = values;
	r.n_x = row->x;
	r.n_f = row->f;
	ck_assert_int_eq(take("HartService/ReadRegisters", &r.base),
			 row->error ? -PMUCLIENT_EPROTO : 1);
	ck_assert_str_eq(pmuclient_error(client), row->error ? row->error : "");
}

static const struct begun_row {
	uint32_t session;
	bool header;
	const char *error; /* NULL: none */
} begun_rows[] = {
	{ 1, true, NULL },
	{ 0, true, "pmud sent a SamplingBegun without session" },
	{ 1, false, "pmud sent a SamplingBegun without header" },
};

TEST_ROWS(sampling_begins_with_its_session_and_header, begun_rows)
{
	const struct begun_row *row = &begun_rows[_i];
	Pmu__V1__SampleEventsResponse r = PMU__V1__SAMPLE_EVENTS_RESPONSE__INIT;
	Pmu__V1__SamplingBegun begun = PMU__V1__SAMPLING_BEGUN__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	begun.session = row->session;
	begun.header = row->header ? &header : NULL;
	r.item_case = PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BEGUN;
	r.begun = &begun;
	ck_assert_int_eq(take("TraceService/SampleEvents", &r.base),
			 row->error ? -PMUCLIENT_EPROTO : 1);
	ck_assert_str_eq(pmuclient_error(client), row->error ? row->error : "");
}

/* Of two records the second has no kind, or one that is not known here. */
static int take_records(const char *method, bool of_newer)
{
	Pmu__V1__StreamRecordsResponse stream =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__SampleEventsResponse samples =
		PMU__V1__SAMPLE_EVENTS_RESPONSE__INIT;
	Pmu__V1__QueryRecordsResponse query =
		PMU__V1__QUERY_RECORDS_RESPONSE__INIT;
	Pmu__V1__RecordBatch batch = PMU__V1__RECORD_BATCH__INIT;
	Pmu__V1__Record good = PMU__V1__RECORD__INIT, bare = good;
	Pmu__V1__Record *records[] = { &good, &bare };
	Pmu__V1__Stop stop = PMU__V1__STOP__INIT;

	good.kind_case = PMU__V1__RECORD__KIND_STOP;
	good.stop = &stop;
	if (of_newer)
		make_newer(&bare.base);
	batch.records = query.records = records;
	batch.n_records = query.n_records = ARRAY_SIZE(records);
	stream.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH;
	samples.item_case = PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BATCH;
	stream.batch = samples.batch = &batch;
	return take(method, strstr(method, "Sample")  ? &samples.base
			    : strstr(method, "Query") ? &query.base
						      : &stream.base);
}

static const char *const record_methods[] = {
	"TraceService/StreamRecords",
	"TraceService/SampleEvents",
	"TraceService/QueryRecords",
};

TEST_ROWS(a_record_has_a_kind, record_methods)
{
	ck_assert_int_eq(take_records(record_methods[_i], false),
			 -PMUCLIENT_EPROTO);
	ck_assert_str_eq(pmuclient_error(client),
			 "pmud sent a Record without kind");
}

TEST_ROWS(or_one_of_a_newer_pmud, record_methods)
{
	ck_assert_int_eq(take_records(record_methods[_i], true), 1);
}

SUITE("client-parts", .setup = setup, .teardown = teardown);
