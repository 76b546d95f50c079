/* SPDX-License-Identifier: BSD-2-Clause */
/* Trace files: what is written is a pmu.v1.Trace, what is read is checked. */
#include <fcntl.h>

#include "captured.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "unit.h"

static char path[64];

static void quiet_stderr(void)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

static void build(void)
{
	quiet_stderr();
	build_trace(path, 1, 4);
}

static void drop(void)
{
	unlink(path);
}

static size_t load(uint8_t *buf, size_t size)
{
	FILE *in = fopen(path, "rb");
	size_t n = fread(buf, 1, size, in);

	fclose(in);
	return n;
}

static void store(const uint8_t *bytes, size_t n)
{
	FILE *out = fopen(path, "wb");

	ck_assert_uint_eq(fwrite(bytes, 1, n, out), n);
	fclose(out);
}

/* How many records can be read; -1 when that ends in an error. */
static int read_all(void)
{
	struct trace_reader *r;
	struct trace_item item;
	int n = 0, more;

	if (trace_open(&r, path))
		return -1;
	while ((more = trace_next(r, &item)) > 0)
		ck_assert_uint_eq(item.index, (uint64_t)n++);
	trace_close(r);
	return more ? -1 : n;
}

TEST(any_protobuf_reader_reads_it)
{
	uint8_t bytes[1024];
	size_t n = load(bytes, sizeof(bytes));
	Pmu__V1__Trace *t = pmu__v1__trace__unpack(NULL, n, bytes);

	ck_assert_ptr_nonnull(t);
	ck_assert_uint_eq(t->header->config->harts, 1);
	ck_assert_uint_eq(t->n_records, 5);
	ck_assert_uint_eq(t->records[2]->cycle, 20);
	ck_assert_int_eq(t->records[4]->kind_case, PMU__V1__RECORD__KIND_STOP);
	pmu__v1__trace__free_unpacked(t, NULL);
	ck_assert_int_eq(read_all(), 5);
}

TEST(what_was_read_is_written_the_same)
{
	char copy[64];
	uint8_t a[1024], b[1024];
	size_t n = load(a, sizeof(a));
	struct trace_reader *r;
	struct trace_item item;
	FILE *out;

	ck_assert_int_eq(trace_open(&r, path), EXIT_OK);
	strcpy(copy, path);
	out = tmpfile();
	ck_assert(trace_write_header(out, trace_header(r)));
	while (trace_next(r, &item) > 0)
		ck_assert(trace_write_record(out, item.record));
	trace_close(r);
	rewind(out);
	ck_assert_uint_eq(fread(b, 1, sizeof(b), out), n);
	ck_assert_mem_eq(a, b, n);
	fclose(out);
}

/* How many whole records there are in @n bytes of the file; -1: no header. */
static int whole_records(const uint8_t *bytes, size_t n)
{
	struct record_view v;
	size_t at = 0;
	int found = -1;

	while (record_first(bytes + at, n - at, &v) > 0) {
		at += v.field_len;
		found++;
	}
	return found;
}

TEST(a_file_cut_at_any_byte_has_its_whole_records)
{
	uint8_t bytes[1024];
	size_t n = load(bytes, sizeof(bytes));

	for (size_t i = 0; i < n; i++) {
		store(bytes, i);
		capture();
		ck_assert_int_eq(read_all(), whole_records(bytes, i));
		ck_assert_msg(*capture_end(), "nothing is said of byte %zu", i);
	}
	store(bytes, n);
	capture();
	ck_assert_int_eq(read_all(), 5);
	ck_assert_str_eq(capture_end(), "");
}

TEST(a_trace_can_be_read_again_and_its_end_is_told_once)
{
	uint8_t bytes[1024];
	size_t n = load(bytes, sizeof(bytes));
	struct trace_reader *r;
	struct trace_item item;

	store(bytes, n - 1);
	ck_assert_int_eq(trace_open(&r, path), EXIT_OK);
	for (int time = 0; time < 2; time++) {
		capture();
		for (uint64_t i = 0; i < 4; i++) {
			ck_assert_int_eq(trace_next(r, &item), 1);
			ck_assert_uint_eq(item.index, i);
		}
		ck_assert_int_eq(trace_next(r, &item), 0);
		ck_assert_int_eq(*capture_end() != '\0', time == 0);
		ck_assert_int_eq(trace_again(r), EXIT_OK);
	}
	trace_close(r);
}

static const struct hostile_row {
	const char *why;
	size_t n;
	uint8_t bytes[16];
} hostile_rows[] = {
	{ "no bytes", 0, { 0 } },
	{ "no trace", 4, { 0x7f, 'E', 'L', 'F' } },
	{ "a record where the header belongs", 2, { 0x12, 0 } },
	{ "an empty header has no version", 2, { 0x0a, 0 } },
	{ "another version", 4, { 0x0a, 2, 0x08, 2 } },
	{ "an unknown field", 6, { 0x0a, 2, 0x08, 1, 0x1a, 0 } },
	{ "a second header", 8, { 0x0a, 2, 0x08, 1, 0x0a, 2, 0x08, 1 } },
	{ "a length of too many bytes",
	  7,
	  { 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 1 } },
	{ "a length of one byte too many",
	  9,
	  { 0x0a, 0x82, 0x80, 0x80, 0x80, 0x80, 0, 0x08, 1 } },
	{ "a header of 4 GiB", 6, { 0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f } },
	{ "a record of 2 MiB",
	  9,
	  { 0x0a, 2, 0x08, 1, 0x12, 0x80, 0x80, 0x80, 0x01 } },
	{ "bytes that are no message",
	  8,
	  { 0x0a, 2, 0x08, 1, 0x12, 2, 0x32, 9 } },
};

TEST_ROWS(hostile_bytes_are_refused, hostile_rows)
{
	store(hostile_rows[_i].bytes, hostile_rows[_i].n);
	ck_assert_msg(read_all() < 0, "%s", hostile_rows[_i].why);
}

TEST(a_length_may_have_five_bytes)
{
	static const uint8_t bytes[] = { 0x0a, 0x82, 0x80, 0x80,
					 0x80, 0,    0x08, 1 };

	store(bytes, sizeof(bytes));
	ck_assert_int_eq(read_all(), 0);
}

TEST(a_missing_file_is_not_found)
{
	struct trace_reader *r;

	ck_assert_int_eq(trace_open(&r, "/nonexistent/trace"), EXIT_NOT_FOUND);
}

TEST(a_full_disk_is_told)
{
	FILE *out = fopen("/dev/full", "wb");
	struct built_record b;
	bool ok = true;

	ck_assert_ptr_nonnull(out);
	for (int i = 0; i < 10000 && ok; i++)
		ok = trace_write_record(out, build_trap(&b, 1));
	ck_assert(!ok);
	fclose(out);
}

SUITE("trace-file", .setup = build, .teardown = drop);
