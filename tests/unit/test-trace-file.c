/* SPDX-License-Identifier: BSD-2-Clause */
/* Trace files: what is written is a pmu.v1.Trace, what is read is checked. */
#include <fcntl.h>
#include <stdio_ext.h>

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
	ck_assert_int_eq(fseek(out, 0, SEEK_SET), 0);
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
	{ "a header that is no message", 4, { 0x0a, 2, 0x42, 9 } },
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

static const struct unreadable_row {
	const char *path;
	int code;
	const char *says;
} unreadable_rows[] = {
	{ "/", EXIT_FAILED, "pmuctl: /: Is a directory\n" },
	{ "/dev/null/x", EXIT_FAILED,
	  "pmuctl: /dev/null/x: Not a directory\n" },
	{ "/nowhere", EXIT_NOT_FOUND,
	  "pmuctl: /nowhere: No such file or directory\n" },
};

TEST_ROWS(what_cannot_be_read_is_told, unreadable_rows)
{
	const struct unreadable_row *row = &unreadable_rows[_i];
	struct trace_reader *r = NULL;

	capture();
	ck_assert_int_eq(trace_open(&r, row->path), row->code);
	ck_assert_str_eq(capture_end(), row->says);
	ck_assert_ptr_null(r);
}

/* Standard input has all of the trace. */
static int pipe_it(void)
{
	static uint8_t bytes[4096];
	size_t n = load(bytes, sizeof(bytes));
	int fds[2], in = dup(STDIN_FILENO);

	PREPARING(ck_assert_int_eq(pipe(fds), 0));
	PREPARING(ck_assert_int_eq(write(fds[1], bytes, n), (ssize_t)n));
	close(fds[1]);
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	__fpurge(stdin); /* of what another test has left */
	clearerr(stdin);
	return in;
}

static void pipe_end(int in)
{
	dup2(in, STDIN_FILENO);
	close(in);
}

TEST(a_pipe_is_read_once)
{
	int in = pipe_it();
	struct trace_reader *r;

	ck_assert_int_eq(trace_open(&r, "-"), EXIT_OK);
	capture();
	ck_assert_int_eq(trace_again(r), EXIT_FAILED);
	ck_assert_str_eq(capture_end(), "pmuctl: standard input: it cannot be "
					"read twice: Illegal seek\n");
	trace_close(r);
	pipe_end(in);
}

/* What cannot be read is no end, however whole the trace looks. */
TEST(an_error_is_no_end)
{
	int in = pipe_it(), folder = open("/", O_RDONLY | O_CLOEXEC), got, n;
	struct trace_reader *r;
	struct trace_item item;

	ck_assert_int_eq(trace_open(&r, "-"), EXIT_OK);
	dup2(folder, STDIN_FILENO);
	close(folder);
	capture();
	for (n = 0; (got = trace_next(r, &item)) == 1; n++)
		;
	ck_assert_str_eq(capture_end(),
			 "pmuctl: standard input: Is a directory\n");
	ck_assert_int_eq(n, 5);
	ck_assert_int_eq(got, -1);
	trace_close(r);
	pipe_end(in);
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
