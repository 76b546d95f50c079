/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Peers that ask for much and take nothing, and header lists that are small on
 * the wire only: what they make the server hold is bounded, and others are
 * served meanwhile.
 */
#include "unit.h"

#include <malloc.h>
#include <string.h>
#include <sys/socket.h>

#include "rpc-peer.h"
#include "rpc-raw.h"
#include "rpc-service.h"

enum {
	FLOOD = 8 << 20,	/* bytes that an attacker sends */
	PORTION = 64 << 10,	/* before it looks whether it may go on */
	HELD_MAX = 2 << 20,	/* what the server may hold for it */
	NOT_READ_MAX = 2 << 20, /* the server takes no more of it than this */
};

static struct raw raw;
static unsigned resets; /* that the server asked nghttp2 for */

int __wrap_nghttp2_submit_rst_stream(nghttp2_session *session, uint8_t flags,
				     int32_t sid, uint32_t code);
int __real_nghttp2_submit_rst_stream(nghttp2_session *session, uint8_t flags,
				     int32_t sid, uint32_t code);

int __wrap_nghttp2_submit_rst_stream(nghttp2_session *session, uint8_t flags,
				     int32_t sid, uint32_t code)
{
	resets++;
	return __real_nghttp2_submit_rst_stream(session, flags, sid, code);
}

static void setup(void)
{
	resets = 0;
	service_start(NULL);
	raw_open(&raw, service.server, service.loop);
	loop_run(service.loop);
}

static void teardown(void)
{
	raw_close(&raw);
	service_stop();
}

static size_t held(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

#define HEAD(type, flags, sid) (&(struct raw_head){ (type), (flags), (sid) })
#define PAYLOAD(bytes)	       (bytes), sizeof(bytes) - 1

static void open_call(struct buf *b, uint32_t sid, const char *path,
		      uint8_t flags)
{
	struct buf block = { 0 };

	raw_request(&block, path);
	raw_frame(b, &(struct raw_head){ NGHTTP2_HEADERS, flags, sid },
		  buf_head(&block), buf_len(&block));
	buf_free(&block);
}

static void pings(struct buf *b, unsigned i)
{
	raw_frame(b, HEAD(NGHTTP2_PING, 0, 0), PAYLOAD("12345678"));
}

static void settings(struct buf *b, unsigned i)
{
	raw_frame(b, HEAD(NGHTTP2_SETTINGS, 0, 0), PAYLOAD("\0\4\0\0\x40\0"));
}

static void open_streams(struct buf *b, unsigned i)
{
	open_call(b, 2 * i + 1, "/test.Test/Up", NGHTTP2_FLAG_END_HEADERS);
}

static void opened_and_reset(struct buf *b, unsigned i)
{
	open_streams(b, i);
	raw_frame(b, HEAD(NGHTTP2_RST_STREAM, 0, 2 * i + 1),
		  PAYLOAD("\0\0\0\x8"));
}

static void answers_unread(struct buf *b, unsigned i)
{
	static char body[5 + 3 + 16000] = "\0\0\0\x3e\x83\x12\x80\x7d";

	open_call(b, 2 * i + 1, "/test.Test/Unary", NGHTTP2_FLAG_END_HEADERS);
	raw_frame(b, HEAD(NGHTTP2_DATA, NGHTTP2_FLAG_END_STREAM, 2 * i + 1),
		  body, sizeof(body));
}

static void sent_after_the_answer(struct buf *b, unsigned i)
{
	/* a method that is not there is answered at once */
	if (!i)
		open_call(b, 1, "/test.Test/No", NGHTTP2_FLAG_END_HEADERS);
	raw_frame(b, HEAD(NGHTTP2_DATA, 0, 1), PAYLOAD("x"));
}

static void priorities(struct buf *b, unsigned i)
{
	const uint32_t sid = 2 * (i % (1u << 29)) + 1;

	raw_frame(b, HEAD(NGHTTP2_PRIORITY, 0, sid), PAYLOAD("\x80\0\0\0\1"));
}

static void window_updates(struct buf *b, unsigned i)
{
	raw_frame(b, HEAD(NGHTTP2_WINDOW_UPDATE, 0, 0), PAYLOAD("\0\0\0\1"));
}

static void empty_data(struct buf *b, unsigned i)
{
	if (!i)
		open_streams(b, 0);
	raw_frame(b, HEAD(NGHTTP2_DATA, 0, 1), "", 0);
}

static void empty_continuations(struct buf *b, unsigned i)
{
	if (!i)
		open_call(b, 1, "/test.Test/Up", 0);
	raw_frame(b, HEAD(NGHTTP2_CONTINUATION, 0, 1), "", 0);
}

static void unknown_frames(struct buf *b, unsigned i)
{
	raw_frame(b, HEAD(0x77, 0xff, 1), PAYLOAD("nothing"));
}

static void resets_of_one(struct buf *b, unsigned i)
{
	if (!i)
		open_streams(b, 0);
	raw_frame(b, HEAD(NGHTTP2_RST_STREAM, 0, 1), PAYLOAD("\0\0\0\x8"));
}

static const struct flood_row {
	const char *why;
	void (*make)(struct buf *b, unsigned i);
	bool answered; /* each makes the server say something */
} flood_rows[] = {
	{ "pings", pings, true },
	{ "settings", settings, true },
	{ "calls that do not end, above the limit", open_streams, true },
	{ "calls opened and reset", opened_and_reset, false },
	{ "answers that nobody reads", answers_unread, false },
	{ "bytes after the answer", sent_after_the_answer, false },
	{ "priorities of streams not there", priorities, false },
	{ "window updates", window_updates, false },
	{ "empty data", empty_data, false },
	{ "header blocks without end", empty_continuations, true },
	{ "frames of unknown type", unknown_frames, false },
	{ "resets of a stream that is gone", resets_of_one, false },
};

static void check_others_are_served(void)
{
	struct peer peer;
	struct peer_call *c;

	peer_open(&peer, service.server, service.loop, 1000);
	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .body = "\0\0\0\0\0",
					       .len = 5 });
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	peer_close(&peer);
}

