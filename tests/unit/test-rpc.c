/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One call at a time: what each breach of the protocol gets, and that the
 * connection lives on; sessions cut at every byte; answers that come later,
 * cancels and deadlines.
 */
#include "unit.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

static struct peer peer;

static void setup(void)
{
	service_start(NULL);
	peer_open(&peer, service.server, service.loop, 1 << 20);
}

static void teardown(void)
{
	peer_close(&peer);
	service_stop();
}

/* A framed Item with this name; the caller frees it. */
static struct buf framed(const char *name)
{
	Test__Item item = TEST__ITEM__INIT;
	struct buf b = { 0 };

	item.name = (char *)name;
	ck_assert_int_eq(frame_append(&b, &item.base), 0);
	return b;
}

static struct peer_call *ask(const char *name, const char *timeout)
{
	struct buf b = framed(name);
	struct peer_call *c;

	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .timeout = timeout,
					       .body = buf_head(&b),
					       .len = buf_len(&b) });
	buf_free(&b);
	return c;
}

static void check_echo(void)
{
	struct buf want = framed("echo");
	struct peer_call *c = ask("echo", NULL);

	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in), buf_len(&want));
	ck_assert_mem_eq(buf_head(&c->in), buf_head(&want), buf_len(&want));
	buf_free(&want);
}

#define BODY(bytes)	  (bytes), sizeof(bytes) - 1
#define FRAME(len, bytes) BODY("\0\0\0\0" len bytes)

