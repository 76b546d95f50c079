/* SPDX-License-Identifier: BSD-2-Clause */
/* The outer shell of records: cut at every byte, too long. */
#include <errno.h>

#include "wire/record.h"
#include "pmu/v1/traces.pb-c.h"
#include "unit.h"

static size_t sample_record(uint8_t *buf)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__ConsoleOutput c = PMU__V1__CONSOLE_OUTPUT__INIT;
	uint8_t text[300] = { 0 };

	c.data.len = sizeof(text);
	c.data.data = text;
	r.cycle = 7;
	r.kind_case = PMU__V1__RECORD__KIND_CONSOLE_OUTPUT;
	r.console_output = &c;
	ck_assert_uint_lt(record_packed_size(&r.base), 512);
	return record_pack(RECORD_TAG_RECORD, &r.base, buf);
}

TEST(a_record_cut_anywhere_waits_for_its_rest)
{
	uint8_t bytes[512];
	size_t n = sample_record(bytes);
	struct record_view v;
	Pmu__V1__Trace *trace;

	for (size_t cut = 0; cut < n; cut++)
		ck_assert_int_eq(record_first(bytes, cut, &v), 0);
	ck_assert_int_eq(record_first(bytes, n, &v), 1);
	ck_assert_uint_eq(v.field_len, n);
	ck_assert_uint_eq(v.tag, RECORD_TAG_RECORD);
	trace = pmu__v1__trace__unpack(NULL, n, bytes);
	ck_assert_ptr_nonnull(trace);
	ck_assert_uint_eq(trace->n_records, 1);
	ck_assert_uint_eq(trace->records[0]->cycle, 7);
	pmu__v1__trace__free_unpacked(trace, NULL);
}

/* What is packed is what room was made for, wherever a length grows a byte. */
static const size_t data_rows[] = {
	0, 1, 124, 125, 126, 127, 128, 16379, 16380, 16381, 16382, 200000,
};

TEST_ROWS(a_record_takes_the_room_that_it_says, data_rows)
{
	Pmu__V1__ConsoleOutput c = PMU__V1__CONSOLE_OUTPUT__INIT;
	struct record_view v;
	size_t n, packed;
	uint8_t *bytes;

	c.data.len = data_rows[_i];
	c.data.data = calloc(1, c.data.len + 1);
	packed = protobuf_c_message_get_packed_size(&c.base);
	n = record_packed_size(&c.base);
	bytes = malloc(n + 1);
	bytes[n] = 0x5a;
	ck_assert_uint_eq(record_pack(RECORD_TAG_HEADER, &c.base, bytes), n);
	ck_assert_uint_eq(bytes[n], 0x5a);
	ck_assert_int_eq(record_first(bytes, n - 1, &v), 0);
	ck_assert_int_eq(record_first(bytes, n + 1, &v), 1);
	ck_assert_uint_eq(v.tag, RECORD_TAG_HEADER);
	ck_assert_uint_eq(v.field_len, n);
	ck_assert_ptr_eq(v.field, bytes);
	ck_assert_uint_eq(v.message_len, packed);
	ck_assert_ptr_eq(v.message, bytes + n - packed);
	free(bytes);
	free(c.data.data);
}

TEST(the_longest_record_waits_for_its_rest)
{
	static const uint8_t longest[] = { 0x12, 0xfc, 0xff, 0x0f, 0 };
	struct record_view v;

	ck_assert_int_eq(record_first(longest, sizeof(longest), &v), 0);
}

static const struct bad_row {
	const char *why;
	uint8_t bytes[8];
	size_t len;
} bad_rows[] = {
	{ "a tag that no trace has", { 0x1a, 0 }, 2 },
	{ "a length that never ends", { 0x12, 255, 255, 255, 255, 255 }, 6 },
	{ "a record above the limit", { 0x12, 0x80, 0x80, 0x20 }, 4 },
	{ "a record one above the limit", { 0x12, 0xfd, 0xff, 0x0f }, 4 },
	{ "no tag", { 0, 0 }, 2 },
};

TEST_ROWS(bytes_that_are_no_trace_are_refused, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	struct record_view v;

	ck_assert_msg(record_first(row->bytes, row->len, &v) == -EPROTO, "%s",
		      row->why);
}

SUITE("record");
