/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Users side by side: how much of one's work is done in a turn of the loop,
 * that another is served meanwhile, and what each may make the server hold.
 * Over TCP nobody has an identity: that is the other user.
 */
#include "unit.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grpc/internal.h"
#include "rpc-peer.h"
#include "rpc-raw.h"
#include "rpc-service.h"

enum {
	BLOCK = 16 << 10, /* what is read at once */
	/* three blocks but for a little, so that what is looked after counts */
	TURN = 3 * (BLOCK + 256) - 100,
	ATTACKERS = 4,
};

static struct raw raw[ATTACKERS];

static void frame(struct buf *b, const struct raw_head *head, size_t len)
{
	static const char payload[BLOCK];

	raw_frame(b, head, payload, len);
}

/* A frame of an unknown type that takes a block. */
static void plain(struct buf *b)
{
	frame(b, &(struct raw_head){ .type = 0x77 }, BLOCK - RAW_FRAME);
}

/* 100 frames that ask for nothing, and the rest of the block. */
static void frames(struct buf *b)
{
	const struct raw_head pong = { NGHTTP2_PING, NGHTTP2_FLAG_ACK, 0 };

	for (int i = 0; i < 100; i++)
		frame(b, &pong, 8);
	frame(b, &(struct raw_head){ .type = 0x77 },
	      BLOCK - 100 * (RAW_FRAME + 8) - RAW_FRAME);
}

/* 200 frames that are answered by as many bytes. */
static void answered(struct buf *b)
{
	for (int i = 0; i < 200; i++)
		frame(b, &(struct raw_head){ .type = NGHTTP2_PING }, 8);
	frame(b, &(struct raw_head){ .type = 0x77 },
	      BLOCK - 200 * (RAW_FRAME + 8) - RAW_FRAME);
}

/* A call and its reset; @extra of its header block. */
static void one_call(struct buf *b, const struct buf *extra)
{
	static uint32_t sid = 1;
	struct buf block = { 0 };
	size_t start = buf_len(b);
	const struct raw_head open = { NGHTTP2_HEADERS,
				       NGHTTP2_FLAG_END_HEADERS, sid };
	const struct raw_head reset = { NGHTTP2_RST_STREAM, 0, sid };

	raw_request(&block, "/test.Test/Up");
	ck_assert_int_eq(buf_append(&block, buf_head(extra), buf_len(extra)),
			 0);
	raw_frame(b, &open, buf_head(&block), buf_len(&block));
	raw_frame(b, &reset, "\0\0\0\x8", 4);
	frame(b, &(struct raw_head){ .type = 0x77 },
	      BLOCK - (buf_len(b) - start) - RAW_FRAME);
	buf_free(&block);
	sid += 2;
}

static void calls(struct buf *b)
{
	one_call(b, &(struct buf){ 0 });
}

/* A header of 3728 bytes, and one byte for each time that it comes again. */
static void lists(struct buf *b)
{
	struct buf extra = { 0 };
	uint8_t *to;

	ck_assert_int_eq(buf_append(&extra, "\x40\1a\x7f\x91\x1c", 6), 0);
	to = buf_reserve(&extra, 3728 + 3);
	memset(to, 'x', 3728);
	memset(to + 3728, 0xbe, 3);
	buf_commit(&extra, 3728 + 3);
	one_call(b, &extra);
	buf_free(&extra);
}

enum {
	LIST = 242, /* of a request of ours, as HTTP/2 counts */
	ONE_CALL = 2 * RPC_WORK_FRAME + RPC_WORK_CALL + LIST,
};

static const struct cost_row {
	const char *why;
	void (*make)(struct buf *b);
	size_t work; /* beside the block's bytes */
} cost_rows[] = {
	{ "bytes", plain, 0 },
	{ "frames", frames, 100 * RPC_WORK_FRAME },
	{ "answers", answered, 200 * (RPC_WORK_FRAME + RAW_FRAME + 8) },
	{ "calls", calls, ONE_CALL },
	{ "header lists", lists, ONE_CALL + 4 * (3728 + 33) },
};

