/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Framing: every length is checked before it is believed. Decides nothing about
 * messages but how long one may be.
 */
#include "wire/frame.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	READ_SIZE = 64 << 10,
	HEAD_LENGTH = 4 /* bytes of it, before a head */
};

enum frame_state frame_peek(const struct buf *in, size_t limit,
			    uint32_t *ret_len)
{
	const uint8_t *p = buf_head(in);
	uint32_t len;

	if (buf_len(in) < 1)
		return FRAME_SHORT;
	if (p[0] > 1)
		return FRAME_BAD;
	if (p[0] == 1)
		return FRAME_COMPRESSED;
	if (buf_len(in) < FRAME_PREFIX)
		return FRAME_SHORT;
	len = (uint32_t)p[1] << 24 | (uint32_t)p[2] << 16 |
	      (uint32_t)p[3] << 8 | p[4];
	*ret_len = len;
	if (len > limit)
		return FRAME_TOO_LARGE;
	return buf_len(in) - FRAME_PREFIX < len ? FRAME_SHORT : FRAME_READY;
}

/* The prefix, and where to write the message; NULL: too long, or no memory. */
static uint8_t *begin(struct buf *out, size_t len)
{
	uint8_t *to =
		len > UINT32_MAX ? NULL : buf_reserve(out, FRAME_PREFIX + len);

	if (!to)
		return NULL;
	to[0] = 0;
	to[1] = (uint8_t)(len >> 24);
	to[2] = (uint8_t)(len >> 16);
	to[3] = (uint8_t)(len >> 8);
	to[4] = (uint8_t)len;
	return to + FRAME_PREFIX;
}

int frame_append(struct buf *out, const ProtobufCMessage *msg)
{
	size_t len = protobuf_c_message_get_packed_size(msg);
	uint8_t *to = begin(out, len);

	if (!to)
		return -1;
	protobuf_c_message_pack(msg, to);
	buf_commit(out, FRAME_PREFIX + len);
	return 0;
}

int frame_append_bytes(struct buf *out, const void *bytes, size_t len)
{
	uint8_t *to = begin(out, len);

	if (!to)
		return -1;
	if (len)
		memcpy(to, bytes, len);
	buf_commit(out, FRAME_PREFIX + len);
	return 0;
}

void frame_in_free(struct frame_in *in)
{
	buf_free(&in->bytes);
	in->given = 0;
}

void frame_out_free(struct frame_out *out)
{
	buf_free(&out->bytes);
}

/* The message that was given out last is done with. */
static void drop_given(struct frame_in *in)
{
	buf_consume(&in->bytes, in->given);
	in->given = 0;
}

int frame_read(struct frame_in *in, int fd)
{
	uint8_t *to;
	ssize_t n;

	drop_given(in);
	to = buf_reserve(&in->bytes, READ_SIZE);
	if (!to)
		return -ENOMEM;
	do
		n = read(fd, to, in->bytes.cap - in->bytes.tail);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == EAGAIN ? 0 : -errno;
	if (n == 0)
		return -ECONNRESET;
	buf_commit(&in->bytes, (size_t)n);
	return 1;
}

int frame_next(struct frame_in *in, const uint8_t **ret, size_t *ret_len)
{
	uint32_t len;

	drop_given(in);
	switch (frame_peek(&in->bytes, FRAME_MAX, &len)) {
	case FRAME_SHORT:
		return 0;
	case FRAME_TOO_LARGE:
		return -EMSGSIZE;
	case FRAME_COMPRESSED:
	case FRAME_BAD:
		return -EPROTO;
	case FRAME_READY:
		break;
	}
	*ret = buf_head(&in->bytes) + FRAME_PREFIX;
	*ret_len = len;
	in->given = FRAME_PREFIX + (size_t)len;
	return 1;
}

size_t frame_pending(const struct frame_out *out)
{
	return buf_len(&out->bytes);
}

int frame_put(struct frame_out *out, const ProtobufCMessage *head,
	      const struct frame_body *body)
{
	size_t first = protobuf_c_message_get_packed_size(head);
	size_t second = body->len, len;
	uint8_t *to;

	if (body->message)
		second = protobuf_c_message_get_packed_size(body->message);
	len = HEAD_LENGTH + first + second;
	if (first > FRAME_MAX || second > FRAME_MAX || len > FRAME_MAX)
		return -EMSGSIZE;
	if (frame_pending(out) + FRAME_PREFIX + len > FRAME_OUT_LIMIT)
		return -ENOBUFS;
	to = begin(&out->bytes, len);
	if (!to)
		return -ENOMEM;
	for (unsigned i = 0; i < HEAD_LENGTH; i++)
		to[i] = (uint8_t)(first >> (8 * i));
	protobuf_c_message_pack(head, to + HEAD_LENGTH);
	if (body->message)
		protobuf_c_message_pack(body->message,
					to + HEAD_LENGTH + first);
	else if (second)
		memcpy(to + HEAD_LENGTH + first, body->bytes, second);
	buf_commit(&out->bytes, FRAME_PREFIX + len);
	return 0;
}

bool frame_split(const uint8_t *bytes, size_t len, struct frame_body *ret_head,
		 struct frame_body *ret_body)
{
	size_t head = 0;

	if (len < HEAD_LENGTH)
		return false;
	for (unsigned i = 0; i < HEAD_LENGTH; i++)
		head |= (size_t)bytes[i] << (8 * i);
	if (head > len - HEAD_LENGTH)
		return false;
	*ret_head = (struct frame_body){ .bytes = bytes + HEAD_LENGTH,
					 .len = head };
	*ret_body = (struct frame_body){
		.bytes = bytes + HEAD_LENGTH + head,
		.len = len - HEAD_LENGTH - head,
	};
	return true;
}

int frame_flush(struct frame_out *out, int fd)
{
	struct buf *b = &out->bytes;

	while (buf_len(b)) {
		ssize_t n = send(fd, buf_head(b), buf_len(b), MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 1 : -errno;
		buf_consume(b, (size_t)n);
	}
	return 0;
}
