/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/record-intake.c: what is stored where, with how many writes,
 * and that a piece that cannot be stored is in no store and can be offered
 * again.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "wire/record.h"
#include "server/hosted.h"
#include "server/record-intake.h"

enum {
	ROOM = 64 << 10, /* of the records of a test */
	LIMIT = 4 << 20
};

/* The system, as far as a row lets it fail. */
static unsigned writes, fail_write, mallocs, fail_malloc; /* 0: never */
static int fail_errno;

ssize_t __real_pwrite64(int fd, const void *buf, size_t n, off_t at);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t n, off_t at);
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);

ssize_t __wrap_pwrite64(int fd, const void *buf, size_t n, off_t at)
{
	if (++writes != fail_write)
		return __real_pwrite64(fd, buf, n, at);
	errno = fail_errno;
	return -1;
}

void *__wrap_malloc(size_t n)
{
	return ++mallocs == fail_malloc ? NULL : __real_malloc(n);
}

static struct daemon d;
static struct hosted m;
static uint8_t in[ROOM];
static size_t n_in;

static void on_retry(struct ev_loop *loop, ev_timer *w, int revents)
{
}

static void setup(void)
{
	memset(&m, 0, sizeof(m));
	d.loop = ev_loop_new(0);
	ck_assert_int_eq(intake_new(&d.intake), 0);
	m.daemon = &d;
	pmu__v1__recording__init(&m.records);
	ev_timer_init(&m.retry, on_retry, 1, 1);
	ck_assert_int_eq(store_new(&m.trace, P_tmpdir, LIMIT, NULL), 0);
	ck_assert_int_eq(store_new(&m.console, P_tmpdir, LIMIT, NULL), 0);
	n_in = writes = fail_write = mallocs = fail_malloc = 0;
}

static void teardown(void)
{
	store_free(m.trace);
	store_free(m.inputs);
	store_free(m.console);
	store_free(m.serial);
	m.serial = NULL;
	store_free(m.live);
	intake_free(d.intake);
	ev_loop_destroy(d.loop);
}

static void put(Pmu__V1__Record *r)
{
	n_in += record_pack(RECORD_TAG_RECORD, &r->base, in + n_in);
}

static void put_output(char byte, unsigned port)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__ConsoleOutput out = PMU__V1__CONSOLE_OUTPUT__INIT;

	out.data.data = (uint8_t *)&byte;
	out.data.len = 1;
	out.port = port;
	r.kind_case = PMU__V1__RECORD__KIND_CONSOLE_OUTPUT;
	r.console_output = &out;
	put(&r);
}

static void put_console(char byte)
{
	put_output(byte, 0);
}

static void put_trap(void)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__Trap trap = PMU__V1__TRAP__INIT;

	r.kind_case = PMU__V1__RECORD__KIND_TRAP;
	r.trap = &trap;
	put(&r);
}

static void put_sbi(void)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__SbiCall call = PMU__V1__SBI_CALL__INIT;

	r.kind_case = PMU__V1__RECORD__KIND_SBI_CALL;
	r.sbi_call = &call;
	put(&r);
}

static void put_csr(void)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__CsrAccess access = PMU__V1__CSR_ACCESS__INIT;

	r.kind_case = PMU__V1__RECORD__KIND_CSR_ACCESS;
	r.csr_access = &access;
	put(&r);
}

static void put_delivery(void)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__Delivery told = PMU__V1__DELIVERY__INIT;

	r.kind_case = PMU__V1__RECORD__KIND_DELIVERY;
	r.delivery = &told;
	put(&r);
}

static void put_stop(void)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__Stop stop = PMU__V1__STOP__INIT;

	r.kind_case = PMU__V1__RECORD__KIND_STOP;
	r.stop = &stop;
	put(&r);
}

static size_t stored(struct store *s, uint8_t out[ROOM])
{
	struct store_reader r = { .lossless = true };
	uint64_t lost;
	ssize_t n;

	store_follow(s, &r, true);
	n = store_read(&r, out, ROOM, &lost);
	store_unfollow(&r);
	ck_assert_int_ge(n, 0);
	return (size_t)n;
}