/* The attacker reads nothing at all; the greatest amount held meanwhile. */
static size_t play(const struct flood_row *row)
{
	size_t start, most;
	struct buf b = { 0 };
	unsigned i = 0;

	ck_assert_ptr_nonnull(buf_reserve(&b, 2 * PORTION));
	start = most = held();
	for (bool going = true; going && raw.sent < FLOOD;) {
		while (buf_len(&b) < PORTION)
			row->make(&b, i++);
		going = raw_send(&raw, &b) == buf_len(&b);
		most = held() > most ? held() : most;
		buf_consume(&b, buf_len(&b));
	}
	buf_free(&b);
	return most - start;
}

TEST_ROWS(a_flood_makes_the_server_hold_little, flood_rows)
{
	const struct flood_row *row = &flood_rows[_i];
	size_t most = play(row);

	ck_assert_msg(most <= HELD_MAX, "%s: %zu bytes", row->why, most);
	ck_assert_msg(!row->answered || raw.sent <= NOT_READ_MAX,
		      "%s: %ju bytes were taken", row->why,
		      (uintmax_t)raw.sent);
	check_others_are_served();
}

/* Too many at once for whoever reads, too: nobody needs that. */
TEST(a_flood_is_told_to_calm_down)
{
	struct raw_seen seen;
	struct buf b = { 0 };

	for (unsigned i = 0; i < RPC_MAX_OUTBOUND + 50; i++)
		pings(&b, i);
	raw_send(&raw, &b);
	raw_read(&raw);
	raw_look(&raw, &seen);
	ck_assert(raw.eof);
	ck_assert_uint_eq(seen.goaway, NGHTTP2_ENHANCE_YOUR_CALM);
	ck_assert_uint_le(seen.frames[NGHTTP2_PING], RPC_MAX_OUTBOUND);
	buf_free(&b);
}

TEST(as_many_as_may_wait_are_answered)
{
	struct raw_seen seen;
	struct buf b = { 0 };

	for (unsigned i = 0; i < RPC_MAX_OUTBOUND - 10; i++)
		pings(&b, i);
	for (unsigned n = 1; n < 4; n++) {
		raw_send(&raw, &b);
		raw_read(&raw);
		raw_look(&raw, &seen);
		ck_assert(!raw.eof);
		ck_assert_uint_eq(seen.frames[NGHTTP2_PING],
				  n * (RPC_MAX_OUTBOUND - 10));
	}
	buf_free(&b);
}

/* Windows as wide as they can be, so that only the socket is full. */
static void widen(struct buf *b)
{
	raw_frame(b, HEAD(NGHTTP2_SETTINGS, 0, 0),
		  PAYLOAD("\0\4\x7f\xff\xff\xff"));
	raw_frame(b, HEAD(NGHTTP2_SETTINGS, NGHTTP2_FLAG_ACK, 0), "", 0);
	raw_frame(b, HEAD(NGHTTP2_WINDOW_UPDATE, 0, 0),
		  PAYLOAD("\x7f\xff\0\0"));
}

/* Requests with 90 answers of 16 kB, as far as the server takes them. */
static size_t ask_much(struct buf *b)
{
	const int small = 16 << 10;

	setsockopt(raw.server_fd, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small));
	widen(b);
	for (unsigned i = 0; i < 90; i++)
		answers_unread(b, i);
	return raw_send(&raw, b);
}

TEST(who_reads_late_gets_all_answers)
{
	struct raw_seen seen;
	struct buf b = { 0 };
	size_t taken = ask_much(&b);

	/* the socket is full of answers: nothing was read after that */
	ck_assert_uint_le(taken - raw_unread(&raw), 128 << 10);
	while (taken < buf_len(&b)) {
		raw_read(&raw);
		buf_consume(&b, taken);
		taken = raw_send(&raw, &b);
	}
	raw_read(&raw);
	raw_look(&raw, &seen);
	ck_assert_uint_eq(seen.ends, 90);
	ck_assert(!raw.eof);
	buf_free(&b);
}

static void be_over(struct ev_loop *loop, ev_timer *w, int revents)
{
	ev_break(loop, EVBREAK_ALL);
}

