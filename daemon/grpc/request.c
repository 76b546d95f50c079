/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way in of a call: its headers become a method, its bytes messages, its
 * end an end; and how it is cancelled. Decides which gRPC status each breach
 * of the protocol gets. What a handler answers goes out through answer.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "internal.h"
#include "wire/unpack.h"

#define HEADER_OVERHEAD 32u /* per header, as HTTP/2 counts a list's size */

static bool streams_in(const struct rpc_call *call)
{
	return call->method->kind == RPC_CLIENT_STREAM ||
	       call->method->kind == RPC_BIDI;
}

struct rpc_call *call_new(struct rpc_conn *conn, int32_t sid)
{
	struct rpc_call *call;

	share_work(conn, RPC_WORK_CALL);
	if (!server_charge(conn, RPC_CALL_BYTES))
		return NULL;
	call = calloc(1, sizeof(*call));
	if (!call) {
		server_refund(conn, RPC_CALL_BYTES);
		return NULL;
	}
	call->conn = conn;
	call->sid = sid;
	ev_init(&call->deadline, NULL);
	LIST_INSERT_HEAD(&conn->calls, call, link);
	conn->last_use = ev_now(conn->srv->loop);
	return call;
}

void call_free(struct rpc_call *call)
{
	struct rpc_conn *conn = call->conn;

	ev_timer_stop(conn->srv->loop, &call->deadline);
	server_refund(conn, RPC_CALL_BYTES + buf_len(&call->in) +
				    buf_len(&call->out));
	buf_free(&call->in);
	buf_free(&call->out);
	LIST_REMOVE(call, link);
	if (call->kick)
		TAILQ_REMOVE(&conn->kicked, call, kick_link);
	conn->last_use = ev_now(conn->srv->loop);
	free(call);
}

/* A request that never becomes whole keeps no connection open. */
bool call_is_busy(const struct rpc_call *call)
{
	return call->half_closed ||
	       (call->method && call->method->kind == RPC_BIDI);
}

static bool is(const uint8_t *text, size_t len, const char *want)
{
	return len == strlen(want) && !memcmp(text, want, len);
}

/* "application/grpc", alone or followed by '+' or ';' */
static bool is_grpc(const uint8_t *text, size_t len)
{
	static const char type[] = "application/grpc";
	size_t n = sizeof(type) - 1;

	return len >= n && !memcmp(text, type, n) &&
	       (len == n || text[n] == '+' || text[n] == ';');
}

/* One that is too long for any method stays empty, and so unknown. */
static void keep_path(struct rpc_call *call, const nghttp2_nv *nv)
{
	if (nv->valuelen >= sizeof(call->path))
		return;
	memcpy(call->path, nv->value, nv->valuelen);
	call->path[nv->valuelen] = '\0';
}

/* What the headers say; those of trailers say nothing. */
static void read_header(struct rpc_call *call, const nghttp2_nv *nv)
{
	if (is(nv->name, nv->namelen, ":path")) {
		keep_path(call, nv);
	} else if (is(nv->name, nv->namelen, ":method")) {
		call->post = is(nv->value, nv->valuelen, "POST");
	} else if (is(nv->name, nv->namelen, "content-type")) {
		call->grpc_content = is_grpc(nv->value, nv->valuelen);
	} else if (is(nv->name, nv->namelen, "grpc-encoding")) {
		call->compressed = nv->valuelen &&
				   !is(nv->value, nv->valuelen, "identity");
	} else if (is(nv->name, nv->namelen, "grpc-timeout")) {
		call->has_timeout = true;
		call->bad_timeout =
			!timeout_parse((const char *)nv->value, nv->valuelen,
				       &call->timeout_ns);
	}
}

bool call_header(struct rpc_call *call, const nghttp2_nv *nv)
{
	size_t size = nv->namelen + nv->valuelen + HEADER_OVERHEAD;
	size_t limit = call->conn->srv->limits.max_headers;

	share_work(call->conn, size);
	call->header_bytes += size;
	if (call->header_bytes > limit)
		call->headers_too_large = true;
	else if (!call->method)
		read_header(call, nv);
	return call->header_bytes <= RPC_HEADERS_RESET * limit;
}

static void deadline_over(struct ev_loop *loop, ev_timer *w, int revents)
{
	call_abort(w->data, GRPC_DEADLINE_EXCEEDED,
		   RPC_AT(NULL, "DEADLINE_EXCEEDED"), "deadline exceeded");
}

static void start_deadline(struct rpc_call *call)
{
	struct ev_loop *loop = call->conn->srv->loop;
	double seconds = (double)call->timeout_ns / 1e9;

	/* the loop's idea of now may be older than this request */
	ev_now_update(loop);
	ev_timer_init(&call->deadline, deadline_over, seconds, 0.0);
	call->deadline.data = call;
	ev_timer_start(loop, &call->deadline);
}