static void holds(struct store *s, const void *bytes, size_t len)
{
	static uint8_t out[ROOM];

	ck_assert_uint_eq(stored(s, out), len);
	ck_assert_mem_eq(out, bytes, len);
}

/* Offers all that was put. */
static ssize_t take(bool *ret_full)
{
	return intake_take(&m, in, n_in, ret_full);
}

static void take_all(void)
{
	bool full;

	ck_assert_int_eq(take(&full), (ssize_t)n_in);
	ck_assert(!full);
}

static void put_text(const char *text, unsigned times)
{
	while (times--) {
		for (const char *c = text; *c; c++)
			put_console(*c);
	}
}

TEST(a_byte_a_record_costs_no_write_a_byte)
{
	put_text("0123456789", 100);
	take_all();
	ck_assert_uint_eq(writes, 2); /* the trace and the console */
	holds(m.trace, in, n_in);
	ck_assert_uint_eq(store_items(m.trace), 1000);
	ck_assert_uint_eq(store_items(m.console), 1000);
}

TEST(each_port_has_its_store)
{
	ck_assert_int_eq(store_new(&m.serial, P_tmpdir, LIMIT, NULL), 0);
	put_output('a', 0);
	put_output('b', 1);
	put_output('c', 0);
	take_all();
	holds(m.trace, in, n_in);
	holds(m.console, "ac", 2);
	holds(m.serial, "b", 1);
}

/* Without a second port its output is nothing that a machine could have sent.
 */
TEST_TIMES(output_of_a_port_that_is_not_there_is_refused, 2)
{
	bool full;

	if (_i)
		ck_assert_int_eq(store_new(&m.serial, P_tmpdir, LIMIT, NULL),
				 0);
	put_output('a', _i ? 2 : 1);
	ck_assert_int_eq(take(&full), -EPROTO);
	ck_assert_uint_eq(store_items(m.trace), 0);
	ck_assert_uint_eq(store_items(m.console), 0);
}

static const struct kind_row {
	const char *why;
	bool traps, sbi, live;
	/* of a console, a trap, an SBI, a CSR record, a delivery */
	unsigned stored, watched;
	bool csr, deliveries;
} kind_rows[] = {
	{ "what always is", false, false, false, 1, 0 },
	{ "traps", true, false, false, 2, 0 },
	{ "SBI calls", false, true, false, 2, 0 },
	{ "both", true, true, false, 3, 0 },
	{ "accesses to CSRs", false, false, false, 2, 0, true },
	{ "deliveries", false, false, false, 2, 0, false, true },
	{ "a watcher sees all and changes nothing", false, false, true, 1, 5 },
	{ "beside what is stored, too", true, false, true, 2, 5 },
};

TEST_ROWS(what_is_stored_is_the_machines_property, kind_rows)
{
	const struct kind_row *row = &kind_rows[_i];

	m.records.traps = row->traps;
	m.records.sbi_calls = row->sbi;
	m.records.csr_accesses = row->csr;
	m.records.deliveries = row->deliveries;
	if (row->live)
		ck_assert_int_eq(store_new(&m.live, P_tmpdir, LIMIT, NULL), 0);
	put_trap();
	put_console('x');
	put_sbi();
	put_csr();
	put_delivery();
	take_all();
	ck_assert_uint_eq(store_items(m.trace), row->stored);
	ck_assert_uint_eq(m.live ? store_items(m.live) : 0, row->watched);
	holds(m.console, "x", 1);
}

static const struct fail_row {
	const char *why;
	unsigned write, alloc; /* which one fails */
	int err;
	bool end, held;
} fail_rows[] = {
	{ "the disk is full at the first write", 1, 0, ENOSPC, false, true },
	{ "or at the second", 2, 0, ENOSPC, false, true },
	{ "the user's disk quota", 2, 0, EDQUOT, false, true },
	{ "a file that may not grow", 1, 0, EFBIG, false, true },
	{ "no memory for a record", 0, 1, 0, false, true },
	{ "no memory for a later one: the others are taken", 0, 40, 0, false,
	  true },
	{ "a disk that is broken", 1, 0, EIO, false, false },
	{ "a full one, where that ends the machine", 1, 0, ENOSPC, true,
	  false },
	{ "no memory, where that ends the machine", 0, 1, 0, true, false },
};

