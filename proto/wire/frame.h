/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages over a stream socket: a 4-byte little-endian length, then that many
 * bytes. One struct for each direction, with a limit; the other side may send
 * anything. What the bytes mean is the callers' business.
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

enum {
	FRAME_HEAD = 4,
	FRAME_MAX = 4 << 20,		 /* bytes of one message */
	FRAME_OUT_LIMIT = 4 * FRAME_MAX, /* bytes waiting to be written */
};

/* Received bytes, not yet asked for. Zero-initialised is empty. */
struct frame_in {
	uint8_t *buf;
	size_t start, end, cap;
};

/* Bytes to be sent. Zero-initialised is empty. */
struct frame_out {
	uint8_t *buf;
	size_t start, end, cap;
};

void frame_in_free(struct frame_in *in);
void frame_out_free(struct frame_out *out);

/*
 * Reads once what @fd has. Returns 1 when something came, 0 when nothing waits,
 * or a negated errno: -ECONNRESET also stands for the end of the stream.
 */
int frame_read(struct frame_in *in, int fd);
/* The same from memory, for whoever reads in another way: 0 or -ENOMEM. */
int frame_feed(struct frame_in *in, const void *bytes, size_t len);
/*
 * The next complete message: 1 and @ret, @ret_len, valid until the next call of
 * frame_read() or frame_feed(); 0 when more bytes are needed; -EMSGSIZE when a
 * length is above FRAME_MAX: the stream is beyond repair.
 */
int frame_next(struct frame_in *in, const uint8_t **ret, size_t *ret_len);

/*
 * Queues one message. Returns 0, -EMSGSIZE (above FRAME_MAX), -ENOBUFS (above
 * FRAME_OUT_LIMIT: the other side does not read) or -ENOMEM; on an error
 * nothing is queued.
 */
int frame_put(struct frame_out *out, const ProtobufCMessage *message);
/* Bytes not yet written. */
size_t frame_pending(const struct frame_out *out);
/* Writes what @fd takes: 0 all gone, 1 some is left, or a negated errno. */
int frame_flush(struct frame_out *out, int fd);

#endif
