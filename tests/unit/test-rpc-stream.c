/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Streams in both directions: order, back-pressure, pausing, early answers,
 * and what happens to a handler when its stream breaks.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "rpc-peer.h"
#include "rpc-service.h"

static struct peer peer;

static void open_peer(uint32_t window, const struct rpc_limits *limits)
{
	service_start(limits);
	peer_open(&peer, service.server, service.loop, window);
}

static void close_peer(void)
{
	peer_close(&peer);
	service_stop();
}

static struct peer_call *begin(const char *path, bool more)
{
	return peer_start(&peer, &(struct peer_request){ .path = path,
							 .body = "\0\0\0\0\0",
							 .len = more ? 0 : 5,
							 .more = more });
}

/* Sends one Item; @len bytes of data. */
static void chunk(struct peer_call *c, const char *name, size_t len)
{
	Test__Item item = TEST__ITEM__INIT;
	struct buf b = { 0 };

	item.name = (char *)name;
	item.data.data = calloc(1, len + 1);
	item.data.len = len;
	ck_assert_int_eq(frame_append(&b, &item.base), 0);
	peer_more(c, buf_head(&b), buf_len(&b), false);
	free(item.data.data);
	buf_free(&b);
}

/* Takes the next Item off what came; its number, or -1: none is whole. */
static int64_t next_number(struct peer_call *c)
{
	Test__Item *item;
	int64_t number;
	uint32_t len;

	if (frame_peek(&c->in, 8 << 20, &len) != FRAME_READY)
		return -1;
	item = test__item__unpack(NULL, len, buf_head(&c->in) + FRAME_PREFIX);
	ck_assert_ptr_nonnull(item);
	number = (int64_t)item->number;
	test__item__free_unpacked(item, NULL);
	buf_consume(&c->in, FRAME_PREFIX + len);
	return number;
}

TEST(a_client_stream_is_added_up)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < 12; i++)
		chunk(c, "", 1 << 20);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_int_eq(next_number(c), 12 << 20);
	ck_assert_uint_eq(service.messages, 12);
	close_peer();
}

TEST(a_client_stream_may_be_empty)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Up", true);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_int_eq(next_number(c), 0);
	close_peer();
}

static const struct break_row {
	const char *why, *bytes;
	size_t n;
	bool end;
	int status;
} break_rows[] = {
	{ "the stream ends inside a message", "\0\0\0\0\2x", 6, true,
	  GRPC_INVALID_ARGUMENT },
	{ "the stream ends inside a prefix", "\0", 1, true,
	  GRPC_INVALID_ARGUMENT },
	{ "a malformed message", "\0\0\0\0\1\xff", 6, false,
	  GRPC_INVALID_ARGUMENT },
	{ "a message above the limit", "\0\x7f\0\0\0", 5, false,
	  GRPC_RESOURCE_EXHAUSTED },
	{ "a compressed message", "\1", 1, false, GRPC_INTERNAL },
	{ "an unknown flag", "\7", 1, false, GRPC_INTERNAL },
};

TEST_ROWS(a_stream_that_breaks_cancels_its_handler, break_rows)
{
	const struct break_row *row = &break_rows[_i];
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Up", true);
	chunk(c, "", 10);
	peer_run(&peer);
	ck_assert_uint_eq(service.messages, 1);
	peer_more(c, row->bytes, row->n, row->end);
	peer_run(&peer);
	ck_assert_msg(c->status == row->status, "%s: %d", row->why, c->status);
	ck_assert_uint_eq(service.cancelled, 1);
	close_peer();
}

TEST(an_early_answer_ends_the_upload)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < 8; i++)
		chunk(c, "fail", 1 << 20);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert(c->closed);
	ck_assert_uint_eq(c->code, NGHTTP2_NO_ERROR);
	ck_assert_uint_eq(service.messages, 1);
	c = begin("/test.Test/Unary", false);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	close_peer();
}

TEST(a_paused_stream_holds_back_its_sender)
{
	struct peer_call *c, *other;

	open_peer(1 << 20, NULL);
	service.pause = true;
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < 10; i++)
		chunk(c, "", 1 << 20);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_uint_eq(service.messages, 1);
	/* what is not let through waits at the sender */
	ck_assert_uint_ge(buf_len(&c->out), 7 << 20);
	other = begin("/test.Test/Unary", false);
	peer_run(&peer);
	ck_assert_int_eq(other->status, GRPC_OK);
	for (unsigned i = 1; i <= 10; i++) {
		ck_assert_uint_eq(service.messages, i);
		ck_assert_int_eq(c->http, 0);
		rpc_call_resume(service.held);
		peer_run(&peer);
	}
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_int_eq(next_number(c), 10 << 20);
	close_peer();
}

