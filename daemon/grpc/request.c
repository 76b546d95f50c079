/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way in of a call: its headers become a method, its bytes messages, its
 * end an end. Decides which gRPC status each breach of the protocol gets. What
 * a handler answers goes out through answer.c.
 */
#include <stdio.h>
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

/* A request that never becomes whole keeps no connection open. */
bool rpc_request_is_busy(const struct rpc_call *call)
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

bool rpc_request_header(struct rpc_call *call, const nghttp2_nv *nv)
{
	size_t size = nv->namelen + nv->valuelen + HEADER_OVERHEAD;
	size_t limit = call->conn->srv->limits.max_headers;

	rpc_share_work(call->conn, size);
	call->header_bytes += size;
	if (call->header_bytes > limit)
		call->headers_too_large = true;
	else if (!call->method)
		read_header(call, nv);
	return call->header_bytes <= RPC_HEADERS_RESET * limit;
}

static void deadline_over(struct ev_loop *loop, ev_timer *w, int revents)
{
	rpc_answer_abort(w->data, GRPC_DEADLINE_EXCEEDED,
			 RPC_AT(NULL, "DEADLINE_EXCEEDED"),
			 "deadline exceeded");
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

void rpc_request_headers_done(struct rpc_call *call)
{
	struct rpc_server *srv = call->conn->srv;

	/* what came behind the limit was not looked at */
	if (call->headers_too_large) {
		rpc_answer_abort(call, GRPC_RESOURCE_EXHAUSTED,
				 RPC_AT(NULL, "HEADERS_TOO_LARGE"),
				 "request headers are too large");
		return;
	}
	if (!call->post) {
		rpc_answer_http(call, "405");
		return;
	}
	if (!call->grpc_content) {
		rpc_answer_http(call, "415");
		return;
	}
	call->method = rpc_methods_find(srv, call->path);
	if (!call->method)
		rpc_refuse(call, GRPC_UNIMPLEMENTED,
			   RPC_AT(NULL, "NO_SUCH_METHOD"), "no method '%s'",
			   utf8_valid(call->path, strlen(call->path))
				   ? call->path
				   : "");
	else if (!call->conn->peer.known && !call->method->anonymous)
		rpc_answer_abort(
			call, GRPC_UNAUTHENTICATED, RPC_AT(NULL, "NO_IDENTITY"),
			"this method needs a connection with identity: "
			"use the Unix socket");
	else if (call->compressed)
		rpc_answer_abort(call, GRPC_UNIMPLEMENTED,
				 RPC_AT(NULL, "COMPRESSED"),
				 "compressed messages are not supported");
	else if (call->bad_timeout)
		rpc_answer_abort(call, GRPC_INVALID_ARGUMENT,
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
		rpc_answer_abort(call, status,
				 RPC_AT(NULL, unpack_reason(status)), why);
		return;
	}
	call->messages++;
	rpc_share_work(call->conn, RPC_WORK_CALL);
	call->message = (struct rpc_bytes){ bytes.data, bytes.len };
	call->method->handle(call, msg);
	call->message = (struct rpc_bytes){ 0 };
	wire_unpack_free(msg);
	/* what a call has that is over went, or goes, with its end */
	if (call->finished)
		return;
	rpc_share_refund(call->conn, FRAME_PREFIX + len);
	buf_consume(&call->in, FRAME_PREFIX + len);
}

static void refuse_size(struct rpc_call *call, uint32_t len, size_t limit)
{
	char text[GRPC_MESSAGE_MAX];

	snprintf(text, sizeof(text), "message of %u bytes, the limit is %zu",
		 len, limit);
	rpc_answer_abort(call, GRPC_RESOURCE_EXHAUSTED,
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
		rpc_answer_abort(call, GRPC_INTERNAL,
				 RPC_AT(NULL, "COMPRESSED"),
				 "compressed message without grpc-encoding");
		return false;
	case FRAME_BAD:
		rpc_answer_abort(call, GRPC_INTERNAL,
				 RPC_AT(NULL, "BAD_FRAMING"),
				 "malformed message prefix");
		return false;
	}
	return false;
}

/*
 * The messages of a block may be thousands: they take as many turns as they
 * cost. In the call's own turn one is taken in any case, so that it goes on
 * however much reading has cost.
 */
static void take_messages(struct rpc_call *call, bool own_turn)
{
	uint32_t len;

	call->behind = false;
	while (!call->finished && !call->paused && message_waits(call, &len)) {
		if (!own_turn && !rpc_share_credit(call->conn)) {
			call->behind = true;
			rpc_call_set_due(call);
			return;
		}
		own_turn = false;
		dispatch(call, len);
	}
}

static void stream_in(struct rpc_call *call, bool own_turn)
{
	take_messages(call, own_turn);
	if (call->finished || call->paused || call->behind ||
	    !call->half_closed || call->ended)
		return;
	call->ended = true;
	if (buf_len(&call->in))
		rpc_answer_abort(call, GRPC_INVALID_ARGUMENT,
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
		rpc_answer_abort(call, GRPC_INVALID_ARGUMENT,
				 RPC_AT(NULL, "BAD_FRAMING"),
				 "more than one request message");
	else if (call->half_closed && !ready)
		rpc_answer_abort(call, GRPC_INVALID_ARGUMENT,
				 RPC_AT(NULL, "BAD_FRAMING"),
				 buf_len(&call->in)
					 ? "the request ends inside a message"
					 : "no request message");
	else if (call->half_closed) {
		call->ended = true;
		dispatch(call, len);
	}
}

static void advance(struct rpc_call *call, bool own_turn)
{
	if (!call->method || call->finished)
		return;
	if (streams_in(call))
		stream_in(call, own_turn);
	else
		single_in(call);
}

/*
 * The peer may send as much again, but not while messages wait: a call that
 * takes one message at a time would gather the rest of a long upload.
 */
static void give_back(struct rpc_call *call)
{
	if (!call->unconsumed ||
	    ((call->paused || call->behind) && !call->finished))
		return;
	nghttp2_session_consume_stream(call->conn->session, call->sid,
				       call->unconsumed);
	call->unconsumed = 0;
	rpc_share_touch(call->conn);
}

void rpc_request_input(struct rpc_call *call, const uint8_t *bytes, size_t len)
{
	call->conn->last_use = ev_now(call->conn->srv->loop);
	call->unconsumed += len;
	if (call->finished || !call->method) {
		give_back(call);
		return;
	}
	if (!rpc_share_charge(call->conn, len)) {
		rpc_answer_abort(call, GRPC_RESOURCE_EXHAUSTED,
				 RPC_AT(NULL, "USER_BYTES"),
				 "too many bytes are queued for this user");
		return;
	}
	if (buf_append(&call->in, bytes, len)) {
		rpc_share_refund(call->conn, len);
		rpc_answer_abort(call, GRPC_RESOURCE_EXHAUSTED,
				 RPC_AT(NULL, "OUT_OF_MEMORY"),
				 "out of memory");
		return;
	}
	advance(call, false);
	give_back(call);
}

void rpc_request_half_close(struct rpc_call *call)
{
	call->half_closed = true;
	advance(call, false);
}

void rpc_request_go_on(struct rpc_call *call)
{
	if (call->finished || call->paused)
		return;
	advance(call, true);
	give_back(call);
}
