/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The way out of a call: queued messages become DATA as the peer's windows
 * allow, the status becomes trailers, and an error before any message becomes
 * headers alone. Decides when a queue is full; whether to wait or to drop
 * then is the handler's choice.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rpc/internal.h"

#define NV(n, v, vlen)                                                         \
	{                                                                      \
		(uint8_t *)(uintptr_t)(n), (uint8_t *)(uintptr_t)(v),          \
			strlen(n), (vlen), NGHTTP2_NV_FLAG_NONE                \
	}

/* grpc-status and, unless empty, grpc-message; returns how many. */
static size_t status_headers(const struct rpc_call *call, nghttp2_nv *nv,
			     char number[4], char text[3 * GRPC_MESSAGE_MAX])
{
	size_t len;

	snprintf(number, 4, "%d", (int)call->status);
	nv[0] = (nghttp2_nv)NV("grpc-status", number, strlen(number));
	if (!call->text[0])
		return 1;
	len = percent_encode(call->text, text, (size_t)3 * GRPC_MESSAGE_MAX);
	nv[1] = (nghttp2_nv)NV("grpc-message", text, len);
	return 2;
}

static void submit_trailers(struct rpc_call *call)
{
	char number[4], text[3 * GRPC_MESSAGE_MAX];
	nghttp2_nv nv[2];
	size_t n = status_headers(call, nv, number, text);

	if (nghttp2_submit_trailer(call->conn->session, call->sid, nv, n))
		call->conn->dead = true;
}

static ssize_t read_queue(nghttp2_session *session, int32_t sid, uint8_t *to,
			  size_t cap, uint32_t *flags,
			  nghttp2_data_source *source, void *user)
{
	struct rpc_call *call = source->ptr;
	struct rpc_conn *conn = call->conn;
	size_t n = buf_len(&call->out);

	if (!n && !call->finished)
		return NGHTTP2_ERR_DEFERRED;
	if (n > cap)
		n = cap;
	if (n)
		memcpy(to, buf_head(&call->out), n);
	server_refund(conn, n);
	buf_consume(&call->out, n);
	if (call->finished && !buf_len(&call->out)) {
		*flags |=
			NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
		submit_trailers(call);
	} else if (call->full &&
		   buf_len(&call->out) <= conn->srv->limits.queue_low) {
		call_kick(call);
	}
	return (ssize_t)n;
}

static void submit_headers(struct rpc_call *call)
{
	static const char type[] = "application/grpc";
	const nghttp2_nv nv[] = { NV(":status", "200", 3),
				  NV("content-type", type, sizeof(type) - 1) };
	nghttp2_data_provider from = { { .ptr = call }, read_queue };

	call->answering = true;
	if (nghttp2_submit_response(call->conn->session, call->sid, nv, 2,
				    &from))
		call->conn->dead = true;
}

/* The whole answer in one header block. */
static void submit_status_only(struct rpc_call *call)
{
	static const char type[] = "application/grpc", plain[] = "identity";
	char number[4], text[3 * GRPC_MESSAGE_MAX];
	nghttp2_nv nv[5] = { NV(":status", "200", 3),
			     NV("content-type", type, sizeof(type) - 1),
			     NV("grpc-accept-encoding", plain,
				sizeof(plain) - 1) };
	size_t n = 3 + status_headers(call, nv + 3, number, text);

	call->answering = true;
	if (nghttp2_submit_response(call->conn->session, call->sid, nv, n,
				    NULL))
		call->conn->dead = true;
}

void answer_http(struct rpc_call *call, const char *http_status)
{
	const nghttp2_nv nv[] = { NV(":status", http_status,
				     strlen(http_status)) };

	call->finished = call->answering = true;
	if (nghttp2_submit_response(call->conn->session, call->sid, nv, 1,
				    NULL))
		call->conn->dead = true;
	server_touch(call->conn);
}

/* Whether the peer's windows keep trailers behind data that cannot go. */
static bool is_stuck(const struct rpc_call *call)
{
	nghttp2_session *s = call->conn->session;

	return nghttp2_session_get_stream_remote_window_size(s, call->sid) <=
		       0 ||
	       nghttp2_session_get_remote_window_size(s) <= 0;
}

