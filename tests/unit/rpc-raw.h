/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A peer of the RPC server that makes its frames by hand and need not read what
 * comes: what no HTTP/2 library would send.
 */
#ifndef TESTS_RPC_RAW_H
#define TESTS_RPC_RAW_H

#include <nghttp2/nghttp2.h>

#include "buf.h"
#include "grpc/rpc.h"
#include "wire/wire.h"

enum {
	RAW_FRAME = 9, /* bytes of a frame's head */
	RAW_PREFACE = 24,
};

struct raw {
	int fd, server_fd; /* the other end, to look at only */
	struct ev_loop *loop;
	struct buf in;
	uint64_t sent;
	bool eof;
};

struct raw_head {
	uint8_t type, flags;
	uint32_t sid;
};

/* Opens a connection and says hello: the preface and empty settings. */
void raw_open(struct raw *r, struct rpc_server *srv, struct ev_loop *loop);
void raw_close(struct raw *r);
/* Appends a frame to @to. */
void raw_frame(struct buf *to, const struct raw_head *head, const void *payload,
	       size_t len);
/* The header block of a gRPC request. */
void raw_request(struct buf *to, const char *path);
/*
 * Sends all of @bytes, letting the loop run where the socket is full. Stops
 * where the server takes no more: the number of bytes that it took.
 */
size_t raw_send(struct raw *r, const struct buf *bytes);
/* Bytes that the server has not read yet. */
size_t raw_unread(const struct raw *r);
/* Reads what there is until the server says no more. */
void raw_read(struct raw *r);

struct raw_seen { /* of what was read */
	unsigned frames[256];
	unsigned ends;	/* END_STREAM */
	uint32_t reset; /* code of the last RST_STREAM */
	uint32_t goaway;
	char why[128]; /* GOAWAY's text */
};

void raw_look(const struct raw *r, struct raw_seen *ret);

#endif
