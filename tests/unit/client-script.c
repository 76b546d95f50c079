/* SPDX-License-Identifier: BSD-2-Clause */
/* HTTP/2 by hand: frames, and headers without any compression. */
#include "client-script.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"
#include "wire/frame.h"

enum {
	HEAD = 9,
	END_STREAM = 1,
	ACK = 1,
	END_HEADERS = 4,
	PREFACE = 24, /* what a client says before its first frame */
	PIECE = 16384 /* bytes of a DATA frame */
};

void script_frame(struct script *s, struct script_head of, const void *payload,
		  size_t len)
{
	const uint8_t head[HEAD] = {
		(uint8_t)(len >> 16),
		(uint8_t)(len >> 8),
		(uint8_t)len,
		(uint8_t)of.type,
		(uint8_t)of.flags,
		(uint8_t)(of.stream >> 24),
		(uint8_t)(of.stream >> 16),
		(uint8_t)(of.stream >> 8),
		(uint8_t)of.stream,
	};

	PREPARING(ck_assert_int_eq(buf_append(&s->out, head, HEAD), 0));
	PREPARING(ck_assert_int_eq(buf_append(&s->out, payload, len), 0));
}

void script_open(struct script *s, struct pmuclient **ret)
{
	int pair[2];

	*s = (struct script){ 0 };
	PREPARING(ck_assert_int_eq(
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0));
	s->fd = pair[0];
	PREPARING(ck_assert_int_eq(pmuclient_adopt(ret, pair[1]), 0));
	script_frame(s, (struct script_head){ FRAME_SETTINGS, 0, 0 }, "", 0);
	/* its own are in force once it has said them */
	PREPARING(ck_assert_int_eq(pmuclient_pump(*ret, 0), 0));
	script_frame(s, (struct script_head){ FRAME_SETTINGS, ACK, 0 }, "", 0);
}

void script_close(struct script *s)
{
	close(s->fd);
	buf_free(&s->out);
	buf_free(&s->in);
}

/* A string of a header: seven bits of length, or more behind them. */
static void put_string(struct buf *b, const char *text)
{
	size_t len = strlen(text), rest = len;
	uint8_t byte = (uint8_t)(len < 127 ? len : 127);

	buf_append(b, &byte, 1);
	if (len >= 127) {
		for (rest -= 127; rest >= 128; rest >>= 7) {
			byte = (uint8_t)(rest | 128);
			buf_append(b, &byte, 1);
		}
		byte = (uint8_t)rest;
		buf_append(b, &byte, 1);
	}
	buf_append(b, text, len);
}

void script_headers(struct script *s, unsigned stream, bool end,
		    const char *const *pairs)
{
	static const uint8_t literal = 0;
	struct buf b = { 0 };

	for (; *pairs; pairs += 2) {
		buf_append(&b, &literal, 1);
		put_string(&b, pairs[0]);
		put_string(&b, pairs[1]);
	}
	script_frame(s,
		     (struct script_head){ FRAME_HEADERS,
					   END_HEADERS | (end ? END_STREAM : 0),
					   stream },
		     buf_head(&b), buf_len(&b));
	buf_free(&b);
}

void script_answer(struct script *s, unsigned stream)
{
	static const char *const pairs[] = { ":status", "200", "content-type",
					     "application/grpc", NULL };

	script_headers(s, stream, false, pairs);
}

void script_end(struct script *s, unsigned stream, const char *status)
{
	const char *const pairs[] = { "grpc-status", status, NULL };

	script_headers(s, stream, true, pairs);
}

void script_message(struct script *s, unsigned stream,
		    const ProtobufCMessage *msg)
{
	struct buf b = { 0 };

	PREPARING(ck_assert_int_eq(frame_append(&b, msg), 0));
	while (buf_len(&b)) {
		size_t n = buf_len(&b) < PIECE ? buf_len(&b) : PIECE;

		script_frame(s, (struct script_head){ FRAME_DATA, 0, stream },
			     buf_head(&b), n);
		buf_consume(&b, n);
	}
	buf_free(&b);
}

void script_reset(struct script *s, unsigned stream, unsigned code)
{
	const uint8_t bytes[] = { 0, 0, 0, (uint8_t)code };

	script_frame(s, (struct script_head){ FRAME_RST_STREAM, 0, stream },
		     bytes, sizeof(bytes));
}

void script_goaway(struct script *s, const char *why)
{
	uint8_t bytes[8 + 64] = { [3] = FIRST_CALL };

	memcpy(bytes + 8, why, strlen(why));
	script_frame(s, (struct script_head){ FRAME_GOAWAY, 0, 0 }, bytes,
		     8 + strlen(why));
}

void script_say(struct script *s, struct pmuclient *c)
{
	while (buf_len(&s->out)) {
		ssize_t n = send(s->fd, buf_head(&s->out), buf_len(&s->out),
				 MSG_NOSIGNAL);

		if (n > 0)
			buf_consume(&s->out, (size_t)n);
		else
			PREPARING(ck_assert_int_eq(pmuclient_pump(c, 0), 0));
	}
}

static uint32_t number(const uint8_t *bytes, size_t n)
{
	uint32_t ret = 0;

	for (size_t i = 0; i < n; i++)
		ret = ret << 8 | bytes[i];
	return ret;
}

unsigned script_heard(struct script *s, int type, unsigned stream,
		      uint64_t *ret_sum)
{
	uint8_t piece[4096];
	unsigned found = 0;
	ssize_t n;

	while ((n = recv(s->fd, piece, sizeof(piece), 0)) > 0)
		PREPARING(ck_assert_int_eq(buf_append(&s->in, piece, (size_t)n),
					   0));
	if (ret_sum)
		*ret_sum = 0;
	for (size_t at = PREFACE, len; at + HEAD <= buf_len(&s->in);
	     at += HEAD + len) {
		const uint8_t *f = buf_head(&s->in) + at;

		len = number(f, 3);
		if (f[3] != type || number(f + 5, 4) != stream)
			continue;
		found++;
		if (ret_sum)
			*ret_sum += number(f + HEAD, 4);
	}
	return found;
}
