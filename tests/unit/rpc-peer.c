/* SPDX-License-Identifier: BSD-2-Clause */
/* An HTTP/2 client for tests: no limits, no manners. */
#include "rpc-peer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	QUIET_ROUNDS = 6, /* a turn to read, one to serve, one for callbacks */
	PADDING_MAX = 60000,
};

static int on_header(nghttp2_session *session, const nghttp2_frame *frame,
		     const uint8_t *name, size_t name_len, const uint8_t *value,
		     size_t len, uint8_t flags, void *user)
{
	struct peer_call *c = nghttp2_session_get_stream_user_data(
		session, frame->hd.stream_id);

	assert(c);
	if (!strcmp((const char *)name, ":status"))
		c->http = atoi((const char *)value);
	else if (!strcmp((const char *)name, "content-type"))
		snprintf(c->type, sizeof(c->type), "%s", (const char *)value);
	else if (!strcmp((const char *)name, "grpc-status"))
		c->status = atoi((const char *)value);
	else if (!strcmp((const char *)name, "grpc-message"))
		percent_decode((const char *)value, len, c->text,
			       sizeof(c->text));
	else if (!strcmp((const char *)name, "grpc-status-details-bin"))
		assert(details_decode((const char *)value, len, &c->details));
	return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t id,
		   const uint8_t *data, size_t len, void *user)
{
	struct peer_call *c = nghttp2_session_get_stream_user_data(session, id);

	nghttp2_session_consume_connection(session, len);
	assert(c && !buf_append(&c->in, data, len));
	return 0;
}

static int on_close(nghttp2_session *session, int32_t id, uint32_t code,
		    void *user)
{
	struct peer_call *c = nghttp2_session_get_stream_user_data(session, id);

	assert(c);
	c->closed = true;
	c->code = code;
	return 0;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame,
		    void *user)
{
	struct peer *p = user;

	if (frame->hd.type != NGHTTP2_GOAWAY)
		return 0;
	p->goaway = true;
	p->goaway_code = frame->goaway.error_code;
	snprintf(p->goaway_text, sizeof(p->goaway_text), "%.*s",
		 (int)frame->goaway.opaque_data_len,
		 (const char *)frame->goaway.opaque_data);
	return 0;
}

static ssize_t read_body(nghttp2_session *session, int32_t id, uint8_t *to,
			 size_t cap, uint32_t *flags,
			 nghttp2_data_source *source, void *user)
{
	struct peer_call *c = source->ptr;
	size_t n = buf_len(&c->out) < cap ? buf_len(&c->out) : cap;

	if (n)
		memcpy(to, buf_head(&c->out), n);
	buf_consume(&c->out, n);
	if (c->ended && !buf_len(&c->out))
		*flags |= NGHTTP2_DATA_FLAG_EOF;
	else if (!n) {
		c->deferred = true;
		return NGHTTP2_ERR_DEFERRED;
	}
	return (ssize_t)n;
}

void peer_adopt(struct peer *p, int fd, struct ev_loop *loop, uint32_t window)
{
	const nghttp2_settings_entry settings[] = {
		{ NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window },
	};
	nghttp2_session_callbacks *cbs;
	nghttp2_option *option;

	*p = (struct peer){ .loop = loop, .fd = fd };
	assert(!nghttp2_session_callbacks_new(&cbs));
	assert(!nghttp2_option_new(&option));
	nghttp2_session_callbacks_set_on_header_callback(cbs, on_header);
	nghttp2_session_callbacks_set_on_data_chunk_recv_callback(cbs, on_data);
	nghttp2_session_callbacks_set_on_stream_close_callback(cbs, on_close);
	nghttp2_session_callbacks_set_on_frame_recv_callback(cbs, on_frame);
	nghttp2_option_set_no_auto_window_update(option, 1);
	/* the limit of streams is the server's to enforce, not ours */
	nghttp2_option_set_peer_max_concurrent_streams(option, 1000);
	assert(!nghttp2_session_client_new2(&p->session, cbs, p, option));
	nghttp2_session_callbacks_del(cbs);
	nghttp2_option_del(option);
	assert(!nghttp2_submit_settings(p->session, 0, settings, 1));
}

void peer_open(struct peer *p, struct rpc_server *srv, struct ev_loop *loop,
	       uint32_t window)
{
	int pair[2];
	int err = socketpair(
		AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair);

	assert(!err);
	err = rpc_adopt(srv, pair[1]);
	(void)err; /* a refused connection is a closed one */
	peer_adopt(p, pair[0], loop, window);
}