/* Offers until all is taken; how often it was held. */
static unsigned insist(void)
{
	unsigned held = 0;
	bool full;

	for (size_t at = 0; at < n_in;) {
		ssize_t n = intake_take(&m, in + at, n_in - at, &full);

		ck_assert_int_ge(n, 0);
		at += (size_t)n;
		held += full;
		ck_assert(!full || m.held_by);
	}
	/* until all that waited is stored, which its process' keeper says */
	ck_assert_int_eq(held != 0, m.held_by != 0);
	hosted_hold(&m, 0);
	return held;
}

TEST_ROWS(what_cannot_be_stored_is_stored_later_once, fail_rows)
{
	const struct fail_row *row = &fail_rows[_i];
	char text[100];
	bool full;

	m.records.end_when_full = row->end;
	for (size_t i = 0; i < sizeof(text); i++)
		put_console(text[i] = (char)('a' + i % 26));
	fail_write = row->write;
	fail_errno = row->err;
	mallocs = 0;
	fail_malloc = row->alloc;
	if (!row->held) {
		ck_assert_int_eq(take(&full), row->err ? -row->err : -ENOMEM);
		ck_assert(!full && !m.held_by);
		ck_assert(!*m.ended == !row->end);
		return;
	}
	ck_assert_uint_eq(insist(), row->alloc <= 1);
	ck_assert(!m.held_by && !*m.held);
	holds(m.trace, in, n_in);
	holds(m.console, text, sizeof(text));
}

static void put_input(uint64_t cycle)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__Input input = PMU__V1__INPUT__INIT;

	input.cycle = r.cycle = cycle;
	r.kind_case = PMU__V1__RECORD__KIND_INPUT;
	r.input = &input;
	put(&r);
}

TEST(inputs_have_a_log_of_their_own_where_there_is_one)
{
	size_t at[2];

	ck_assert_int_eq(store_new(&m.inputs, P_tmpdir, LIMIT, NULL), 0);
	put_console('x');
	at[0] = n_in;
	put_input(7);
	at[1] = n_in;
	put_stop();
	take_all();
	holds(m.trace, in, n_in);
	holds(m.inputs, in + at[0], at[1] - at[0]);
	ck_assert_uint_eq(store_items(m.inputs), 1);
	ck_assert(store_ended(m.inputs));
}

TEST(a_stop_ends_the_stores_and_nothing_follows)
{
	bool full;

	put_console('x');
	put_stop();
	take_all();
	ck_assert(store_ended(m.trace) && store_ended(m.console));
	ck_assert_uint_eq(store_items(m.trace), 2);
	n_in = 0;
	put_console('y');
	ck_assert_int_eq(take(&full), -EPROTO);
	holds(m.console, "x", 1);
}

TEST(what_came_before_a_bad_record_is_stored)
{
	size_t good;
	bool full;

	put_console('x');
	put_stop();
	good = n_in;
	put_console('y');
	ck_assert_int_eq(take(&full), (ssize_t)good);
	ck_assert_uint_eq(store_items(m.trace), 2);
	ck_assert_int_eq(intake_take(&m, in + good, n_in - good, &full),
			 -EPROTO);
}

TEST(what_is_no_record_is_refused_behind_those_that_are)
{
	size_t good;
	bool full;

	put_console('x');
	good = n_in;
	in[n_in++] = 0xff;
	ck_assert_int_eq(take(&full), (ssize_t)good);
	holds(m.console, "x", 1);
	ck_assert_int_eq(intake_take(&m, in + good, n_in - good, &full),
			 -EPROTO);
	ck_assert_uint_eq(store_items(m.trace), 1);
}

TEST(a_slow_reader_is_no_full_disk)
{
	struct store_reader r = { .lossless = true };
	bool full = false;

	m.records.end_when_full = true;
	store_follow(m.trace, &r, true);
	put_text("0123456789", 100);
	for (unsigned i = 0; i < LIMIT / 4000 && !full; i++)
		(void)take(&full);
	ck_assert(full && !m.held_by);
	store_unfollow(&r);
	take_all();
}

SUITE("records", .setup = setup, .teardown = teardown);
