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

#include "answer.h"
#include "internal.h"

#define NV(n, v, vlen)                                                         \
	{                                                                      \
		(uint8_t *)(uintptr_t)(n), (uint8_t *)(uintptr_t)(v),          \
			strlen(n), (vlen), NGHTTP2_NV_FLAG_NONE                \
	}

enum {
	STATUS_HEADERS = 3
};

struct status_text { /* what the headers point to */
	char number[4], text[3 * GRPC_MESSAGE_MAX], details[DETAILS_MAX];
};

/* grpc-status, then the text and the details if any; returns how many. */
static size_t status_headers(const struct rpc_call *call, nghttp2_nv *nv,
			     struct status_text *t)
{
	const struct details_of of = {
		.status = call->status,
		.text = call->text,
		.method = call->method ? call->method->path : "",
	};
	size_t n = 0, len;

	snprintf(t->number, sizeof(t->number), "%d", (int)call->status);
	nv[n++] = (nghttp2_nv)NV("grpc-status", t->number, strlen(t->number));
	if (call->text[0]) {
		len = percent_encode(call->text, t->text, sizeof(t->text));
		nv[n++] = (nghttp2_nv)NV("grpc-message", t->text, len);
	}
	len = details_encode(&call->details, &of, t->details);
	if (len)
		nv[n++] = (nghttp2_nv)NV("grpc-status-details-bin", t->details,
					 len);
	return n;
}