TEST(the_loop_sleeps_while_a_peer_reads_nothing)
{
	struct buf b = { 0 };
	unsigned before;
	ev_timer timer;

	ask_much(&b);
	loop_run(service.loop);
	ck_assert_uint_gt(raw_unread(&raw), 0);
	ev_timer_init(&timer, be_over, 0.05, 0.0);
	ev_timer_start(service.loop, &timer);
	before = ev_iteration(service.loop);
	ev_run(service.loop, 0);
	ck_assert_uint_le(ev_iteration(service.loop) - before, 8);
	buf_free(&b);
}

TEST(who_goes_on_after_the_answer_is_told_once)
{
	struct raw_seen seen;
	struct buf b = { 0 };

	sent_after_the_answer(&b, 0);
	raw_send(&raw, &b);
	raw_read(&raw);
	buf_consume(&b, buf_len(&b));
	for (unsigned i = 1; i <= RPC_MAX_OUTBOUND + 50; i++)
		sent_after_the_answer(&b, i);
	raw_send(&raw, &b);
	raw_read(&raw);
	raw_look(&raw, &seen);
	ck_assert(!raw.eof);
	ck_assert_uint_eq(seen.ends, 1);
	ck_assert_uint_eq(seen.frames[NGHTTP2_RST_STREAM], 1);
	ck_assert_uint_eq(seen.reset, NGHTTP2_NO_ERROR);
	buf_free(&b);
}

/*
 * The first byte of every name below is new to the table, each entry is as
 * large as the table, and one byte refers to it.
 */
static void bomb(struct buf *b, uint32_t sid, size_t refers, bool end)
{
	static const char entry[] = "\x40\1a\x7f\xdd\x1d"; /* 3932 bytes */
	struct buf block = { 0 };
	uint8_t *to;

	raw_request(&block, "/test.Test/Unary");
	ck_assert_int_eq(buf_append(&block, entry, sizeof(entry) - 1), 0);
	to = buf_reserve(&block, 3932 + refers);
	memset(to, 'x', 3932);
	memset(to + 3932, 0xbe, refers);
	buf_commit(&block, 3932 + refers);
	raw_frame(b,
		  &(struct raw_head){ NGHTTP2_HEADERS,
				      end ? NGHTTP2_FLAG_END_HEADERS |
						      NGHTTP2_FLAG_END_STREAM
					  : NGHTTP2_FLAG_END_HEADERS,
				      sid },
		  buf_head(&block), buf_len(&block));
	buf_free(&block);
}

static const struct bomb_row {
	const char *why;
	size_t refers;
	bool reset;
} bomb_rows[] = {
	/* each counts 1 + 3932 + 32; the first entry and the rest 4229 */
	{ "a little too large", 4, false },
	{ "nearly four times as large", 15, false },
	{ "more than four times", 16, true },
	{ "as large as a frame allows", 12000, true },
};

TEST_ROWS(a_header_list_too_large_gets_a_status_or_a_reset, bomb_rows)
{
	const struct bomb_row *row = &bomb_rows[_i];
	struct raw_seen seen;
	struct buf b = { 0 };

	bomb(&b, 1, row->refers, true);
	raw_send(&raw, &b);
	raw_read(&raw);
	raw_look(&raw, &seen);
	ck_assert_msg(seen.ends == !row->reset, "%s", row->why);
	ck_assert_msg(seen.frames[NGHTTP2_RST_STREAM] == row->reset, "%s",
		      row->why);
	/* and not once more for each header that follows */
	ck_assert_msg(resets == row->reset, "%s: %u", row->why, resets);
	ck_assert_uint_eq(seen.reset,
			  row->reset ? NGHTTP2_ENHANCE_YOUR_CALM : 0);
	ck_assert(!raw.eof);
	/* the table of the connection is as the peer believes */
	buf_consume(&b, buf_len(&b));
	answers_unread(&b, 1);
	raw_send(&raw, &b);
	raw_read(&raw);
	raw_look(&raw, &seen);
	ck_assert_uint_eq(seen.ends, 1 + !row->reset);
	ck_assert_uint_eq(service.done, 1);
	buf_free(&b);
}

/* A peer that keeps to these is never told to calm down. */
TEST(the_settings_say_what_a_peer_may_do)
{
	static const uint8_t want[] = {
		0, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 0, 0,  0,	 100,
		0, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,    0, 16, 0,	 0,
		0, NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,   0, 0,  0x40, 0,
		0, NGHTTP2_SETTINGS_NO_RFC7540_PRIORITIES,  0, 0,  0,	 1,
	};
	const uint8_t *got;

	raw_read(&raw);
	ck_assert_uint_ge(buf_len(&raw.in), RAW_FRAME + sizeof(want));
	got = buf_head(&raw.in);
	ck_assert_uint_eq(got[3], NGHTTP2_SETTINGS);
	ck_assert_uint_eq(got[2], sizeof(want));
	ck_assert_mem_eq(got + RAW_FRAME, want, sizeof(want));
}

SUITE("rpc-attack", .timeout = 60, .setup = setup, .teardown = teardown);