static const struct bad_row {
	const char *why;
	struct peer_request req;
	const char *body;
	size_t len;
	int http, status;
} bad_rows[] = {
	{ "a method that is not there",
	  { .path = "/test.Test/Nothing" },
	  FRAME("\0", ""),
	  200,
	  GRPC_UNIMPLEMENTED },
	{ "a path that is no UTF-8",
	  { .path = "/\xff" },
	  FRAME("\0", ""),
	  200,
	  GRPC_UNIMPLEMENTED },
	{ "not a POST", { .method = "GET" }, FRAME("\0", ""), 405, -1 },
	{ "not gRPC", { .type = "text/plain" }, FRAME("\0", ""), 415, -1 },
	{ "not quite gRPC",
	  { .type = "application/grpcx" },
	  FRAME("\0", ""),
	  415,
	  -1 },
	{ "gRPC by its longer name",
	  { .type = "application/grpc+proto" },
	  FRAME("\0", ""),
	  200,
	  GRPC_OK },
	{ "identity is no compression",
	  { .encoding = "identity" },
	  FRAME("\0", ""),
	  200,
	  GRPC_OK },
	{ "an encoding that only begins like identity",
	  { .encoding = "identity-of-16-and-more" },
	  FRAME("\0", ""),
	  200,
	  GRPC_UNIMPLEMENTED },
	{ "compression",
	  { .encoding = "gzip" },
	  FRAME("\0", ""),
	  200,
	  GRPC_UNIMPLEMENTED },
	{ "a timeout without a unit",
	  { .timeout = "5" },
	  FRAME("\0", ""),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "headers at ease",
	  { .padding = 8000 },
	  FRAME("\0", ""),
	  200,
	  GRPC_OK },
	{ "headers too large",
	  { .padding = 20000 },
	  FRAME("\0", ""),
	  200,
	  GRPC_RESOURCE_EXHAUSTED },
	{ "no message", { 0 }, "", 0, 200, GRPC_INVALID_ARGUMENT },
	{ "two messages",
	  { 0 },
	  BODY("\0\0\0\0\0\0\0\0\0\0"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "a message and a byte",
	  { 0 },
	  BODY("\0\0\0\0\0\0"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "a prefix cut", { 0 }, BODY("\0\0\0\0"), 200, GRPC_INVALID_ARGUMENT },
	{ "a message cut",
	  { 0 },
	  FRAME("\3", "\x0a\1"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "a malformed message",
	  { 0 },
	  FRAME("\1", "\xff"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "a string beyond its message",
	  { 0 },
	  FRAME("\2", "\x0a\5"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "a string that is no UTF-8",
	  { 0 },
	  FRAME("\3", "\x0a\1\xff"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "one among repeated ones",
	  { 0 },
	  FRAME("\6", "\x2a\1a\x2a\1\xff"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "one in a message inside",
	  { 0 },
	  FRAME("\5", "\x32\3\x0a\1\xff"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "one in a oneof",
	  { 0 },
	  FRAME("\3", "\x3a\1\xff"),
	  200,
	  GRPC_INVALID_ARGUMENT },
	{ "bytes need not be UTF-8",
	  { 0 },
	  FRAME("\3", "\x12\1\xff"),
	  200,
	  GRPC_OK },
	{ "unknown fields are skipped",
	  { 0 },
	  FRAME("\2", "\x78\1"),
	  200,
	  GRPC_OK },
	{ "a message above the limit",
	  { 0 },
	  BODY("\0\0\x40\0\1"),
	  200,
	  GRPC_RESOURCE_EXHAUSTED },
	{ "a compressed message",
	  { 0 },
	  BODY("\1\0\0\0\0"),
	  200,
	  GRPC_INTERNAL },
	{ "an unknown flag", { 0 }, BODY("\2\0\0\0\0"), 200, GRPC_INTERNAL },
};

static struct peer_call *start_row(const struct bad_row *row)
{
	struct peer_request req = row->req;

	req.path = req.path ? req.path : "/test.Test/Unary";
	req.body = row->body;
	req.len = row->len;
	return peer_start(&peer, &req);
}

TEST_ROWS(a_breach_gets_its_status_and_the_connection_lives, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	struct peer_call *c = start_row(row);

	peer_run(&peer);
	ck_assert_msg(c->http == row->http, "%s: %d", row->why, c->http);
	ck_assert_msg(c->status == row->status, "%s: %d %s", row->why,
		      c->status, c->text);
	ck_assert_str_eq(c->type, row->http == 200 ? "application/grpc" : "");
	ck_assert_msg(row->status <= 0 || c->text[0], "%s", row->why);
	ck_assert_msg(row->status <= 0 || c->details.reason[0], "%s", row->why);
	ck_assert(c->closed);
	check_echo();
}

TEST(a_path_too_long_is_unimplemented)
{
	char path[RPC_MAX_PATH + 20] = "/";
	struct peer_call *c;

	memset(path + 1, 'x', sizeof(path) - 2);
	path[sizeof(path) - 1] = '\0';
	c = peer_start(&peer, &(struct peer_request){ .path = path });
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_UNIMPLEMENTED);
	check_echo();
}

TEST(many_small_parts_in_a_message_are_limited)
{
	enum {
		N = 1 << 20
	};
	static uint8_t body[FRAME_PREFIX + 2 * N] = { 0, 0, 0x20, 0, 0 };
	struct peer_call *c;

	for (size_t i = 0; i < N; i++)
		body[FRAME_PREFIX + 2 * i] = 0x22; /* an empty Empty */
	c = peer_start(&peer,
		       &(struct peer_request){ .path = "/test.Test/Unary",
					       .body = body,
					       .len = sizeof(body) });
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_RESOURCE_EXHAUSTED);
	check_echo();
}

TEST(a_message_at_the_limit_is_taken_and_answered)
{
	enum {
		BODY_LEN = 4 << 20
	};
	uint8_t *body = calloc(1, FRAME_PREFIX + BODY_LEN);
	const uint8_t head[] = { 0, 0, 0x40, 0, 0, 0x12, 0xfb, 0xff, 0xff, 1 };
	struct peer_call *c;

	memcpy(body, head, sizeof(head));
	c = peer_start(&peer, &(struct peer_request){
				      .path = "/test.Test/Unary",
				      .body = body,
				      .len = FRAME_PREFIX + BODY_LEN });
	peer_run(&peer);
	peer_allow(c, 4 << 20);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in), FRAME_PREFIX + BODY_LEN);
	ck_assert_mem_eq(buf_head(&c->in), body, FRAME_PREFIX + BODY_LEN);
	free(body);
}

TEST(a_text_arrives_as_it_was_said)
{
	struct peer_call *c = ask("fail 100% '\xc3\xa4\n'", NULL);

	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert_str_eq(c->text, " 100% '\xc3\xa4\n'");
}

TEST_TIMES(a_long_text_is_cut_between_characters, 2)
{
	char name[1024] = "fail";
	struct peer_call *c;

	for (size_t i = 4 + (size_t)_i; i + 2 < sizeof(name); i += 2)
		memcpy(name + i, "\xc3\xa4", 2);
	memset(name + 4, 'x', (size_t)_i);
	c = ask(name, NULL);
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_NOT_FOUND);
	ck_assert(utf8_valid(c->text, strlen(c->text)));
	ck_assert_uint_ge(strlen(c->text), GRPC_MESSAGE_MAX - 2);
}

/* Plays @n recorded bytes to a fresh connection, @step at a time, hangs up. */
static void play(const uint8_t *bytes, size_t n, size_t step)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(rpc_adopt(service.server, pair[1]), 0);
	for (size_t at = 0; at < n; at += step) {
		size_t part = n - at < step ? n - at : step;

		ck_assert_int_eq(send(pair[0], bytes + at, part, MSG_NOSIGNAL),
				 part);
		if (step < n)
			loop_run(service.loop);
	}
	ck_assert_int_eq(shutdown(pair[0], SHUT_WR), 0);
	loop_run(service.loop);
	close(pair[0]);
}

/* A unary call, a held one and a client stream, as bytes of a session. */
static struct buf record_session(void)
{
	static const char chunk[] = "\0\0\0\0\3\x12\1x\0\0\0\0\3\x12\1y";
	struct buf b = { 0 };

	ask("echo", NULL);
	ask("hold", "1H");
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Up",
						  .body = chunk,
						  .len = sizeof(chunk) - 1 });
	peer_start(&peer, &(struct peer_request){ .path = "/test.Test/Both",
						  .body = chunk,
						  .len = sizeof(chunk) - 1,
						  .more = true });
	peer_run(&peer);
	ck_assert_int_eq(
		buf_append(&b, buf_head(&peer.sent), buf_len(&peer.sent)), 0);
	return b;
}

