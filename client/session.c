/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * nghttp2 as a client. Each stream has a window of its own that opens only as
 * messages are taken, so a slow reader holds back its own sender and nobody
 * else; the connection's window opens at once.
 */
#include "session.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pmuclient/pmuclient.h>

#include "wire/cleanup.h"

enum {
	WINDOW = 1 << 20,
	RECV_BYTES = 64 << 10,
	SEND_BYTES = 64 << 10
};

int session_fail(struct pmuclient *c, int err, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(c->error, sizeof(c->error), format, ap);
	va_end(ap);
	c->status = 0;
	c->details = (struct details){ 0 };
	return -err;
}

int session_no_memory(struct pmuclient *c, const char *what, ...)
{
	char text[GRPC_MESSAGE_MAX];
	va_list ap;

	va_start(ap, what);
	vsnprintf(text, sizeof(text), what, ap);
	va_end(ap);
	return session_fail(c, PMUCLIENT_ENOMEM, "%s: out of memory", text);
}

static int connection_lost(struct pmuclient *c, const char *why)
{
	c->lost = true;
	if (*c->reason)
		return session_left(c);
	return session_fail(c, PMUCLIENT_ELOST, "connection to pmud lost: %s",
			    why);
}

/* nghttp2's callbacks: what comes in is sorted to its stream. */

static int on_header(nghttp2_session *session, const nghttp2_frame *frame,
		     const uint8_t *name, size_t name_len, const uint8_t *value,
		     size_t len, uint8_t flags, void *user)
{
	struct pmuclient_stream *s = nghttp2_session_get_stream_user_data(
		session, frame->hd.stream_id);
	const char *text = (const char *)value;

	if (!s)
		return 0;
	if (name_len == 11 && !memcmp(name, "grpc-status", 11))
		s->status = (int)strtol(text, NULL, 10);
	else if (name_len == 12 && !memcmp(name, "grpc-message", 12))
		percent_decode(text, len, s->text, sizeof(s->text));
	else if (name_len == 23 && !memcmp(name, "grpc-status-details-bin", 23))
		details_decode(text, len, &s->details);
	return 0;
}

/*
 * Opens the window again for @n bytes, or for all when no whole message waits:
 * a message may be larger than the window.
 */
static void return_window(struct pmuclient_stream *s, size_t n)
{
	uint32_t len;

	if (n > s->held ||
	    frame_peek(&s->in, SESSION_MAX_MESSAGE, &len) == FRAME_SHORT)
		n = s->held;
	/* of a stream that is over it takes none */
	nghttp2_session_consume_stream(s->client->session, s->id, n);
	s->held -= n;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id,
		   const uint8_t *data, size_t len, void *user)
{
	struct pmuclient_stream *s =
		nghttp2_session_get_stream_user_data(session, id);

	nghttp2_session_consume_connection(session, len);
	if (!s) /* it is about to be reset, and needs no window */
		return 0;
	if (buf_append(&s->in, data, len))
		return NGHTTP2_ERR_CALLBACK_FAILURE;
	s->held += len;
	return_window(s, 0);
	return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t code,
		    void *user)
{
	struct pmuclient_stream *s =
		nghttp2_session_get_stream_user_data(session, id);

	if (!s)
		return 0;
	s->closed = true;
	s->client->moved = true;
	if (s->status < 0 && code != NGHTTP2_NO_ERROR)
		snprintf(s->text, sizeof(s->text), "stream reset: %s",
			 nghttp2_http2_strerror(code));
	return 0;
}

/* What pmud says when it refuses a connection, as text for a terminal. */
static void keep_reason(struct pmuclient *c, const nghttp2_goaway *frame)
{
	size_t n = frame->opaque_data_len;

	if (n > sizeof(c->reason) - 1)
		n = sizeof(c->reason) - 1;
	for (size_t i = 0; i < n; i++) {
		char byte = (char)frame->opaque_data[i];

		c->reason[i] = byte < ' ' || byte > '~' ? '?' : byte;
	}
	c->reason[n] = '\0';
}

int session_left(struct pmuclient *c)
{
	if (!*c->reason)
		return session_fail(c, PMUCLIENT_ELOST, "pmud is leaving");
	return session_fail(c, PMUCLIENT_ELOST,
			    "pmud refuses the connection: %s", c->reason);
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame,
		    void *user)
{
	struct pmuclient *c = user;

	if (frame->hd.type == NGHTTP2_GOAWAY) {
		c->leaving = true;
		keep_reason(c, &frame->goaway);
	}
	return 0;
}

