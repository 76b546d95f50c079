/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recorder's sink: one that takes little, later or never gets whole
 * records, all of them, in order.
 */
#include "trace-kept.h"

TEST(long_output_is_several_records)
{
	static uint8_t bytes[2 * TRACE_MAX_CONSOLE + 5];
	Pmu__V1__Trace *t;
	size_t n = 0;

	memset(bytes, 'x', sizeof(bytes));
	record_console(&trace.recorder, &at, 1, bytes, sizeof(bytes));
	t = decode();
	ck_assert_uint_eq(t->n_records, 3);
	for (size_t i = 0; i < t->n_records; i++) {
		ck_assert_uint_le(t->records[i]->console_output->data.len,
				  TRACE_MAX_CONSOLE);
		ck_assert_uint_eq(t->records[i]->console_output->port, 1);
		n += t->records[i]->console_output->data.len;
	}
	ck_assert_uint_eq(n, sizeof(bytes));
	pmu__v1__trace__free_unpacked(t, NULL);
}

/* Writes records that are numbered by their cycle. */
static void write_many(unsigned n)
{
	struct record_at here = at;

	for (unsigned i = 0; i < n; i++) {
		here.cycle = i;
		record_hart(&trace.recorder, &here, CHANGE_WOKEN, 0);
	}
}

static void check_many(unsigned n)
{
	Pmu__V1__Trace *t = decode();

	ck_assert_uint_eq(t->n_records, n);
	for (unsigned i = 0; i < n; i++)
		ck_assert_uint_eq(t->records[i]->cycle, i);
	pmu__v1__trace__free_unpacked(t, NULL);
}

static const size_t rooms[] = { 22, 23, 40, 100, 5000, 1 << 20 };

TEST_ROWS(a_sink_that_takes_little_gets_all_of_it, rooms)
{
	room = rooms[_i];
	write_many(30000);
	ck_assert(trace.recorder.full);
	check_many(30000);
	ck_assert(!trace.recorder.full);
}

/* Half of what was too much, to the byte where records end there. */
TEST(a_sink_is_asked_for_as_much_as_fits)
{
	size_t all;

	for (unsigned i = 0; i < 4; i++)
		record_hart(&trace.recorder, &at, CHANGE_WOKEN, 0);
	all = trace_backlog(&trace);
	room = all / 2;
	ck_assert_int_eq(trace_flush(&trace), 0);
	ck_assert_uint_eq(n_got, all);
	ck_assert_uint_eq(n_asked, 3);
}

enum {
	FILL = 4000 /* bytes: of records that are as long, all lengths have
		     * two bytes */
};

static void put_console(size_t len)
{
	static const uint8_t bytes[3 * FILL];

	ck_assert_uint_le(len, sizeof(bytes));
	record_console(&trace.recorder, &at, 1, bytes, len);
}

/* One byte less than the limit, the limit, and one more. */
TEST_TIMES(a_limit_of_what_waits_is_exact, 3)
{
	size_t want = TRACE_HIGH_WATER - 1 + (size_t)_i, around;

	put_console(FILL);
	around = trace_backlog(&trace) - FILL;
	while (want - trace_backlog(&trace) > 2 * FILL)
		put_console(FILL);
	put_console(want - trace_backlog(&trace) - around);
	ck_assert_uint_eq(trace_backlog(&trace), want);
	ck_assert(trace.recorder.full == (_i > 0));
	room = 0;
	ck_assert_int_eq(trace_flush(&trace), -ENOBUFS);
	ck_assert(trace.recorder.full == (_i > 0));
	trace_go_on(&trace);
	ck_assert(trace.recorder.full == (_i > 0));
	room = SIZE_MAX;
	n_asked = 0;
	ck_assert_int_eq(trace_flush(&trace), 0);
	ck_assert(!trace.recorder.full);
	ck_assert_uint_eq(n_asked, _i > 1 ? 2 : 1); /* of so many at most */
	ck_assert_uint_eq(n_got, want);
}

TEST(what_a_full_sink_does_not_take_waits)
{
	write_many(1000);
	room = 0;
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(trace_flush(&trace), -ENOBUFS);
	ck_assert_uint_eq(n_got, 0);
	room = SIZE_MAX;
	check_many(1000);
}

TEST(an_error_of_the_sink_is_passed_up)
{
	write_many(1);
	failure = -EPROTO;
	ck_assert_int_eq(trace_flush(&trace), -EPROTO);
}

TEST(without_a_sink_records_are_dropped)
{
	trace.put = NULL;
	write_many(30000);
	ck_assert_int_eq(trace_flush(&trace), 0);
	ck_assert(!trace.recorder.full);
}

SUITE("trace-sink", .setup = setup, .teardown = teardown);
