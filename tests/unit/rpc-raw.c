/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames by hand. */
#include "rpc-raw.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc-peer.h"
#include "unit.h"

enum {
	STUCK_ROUNDS = 64, /* turns in which the server takes nothing */
};

static void put(struct buf *to, const void *bytes, size_t n)
{
	/* no assertion of Check's: each of those writes to its runner */
	if (buf_append(to, bytes, n))
		abort();
}

void raw_frame(struct buf *to, const struct raw_head *h, const void *payload,
	       size_t len)
{
	const uint8_t head[RAW_FRAME] = {
		(uint8_t)(len >> 16),
		(uint8_t)(len >> 8),
		(uint8_t)len,
		h->type,
		h->flags,
		(uint8_t)(h->sid >> 24),
		(uint8_t)(h->sid >> 16),
		(uint8_t)(h->sid >> 8),
		(uint8_t)h->sid,
	};

	put(to, head, sizeof(head));
	put(to, payload, len);
}

void raw_request(struct buf *to, const char *path)
{
	static const char type[] = "\1\4test\x0f\x10\x10"
				   "application/grpc";
	const uint8_t head[] = { 0x83, 0x86, 0x04, (uint8_t)strlen(path) };

	put(to, head, sizeof(head));
	put(to, path, strlen(path));
	put(to, type, sizeof(type) - 1);
}

void raw_open(struct raw *r, struct rpc_server *srv, struct ev_loop *loop)
{
	static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
				      "\0\0\0\4\0\0\0\0";
	struct buf hello = { 0 };
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX,
				    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
				    0, pair),
			 0);
	*r = (struct raw){ .fd = pair[0], .server_fd = pair[1], .loop = loop };
	ck_assert_int_eq(rpc_adopt(srv, pair[1]), 0);
	put(&hello, preface, sizeof(preface));
	ck_assert_uint_eq(raw_send(r, &hello), sizeof(preface));
	buf_free(&hello);
}

void raw_close(struct raw *r)
{
	close(r->fd);
	buf_free(&r->in);
	loop_run(r->loop);
}

size_t raw_send(struct raw *r, const struct buf *bytes)
{
	size_t at = 0, len = buf_len(bytes);
	int stuck = 0;

	while (at < len && stuck < STUCK_ROUNDS) {
		ssize_t n = send(r->fd, buf_head(bytes) + at, len - at,
				 MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN)
			break;
		stuck = n > 0 ? 0 : stuck + 1;
		at += n > 0 ? (size_t)n : 0;
		ev_run(r->loop, EVRUN_NOWAIT);
	}
	r->sent += at;
	return at;
}

size_t raw_unread(const struct raw *r)
{
	int n = 0;

	ck_assert_int_eq(ioctl(r->server_fd, FIONREAD, &n), 0);
	return (size_t)n;
}

void raw_read(struct raw *r)
{
	int quiet = 0;

	while (quiet < STUCK_ROUNDS && !r->eof) {
		uint8_t block[65536];
		ssize_t n = recv(r->fd, block, sizeof(block), 0);

		if (n > 0)
			put(&r->in, block, (size_t)n);
		r->eof = n == 0 || (n < 0 && errno != EAGAIN);
		quiet = n > 0 ? 0 : quiet + 1;
		ev_run(r->loop, EVRUN_NOWAIT);
	}
}

static uint32_t word(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

static void look_at(const uint8_t *frame, size_t len, struct raw_seen *seen)
{
	const uint8_t *payload = frame + RAW_FRAME;
	uint8_t type = frame[3];

	seen->frames[type]++;
	if (type == NGHTTP2_RST_STREAM)
		seen->reset = word(payload);
	if ((type == NGHTTP2_HEADERS || type == NGHTTP2_DATA) &&
	    (frame[4] & NGHTTP2_FLAG_END_STREAM))
		seen->ends++;
	if (type != NGHTTP2_GOAWAY)
		return;
	seen->goaway = word(payload + 4);
	len -= 8;
	len = len < sizeof(seen->why) ? len : sizeof(seen->why) - 1;
	memcpy(seen->why, payload + 8, len);
	seen->why[len] = '\0';
}

void raw_look(const struct raw *r, struct raw_seen *ret)
{
	const uint8_t *p = buf_head(&r->in);
	size_t at = 0, n = buf_len(&r->in);

	memset(ret, 0, sizeof(*ret));
	while (n - at >= RAW_FRAME) {
		size_t len = (size_t)p[at] << 16 | (size_t)p[at + 1] << 8 |
			     p[at + 2];

		if (n - at < RAW_FRAME + len)
			return;
		look_at(p + at, len, ret);
		at += RAW_FRAME + len;
	}
}