void answer_end(struct rpc_call *call, bool aborted)
{
	struct rpc_conn *conn = call->conn;
	nghttp2_session *s = conn->session;

	ev_timer_stop(conn->srv->loop, &call->deadline);
	server_refund(conn, buf_len(&call->in));
	buf_free(&call->in);
	server_touch(conn);
	if (conn->dead)
		return;
	/* what a paused call held back may come now, to be told to stop */
	nghttp2_session_consume_stream(s, call->sid, call->unconsumed);
	call->unconsumed = 0;
	if (!call->answering && !buf_len(&call->out))
		submit_status_only(call);
	else if (!call->answering)
		submit_headers(call);
	else if (aborted && is_stuck(call))
		nghttp2_submit_rst_stream(s, NGHTTP2_FLAG_NONE, call->sid,
					  NGHTTP2_CANCEL);
	else
		nghttp2_session_resume_data(s, call->sid);
}

static int queue_room(const struct rpc_call *call, size_t len)
{
	const struct rpc_limits *l = &call->conn->srv->limits;

	if (call->finished || call->conn->dead)
		return -ECANCELED;
	if (len > l->max_message)
		return -EMSGSIZE;
	if (buf_len(&call->out) > l->queue_high + l->max_message)
		return -ENOBUFS;
	return server_charge(call->conn, GRPC_PREFIX + len) ? 0 : -ENOBUFS;
}

static int queued(struct rpc_call *call, bool was_empty)
{
	if (!call->answering)
		submit_headers(call);
	else if (was_empty)
		nghttp2_session_resume_data(call->conn->session, call->sid);
	server_touch(call->conn);
	if (buf_len(&call->out) < call->conn->srv->limits.queue_high)
		return 0;
	call->full = true;
	return 1;
}

int rpc_send(struct rpc_call *call, const ProtobufCMessage *msg)
{
	size_t len = protobuf_c_message_get_packed_size(msg);
	bool was_empty = !buf_len(&call->out);
	int rc = queue_room(call, len);

	if (rc)
		return rc;
	if (wire_frame_put(&call->out, msg)) {
		server_refund(call->conn, GRPC_PREFIX + len);
		return -ENOMEM;
	}
	return queued(call, was_empty);
}

int rpc_send_bytes(struct rpc_call *call, const void *packed, size_t len)
{
	bool was_empty = !buf_len(&call->out);
	int rc = queue_room(call, len);

	if (rc)
		return rc;
	if (wire_frame_put_bytes(&call->out, packed, len)) {
		server_refund(call->conn, GRPC_PREFIX + len);
		return -ENOMEM;
	}
	return queued(call, was_empty);
}

size_t rpc_queued(const struct rpc_call *call)
{
	return buf_len(&call->out);
}

/* Takes off the end of a text that was cut inside a character. */
static void trim_utf8(char *text)
{
	size_t n = strlen(text), back = 0;

	while (back < 4 && back < n && !utf8_valid(text, n - back))
		back++;
	if (utf8_valid(text, n - back))
		text[n - back] = '\0';
}

void rpc_finish(struct rpc_call *call, enum grpc_status status,
		const char *text, ...)
{
	va_list ap;

	if (call->finished)
		return;
	call->finished = true;
	call->ops = NULL;
	call->status = status;
	if (text) {
		va_start(ap, text);
		vsnprintf(call->text, sizeof(call->text), text, ap);
		va_end(ap);
		trim_utf8(call->text);
	}
	answer_end(call, false);
}

void rpc_reply(struct rpc_call *call, const ProtobufCMessage *msg)
{
	int rc = rpc_send(call, msg);

	if (rc >= 0)
		rpc_finish(call, GRPC_OK, NULL);
	else if (rc == -EMSGSIZE)
		rpc_finish(call, GRPC_RESOURCE_EXHAUSTED,
			   "the answer is above the message limit of %zu bytes",
			   call->conn->srv->limits.max_message);
	else
		rpc_finish(call, GRPC_RESOURCE_EXHAUSTED,
			   "no room to queue the answer");
}