void call_headers_done(struct rpc_call *call)
{
	struct rpc_server *srv = call->conn->srv;

	/* what came behind the limit was not looked at */
	if (call->headers_too_large) {
		call_abort(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "HEADERS_TOO_LARGE"),
			   "request headers are too large");
		return;
	}
	if (!call->post) {
		answer_http(call, "405");
		return;
	}
	if (!call->grpc_content) {
		answer_http(call, "415");
		return;
	}
	call->method = server_find(srv, call->path);
	if (!call->method)
		rpc_refuse(call, GRPC_UNIMPLEMENTED,
			   RPC_AT(NULL, "NO_SUCH_METHOD"), "no method '%s'",
			   utf8_valid(call->path, strlen(call->path))
				   ? call->path
				   : "");
	else if (!call->conn->peer.known && !call->method->anonymous)
		call_abort(call, GRPC_UNAUTHENTICATED,
			   RPC_AT(NULL, "NO_IDENTITY"),
			   "this method needs a connection with identity: "
			   "use the Unix socket");
	else if (call->compressed)
		call_abort(call, GRPC_UNIMPLEMENTED, RPC_AT(NULL, "COMPRESSED"),
			   "compressed messages are not supported");
	else if (call->bad_timeout)
		call_abort(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT(NULL, "BAD_TIMEOUT"),
			   "grpc-timeout is malformed");
	else if (call->has_timeout)
		start_deadline(call);
}

static const char *unpack_reason(enum grpc_status status)
{
	return status == GRPC_RESOURCE_EXHAUSTED ? "MESSAGE_TOO_LARGE"
	       : status == GRPC_UNAVAILABLE	 ? "OUT_OF_MEMORY"
						 : "BAD_MESSAGE";
}

/* Hands the first message of the input to the handler. */
static void dispatch(struct rpc_call *call, uint32_t len)
{
	const struct rpc_limits *l = &call->conn->srv->limits;
	const uint8_t *head = buf_head(&call->in);
	struct wire_bytes bytes = { head + FRAME_PREFIX, len, l->max_unpacked };
	enum grpc_status status;
	ProtobufCMessage *msg;
	const char *why;

	msg = wire_unpack(call->method->request, &bytes, &status, &why);
	if (!msg) {
		call_abort(call, status, RPC_AT(NULL, unpack_reason(status)),
			   why);
		return;
	}
	call->messages++;
	share_work(call->conn, RPC_WORK_CALL);
	call->message = (struct rpc_bytes){ bytes.data, bytes.len };
	call->method->handle(call, msg);
	call->message = (struct rpc_bytes){ 0 };
	wire_unpack_free(msg);
	/* what a call has that is over went, or goes, with its end */
	if (call->finished)
		return;
	server_refund(call->conn, FRAME_PREFIX + len);
	buf_consume(&call->in, FRAME_PREFIX + len);
}

static void refuse_size(struct rpc_call *call, uint32_t len, size_t limit)
{
	char text[GRPC_MESSAGE_MAX];

	snprintf(text, sizeof(text), "message of %u bytes, the limit is %zu",
		 len, limit);
	call_abort(call, GRPC_RESOURCE_EXHAUSTED,
		   RPC_AT(NULL, "MESSAGE_TOO_LARGE"), text);
}

/* Whether a whole message waits; ends the call if what waits is wrong. */
static bool message_waits(struct rpc_call *call, uint32_t *ret_len)
{
	size_t limit = call->conn->srv->limits.max_message;

	switch (frame_peek(&call->in, limit, ret_len)) {
	case FRAME_SHORT:
		return false;
	case FRAME_READY:
		return true;
	case FRAME_TOO_LARGE:
		refuse_size(call, *ret_len, limit);
		return false;
	case FRAME_COMPRESSED:
		call_abort(call, GRPC_INTERNAL, RPC_AT(NULL, "COMPRESSED"),
			   "compressed message without grpc-encoding");
		return false;
	case FRAME_BAD:
		call_abort(call, GRPC_INTERNAL, RPC_AT(NULL, "BAD_FRAMING"),
			   "malformed message prefix");
		return false;
	}
	return false;
}

static void stream_in(struct rpc_call *call)
{
	uint32_t len;

	while (!call->finished && !call->paused && message_waits(call, &len))
		dispatch(call, len);
	if (call->finished || call->paused || !call->half_closed || call->ended)
		return;
	call->ended = true;
	if (buf_len(&call->in))
		call_abort(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT(NULL, "BAD_FRAMING"),
			   "the stream ends inside a message");
	else
		call->method->end(call);
}

