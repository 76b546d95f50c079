/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Streams of a client against a daemon that says what it is told to: how far
 * they open their windows, when they wait, what they send when they are closed.
 */
#include "unit.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <pmuclient/machine.h>

#include "client-script.h"

static struct script script;
static struct pmuclient *client;

/*
 * The time of a test that has its own: it goes on by each wait, and the waits
 * are noted.
 */
static struct {
	bool on;
	int64_t ms;
	int waits[8];
	unsigned n, news_at; /* the wait that a message comes in, from 1 on */
} own;

enum {
	EACH_WAIT = 30 /* ms */
};

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret);
int __real_clock_gettime(clockid_t clock, struct timespec *ret);
int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout);

int __wrap_clock_gettime(clockid_t clock, struct timespec *ret)
{
	if (!own.on)
		return __real_clock_gettime(clock, ret);
	*ret = (struct timespec){ own.ms / 1000, own.ms % 1000 * 1000000 };
	return 0;
}

static void put_news(unsigned stream, size_t size);

int __wrap_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	if (!own.on)
		return __real_poll(fds, n, timeout);
	ck_assert_uint_lt(own.n, ARRAY_SIZE(own.waits));
	own.waits[own.n++] = timeout;
	own.ms += EACH_WAIT;
	if (own.n == own.news_at) {
		own.on = false; /* the script's own waiting is none */
		put_news(FIRST_CALL, 1);
		script_say(&script, client);
		own.on = true;
	}
	return __real_poll(fds, n, 0);
}

static void setup(void)
{
	memset(&own, 0, sizeof(own));
	script_open(&script, &client);
}

static void teardown(void)
{
	pmuclient_free(client);
	script_close(&script);
}

static struct pmuclient_stream *watch(void)
{
	Pmu__V1__WatchMachineRequest req = PMU__V1__WATCH_MACHINE_REQUEST__INIT;
	struct pmuclient_stream *s = NULL;

	req.machine = (char *)"m1";
	PREPARING(ck_assert_int_eq(
		pmuclient_open(client, "MachineService/WatchMachine", &req.base,
			       &pmu__v1__watch_machine_response__descriptor,
			       &s),
		0));
	return s;
}

/* A message of about @size bytes for the watcher on @stream. */
static void put_news(unsigned stream, size_t size)
{
	Pmu__V1__WatchMachineResponse msg =
		PMU__V1__WATCH_MACHINE_RESPONSE__INIT;
	Pmu__V1__MachineInfo info = PMU__V1__MACHINE_INFO__INIT;
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	text[size] = '\0';
	info.detail = text;
	msg.machine = &info;
	script_message(&script, stream, &msg.base);
	free(text);
}

static int next(struct pmuclient_stream *s, int timeout_ms)
{
	ProtobufCMessage *msg;
	int n = pmuclient_next(s, timeout_ms, &msg);

	if (n == 1)
		pmuclient_free_message(msg);
	return n;
}

static uint64_t window_of(unsigned stream)
{
	uint64_t sum;

	script_heard(&script, FRAME_WINDOW_UPDATE, stream, &sum);
	return sum;
}

/* Has the client read what was said, as its user's loop does. */
static void read_all(void)
{
	struct pollfd p = { .fd = pmuclient_fd(client), .events = POLLIN };

	while (poll(&p, 1, 0) > 0)
		ck_assert_int_eq(pmuclient_pump(client, 0), 0);
}

/* Of three that nobody reads, each holds back its sender, but not the others.
 */