static void open_all(const struct rpc_limits *limits)
{
	service_start(limits);
	for (int i = 0; i < ATTACKERS; i++)
		raw_open(&raw[i], service.server, service.loop);
	loop_run(service.loop);
}

static void close_all(void)
{
	for (int i = 0; i < ATTACKERS; i++)
		raw_close(&raw[i]);
	service_stop();
}

/* Fills the sockets while the loop stands. */
static void fill(void (*make)(struct buf *b), size_t blocks)
{
	for (int i = 0; i < ATTACKERS; i++) {
		struct buf b = { 0 };

		for (size_t n = 0; n < blocks; n++)
			make(&b);
		ck_assert_int_eq(send(raw[i].fd, buf_head(&b), buf_len(&b),
				      MSG_NOSIGNAL),
				 buf_len(&b));
		buf_free(&b);
	}
}

static size_t unread(void)
{
	size_t n = 0;

	for (int i = 0; i < ATTACKERS; i++)
		n += raw_unread(&raw[i]);
	return n;
}

/* What is read in some turns is what they pay for, to the block. */
TEST_ROWS(a_turn_has_its_work_and_no_more, cost_rows)
{
	const struct cost_row *row = &cost_rows[_i];
	const struct rpc_limits limits = { .work_turn = TURN };
	size_t cost = BLOCK + row->work + RPC_WORK_SERVE, before, blocks;
	size_t want;

	open_all(&limits);
	fill(row->make, 8);
	ev_run(service.loop, EVRUN_NOWAIT); /* says that they can be read */
	before = unread();
	ck_assert_uint_eq(before, ATTACKERS * 8 * BLOCK);
	for (size_t turn = 1; turn <= 6; turn++) {
		ev_run(service.loop, EVRUN_NOWAIT);
		blocks = (before - unread()) / BLOCK;
		/* the last one of a turn is begun with what is left */
		want = (turn * TURN + cost - 1) / cost;
		ck_assert_msg(blocks == want, "%s: %zu blocks in %zu, not %zu",
			      row->why, blocks, turn, want);
	}
	close_all();
}

/* One block each, however small a turn: none is read twice before all once. */
TEST(the_connections_of_a_user_take_turns)
{
	const struct rpc_limits limits = { .work_turn = 1 << 10 };
	size_t least, most;

	open_all(&limits);
	fill(plain, 8);
	while (unread() > 8 * BLOCK) {
		ev_run(service.loop, EVRUN_NOWAIT);
		least = most = raw_unread(&raw[0]);
		for (int i = 1; i < ATTACKERS; i++) {
			size_t n = raw_unread(&raw[i]);

			least = n < least ? n : least;
			most = n > most ? n : most;
		}
		ck_assert_uint_le(most - least, BLOCK);
	}
	close_all();
}

static int connect_tcp(uint16_t port)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)),
			 0);
	return fd;
}

static void open_other(struct peer *peer)
{
	uint16_t port;

	ck_assert_int_eq(rpc_listen_tcp(service.server, 0, &port), 0);
	peer_adopt(peer, connect_tcp(port), service.loop, 1000);
	peer_run(peer);
}

static struct peer_call *ask_health(struct peer *peer)
{
	return peer_start(peer, &(struct peer_request){
					.path = "/grpc.health.v1.Health/Check",
					.body = "\0\0\0\0\0",
					.len = 5 });
}

/* In few turns, and in each of them little is done for the others. */
TEST(another_user_is_served_meanwhile)
{
	const struct rpc_limits limits = { .work_turn = BLOCK };
	struct peer_call *c;
	struct peer peer;
	size_t before;
	int turns;

	open_all(&limits);
	open_other(&peer);
	fill(plain, 8);
	ev_run(service.loop, EVRUN_NOWAIT);
	for (int i = 0; i < 5; i++) {
		before = unread();
		c = ask_health(&peer);
		for (turns = 0; c->status < 0 && turns < 4; turns++)
			peer_turn(&peer);
		ck_assert_int_eq(c->status, GRPC_OK);
		ck_assert_uint_le(before - unread(), 4 * BLOCK);
	}
	ck_assert_uint_gt(unread(), 8 * BLOCK);
	peer_close(&peer);
	close_all();
}

