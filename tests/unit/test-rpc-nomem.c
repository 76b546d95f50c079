/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The RPC server without memory, its own or its HTTP/2 library's: a call, or
 * its connection, ends; the server goes on and keeps nothing of it.
 */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "rpc-service.h"

/* The linker sends these calls here (--wrap). */
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);
bool __real_ev_run(struct ev_loop *loop, int flags);
bool __wrap_ev_run(struct ev_loop *loop, int flags);
int __real_nghttp2_submit_response(nghttp2_session *session, int32_t id,
				   const nghttp2_nv *nv, size_t n,
				   const nghttp2_data_provider *from);
int __wrap_nghttp2_submit_response(nghttp2_session *session, int32_t id,
				   const nghttp2_nv *nv, size_t n,
				   const nghttp2_data_provider *from);
int __real_nghttp2_submit_trailer(nghttp2_session *session, int32_t id,
				  const nghttp2_nv *nv, size_t n);
int __wrap_nghttp2_submit_trailer(nghttp2_session *session, int32_t id,
				  const nghttp2_nv *nv, size_t n);
int __real_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entry,
				   size_t n);
int __wrap_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entry,
				   size_t n);
ssize_t __real_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret);
ssize_t __wrap_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret);

/* What is counted, and fails once. */
enum what {
	NOTHING,
	MEMORY,
	RESPONSE,
	TRAILER,
	SETTINGS,
	SEND
};

static enum what counted;
static bool inside; /* of the server */
static unsigned asked, fail_at;

static bool fails(enum what what)
{
	return inside && what == counted && asked++ == fail_at;
}

void *__wrap_malloc(size_t size)
{
	return fails(MEMORY) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails(MEMORY) ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails(MEMORY) ? NULL : __real_realloc(p, size);
}

bool __wrap_ev_run(struct ev_loop *loop, int flags)
{
	bool ret;

	inside = true;
	ret = __real_ev_run(loop, flags);
	inside = false;
	return ret;
}

int __wrap_nghttp2_submit_response(nghttp2_session *session, int32_t id,
				   const nghttp2_nv *nv, size_t n,
				   const nghttp2_data_provider *from)
{
	return fails(RESPONSE) ? NGHTTP2_ERR_NOMEM
			       : __real_nghttp2_submit_response(session, id, nv,
								n, from);
}

int __wrap_nghttp2_submit_trailer(nghttp2_session *session, int32_t id,
				  const nghttp2_nv *nv, size_t n)
{
	return fails(TRAILER)
		       ? NGHTTP2_ERR_NOMEM
		       : __real_nghttp2_submit_trailer(session, id, nv, n);
}

int __wrap_nghttp2_submit_settings(nghttp2_session *session, uint8_t flags,
				   const nghttp2_settings_entry *entry,
				   size_t n)
{
	return fails(SETTINGS) ? NGHTTP2_ERR_NOMEM
			       : __real_nghttp2_submit_settings(session, flags,
								entry, n);
}

ssize_t __wrap_nghttp2_session_mem_send(nghttp2_session *session,
					const uint8_t **ret)
{
	return fails(SEND) ? NGHTTP2_ERR_NOMEM
			   : __real_nghttp2_session_mem_send(session, ret);
}

/* Calls */

static const struct call_row {
	const char *why;
	struct peer_request req;
	const char *name; /* of the message; NULL: none */
	bool http;	  /* it is no gRPC */
	bool insists;	  /* its handler has to be able to send */
} call_rows[] = {
	{ "an answer", { .path = "/test.Test/Unary" }, "echo", false },
	{ "a refusal", { .path = "/test.Test/Unary" }, "fail no", false },
	{ "a method that is not there",
	  { .path = "/test.Test/No" },
	  "echo",
	  false },
	{ "another method of HTTP",
	  { .path = "/test.Test/Unary", .method = "GET" },
	  "echo",
	  true },
	{ "messages to the peer",
	  { .path = "/test.Test/Down" },
	  "",
	  false,
	  true },
	{ "messages of the peer", { .path = "/test.Test/Up" }, "", false },
};

/* One call over a connection of its own; what came of it. */
static struct peer_call call(struct peer *peer, const struct call_row *row)
{
	Test__Item item = TEST__ITEM__INIT;
	struct peer_request req = row->req;
	struct peer_call *c, ret;
	struct buf b = { 0 };

	item.name = (char *)row->name;
	ck_assert_int_eq(frame_append(&b, &item.base), 0);
	req.body = buf_head(&b);
	req.len = buf_len(&b);
	service.n = 3;
	service.size = 10;
	service.next = 0;
	peer_open(peer, service.server, service.loop, 1 << 20);
	c = peer_start(peer, &req);
	peer_run(peer);
	buf_free(&b);
	ret = *c;
	return ret;
}

static bool is_good(const struct peer *peer, const struct call_row *row)
{
	const struct peer_call *c = peer->calls;

	return !peer->eof && c->closed &&
	       (row->http ? c->http == 405 : c->status >= 0);
}

/* How often @what is asked for in such a call. */
static unsigned times(enum what what, const struct call_row *row)
{
	struct peer peer;

	asked = 0;
	fail_at = UINT32_MAX;
	counted = what;
	call(&peer, row);
	counted = NOTHING;
	ck_assert_msg(is_good(&peer, row), "%s", row->why);
	peer_close(&peer);
	loop_run(service.loop);
	return asked;
}

/* The @n-th fails: what became of the call is in @peer. */
static struct peer_call without(enum what what, unsigned n,
				const struct call_row *row, struct peer *peer)
{
	struct peer_call c;

	asked = 0;
	fail_at = n;
	counted = what;
	c = call(peer, row);
	counted = NOTHING;
	ck_assert_uint_gt(asked, n);
	return c;
}

