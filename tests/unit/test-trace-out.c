/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cli/trace/trace-out.c: what a process that is killed leaves in its file, by a
 * clock of the test's own. Nothing is flushed because a buffer is full.
 */
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "captured.h"
#include "unit.h"

#include "trace/trace-file.h"
#include "trace/trace-out.h"

enum {
	MS = 1000, /* microseconds */
	SECOND = 1000 * MS,
	MOST = 2000, /* records of a row */
	BUFFER = 1 << 20,
};

static uint64_t now; /* microseconds */
static FILE *file;
static char *buffer;
static struct trace_out out;
static unsigned n;	    /* records that came */
static uint64_t came[MOST]; /* when each did */
static off_t ends[MOST];    /* of each in the file */

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);
int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	(void)clock;
	*ret = (struct timespec){ .tv_sec = (time_t)(now / SECOND),
				  .tv_nsec = (long)(now % SECOND * 1000) };
	return 0;
}

static void setup(void)
{
	now = UINT64_C(12345678901);
	n = 0;
	buffer = malloc(BUFFER);
	file = tmpfile();
	PREPARING(ck_assert(buffer && file));
	PREPARING(ck_assert(!setvbuf(file, buffer, _IOFBF, BUFFER)));
	out = (struct trace_out){ .file = file, .path = "the file" };
}

static void teardown(void)
{
	fclose(file);
	free(buffer);
}

/* Bytes that are left when the process is killed. */
static off_t in_file(void)
{
	struct stat s;

	PREPARING(ck_assert(!fstat(fileno(file), &s)));
	return s.st_size;
}

static void come(void)
{
	Pmu__V1__Record record = PMU__V1__RECORD__INIT, *list[] = { &record };
	Pmu__V1__RecordBatch batch = PMU__V1__RECORD_BATCH__INIT;

	record.cycle = n;
	batch.records = list;
	batch.n_records = 1;
	ck_assert(trace_out_records(&out, &batch));
	came[n] = now;
	ends[n++] = ftello(file);
}

/* Whoever is killed now loses what came within the last second. */
static void check_loss(void)
{
	off_t size = in_file();
	unsigned i = 0;

	while (i < n && ends[i] <= size)
		i++;
	ck_assert_msg(i == n || now - came[i] <= SECOND,
		      "record %u waits for %llu us", i,
		      (unsigned long long)(now - came[i]));
}

/* Gaps between records, in turn, and how many come. */
static const struct flow_row {
	const char *why;
	uint64_t gap[3];
	unsigned n;
} flow_rows[] = {
	{ "one, and nothing behind it", { 0 }, 1 },
	{ "two", { 300 * MS, 300 * MS, 300 * MS }, 2 },
	{ "all the time", { MS + 1, MS + 1, MS + 1 }, MOST },
	{ "faster than the clock", { 1, 2, 3 }, MOST },
	{ "just before a flush", { 499 * MS, 499 * MS, 499 * MS }, 9 },
	{ "with a flush", { 500 * MS, 500 * MS, 500 * MS }, 9 },
	{ "just behind it", { 501 * MS, 501 * MS, 501 * MS }, 9 },
	{ "a pair, then for long nothing", { 1, 7 * SECOND, 0 }, 9 },
	{ "at odd times", { 333 * MS + 7, 77 * MS, 901 * MS + 999 }, 99 },
	{ "once in a second", { SECOND, SECOND, SECOND }, 9 },
};

/* As loops of pmuctl do it: until a record comes, or it is time to flush. */
static void sleep_until(uint64_t next)
{
	int timeout = trace_out_timeout(&out);

	if (timeout >= 0 && now + (uint64_t)timeout * MS < next)
		next = now + (uint64_t)timeout * MS;
	now = next;
}

TEST_ROWS(a_second_is_lost_at_most, flow_rows)
{
	const struct flow_row *row = &flow_rows[_i];
	uint64_t next = now + row->gap[0];

	while (n < row->n || trace_out_timeout(&out) >= 0) {
		sleep_until(n < row->n ? next : UINT64_MAX);
		check_loss();
		if (n < row->n && now == next) {
			come();
			next = now + row->gap[n % 3];
		}
		ck_assert(trace_out_flush(&out));
		check_loss();
	}
	ck_assert_int_eq(in_file(), ends[n - 1]);
}