/* Messages that are not whole: all of it stays queued. */
static struct peer_call *queue_up(struct peer *peer, size_t bytes)
{
	uint8_t *body = calloc(1, bytes + FRAME_PREFIX);
	struct peer_call *c;

	body[2] = 0x30; /* of 3 MiB, which never come */
	c = peer_start(peer, &(struct peer_request){ .path = "/test.Test/Unary",
						     .body = body,
						     .len = bytes,
						     .more = true });
	free(body);
	peer_run(peer);
	return c;
}

TEST(the_last_quarter_is_for_those_who_hold_little)
{
	const struct rpc_limits limits = { .user_bytes = 16 << 20,
					   .total_bytes = 8 << 20 };
	struct peer_call *c;
	struct peer peer, other;
	int n = 0;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	do
		c = queue_up(&peer, 1 << 20);
	while (c->status < 0 && n++ < 20);
	ck_assert_int_eq(c->status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_int_eq(n, 5); /* of the 6 MiB, with what calls cost */
	open_other(&other);
	c = ask_health(&other);
	peer_run(&other);
	ck_assert_int_eq(c->status, GRPC_OK);
	peer_close(&other);
	peer_close(&peer);
	service_stop();
}

/* Little is so much to the byte, and what more is none. */
TEST_TIMES(a_user_who_holds_little_may_use_the_last_quarter, 2)
{
	const struct rpc_limits limits = { .total_bytes = RPC_LITTLE_BYTES +
							  RPC_MIB / 4 };
	struct peer_call *c;
	struct peer peer;

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	c = queue_up(&peer, RPC_LITTLE_BYTES - RPC_CONN_BYTES - RPC_CALL_BYTES +
				    (unsigned)_i);
	ck_assert_int_eq(c->status, _i ? GRPC_RESOURCE_EXHAUSTED : -1);
	peer_close(&peer);
	service_stop();
}

/*
 * A connection, and each of its calls, is charged before it does anything: to
 * the byte, to its user and to all.
 */
TEST_TIMES(calls_and_connections_are_charged, 2)
{
	const size_t bytes = RPC_CONN_BYTES + 10 * RPC_CALL_BYTES;
	const struct rpc_limits limits = {
		.user_bytes = _i ? 0 : bytes,
		.total_bytes = _i ? bytes : 0,
	};
	struct peer_call *c[11];
	struct peer peer, next;
	int pair[2];

	service_start(&limits);
	peer_open(&peer, service.server, service.loop, 1000);
	for (int i = 0; i < 11; i++)
		c[i] = queue_up(&peer, 0);
	ck_assert(!c[9]->closed);
	ck_assert(c[10]->closed);
	ck_assert_uint_eq(c[10]->code, NGHTTP2_ENHANCE_YOUR_CALM);
	peer_open(&next, service.server, service.loop, 1000);
	peer_run(&next);
	ck_assert(next.eof);
	ck_assert_str_eq(next.goaway_text,
			 "too many bytes are queued for this user, "
			 "or for all");
	peer_close(&next);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[0]), -EUSERS);
	close(pair[1]);
	peer_close(&peer);
	loop_run(service.loop);
	/* and all is given back */
	peer_open(&peer, service.server, service.loop, 1000);
	ck_assert(!queue_up(&peer, 0)->closed);
	peer_close(&peer);
	service_stop();
}

/* A loop with nothing to do sleeps. */
TEST(where_nobody_waits_the_loop_is_not_kept_awake)
{
	struct peer_call *c;
	struct peer peer;

	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1000);
	c = ask_health(&peer);
	while (c->status < 0)
		peer_turn(&peer);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert(TAILQ_EMPTY(&service.server->waiting));
	ck_assert(!ev_is_active(&service.server->again));
	peer_close(&peer);
	service_stop();
}

SUITE("rpc-share");
