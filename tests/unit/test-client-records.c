/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * client/overflows.c and the reader of records, against a daemon that sends
 * records of its own making: what becomes of each field, and of each kind of
 * message.
 */
#include "unit.h"

#include <string.h>

#include <pmuclient/overflows.h>
#include <pmuclient/records.h>

#include "client-script.h"

static struct script script;
static struct pmuclient *client;
/* What the reader of records was told, in order. */
static char told[16];

static void setup(void)
{
	memset(told, 0, sizeof(told));
	script_open(&script, &client);
}

static void teardown(void)
{
	pmuclient_free(client);
	script_close(&script);
}

static void put_header(void)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_HEADER;
	msg.header = &header;
	script_message(&script, FIRST_CALL, &msg.base);
}

static void put_records(Pmu__V1__Record **records, size_t n)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;
	Pmu__V1__RecordBatch batch = PMU__V1__RECORD_BATCH__INIT;

	batch.records = records;
	batch.n_records = n;
	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH;
	msg.batch = &batch;
	script_message(&script, FIRST_CALL, &msg.base);
}

static void put_lost(uint64_t n)
{
	Pmu__V1__StreamRecordsResponse msg =
		PMU__V1__STREAM_RECORDS_RESPONSE__INIT;

	msg.item_case = PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_LOST;
	msg.lost = n;
	script_message(&script, FIRST_CALL, &msg.base);
}

static void put_overflow(int privilege)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT, other = r, *records[3];
	Pmu__V1__Overflow o = PMU__V1__OVERFLOW__INIT;
	Pmu__V1__Stop stop = PMU__V1__STOP__INIT;

	o.counter = 5;
	o.event = (char *)"cycles";
	o.last_pc = 0x80000000;
	o.value = 11;
	o.config = 12;
	o.time = 13;
	o.pending = 0x28;
	r.hart = 2;
	r.privilege = (Pmu__V1__Privilege)privilege;
	r.pc = 0x80000004;
	r.insn = 14;
	r.cycle = 15;
	r.kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
	r.overflow = &o;
	other.kind_case = PMU__V1__RECORD__KIND_STOP;
	other.stop = &stop;
	records[0] = records[2] = &other;
	records[1] = &r;
	put_records(records, 3);
}

static char letters[16];
static unsigned calls;

static void on_overflow(void *data, const struct pmuclient_overflow *o)
{
	ck_assert_ptr_eq(data, letters);
	ck_assert_uint_eq(o->size, sizeof(*o));
	ck_assert_uint_eq(o->hart, 2);
	ck_assert_uint_eq(o->counter, 5);
	ck_assert_str_eq(o->event, "cycles");
	ck_assert_uint_eq(o->last_pc, 0x80000000);
	ck_assert_uint_eq(o->pc, 0x80000004);
	ck_assert_uint_eq(o->value, 11);
	ck_assert_uint_eq(o->config, 12);
	ck_assert_uint_eq(o->time, 13);
	ck_assert_uint_eq(o->insn, 14);
	ck_assert_uint_eq(o->cycle, 15);
	ck_assert_uint_eq(o->pending, 0x28);
	letters[calls++] = o->privilege;
}

TEST(an_overflow_is_told_as_it_was_recorded)
{
	struct pmuclient_overflows *e;

	script_answer(&script, FIRST_CALL);
	put_header();
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_overflows_open(client, "m1", 2, 5, &e), 0);
	pmuclient_overflows_set_callback(e, on_overflow, letters);
	for (int privilege = 0; privilege < 7; privilege++)
		put_overflow(privilege);
	put_lost(3); /* it asked for none, and is told of none */
	put_overflow(1);
	script_end(&script, FIRST_CALL, "0");
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_overflows_dispatch(e, -1), 0);
	ck_assert_uint_eq(calls, 0); /* it is not enabled */
	pmuclient_overflows_enable(e);
	while (calls < 8)
		ck_assert_int_gt(pmuclient_overflows_dispatch(e, -1), 0);
	ck_assert_str_eq(letters, "?MSUSU?M");
	ck_assert_int_eq(pmuclient_overflows_dispatch(e, -1), -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(client), "the machine is gone");
	ck_assert_int_eq(pmuclient_overflows_close(e), 0);
	ck_assert_int_eq(pmuclient_overflows_close(NULL), 0);
}

TEST(an_ebb_needs_no_callback)
{
	struct pmuclient_overflows *e;

	script_answer(&script, FIRST_CALL);
	put_header();
	put_overflow(1);
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_overflows_open(client, "m1", 2, 5, &e), 0);
	pmuclient_overflows_enable(e);
	ck_assert_int_eq(pmuclient_overflows_dispatch(e, -1), 1);
	ck_assert_int_eq(pmuclient_overflows_dispatch(e, 0), 0);
	ck_assert_int_eq(pmuclient_overflows_close(e), 0);
}

static const struct opening_row {
	const char *why, *status;
	int timeout_ms, err;
	const char *error;
} opening_rows[] = {
	{ "it ends at once", "0", -1, -PMUCLIENT_EPROTO,
	  "the stream ended before it began" },
	{ "it is refused", "5", -1, -PMUCLIENT_ERPC, "NOT_FOUND" },
	{ "nothing comes", NULL, 20, -PMUCLIENT_ETIMEOUT,
	  "nothing came in time" },
};