/* Whoever has room again says so, if nothing else is said. */
TEST(a_stream_that_goes_on_asks_for_more)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	service.pause = true;
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < 40; i++)
		chunk(c, "", 256 << 10);
	peer_run(&peer);
	ck_assert_uint_eq(service.messages, 1);
	service.pause = false;
	rpc_call_resume(service.held);
	peer_run(&peer);
	ck_assert_uint_eq(service.messages, 40);
	ck_assert_uint_eq(buf_len(&c->out), 0);
	close_peer();
}

/* One message at a time is taken: the rest stays with the sender, each time. */
TEST(a_long_upload_of_short_messages_is_never_gathered)
{
	enum {
		MESSAGES = 160,
		SIZE = 256 << 10
	};
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	service.pause = true;
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < MESSAGES; i++)
		chunk(c, "", SIZE);
	peer_more(c, "", 0, true);
	peer_run(&peer);
	for (unsigned i = 1; i <= MESSAGES; i++) {
		ck_assert_uint_eq(service.messages, i);
		rpc_call_resume(service.held);
		peer_run(&peer);
	}
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_int_eq(next_number(c), MESSAGES * SIZE);
	close_peer();
}

TEST(a_paused_upload_that_is_refused_ends)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	service.pause = true;
	c = begin("/test.Test/Up", true);
	for (int i = 0; i < 10; i++)
		chunk(c, "", 1 << 20);
	peer_run(&peer);
	rpc_finish(service.held, GRPC_NOT_FOUND, "no room");
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert(c->closed);
	close_peer();
}

/* What the first @n messages of Down take in a queue. */
static size_t down_bytes(uint64_t n)
{
	Test__Item item = TEST__ITEM__INIT;
	size_t bytes = 0;

	item.data.len = service.size;
	for (item.number = 0; item.number < n; item.number++)
		bytes += FRAME_PREFIX + test__item__get_packed_size(&item);
	return bytes;
}

TEST(a_slow_reader_gets_all_in_order_when_it_reads)
{
	struct peer_call *c;
	int64_t want = 0;

	open_peer(0, NULL);
	service.n = 5000;
	service.size = 1000;
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	ck_assert_uint_eq(service.full, 1);
	ck_assert_uint_eq(service.writable, 0);
	ck_assert_uint_ge(down_bytes(service.next), RPC_QUEUE_HIGH);
	ck_assert_uint_lt(down_bytes(service.next - 1), RPC_QUEUE_HIGH);
	while (!c->closed) {
		peer_allow(c, 100000);
		peer_run(&peer);
		while (next_number(c) == want)
			want++;
	}
	ck_assert_int_eq(want, 5000);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_gt(service.writable, 5);
	ck_assert_uint_le(service.writable, service.full);
	close_peer();
}

TEST(a_drained_queue_is_told_once)
{
	struct peer_call *c;

	open_peer(0, NULL);
	service.n = 400;
	service.size = 1000;
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	ck_assert_uint_eq(service.full, 1);
	service.n = service.next; /* it has no more, but does not end */
	service.stay = true;
	for (int i = 0; i < 300; i++) {
		peer_allow(c, 1000);
		peer_run(&peer);
	}
	ck_assert_uint_eq(service.writable, 1);
	ck_assert_int_eq(c->status, -1);
	close_peer();
}

/* Not a byte above the low mark. */
TEST(a_queue_at_its_low_mark_is_writable)
{
	const struct rpc_limits limits = { .queue_high = 5000,
					   .queue_low = 1234 };
	struct peer_call *c;

	open_peer(0, &limits);
	service.n = 1000;
	service.size = 1000;
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	service.n = service.next; /* it has no more, but does not end */
	service.stay = true;
	peer_allow(c, (int32_t)down_bytes(service.next) - 1235);
	peer_run(&peer);
	ck_assert_uint_eq(buf_len(&c->in), down_bytes(service.next) - 1235);
	ck_assert_uint_eq(service.writable, 0);
	peer_allow(c, 1);
	peer_run(&peer);
	ck_assert_uint_eq(service.writable, 1);
	close_peer();
}

TEST(nothing_is_sent_behind_the_end)
{
	Test__Item item = TEST__ITEM__INIT;
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	rpc_finish(service.held, GRPC_OK, NULL);
	service.done++;
	ck_assert_int_eq(rpc_send(service.held, &item.base), -ECANCELED);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in), 0);
	close_peer();
}

TEST(a_reader_that_stands_still_hinders_no_other_call)
{
	struct peer_call *c;

	open_peer(0, NULL);
	service.n = 5000;
	service.size = 1000;
	begin("/test.Test/Down", false);
	peer_run(&peer);
	c = begin("/test.Test/Unary", false);
	peer_run(&peer);
	peer_allow(c, 1000);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	close_peer();
}

