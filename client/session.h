/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One HTTP/2 connection and the gRPC calls on it, below the public interface:
 * bytes, frames and states. Which calls exist is not known here.
 */
#ifndef CLIENT_SESSION_H
#define CLIENT_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include <nghttp2/nghttp2.h>

#include "forks.h"
#include "methods/method-calls.h"
#include "wire/details.h"
#include "wire/frame.h"
#include "wire/wire.h"

enum {
	SESSION_MAX_MESSAGE = 4 << 20
};

struct pmuclient {
	int fd; /* -1 in a child of fork() */
	struct forked forked;
	pid_t pid; /* that opened it */
	nghttp2_session *session;
	LIST_HEAD(, pmuclient_stream) streams;
	struct buf out; /* not taken by the socket yet */
	int timeout_ms;
	unsigned status;
	struct details details; /* of the last refusal */
	bool lost;
	bool leaving; /* pmud takes no new calls */
	bool moved; /* since the pump began: a stream closed, or sent its all */
	char reason[256]; /* for leaving; "": none was given */
	char error[GRPC_MESSAGE_MAX + 128];
};

struct pmuclient_stream {
	LIST_ENTRY(pmuclient_stream) link;
	struct pmuclient *client;
	const ProtobufCMessageDescriptor *response;
	int32_t id;
	struct buf in, out;
	size_t held;   /* bytes received, window not given back yet */
	bool ended;    /* we have sent all, once @out is empty */
	bool deferred; /* nghttp2 waits for more of @out */
	bool closed;   /* the other side is done */
	int status;    /* grpc-status, -1: none came */
	char text[GRPC_MESSAGE_MAX];
	struct details details;
};

/* Makes the session on c->fd, which is connected and non-blocking. */
int session_init(struct pmuclient *c);
void session_fini(struct pmuclient *c);

/*
 * Opens a call of @path with a deadline of @timeout_ms (-1: none) told to the
 * daemon. Returns 0 or a negated enum pmuclient_errno.
 */
int session_open(struct pmuclient *c, const char *path, int timeout_ms,
		 struct pmuclient_stream **ret);
/* Queues a request message; more: others will follow. */
int session_put(struct pmuclient_stream *s, const ProtobufCMessage *msg,
		bool more);
/* The request is complete. */
void session_end(struct pmuclient_stream *s);
void session_close(struct pmuclient_stream *s);

/*
 * Takes a whole message off the stream: 1 and its bytes, valid until
 * session_consume(); 0: none yet; or a negated enum pmuclient_errno.
 */
int session_peek(struct pmuclient_stream *s, const uint8_t **ret,
		 uint32_t *ret_len);
void session_consume(struct pmuclient_stream *s, uint32_t len);

/*
 * Sends and receives what can be, waits at most @timeout_ms for the socket.
 * Never blocks in sending: a daemon that stands still is the caller's to time.
 */
int session_pump(struct pmuclient *c, int timeout_ms);

/* Sets the error text to why pmud takes no more. Returns -PMUCLIENT_ELOST. */
int session_left(struct pmuclient *c);
/* Sets the error text. Returns -@err. */
int session_fail(struct pmuclient *c, int err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Sets it to that there was no memory for @what. Returns -PMUCLIENT_ENOMEM. */
int session_no_memory(struct pmuclient *c, const char *what, ...)
	__attribute__((format(printf, 2, 3)));

#endif