static ssize_t read_request(nghttp2_session *session, int32_t id, uint8_t *buf,
			    size_t cap, uint32_t *flags,
			    nghttp2_data_source *source, void *user)
{
	struct pmuclient_stream *s = source->ptr;
	size_t n = buf_len(&s->out);

	if (n > cap)
		n = cap;
	if (n)
		memcpy(buf, buf_head(&s->out), n);
	buf_consume(&s->out, n);
	if (s->ended && !buf_len(&s->out))
		*flags |= NGHTTP2_DATA_FLAG_EOF;
	else if (!n) {
		s->deferred = s->client->moved = true;
		return NGHTTP2_ERR_DEFERRED;
	}
	return (ssize_t)n;
}

CLEANUP_POINTER(callbacks, nghttp2_session_callbacks,
		nghttp2_session_callbacks_del)
CLEANUP_POINTER(option, nghttp2_option, nghttp2_option_del)

static nghttp2_session *new_session(struct pmuclient *c)
{
	nghttp2_session_callbacks *cbs CLEANUP(callbacks) = NULL;
	nghttp2_option *option CLEANUP(option) = NULL;
	nghttp2_session *session;

	if (nghttp2_session_callbacks_new(&cbs) || nghttp2_option_new(&option))
		return NULL;
	nghttp2_session_callbacks_set_on_header_callback(cbs, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(cbs, on_data);
	nghttp2_session_callbacks_set_on_stream_close_callback(cbs, on_close);
	nghttp2_session_callbacks_set_on_frame_recv_callback(cbs, on_frame);
	nghttp2_option_set_no_auto_window_update(option, 1);
	return nghttp2_session_client_new2(&session, cbs, c, option) ? NULL
								     : session;
}

int session_init(struct pmuclient *c)
{
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_ENABLE_PUSH, 0 },
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, WINDOW },
	};

	c->session = new_session(c);
	if (!c->session ||
	    nghttp2_submit_settings(c->session, NGHTTP2_FLAG_NONE, settings,
				    2) ||
	    nghttp2_session_set_local_window_size(c->session, NGHTTP2_FLAG_NONE,
						  0, 4 * WINDOW))
		return session_no_memory(c, "connection to pmud");
	return 0;
}

void session_fini(struct pmuclient *c)
{
	struct pmuclient_stream *s;

	while ((s = LIST_FIRST(&c->streams))) {
		session_close(s);
		assert(LIST_FIRST(&c->streams) != s);
	}
	nghttp2_session_del(c->session);
	c->session = NULL;
	buf_free(&c->out);
}

#define HEADER(name, value)                                                    \
	{                                                                      \
		(uint8_t *)(name), (uint8_t *)(value), strlen(name),           \
			strlen(value), NGHTTP2_NV_FLAG_NONE,                   \
	}

static int submit(struct pmuclient_stream *s, const char *path, int timeout_ms)
{
	char timeout[GRPC_TIMEOUT_MAX] = "";
	const nghttp2_nv headers[] = {
		HEADER(":method", "POST"),
		HEADER(":scheme", "http"),
		HEADER(":authority", "localhost"),
		HEADER(":path", path),
		HEADER("te", "trailers"),
		HEADER("content-type", "application/grpc"),
		HEADER("user-agent", "libpmuclient"),
		HEADER("grpc-timeout", timeout),
	};
	nghttp2_data_provider body = { .source.ptr = s,
				       .read_callback = read_request };
	size_t n = sizeof(headers) / sizeof(*headers);
	nghttp2_nv nv[sizeof(headers) / sizeof(*headers)];

	memcpy(nv, headers, sizeof(nv));
	if (timeout_ms >= 0)
		timeout_format((uint64_t)timeout_ms * 1000000, timeout);
	else
		n--;
	nv[7].valuelen = strlen(timeout);
	return nghttp2_submit_request(s->client->session, NULL, nv, n, &body,
				      s);
}

int session_open(struct pmuclient *c, const char *path, int timeout_ms,
		 struct pmuclient_stream **ret)
{
	struct pmuclient_stream *s;

	if (c->lost)
		return connection_lost(c, "it is closed");
	if (c->leaving)
		return session_left(c);
	s = calloc(1, sizeof(*s));
	if (!s)
		return session_no_memory(c, "%s", path);
	s->client = c;
	s->status = -1;
	s->id = submit(s, path, timeout_ms);
	if (s->id < 0) {
		int err = s->id;

		free(s);
		return err == NGHTTP2_ERR_NOMEM
			       ? session_no_memory(c, "%s", path)
			       : connection_lost(c, nghttp2_strerror(err));
	}
	LIST_INSERT_HEAD(&c->streams, s, link);
	*ret = s;
	return 0;
}