void peer_close(struct peer *p)
{
	struct peer_call *c;

	nghttp2_session_del(p->session);
	close(p->fd);
	while ((c = p->calls)) {
		p->calls = c->next;
		buf_free(&c->out);
		buf_free(&c->in);
		free(c);
	}
	buf_free(&p->sent);
}

static void add(nghttp2_nv *nv, size_t *n, const char *name, const char *value)
{
	if (value)
		nv[(*n)++] = (nghttp2_nv){ (uint8_t *)name, (uint8_t *)value,
					   strlen(name), strlen(value), 0 };
}

struct peer_call *peer_start(struct peer *p, const struct peer_request *req)
{
	static char padding[PADDING_MAX + 1];
	struct peer_call *c = calloc(1, sizeof(*c));
	nghttp2_data_provider body = { { .ptr = c }, read_body };
	nghttp2_nv nv[10];
	size_t n = 0;

	assert(c && req->padding <= PADDING_MAX);
	memset(padding, 'x', req->padding);
	padding[req->padding] = '\0';
	add(nv, &n, ":method", req->method ? req->method : "POST");
	add(nv, &n, ":scheme", "http");
	add(nv, &n, ":authority", "test");
	add(nv, &n, ":path", req->path);
	add(nv, &n, "te", "trailers");
	add(nv, &n, "content-type", req->type ? req->type : "application/grpc");
	add(nv, &n, "grpc-encoding", req->encoding);
	add(nv, &n, "grpc-timeout", req->timeout);
	add(nv, &n, "padding", req->padding ? padding : NULL);
	c->peer = p;
	c->status = -1;
	c->ended = !req->more;
	assert(!buf_append(&c->out, req->body, req->len));
	c->next = p->calls;
	p->calls = c;
	c->id = nghttp2_submit_request(p->session, NULL, nv, n, &body, c);
	assert(c->id > 0);
	return c;
}

void peer_more(struct peer_call *c, const void *bytes, size_t len, bool end)
{
	assert(!buf_append(&c->out, bytes, len));
	c->ended = end;
	if (c->deferred)
		nghttp2_session_resume_data(c->peer->session, c->id);
	c->deferred = false;
}

void peer_reset(struct peer_call *c)
{
	assert(!nghttp2_submit_rst_stream(c->peer->session, 0, c->id,
					  NGHTTP2_CANCEL));
}

void peer_allow(struct peer_call *c, int32_t bytes)
{
	nghttp2_session *s = c->peer->session;
	int32_t now = nghttp2_session_get_stream_effective_local_window_size(
		s, c->id);
	int err =
		nghttp2_session_set_local_window_size(s, 0, c->id, now + bytes);

	assert(now >= 0 && !err);
}

/* Writes what the session has to say. False: nothing. */
static bool peer_write(struct peer *p)
{
	const uint8_t *bytes;
	bool moved = false;
	ssize_t n;

	/* what does not fit the socket waits in @sent's tail */
	while (!p->eof &&
	       (n = nghttp2_session_mem_send(p->session, &bytes)) > 0) {
		assert(!buf_append(&p->sent, bytes, (size_t)n));
		while (n > 0) {
			ssize_t done =
				send(p->fd, bytes, (size_t)n, MSG_NOSIGNAL);

			if (done < 0 && errno == EAGAIN)
				ev_run(p->loop, EVRUN_NOWAIT);
			else if (done < 0)
				return false;
			bytes += done > 0 ? done : 0;
			n -= done > 0 ? done : 0;
		}
		moved = true;
	}
	return moved;
}

static bool peer_read(struct peer *p)
{
	uint8_t block[65536];
	ssize_t n;

	if (p->eof)
		return false;
	n = recv(p->fd, block, sizeof(block), MSG_DONTWAIT);
	if (n > 0) {
		n = nghttp2_session_mem_recv(p->session, block, (size_t)n);
		assert(n >= 0);
		return true;
	}
	p->eof = n == 0 || errno != EAGAIN;
	return p->eof;
}

void loop_run(struct ev_loop *loop)
{
	for (int i = 0; i < QUIET_ROUNDS; i++)
		ev_run(loop, EVRUN_NOWAIT);
}

bool peer_turn(struct peer *p)
{
	bool moved = peer_write(p);

	ev_run(p->loop, EVRUN_NOWAIT);
	return peer_read(p) || moved;
}

void peer_run(struct peer *p)
{
	int quiet = 0;

	while (quiet < QUIET_ROUNDS)
		quiet = peer_turn(p) ? 0 : quiet + 1;
}
