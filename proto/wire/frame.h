/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages in a stream of bytes, as gRPC frames them: a flag, a big-endian
 * length of four bytes, then that many bytes. Below, the same over a stream
 * socket of ours, one struct for each direction, with limits. The other side
 * may send anything; what the bytes mean is the callers' business.
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <protobuf-c/protobuf-c.h>

#include "buf.h"

enum {
	FRAME_PREFIX = 5, /* flag and length before a message */
	/* bytes of one over a socket: gRPC's 4 MiB and what goes ahead */
	FRAME_MAX = (4 << 20) + (64 << 10),
	FRAME_OUT_LIMIT = 4 * FRAME_MAX, /* bytes waiting to be written there */
};

/* What a queue of received bytes begins with. */
enum frame_state {
	FRAME_SHORT,	  /* not yet a whole message */
	FRAME_READY,	  /* a whole message */
	FRAME_TOO_LARGE,  /* its announced length is above the limit */
	FRAME_COMPRESSED, /* its flag says compressed */
	FRAME_BAD,	  /* its flag is neither 0 nor 1 */
};

/*
 * Looks at the start of @in, without consuming.
 * @limit: most bytes a message may have. @ret_len: length of the message that
 * follows the prefix, set if the prefix is there.
 */
enum frame_state frame_peek(const struct buf *in, size_t limit,
			    uint32_t *ret_len);

/* Appends one message with its prefix. 0, or -1 if there is no memory. */
int frame_append(struct buf *out, const ProtobufCMessage *msg);

/* The same for a message that is packed already. */
int frame_append_bytes(struct buf *out, const void *bytes, size_t len);

/* Received bytes, not yet asked for. Zero it: it is empty. */
struct frame_in {
	struct buf bytes;
	size_t given; /* of the message that frame_next() gave out last */
};

/* Bytes to be sent. Zero it: it is empty. */
struct frame_out {
	struct buf bytes;
};

void frame_in_free(struct frame_in *in);
void frame_out_free(struct frame_out *out);

/*
 * Reads once what @fd has. Returns 1 when something came, 0 when nothing waits,
 * or a negated errno: -ECONNRESET also stands for the end of the stream.
 */
int frame_read(struct frame_in *in, int fd);
/*
 * The next complete message: 1 and @ret, @ret_len, valid until the next call of
 * frame_read() or frame_next(); 0 when more bytes are needed; -EMSGSIZE when a
 * length is above FRAME_MAX, -EPROTO when a flag is not 0: the stream is beyond
 * repair.
 */
int frame_next(struct frame_in *in, const uint8_t **ret, size_t *ret_len);

/* Bytes that who passes them on does not unpack. */
struct frame_body {
	const ProtobufCMessage *message; /* NULL: it is packed already */
	const void *bytes;
	size_t len;
};

/*
 * Queues two messages as one: the length of @head, 4 bytes from the lowest on,
 * @head, and @body. Returns 0, -EMSGSIZE (above FRAME_MAX), -ENOBUFS (above
 * FRAME_OUT_LIMIT: the other side does not read) or -ENOMEM; on an error
 * nothing is queued.
 */
int frame_put(struct frame_out *out, const ProtobufCMessage *head,
	      const struct frame_body *body);
/* Takes such a one apart, where it lies. False: it is none. */
bool frame_split(const uint8_t *bytes, size_t len, struct frame_body *ret_head,
		 struct frame_body *ret_body);
/* Bytes not yet written. */
size_t frame_pending(const struct frame_out *out);
/* Writes what @fd takes: 0 all gone, 1 some is left, or a negated errno. */
int frame_flush(struct frame_out *out, int fd);

#endif