static void submit_trailers(struct rpc_call *call)
{
	struct status_text text;
	nghttp2_nv nv[STATUS_HEADERS];
	size_t n = status_headers(call, nv, &text);

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
	rpc_share_refund(conn, n);
	buf_consume(&call->out, n);
	if (call->finished && !buf_len(&call->out)) {
		*flags |=
			NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
		submit_trailers(call);
	} else if (call->full) {
		rpc_call_set_due(call); /* for rpc_answer_drained() to see */
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
	struct status_text text;
	nghttp2_nv nv[3 + STATUS_HEADERS] = {
		NV(":status", "200", 3),
		NV("content-type", type, sizeof(type) - 1),
		NV("grpc-accept-encoding", plain, sizeof(plain) - 1)
	};
	size_t n = 3 + status_headers(call, nv + 3, &text);

	call->answering = true;
	if (nghttp2_submit_response(call->conn->session, call->sid, nv, n,
				    NULL))
		call->conn->dead = true;
}

void rpc_answer_http(struct rpc_call *call, const char *http_status)
{
	const nghttp2_nv nv[] = { NV(":status", http_status,
				     strlen(http_status)) };

	call->finished = call->answering = true;
	if (nghttp2_submit_response(call->conn->session, call->sid, nv, 1,
				    NULL))
		call->conn->dead = true;
	rpc_share_touch(call->conn);
}

/* Whether the peer's windows keep trailers behind data that cannot go. */
static bool is_stuck(const struct rpc_call *call)
{
	nghttp2_session *s = call->conn->session;

	return nghttp2_session_get_stream_remote_window_size(s, call->sid) <=
		       0 ||
	       nghttp2_session_get_remote_window_size(s) <= 0;
}

/* @aborted: the queue was dropped; a peer that reads nothing gets a reset. */
static void end(struct rpc_call *call, bool aborted)
{
	struct rpc_conn *conn = call->conn;
	nghttp2_session *s = conn->session;

	ev_timer_stop(conn->srv->loop, &call->deadline);
	rpc_share_refund(conn, buf_len(&call->in));
	buf_free(&call->in);
	rpc_share_touch(conn);
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

	/* it was measured, and may be refused each time */
	rpc_share_work(call->conn,
		       len < l->work_turn / 16 ? len : l->work_turn / 16);
	if (call->finished || call->conn->dead)
		return -ECANCELED;
	if (len > l->max_message)
		return -EMSGSIZE;
	if (buf_len(&call->out) > l->queue_high + l->max_message)
		return -ENOBUFS;
	return rpc_share_charge(call->conn, FRAME_PREFIX + len) ? 0 : -ENOBUFS;
}

static int queued(struct rpc_call *call, bool was_empty)
{
	if (!call->answering)
		submit_headers(call);
	else if (was_empty)
		nghttp2_session_resume_data(call->conn->session, call->sid);
	rpc_share_touch(call->conn);
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
	if (frame_append(&call->out, msg)) {
		rpc_share_refund(call->conn, FRAME_PREFIX + len);
		return -ENOMEM;
	}
	return queued(call, was_empty);
}

static int send_bytes(struct rpc_call *call, const void *packed, size_t len)
{
	bool was_empty = !buf_len(&call->out);
	int rc = queue_room(call, len);

	if (rc)
		return rc;
	if (frame_append_bytes(&call->out, packed, len)) {
		rpc_share_refund(call->conn, FRAME_PREFIX + len);
		return -ENOMEM;
	}
	return queued(call, was_empty);
}

/* Takes off the end of a text that was cut inside a character, of 2 to 4. */
static void trim_utf8(char *text)
{
	size_t n = strlen(text), back = 0;

	while (back < 3 && back < n && !utf8_valid(text, n - back))
		back++;
	if (utf8_valid(text, n - back))
		text[n - back] = '\0';
}

/* Which field and why, for the headers to come. */
static void set_details(struct rpc_call *call, struct rpc_at at)
{
	struct details *d = &call->details;

	snprintf(d->field, sizeof(d->field), "%s", at.field ? at.field : "");
	snprintf(d->reason, sizeof(d->reason), "%s",
		 at.reason ? at.reason : "");
	utf8_mend(d->field);
	utf8_mend(d->reason);
}

static void finish(struct rpc_call *call, enum grpc_status status,
		   const char *text, va_list ap)
{
	call->finished = true;
	call->ops = NULL;
	call->status = status;
	if (text) {
		vsnprintf(call->text, sizeof(call->text), text, ap);
		trim_utf8(call->text);
	}
	end(call, false);
}

void rpc_finish(struct rpc_call *call, enum grpc_status status,
		const char *text, ...)
{
	va_list ap;

	if (call->finished)
		return;
	va_start(ap, text);
	finish(call, status, text, ap);
	va_end(ap);
}

void rpc_refuse(struct rpc_call *call, enum grpc_status status,
		struct rpc_at at, const char *text, ...)
{
	va_list ap;

	if (call->finished)
		return;
	set_details(call, at);
	va_start(ap, text);
	finish(call, status, text, ap);
	va_end(ap);
}

/* @sent: what queueing the one answer came to. */
static void end_reply(struct rpc_call *call, int sent)
{
	if (sent >= 0)
		rpc_finish(call, GRPC_OK, NULL);
	else if (sent == -EMSGSIZE)
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "ANSWER_TOO_LONG"),
			   "the answer is above the message limit of %zu bytes",
			   call->conn->srv->limits.max_message);
	else
		rpc_refuse(call, GRPC_RESOURCE_EXHAUSTED,
			   RPC_AT(NULL, "QUEUE_FULL"),
			   "no room to queue the answer");
}

void rpc_reply(struct rpc_call *call, const ProtobufCMessage *msg)
{
	end_reply(call, rpc_send(call, msg));
}

void rpc_reply_bytes(struct rpc_call *call, struct rpc_bytes packed)
{
	end_reply(call, send_bytes(call, packed.data, packed.len));
}

void rpc_answer_abort(struct rpc_call *call, enum grpc_status status,
		      struct rpc_at at, const char *text)
{
	if (call->finished)
		return;
	rpc_call_cancel(call);
	/* what is queued is of no use to a client that waited in vain */
	rpc_share_refund(call->conn, buf_len(&call->out));
	buf_free(&call->out);
	call->status = status;
	set_details(call, at);
	snprintf(call->text, sizeof(call->text), "%s", text);
	end(call, true);
}

void rpc_answer_drained(struct rpc_call *call)
{
	if (call->finished || !call->full ||
	    buf_len(&call->out) > call->conn->srv->limits.queue_low)
		return;
	call->full = false;
	if (call->ops && call->ops->on_writable)
		call->ops->on_writable(call, call->data);
}