TEST(a_session_cut_at_every_byte_ends_all_its_calls)
{
	struct buf b = record_session();
	unsigned opened = service.opened;

	for (size_t n = 0; n <= buf_len(&b); n++) {
		play(buf_head(&b), n, n + 1);
		ck_assert_uint_eq(service.opened, ++opened);
		ck_assert_uint_eq(service.closed, opened - 1);
	}
	/* the recording connection still holds two calls */
	ck_assert_uint_eq(service.begun - service.done - service.cancelled, 2);
	check_echo();
	buf_free(&b);
}

TEST(a_session_in_single_bytes_does_the_same)
{
	struct buf b = record_session();
	unsigned begun = service.begun, done = service.done;

	play(buf_head(&b), buf_len(&b), 1);
	ck_assert_uint_eq(service.begun, 2 * begun);
	ck_assert_uint_eq(service.done, 2 * done);
	buf_free(&b);
}

TEST(an_answer_may_come_later)
{
	Test__Item answer = TEST__ITEM__INIT;
	struct peer_call *c = ask("hold", NULL);

	peer_run(&peer);
	ck_assert_int_eq(c->http, 0);
	check_echo();
	ck_assert_ptr_eq(rpc_call_server(service.held), service.server);
	ck_assert_str_eq(rpc_call_method(service.held)->path,
			 "/test.Test/Unary");
	rpc_reply(service.held, &answer.base);
	service.done++;
	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_uint_eq(buf_len(&c->in), FRAME_PREFIX);
}

TEST(a_reset_cancels_its_call_once_and_no_other)
{
	struct peer_call *c = ask("hold", NULL), *other;

	peer_run(&peer);
	other = ask("hold", NULL);
	peer_run(&peer);
	peer_reset(c);
	peer_run(&peer);
	ck_assert_uint_eq(service.cancelled, 1);
	ck_assert_int_eq(other->http, 0);
	check_echo();
}

TEST(a_lost_connection_cancels_its_calls)
{
	ask("hold", NULL);
	ask("hold", NULL);
	peer_run(&peer);
	ck_assert_int_eq(shutdown(peer.fd, SHUT_RDWR), 0);
	loop_run(service.loop);
	ck_assert_uint_eq(service.cancelled, 2);
	ck_assert_uint_eq(service.closed, 1);
}

TEST(a_deadline_cancels_the_call)
{
	struct peer_call *c = ask("hold", "1n");

	while (c->http == 0) {
		peer_run(&peer);
		ck_assert(!peer.eof);
	}
	ck_assert_int_eq(c->status, GRPC_DEADLINE_EXCEEDED);
	ck_assert_uint_eq(service.cancelled, 1);
	check_echo();
}

TEST(an_answer_in_time_stops_the_deadline)
{
	struct peer_call *c = ask("echo", "1H");

	peer_run(&peer);
	ck_assert_int_eq(c->status, GRPC_OK);
	ck_assert_int_eq(ev_pending_count(service.loop), 0);
}

static const struct noise_row {
	const char *bytes;
	size_t n;
} noise_rows[] = {
	{ BODY("GET / HTTP/1.1\r\nHost: x\r\n\r\n") },
	{ BODY("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0") },
	{ BODY("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\1\0\0\0\0\0\0x") },
	{ BODY("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
	       "\377\377\377\4\0\0\0\0\0") },
	{ BODY("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
	       "\0\0\1\1\4\0\0\0\1\xff") }, /* headers that do not decode */
};

TEST_ROWS(what_is_no_session_is_closed, noise_rows)
{
	const struct noise_row *row = &noise_rows[_i];

	play((const uint8_t *)row->bytes, row->n, row->n);
	ck_assert_uint_eq(service.opened, 2);
	ck_assert_uint_eq(service.closed, 1);
	check_echo();
}

SUITE("rpc", .setup = setup, .teardown = teardown);