TEST_ROWS(a_subscription_without_a_header_is_none, opening_rows)
{
	const struct opening_row *row = &opening_rows[_i];
	struct pmuclient_overflows *e;

	pmuclient_set_timeout(client, row->timeout_ms);
	script_answer(&script, FIRST_CALL);
	if (row->status)
		script_end(&script, FIRST_CALL, row->status);
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_overflows_open(client, "m1", 0, 3, &e),
			 row->err);
	ck_assert_msg(!strcmp(pmuclient_error(client), row->error), "%s: %s",
		      row->why, pmuclient_error(client));
}

TEST(a_subscription_does_not_begin_with_records)
{
	struct pmuclient_overflows *e;

	script_answer(&script, FIRST_CALL);
	put_overflow(1);
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_overflows_open(client, "m1", 0, 3, &e),
			 -PMUCLIENT_EPROTO);
	ck_assert_str_eq(pmuclient_error(client),
			 "the stream began without its header");
}

static void tell(char what)
{
	told[strlen(told)] = what;
}

static int on_header(void *data, const Pmu__V1__Header *header)
{
	tell('h');
	return *(const int *)data == 'h' ? 7 : 0;
}

static int on_record(void *data, const Pmu__V1__Record *r)
{
	tell(r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW ? 'o' : 's');
	return *(const int *)data == told[strlen(told) - 1] ? 8 : 0;
}

static int on_lost(void *data, uint64_t n)
{
	ck_assert_uint_eq(n, 3);
	tell('l');
	return *(const int *)data == 'l' ? 9 : 0;
}

#define OPS sizeof(struct pmuclient_record_ops)

static const struct reader_row {
	const char *why;
	struct pmuclient_record_ops ops;
	int stop, result;
	const char *told;
} reader_rows[] = {
	{ "all", { OPS, on_header, on_record, on_lost }, 0, 0, "hsoslsos" },
	{ "until the header",
	  { OPS, on_header, on_record, on_lost },
	  'h',
	  7,
	  "h" },
	{ "until an overflow",
	  { OPS, on_header, on_record, on_lost },
	  'o',
	  8,
	  "hso" },
	{ "until one is lost",
	  { OPS, on_header, on_record, on_lost },
	  'l',
	  9,
	  "hsosl" },
	{ "no headers", { OPS, NULL, on_record, on_lost }, 0, 0, "soslsos" },
	{ "no records", { OPS, on_header, NULL, on_lost }, 0, 0, "hl" },
	{ "no losses", { OPS, on_header, on_record, NULL }, 0, 0, "hsossos" },
};

TEST_ROWS(records_are_told_to_who_wants_them, reader_rows)
{
	const struct reader_row *row = &reader_rows[_i];
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	int stop = row->stop;

	script_answer(&script, FIRST_CALL);
	put_header();
	put_overflow(1);
	put_lost(3);
	/* of a newer daemon */
	script_frame(&script, (struct script_head){ FRAME_DATA, 0, FIRST_CALL },
		     "\0\0\0\0\2\x78\1", 7);
	put_overflow(2);
	script_end(&script, FIRST_CALL, "0");
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_records(client, &req, -1, &row->ops, &stop),
			 row->result);
	ck_assert_msg(!strcmp(told, row->told), "%s: %s", row->why, told);
}

/* What programs of other versions of the header are given. */
static const struct size_row {
	const char *why;
	size_t size, at; /* of the structure; of a byte that is not 0 */
	int err;
} size_rows[] = {
	{ "no size", 0, 0, -PMUCLIENT_EINVAL },
	{ "less than the size itself", 7, 0, -PMUCLIENT_EINVAL },
	{ "nonsense", SIZE_MAX, 0, -PMUCLIENT_EINVAL },
	{ "an older header", sizeof(size_t), 0, 0 },
	{ "an older header: what follows is not looked at", sizeof(size_t),
	  sizeof(size_t), 0 },
	{ "a newer header", sizeof(struct pmuclient_record_ops) + 8, 0, 0 },
	{ "a newer header's wish", sizeof(struct pmuclient_record_ops) + 8,
	  sizeof(struct pmuclient_record_ops) + 7, -PMUCLIENT_EINVAL },
};

TEST_ROWS(structures_may_be_of_other_versions, size_rows)
{
	const struct size_row *row = &size_rows[_i];
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	union {
		struct pmuclient_record_ops ops;
		uint8_t bytes[sizeof(struct pmuclient_record_ops) + 8];
	} of = { .ops = { .size = row->size } };

	if (row->at)
		of.bytes[row->at] = 1;
	script_answer(&script, FIRST_CALL);
	put_header();
	script_end(&script, FIRST_CALL, "0");
	if (!row->err)
		script_say(&script, client);
	ck_assert_msg(pmuclient_records(client, &req, -1, &of.ops, NULL) ==
			      row->err,
		      "%s", row->why);
}

SUITE("client-records", .setup = setup, .teardown = teardown);