/* The call's own share, and what all of its user's may hold. */
static const struct rpc_limits queue_limits[] = {
	{ .queue_high = RPC_QUEUE_HIGH },
	{ .user_bytes = 3 << 20 },
};

TEST_ROWS(a_queue_has_an_end, queue_limits)
{
	Test__Item item = TEST__ITEM__INIT;
	int rc, n = 0;

	open_peer(0, &queue_limits[_i]);
	begin("/test.Test/Down", false);
	peer_run(&peer);
	item.data.len = 1 << 20;
	item.data.data = calloc(1, 5 << 20);
	while ((rc = rpc_send(service.held, &item.base)) >= 0)
		ck_assert_int_lt(n++, 10);
	ck_assert_int_eq(rc, -ENOBUFS);
	ck_assert_uint_le((size_t)n * item.data.len,
			  RPC_QUEUE_HIGH + 2 * RPC_MAX_MESSAGE);
	item.data.len = 5 << 20;
	ck_assert_int_eq(rpc_send(service.held, &item.base), -EMSGSIZE);
	free(item.data.data);
	close_peer();
}

TEST(a_refusal_follows_what_was_sent)
{
	Test__Item item = TEST__ITEM__INIT;
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	item.number = 42;
	ck_assert_int_eq(rpc_send(service.held, &item.base), 0);
	rpc_refuse(service.held, GRPC_OUT_OF_RANGE, RPC_AT("offset", "FAR"),
		   "after %d", 1);
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(next_number(c), 42);
	ck_assert_int_eq(c->status, GRPC_OUT_OF_RANGE);
	ck_assert_str_eq(c->text, "after 1");
	ck_assert_str_eq(c->details.field, "offset");
	ck_assert_str_eq(c->details.reason, "FAR");
	close_peer();
}

TEST(the_status_follows_what_is_queued)
{
	struct peer_call *c;

	open_peer(0, NULL);
	service.n = 10;
	service.size = 100;
	c = begin("/test.Test/Down", false);
	peer_run(&peer);
	ck_assert_int_eq(c->http, 200);
	ck_assert_int_eq(c->status, -1);
	peer_allow(c, 1 << 20);
	peer_run(&peer);
	for (int64_t i = 0; i < 10; i++)
		ck_assert_int_eq(next_number(c), i);
	ck_assert_int_eq(c->status, GRPC_OK);
	close_peer();
}

TEST(a_deadline_ends_a_stream_that_nobody_reads)
{
	struct peer_call *c;

	open_peer(0, NULL);
	service.n = 5000;
	service.size = 1000;
	c = peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Down",
						      .timeout = "2m",
						      .body = "\0\0\0\0\0",
						      .len = 5 });
	while (!c->closed) {
		peer_run(&peer);
		ck_assert(!peer.eof);
	}
	/* trailers cannot pass the data that is on its way */
	ck_assert(c->status == GRPC_DEADLINE_EXCEEDED ||
		  c->code == NGHTTP2_CANCEL);
	ck_assert_uint_eq(service.cancelled, 1);
	close_peer();
}

TEST(both_directions_at_once)
{
	struct peer_call *c;

	open_peer(1 << 20, NULL);
	c = begin("/test.Test/Both", true);
	for (int64_t i = 1; i < 50; i++) {
		peer_more(c, (uint8_t[]){ 0, 0, 0, 0, 2, 0x18, (uint8_t)i }, 7,
			  false);
		peer_run(&peer);
		ck_assert_int_eq(next_number(c), i);
	}
	peer_more(c, "", 0, true);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	close_peer();
}

TEST(one_user_may_queue_so_much_and_no_more)
{
	const struct rpc_limits limits = {
		/* three messages, not four */ .user_bytes = 7 << 19
	};
	struct peer_call *c[4];

	open_peer(1 << 20, &limits);
	for (int i = 0; i < 4; i++) {
		/* a message of 1 MiB without its last byte stays queued */
		static uint8_t bytes[5 + (1 << 20) - 1] = { 0, 0, 0x10 };

		c[i] = begin("/test.Test/Unary", true);
		peer_more(c[i], bytes, sizeof(bytes), false);
		peer_run(&peer);
	}
	ck_assert_int_eq(c[2]->http, 0);
	ck_assert_int_eq(c[3]->status, GRPC_RESOURCE_EXHAUSTED);
	peer_reset(c[0]);
	c[3] = begin("/test.Test/Unary", false);
	peer_run(&peer);
	ck_assert_int_eq(c[3]->status, GRPC_OK);
	close_peer();
}

SUITE("rpc-stream");
