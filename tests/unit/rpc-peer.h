/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The other end of a connection to the RPC server, in the same thread: an
 * HTTP/2 client that can send what no honest client would, and keeps what
 * comes back for the test to look at.
 */
#ifndef TESTS_RPC_PEER_H
#define TESTS_RPC_PEER_H

#include <nghttp2/nghttp2.h>

#include "grpc/refuse.h"
#include "wire/details.h"
#include "wire/frame.h"
#include "wire/wire.h"

struct peer_call {
	struct peer_call *next;
	struct peer *peer;
	int32_t id;
	struct buf out; /* not yet sent */
	struct buf in;	/* DATA received */
	bool ended;	/* no more of @out will follow */
	bool deferred;
	int http;	 /* :status, 0: none came */
	char type[32];	 /* content-type */
	int status;	 /* grpc-status, -1: none came */
	char text[2048]; /* grpc-message, decoded */
	struct details details;
	bool closed;
	uint32_t code; /* of the stream's end */
};

struct peer {
	struct ev_loop *loop;
	int fd;
	nghttp2_session *session;
	struct peer_call *calls;
	bool eof, goaway;
	uint32_t goaway_code;
	char goaway_text[1024];
	struct buf sent; /* all bytes that went out, for playing them again */
};

struct peer_request {
	const char *path;
	const char *method;   /* NULL: POST */
	const char *type;     /* NULL: application/grpc */
	const char *encoding; /* NULL: no header */
	const char *timeout;  /* NULL: no header */
	size_t padding;	      /* bytes of one more header, 0: none */
	const void *body;
	size_t len;
	bool more; /* the request goes on */
};

/* Connects by a socket pair; @window 0: the peer lets no DATA come. */
void peer_open(struct peer *p, struct rpc_server *srv, struct ev_loop *loop,
	       uint32_t window);
/* The same over a connected socket. */
void peer_adopt(struct peer *p, int fd, struct ev_loop *loop, uint32_t window);
void peer_close(struct peer *p); /* drops the connection, frees its calls */

struct peer_call *peer_start(struct peer *p, const struct peer_request *req);
void peer_more(struct peer_call *c, const void *bytes, size_t len, bool end);
void peer_reset(struct peer_call *c);
/* Lets @bytes more of DATA come on this stream. */
void peer_allow(struct peer_call *c, int32_t bytes);

/* Writes, lets the loop turn once, reads. Whether anything moved. */
bool peer_turn(struct peer *p);
/* Moves bytes between both ends until nothing moves any more. */
void peer_run(struct peer *p);
/* The same for a server without a peer of this kind. */
void loop_run(struct ev_loop *loop);

#endif