/* One message, complete only when the client has closed its half. */
static void single_in(struct rpc_call *call)
{
	bool ready;
	uint32_t len = 0;

	/* the handler has it, and may stream its answer for long */
	if (call->finished || call->ended)
		return;
	ready = message_waits(call, &len);
	if (call->finished)
		return;
	if (ready && buf_len(&call->in) > FRAME_PREFIX + (size_t)len)
		call_abort(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT(NULL, "BAD_FRAMING"),
			   "more than one request message");
	else if (call->half_closed && !ready)
		call_abort(call, GRPC_INVALID_ARGUMENT,
			   RPC_AT(NULL, "BAD_FRAMING"),
			   buf_len(&call->in)
				   ? "the request ends inside a message"
				   : "no request message");
	else if (call->half_closed) {
		call->ended = true;
		dispatch(call, len);
	}
}

static void advance(struct rpc_call *call)
{
	if (!call->method || call->finished)
		return;
	if (streams_in(call))
		stream_in(call);
	else
		single_in(call);
}

static void give_back(struct rpc_call *call)
{
	nghttp2_session_consume_stream(call->conn->session, call->sid,
				       call->unconsumed);
	call->unconsumed = 0;
}

void call_input(struct rpc_call *call, const uint8_t *bytes, size_t len)
{
	call->conn->last_use = ev_now(call->conn->srv->loop);
	call->unconsumed += len;
	if (!call->paused || call->finished)
		give_back(call);
	if (call->finished || !call->method)
		return;
	if (!server_charge(call->conn, len)) {
		call_abort(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "USER_BYTES"),
			   "too many bytes are queued for this user");
		return;
	}
	if (buf_append(&call->in, bytes, len)) {
		server_refund(call->conn, len);
		call_abort(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "OUT_OF_MEMORY"), "out of memory");
		return;
	}
	advance(call);
}

void call_half_close(struct rpc_call *call)
{
	call->half_closed = true;
	advance(call);
}

void call_cancel(struct rpc_call *call)
{
	const struct rpc_call_ops *ops = call->ops;

	if (call->finished)
		return;
	call->finished = true;
	call->ops = NULL;
	if (ops && ops->on_cancel)
		ops->on_cancel(call, call->data);
}

void call_abort(struct rpc_call *call, enum grpc_status status,
		struct rpc_at at, const char *text)
{
	if (call->finished)
		return;
	call_cancel(call);
	/* what is queued is of no use to a client that waited in vain */
	server_refund(call->conn, buf_len(&call->out));
	buf_free(&call->out);
	call->status = status;
	answer_at(call, at);
	snprintf(call->text, sizeof(call->text), "%s", text);
	answer_end(call, true);
}

void call_kick(struct rpc_call *call)
{
	if (!call->kick)
		TAILQ_INSERT_TAIL(&call->conn->kicked, call, kick_link);
	call->kick = true;
	server_touch(call->conn);
}

static void resume(struct rpc_call *call)
{
	if (call->finished || call->paused)
		return;
	if (call->unconsumed) {
		give_back(call);
		server_touch(call->conn);
	}
	advance(call);
}

static void tell_writable(struct rpc_call *call)
{
	if (call->finished || !call->full ||
	    buf_len(&call->out) > call->conn->srv->limits.queue_low)
		return;
	call->full = false;
	if (call->ops && call->ops->on_writable)
		call->ops->on_writable(call, call->data);
}

void call_kicked(struct rpc_call *call)
{
	bool turn = call->turn;

	TAILQ_REMOVE(&call->conn->kicked, call, kick_link);
	call->kick = call->turn = false;
	share_work(call->conn, RPC_WORK_FRAME);
	resume(call);
	tell_writable(call);
	if (turn && !call->finished && call->ops && call->ops->on_turn)
		call->ops->on_turn(call, call->data);
}

void rpc_call_pause(struct rpc_call *call)
{
	call->paused = true;
}

void rpc_call_resume(struct rpc_call *call)
{
	call->paused = false;
	call_kick(call);
}

void rpc_call_later(struct rpc_call *call)
{
	call->turn = true;
	call_kick(call);
}

void rpc_call_work(struct rpc_call *call, size_t bytes)
{
	share_work(call->conn, bytes);
}

void rpc_call_watch(struct rpc_call *call, const struct rpc_call_ops *ops,
		    void *data)
{
	call->ops = ops;
	call->data = data;
}

void *rpc_call_data(const struct rpc_call *call)
{
	return call->data;
}

struct rpc_conn *rpc_call_conn(const struct rpc_call *call)
{
	return call->conn;
}

struct rpc_server *rpc_call_server(const struct rpc_call *call)
{
	return call->conn->srv;
}

struct rpc_bytes rpc_call_message(const struct rpc_call *call)
{
	return call->message;
}

const struct rpc_method *rpc_call_method(const struct rpc_call *call)
{
	return call->method;
}