int session_put(struct pmuclient_stream *s, const ProtobufCMessage *msg,
		bool more)
{
	if (frame_append(&s->out, msg))
		return session_no_memory(s->client, "request");
	s->ended = !more;
	if (s->deferred)
		nghttp2_session_resume_data(s->client->session, s->id);
	s->deferred = false;
	return 0;
}

void session_end(struct pmuclient_stream *s)
{
	s->ended = true;
	if (s->deferred)
		nghttp2_session_resume_data(s->client->session, s->id);
}

void session_close(struct pmuclient_stream *s)
{
	struct pmuclient *c = s->client;

	nghttp2_session_set_stream_user_data(c->session, s->id, NULL);
	/* a child by _Fork() has the socket still, which is the parent's */
	if (!s->closed && !c->lost && c->pid == getpid()) {
		/* the request's bytes are gone with us */
		nghttp2_submit_rst_stream(c->session, NGHTTP2_FLAG_NONE, s->id,
					  NGHTTP2_CANCEL);
		(void)session_pump(c, 0);
	}
	LIST_REMOVE(s, link);
	buf_free(&s->in);
	buf_free(&s->out);
	free(s);
}

int session_peek(struct pmuclient_stream *s, const uint8_t **ret,
		 uint32_t *ret_len)
{
	switch (frame_peek(&s->in, SESSION_MAX_MESSAGE, ret_len)) {
	case FRAME_READY:
		*ret = buf_head(&s->in) + FRAME_PREFIX;
		return 1;
	case FRAME_SHORT:
		return 0;
	case FRAME_TOO_LARGE:
	case FRAME_COMPRESSED:
	case FRAME_BAD:
		break;
	}
	return session_fail(s->client, PMUCLIENT_EPROTO,
			    "pmud sent a frame that is no message");
}

void session_consume(struct pmuclient_stream *s, uint32_t len)
{
	buf_consume(&s->in, len + FRAME_PREFIX);
	return_window(s, len + FRAME_PREFIX);
}

/* Collects frames until they are worth a write. */
static int collect(struct pmuclient *c)
{
	const uint8_t *bytes;
	ssize_t n;

	while (buf_len(&c->out) < SEND_BYTES) {
		n = nghttp2_session_mem_send(c->session, &bytes);
		if (n < 0)
			return connection_lost(c, nghttp2_strerror((int)n));
		if (n == 0)
			return 0;
		if (buf_append(&c->out, bytes, (size_t)n))
			return connection_lost(c, "out of memory");
	}
	return 0;
}

/* Nobody listens any more: what was said before that is worth knowing. */
static void read_last_words(struct pmuclient *c)
{
	uint8_t bytes[RECV_BYTES];
	ssize_t n;

	do
		n = recv(c->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	while (n > 0 &&
	       nghttp2_session_mem_recv(c->session, bytes, (size_t)n) == n);
}

/* Writes what the session has to say, as far as the socket takes it. */
static int flush(struct pmuclient *c)
{
	for (;;) {
		int err = collect(c);
		ssize_t sent;

		if (err || !buf_len(&c->out))
			return err;
		sent = send(c->fd, buf_head(&c->out), buf_len(&c->out),
			    MSG_NOSIGNAL);
		if (sent < 0 && errno == EAGAIN)
			return 0;
		if (sent < 0 && errno != EINTR) {
			err = errno;
			read_last_words(c);
			return connection_lost(c, strerror(err));
		}
		if (sent > 0)
			buf_consume(&c->out, (size_t)sent);
	}
}

/* Takes what came in. */
static int receive(struct pmuclient *c)
{
	uint8_t bytes[RECV_BYTES];
	ssize_t n = recv(c->fd, bytes, sizeof(bytes), 0), taken;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return connection_lost(c,
				       n ? strerror(errno) : "pmud closed it");
	taken = nghttp2_session_mem_recv(c->session, bytes, (size_t)n);
	return taken == n ? 0
			  : connection_lost(c, nghttp2_strerror((int)taken));
}

int session_pump(struct pmuclient *c, int timeout_ms)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	int err;

	if (c->lost)
		return connection_lost(c, "it is closed");
	c->moved = false;
	err = flush(c);
	if (err)
		return err;
	/* what was waited for may have gone just now: nothing need come */
	if (c->moved)
		timeout_ms = 0;
	if (buf_len(&c->out))
		p.events |= POLLOUT;
	if (poll(&p, 1, timeout_ms) <= 0)
		return 0;
	if (p.revents & ~POLLOUT)
		err = receive(c);
	return err ? err : flush(c);
}