TEST(a_header_waits_no_longer)
{
	Pmu__V1__Header header = PMU__V1__HEADER__INIT;

	header.version = 1;
	ck_assert_int_eq(trace_out_timeout(&out), -1);
	ck_assert(trace_out_header(&out, &header));
	ck_assert_int_ge(trace_out_timeout(&out), 0);
	ck_assert_int_le(trace_out_timeout(&out), 1000);
	ck_assert_int_eq(in_file(), 0);
	sleep_until(UINT64_MAX);
	ck_assert(trace_out_flush(&out));
	ck_assert_int_gt(in_file(), 0);
	ck_assert_int_eq(trace_out_timeout(&out), -1);
}

/* What pmud had stored: the bytes of so many records, some of which came. */
enum {
	STORED = 9,
	CAME = 4,
	EACH = 4 /* bytes of a record with a cycle below 128 */
};

static const struct rest_row {
	const char *why;
	off_t length; /* of the stored file */
	off_t hole;   /* where it has been cut: bytes before it are 0 */
	bool ok;
	unsigned have; /* records in the file then */
} rest_rows[] = {
	{ "all of it", STORED *EACH, 0, true, STORED },
	{ "the last one is not whole", STORED *EACH - 1, 0, true, STORED - 1 },
	{ "of the last one only the tag", (STORED - 1) * EACH + 1, 0, true,
	  STORED - 1 },
	{ "nothing that had not come", CAME *EACH, 0, true, CAME },
	{ "less than had come", EACH, 0, true, CAME },
	{ "what had come is gone", STORED *EACH, CAME *EACH, true, STORED },
	{ "one more is gone", STORED *EACH, (CAME + 1) * EACH, false, CAME },
};

static FILE *store(const struct rest_row *row)
{
	static const uint8_t zeros[STORED * EACH];
	FILE *f = tmpfile();

	PREPARING(ck_assert(f));
	for (unsigned i = 0; i < STORED; i++) {
		Pmu__V1__Record record = PMU__V1__RECORD__INIT;

		record.cycle = i + 1;
		PREPARING(ck_assert_uint_eq(trace_write_record(f, &record),
					    EACH));
	}
	PREPARING(ck_assert(!fflush(f)));
	PREPARING(ck_assert(!ftruncate(fileno(f), row->length)));
	PREPARING(ck_assert_int_eq(
		pwrite(fileno(f), zeros, (size_t)row->hole, 0), row->hole));
	return f;
}

/* As when pmud is killed, which had stored more than it could send. */
TEST_ROWS(what_was_stored_follows_what_came, rest_rows)
{
	const struct rest_row *row = &rest_rows[_i];
	FILE *stored = store(row);
	uint8_t bytes[STORED * EACH];

	for (unsigned i = 0; i < CAME; i++) {
		n = i + 1;
		come();
	}
	ck_assert_uint_eq(out.taken, CAME * EACH);
	ck_assert_msg(trace_out_rest(&out, fileno(stored), "m1") == row->ok,
		      "%s", row->why);
	ck_assert(!fflush(file));
	ck_assert_msg(in_file() == row->have * EACH, "%s: %d", row->why,
		      (int)in_file());
	ck_assert_int_eq(pread(fileno(file), bytes, sizeof(bytes), 0),
			 in_file());
	for (unsigned i = 0; i < row->have; i++)
		ck_assert_uint_eq(bytes[i * EACH + EACH - 1], i + 1);
	fclose(stored);
}

TEST(what_was_stored_and_cannot_be_read_is_told)
{
	ck_assert(!trace_out_rest(&out, 999, "m1"));
}

/* Of a pmud that stays. */
TEST(where_the_rest_may_be_is_told)
{
	capture();
	ck_assert(trace_out_rest(&out, -1, "m1"));
	ck_assert_str_eq(capture_end(),
			 "pmuctl: the file has what had come by then; a pmud "
			 "that keeps its runs (--keep) has all that it had "
			 "stored when it is back: pmuctl trace save -m m1 "
			 "FILE\n");
}

SUITE("trace-out", .setup = setup, .teardown = teardown);
