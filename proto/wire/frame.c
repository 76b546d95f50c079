/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Framing: the buffers, their growth and their limits. Decides nothing about
 * messages but how long one may be.
 */
#include "frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	READ_SIZE = 64 << 10
};

void frame_in_free(struct frame_in *in)
{
	free(in->buf);
	*in = (struct frame_in){ 0 };
}

void frame_out_free(struct frame_out *out)
{
	free(out->buf);
	*out = (struct frame_out){ 0 };
}

/* Makes room for @more bytes behind *end, by moving down, then by growing. */
static int make_room(uint8_t **buf, size_t *start, size_t *end, size_t *cap,
		     size_t more)
{
	size_t want;
	uint8_t *grown;

	if (*cap - *end >= more)
		return 0;
	if (*start > 0) {
		memmove(*buf, *buf + *start, *end - *start);
		*end -= *start;
		*start = 0;
	}
	if (*cap - *end >= more)
		return 0;
	want = *cap ? *cap : READ_SIZE;
	while (want - *end < more)
		want *= 2;
	grown = realloc(*buf, want);
	if (!grown)
		return -ENOMEM;
	*buf = grown;
	*cap = want;
	return 0;
}

static int in_room(struct frame_in *in, size_t more)
{
	return make_room(&in->buf, &in->start, &in->end, &in->cap, more);
}

int frame_feed(struct frame_in *in, const void *bytes, size_t len)
{
	int rc;

	if (len == 0)
		return 0;
	rc = in_room(in, len);
	if (rc < 0)
		return rc;
	if (len)
		memcpy(in->buf + in->end, bytes, len);
	in->end += len;
	return 0;
}

int frame_read(struct frame_in *in, int fd)
{
	int rc = in_room(in, READ_SIZE);
	ssize_t n;

	if (rc < 0)
		return rc;
	do
		n = read(fd, in->buf + in->end, in->cap - in->end);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (n == 0)
		return -ECONNRESET;
	in->end += (size_t)n;
	return 1;
}

static uint32_t get_le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static void put_le32(uint8_t *p, uint32_t v)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

int frame_next(struct frame_in *in, const uint8_t **ret, size_t *ret_len)
{
	size_t have = in->end - in->start;
	uint32_t len;

	if (have < FRAME_HEAD)
		return 0;
	len = get_le32(in->buf + in->start);
	if (len > FRAME_MAX)
		return -EMSGSIZE;
	if (have - FRAME_HEAD < len)
		return 0;
	*ret = in->buf + in->start + FRAME_HEAD;
	*ret_len = len;
	in->start += FRAME_HEAD + (size_t)len;
	return 1;
}

size_t frame_pending(const struct frame_out *out)
{
	return out->end - out->start;
}

int frame_put(struct frame_out *out, const ProtobufCMessage *message)
{
	size_t len = protobuf_c_message_get_packed_size(message);
	int rc;

	if (len > FRAME_MAX)
		return -EMSGSIZE;
	if (frame_pending(out) + FRAME_HEAD + len > FRAME_OUT_LIMIT)
		return -ENOBUFS;
	rc = make_room(&out->buf, &out->start, &out->end, &out->cap,
		       FRAME_HEAD + len);
	if (rc < 0)
		return rc;
	put_le32(out->buf + out->end, (uint32_t)len);
	protobuf_c_message_pack(message, out->buf + out->end + FRAME_HEAD);
	out->end += FRAME_HEAD + len;
	return 0;
}

int frame_flush(struct frame_out *out, int fd)
{
	while (out->start < out->end) {
		ssize_t n = send(fd, out->buf + out->start,
				 out->end - out->start, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 1 : -errno;
		out->start += (size_t)n;
	}
	out->start = out->end = 0;
	return 0;
}