TEST(only_what_is_taken_opens_a_window)
{
	enum {
		EACH = 14, /* less than a window */
		SIZE = 64 << 10
	};
	struct pmuclient_stream *s[3];
	uint64_t shared;

	for (unsigned i = 0; i < ARRAY_SIZE(s); i++) {
		s[i] = watch();
		script_answer(&script, 1 + 2 * i);
	}
	script_say(&script, client);
	shared = window_of(0);
	for (unsigned i = 0; i < EACH * ARRAY_SIZE(s); i++)
		put_news(1 + 2 * (i % 3), SIZE);
	script_say(&script, client);
	read_all();
	ck_assert_uint_gt(window_of(0), shared + (2 << 20));
	for (unsigned i = 0; i < ARRAY_SIZE(s); i++)
		ck_assert_uint_eq(window_of(1 + 2 * i), 0);
	ck_assert_int_eq(next(s[1], 0), 1);
	ck_assert_int_eq(pmuclient_pump(client, 0), 0);
	ck_assert_uint_eq(window_of(3), 0); /* it is told of half a window */
	for (unsigned i = 1; i < EACH; i++)
		ck_assert_int_eq(next(s[1], 0), 1);
	ck_assert_int_eq(pmuclient_pump(client, 0), 0);
	ck_assert_uint_ge(window_of(3), EACH * SIZE / 2);
	ck_assert_uint_le(window_of(3), EACH * (SIZE + 100));
	ck_assert_uint_eq(window_of(1) + window_of(5), 0);
	for (unsigned i = 0; i < ARRAY_SIZE(s); i++)
		pmuclient_close(s[i]);
}

/* What has been taken stands for no window that comes later. */
TEST(what_was_given_back_is_not_given_again)
{
	enum {
		EACH = 14,
		SIZE = 64 << 10
	};
	struct pmuclient_stream *s = watch();
	uint64_t given;

	script_answer(&script, FIRST_CALL);
	for (unsigned i = 0; i < EACH; i++)
		put_news(FIRST_CALL, SIZE);
	script_say(&script, client);
	read_all();
	for (unsigned i = 0; i < EACH; i++)
		ck_assert_int_eq(next(s, 0), 1);
	ck_assert_int_eq(pmuclient_pump(client, 0), 0);
	given = window_of(FIRST_CALL);
	ck_assert_uint_gt(given, 0);
	/* nothing waits; now comes what nobody takes */
	for (unsigned i = 0; i < EACH / 2; i++)
		put_news(FIRST_CALL, SIZE);
	script_say(&script, client);
	read_all();
	ck_assert_uint_eq(window_of(FIRST_CALL), given);
	pmuclient_close(s);
}

/* Each could come behind a message that waits, and be given back for it. */
TEST(pieces_that_nobody_takes_open_no_window)
{
	enum {
		PIECES = 600000 /* above the half of a window */
	};
	struct pmuclient_stream *s = watch();

	script_answer(&script, FIRST_CALL);
	put_news(FIRST_CALL, 1);
	for (unsigned i = 0; i < PIECES; i++)
		script_frame(&script,
			     (struct script_head){ FRAME_DATA, 0, FIRST_CALL },
			     "", 1);
	script_say(&script, client);
	read_all();
	ck_assert_uint_eq(window_of(FIRST_CALL), 0);
	ck_assert_int_eq(next(s, 0), 1);
	pmuclient_close(s);
}

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

TEST(a_stream_can_be_asked_again_until_its_end)
{
	struct pmuclient_stream *s = watch();
	int64_t start;

	script_answer(&script, FIRST_CALL);
	script_say(&script, client);
	ck_assert_int_eq(next(s, 0), -PMUCLIENT_ETIMEOUT);
	ck_assert_str_eq(pmuclient_error(client), "nothing came in time");
	start = now_ms();
	ck_assert_int_eq(next(s, 30), -PMUCLIENT_ETIMEOUT);
	ck_assert_int_ge(now_ms() - start, 29);
	put_news(FIRST_CALL, 1);
	put_news(FIRST_CALL, 2);
	script_end(&script, FIRST_CALL, "0");
	script_say(&script, client);
	ck_assert_int_eq(next(s, -1), 1);
	ck_assert_int_eq(next(s, 0), 1);
	ck_assert_int_eq(next(s, -1), 0);
	ck_assert_int_eq(next(s, -1), 0);
	pmuclient_close(s);
	ck_assert_uint_eq(
		script_heard(&script, FRAME_RST_STREAM, FIRST_CALL, NULL), 0);
}

