/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A service for the tests of the RPC server. What a handler does is in the
 * request's name: "echo" answers with itself, "bytes" as it came, "hold" leaves
 * the call in service.held, "fail TEXT" ends it with NOT_FOUND and the text.
 * Streams send service.n messages of service.size bytes, as long as there is
 * room.
 */
#ifndef TESTS_RPC_SERVICE_H
#define TESTS_RPC_SERVICE_H

#include <stdio.h>
#include <stdlib.h>

#include "rpc-test.pb-c.h"
#include "grpc/rpc.h"

/* What must hold with and without Check's runner, which its own asks for. */
#define MUST(condition)                                                        \
	do {                                                                   \
		if (!(condition)) {                                            \
			fprintf(stderr, "%s: not so: %s\n", __func__,          \
				#condition);                                   \
			abort();                                               \
		}                                                              \
	} while (0)

struct service {
	struct ev_loop *loop;
	struct rpc_server *server;
	struct rpc_call *held;
	unsigned begun;	    /* calls that a handler has taken on */
	unsigned done;	    /* of those, ended by a handler */
	unsigned cancelled; /* of those, cancelled */
	unsigned opened, closed;
	struct rpc_peer last; /* who came last */
	unsigned messages;    /* of client streams */
	unsigned in_order;    /* of those, that say as which they came */
	uint64_t bytes;	      /* their data */
	uint64_t n, size;     /* what a server stream sends */
	uint64_t next;	      /* number of its next message */
	unsigned full;	      /* times rpc_send() said so */
	unsigned writable;    /* times on_writable came */
	unsigned turns;	      /* times on_turn came, in a server stream */
	size_t work;	      /* what each of those costs */
	bool pause;	      /* a client stream pauses after each message */
	const char *refuse;   /* why new connections are; NULL: they are not */
	bool stay;	      /* a server stream does not end */
};

extern struct service service;
extern const struct rpc_table service_table;

void service_start(const struct rpc_limits *limits); /* NULL: defaults */
void service_stop(void);

/* To a socket of this path, not blocking; -1: nobody listens there. */
int service_connect(const char *path);
/* The status of a unary call over @fd, which it closes. */
int service_call_over(int fd);

#endif