static void goes_on(const struct call_row *row)
{
	loop_run(service.loop);
	ck_assert_uint_eq(service.closed, service.opened);
	times(NOTHING, row);
}

/* A list of services, which is an answer of its own where there is none. */
TEST(a_listing_without_memory_says_so)
{
	const struct peer_request req = {
		.path = "/grpc.reflection.v1.ServerReflection/"
			"ServerReflectionInfo",
		.body = "\0\0\0\0\2\x3a\0",
		.len = 7,
	};
	unsigned said = 0;
	bool over = false;

	service_start(NULL);
	for (unsigned n = 0; !over; n++) {
		struct peer peer;
		struct peer_call *c;

		peer_open(&peer, service.server, service.loop, 1 << 20);
		asked = 0;
		fail_at = n;
		counted = MEMORY;
		c = peer_start(&peer, &req);
		peer_run(&peer);
		counted = NOTHING;
		over = asked <= n;
		ck_assert_msg(c->closed || peer.eof, "%u: it hangs", n);
		if (c->status == GRPC_OK)
			said += memmem(buf_head(&c->in), buf_len(&c->in),
				       "out of memory", 13) != NULL;
		peer_close(&peer);
		loop_run(service.loop);
		ck_assert_uint_eq(service.closed, service.opened);
	}
	ck_assert_uint_eq(said, 1);
	service_stop();
}

TEST_WHERE(a_call_without_memory_ends, 0, ARRAY_SIZE(call_rows),
	   !call_rows[_i].insists)
{
	const struct call_row *row = &call_rows[_i];
	unsigned all;

	service_start(NULL);
	all = times(MEMORY, row);
	ck_assert_uint_gt(all, 0);
	for (unsigned n = 0; n < all; n++) {
		struct peer peer;
		struct peer_call c = without(MEMORY, n, row, &peer);

		ck_assert_msg(c.closed || peer.eof, "%s, %u: it hangs",
			      row->why, n);
		/* whoever is told may try again */
		ck_assert_msg(peer.eof || c.code == 11 ||
				      c.status == GRPC_RESOURCE_EXHAUSTED ||
				      c.status == GRPC_UNAVAILABLE,
			      "%s, %u: %d", row->why, n, c.status);
		peer_close(&peer);
		goes_on(row);
	}
	service_stop();
}

static const enum what library[] = { RESPONSE, TRAILER, SEND };

/* It would say nothing, or half of it. */
TEST_ROWS(a_connection_whose_session_fails_is_closed, library)
{
	enum what what = library[_i];
	unsigned all = 0;

	service_start(NULL);
	for (size_t i = 0; i < ARRAY_SIZE(call_rows); i++) {
		const struct call_row *row = &call_rows[i];
		unsigned here = times(what, row);

		if (what == RESPONSE && row->insists)
			continue;
		all += here;
		for (unsigned n = 0; n < here; n++) {
			struct peer peer;

			without(what, n, row, &peer);
			ck_assert_msg(peer.eof, "%s, %u", row->why, n);
			peer_close(&peer);
			goes_on(row);
		}
	}
	ck_assert_uint_gt(all, 0);
	service_stop();
}

/* Servers and connections */

static int adopt(enum what what, unsigned n, bool *ret_told)
{
	int pair[2], rc;
	char bytes[256] = { 0 };

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	counted = what;
	fail_at = n;
	asked = 0;
	inside = true;
	rc = rpc_adopt(service.server, pair[1]);
	inside = false;
	counted = NOTHING;
	loop_run(service.loop);
	if (rc) {
		ssize_t len =
			recv(pair[0], bytes, sizeof(bytes) - 1, MSG_DONTWAIT);

		/* it is closed; before that it was told why, if possible */
		ck_assert_int_ge(len, 0);
		ck_assert(!len ==
			  !memmem(bytes, sizeof(bytes), "out of memory", 13));
		*ret_told = len > 0;
	}
	close(pair[0]);
	loop_run(service.loop);
	return rc;
}

static const struct adopt_row {
	enum what what;
	unsigned silent; /* of these nothing can be told */
} adopt_rows[] = {
	{ MEMORY, 1 },
	{ SETTINGS, 0 },
};

TEST_ROWS(a_connection_without_memory_is_told, adopt_rows)
{
	const struct adopt_row *row = &adopt_rows[_i];
	unsigned all;
	bool told;

	service_start(NULL);
	ck_assert_int_eq(adopt(row->what, UINT32_MAX, &told), 0);
	all = asked;
	ck_assert_uint_gt(all, row->silent);
	for (unsigned n = 0; n < all; n++) {
		ck_assert_int_eq(adopt(row->what, n, &told), -ENOMEM);
		ck_assert_int_eq(told, n >= row->silent);
	}
	ck_assert_int_eq(adopt(NOTHING, 0, &told), 0);
	service_stop();
}

TEST(a_server_without_memory_is_none)
{
	const struct rpc_config cfg = { .loop = ev_loop_new(0),
					.tables = &service_table,
					.n_tables = 1 };
	struct rpc_server *srv;
	unsigned n;
	int rc;

	counted = MEMORY;
	for (n = 0;; n++) {
		asked = 0;
		fail_at = n;
		srv = NULL;
		inside = true;
		rc = rpc_server_new(&srv, &cfg);
		inside = false;
		if (!rc)
			break;
		ck_assert_int_eq(rc, -ENOMEM);
		ck_assert_ptr_null(srv);
	}
	counted = NOTHING;
	ck_assert_uint_ge(n, 2);
	rpc_server_free(srv);
	ev_loop_destroy(cfg.loop);
}

SUITE("rpc-nomem");