/* From here on the time is the test's. */
static void begin_own_time(void)
{
	own.ms = 5950; /* a second begins meanwhile */
	own.on = true;
}

static void check_waits(const int *wanted, unsigned n)
{
	own.on = false;
	ck_assert_uint_eq(own.n, n);
	for (unsigned i = 0; i < n; i++)
		ck_assert_int_eq(own.waits[i], wanted[i]);
}

static const struct patience_row {
	int timeout, wants;
	unsigned news_at, n;
	int waits[5];
} patience_rows[] = {
	{ 0, -PMUCLIENT_ETIMEOUT, 0, 1, { 0 } },
	{ 1, -PMUCLIENT_ETIMEOUT, 0, 1, { 1 } },
	{ 30, -PMUCLIENT_ETIMEOUT, 0, 1, { 30 } },
	{ 31, -PMUCLIENT_ETIMEOUT, 0, 2, { 31, 1 } },
	{ 100, -PMUCLIENT_ETIMEOUT, 0, 4, { 100, 70, 40, 10 } },
	{ 100, 1, 3, 3, { 100, 70, 40 } },
	{ -1, 1, 5, 5, { -1, -1, -1, -1, -1 } },
};

TEST_ROWS(what_was_waited_is_not_waited_again, patience_rows)
{
	const struct patience_row *row = &patience_rows[_i];
	struct pmuclient_stream *s = watch();
	int got;

	script_answer(&script, FIRST_CALL);
	script_say(&script, client);
	read_all();
	own.news_at = row->news_at;
	begin_own_time();
	got = next(s, row->timeout);
	check_waits(row->waits, row->n);
	ck_assert_int_eq(got, row->wants);
	pmuclient_close(s);
}

/* A call's time is that of its answer and of its end together. */
TEST(an_answer_without_an_end_takes_the_calls_time)
{
	Pmu__V1__WatchMachineRequest req = PMU__V1__WATCH_MACHINE_REQUEST__INIT;
	ProtobufCMessage *answer = NULL;
	int got;

	pmuclient_set_timeout(client, 100);
	script_answer(&script, FIRST_CALL);
	own.news_at = 2;
	begin_own_time();
	got = pmuclient_call(client, "MachineService/WatchMachine", &req.base,
			     &pmu__v1__watch_machine_response__descriptor,
			     &answer);
	/* the last one of it cancels the call */
	check_waits((const int[]){ 100, 70, 40, 10, 0 }, 5);
	ck_assert_int_eq(got, -PMUCLIENT_ETIMEOUT);
	ck_assert_ptr_null(answer);
}

TEST(taking_never_looks_at_the_descriptor)
{
	struct pmuclient_stream *s = watch();
	ProtobufCMessage *msg;

	script_answer(&script, FIRST_CALL);
	put_news(FIRST_CALL, 1);
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_take(s, &msg), -PMUCLIENT_ETIMEOUT);
	ck_assert_int_eq(pmuclient_pump(client, 0), 0);
	ck_assert_int_eq(pmuclient_take(s, &msg), 1);
	pmuclient_free_message(msg);
	ck_assert_int_eq(pmuclient_take(s, &msg), -PMUCLIENT_ETIMEOUT);
	pmuclient_close(s);
}

TEST(a_stream_that_is_closed_early_is_cancelled)
{
	uint64_t code;

	pmuclient_close(NULL);
	pmuclient_close(watch());
	ck_assert_uint_eq(
		script_heard(&script, FRAME_RST_STREAM, FIRST_CALL, &code), 1);
	ck_assert_uint_eq(code, 8); /* CANCEL */
}

TEST(a_client_that_goes_cancels_what_is_open)
{
	for (int i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(watch());
	pmuclient_free(client);
	for (unsigned id = 1; id < 6; id += 2)
		ck_assert_uint_eq(
			script_heard(&script, FRAME_RST_STREAM, id, NULL), 1);
	client = NULL;
}

TEST(a_daemon_that_hangs_up_ends_all_streams)
{
	struct pmuclient_stream *a = watch(), *b = watch();

	script_answer(&script, FIRST_CALL);
	put_news(FIRST_CALL, 1);
	script_say(&script, client);
	shutdown(script.fd, SHUT_WR);
	/* what it said before is heard */
	ck_assert_int_eq(next(a, -1), 1);
	ck_assert_int_eq(next(a, -1), -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: pmud closed it");
	ck_assert_int_eq(next(b, -1), -PMUCLIENT_ELOST);
	ck_assert_int_eq(pmuclient_pump(client, -1), -PMUCLIENT_ELOST);
	ck_assert_str_eq(pmuclient_error(client),
			 "connection to pmud lost: it is closed");
	ck_assert_int_eq(pmuclient_events(client), POLLIN);
	pmuclient_close(b);
	pmuclient_close(a);
}

static struct pmuclient_stream *begin_upload(void)
{
	struct pmuclient_stream *s = NULL;

	PREPARING(ck_assert_int_eq(
		pmuclient_begin(client, "MachineService/LoadImage",
				&pmu__v1__load_image_response__descriptor, &s),
		0));
	return s;
}

static int send_chunk(struct pmuclient_stream *s, size_t len)
{
	Pmu__V1__LoadImageRequest req = PMU__V1__LOAD_IMAGE_REQUEST__INIT;
	int err;

	req.part_case = PMU__V1__LOAD_IMAGE_REQUEST__PART_CHUNK;
	req.chunk.len = len;
	req.chunk.data = calloc(1, len ? len : 1);
	err = pmuclient_send(s, &req.base);
	free(req.chunk.data);
	return err;
}

/* HTTP/2's first window is 65535 bytes, and this daemon opens it no further. */
TEST(an_upload_waits_for_the_daemon)
{
	static const uint8_t more[] = { 0, 1, 0, 0 };
	struct pmuclient_stream *s;

	pmuclient_set_timeout(client, 100);
	s = begin_upload();
	ck_assert_int_eq(send_chunk(s, 1000), 0);
	begin_own_time();
	ck_assert_int_eq(send_chunk(s, 100000), -PMUCLIENT_ETIMEOUT);
	check_waits((const int[]){ 0, 70, 40, 10 }, 4);
	ck_assert_str_eq(pmuclient_error(client), "pmud takes no more");
	script_frame(&script, (struct script_head){ FRAME_WINDOW_UPDATE, 0, 0 },
		     more, 4);
	script_frame(&script,
		     (struct script_head){ FRAME_WINDOW_UPDATE, 0, FIRST_CALL },
		     more, 4);
	script_say(&script, client);
	ck_assert_int_eq(send_chunk(s, 0), 0);
	pmuclient_close(s);
}

TEST(an_upload_that_is_refused_goes_no_further)
{
	struct pmuclient_stream *s = begin_upload();

	ck_assert_int_eq(send_chunk(s, 1000), 0);
	script_answer(&script, FIRST_CALL);
	script_end(&script, FIRST_CALL, "8");
	script_reset(&script, FIRST_CALL, 0);
	script_say(&script, client);
	ck_assert_int_eq(pmuclient_pump(client, -1), 0);
	ck_assert_int_eq(send_chunk(s, 1000), -PMUCLIENT_ERPC);
	ck_assert_uint_eq(pmuclient_status(client), 8);
	ck_assert_int_eq(pmuclient_finish(s, NULL), -PMUCLIENT_ERPC);
}

SUITE("client-streams", .timeout = 60, .setup = setup, .teardown = teardown);
