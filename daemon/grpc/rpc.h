/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A gRPC server on libev: connections, calls, messages, status. It decides
 * framing, limits, deadlines and flow control; which methods exist and what
 * they mean is decided by the tables it is given. One thread, one loop.
 *
 * A handler knows a call from its first message (or its end) until it says
 * rpc_finish() or rpc_reply(), or is told on_cancel; after either the pointer
 * is dead.
 */
#ifndef GRPC_RPC_H
#define GRPC_RPC_H

#include <stdarg.h>
#include <stdbool.h>
#include <sys/types.h>

#include <ev.h>
#include <protobuf-c/protobuf-c.h>

#include "rpc-conn.h"
#include "rpc-limits.h"
#include "wire/wire.h"

struct rpc_server;
struct rpc_call;

enum rpc_kind {
	RPC_UNARY,
	RPC_CLIENT_STREAM,
	RPC_SERVER_STREAM,
	RPC_BIDI
};

/* @msg is valid until the handler returns. The handler may answer later. */
typedef void rpc_handle_fn(struct rpc_call *call, const ProtobufCMessage *msg);

struct rpc_method {
	const char *path; /* "/pmu.v1.MachineService/CreateMachine" */
	const ProtobufCMessageDescriptor *request;
	const ProtobufCMessageDescriptor *response;
	enum rpc_kind kind;
	bool anonymous; /* allowed without identity */
	rpc_handle_fn *handle;
	/* The client has sent all; needed for RPC_CLIENT_STREAM and RPC_BIDI */
	void (*end)(struct rpc_call *call);
};

struct rpc_table { /* one service's methods, or several */
	const struct rpc_method *methods;
	size_t count;
};

struct rpc_bytes {
	const void *data;
	size_t len;
};

struct rpc_config {
	struct ev_loop *loop;
	struct rpc_limits limits;
	const struct rpc_table *tables;
	size_t n_tables;
	/* FileDescriptorSets for reflection, beside the server's own */
	const struct rpc_bytes *descriptors;
	size_t n_descriptors;
	void *user;		  /* for the handlers, see rpc_server_user() */
	rpc_admit_fn *conn_admit; /* may be NULL */
	void (*conn_opened)(struct rpc_conn *conn); /* may be NULL */
	/* Its calls are cancelled already; the last use of @conn. */
	void (*conn_closed)(struct rpc_conn *conn); /* may be NULL */
};

/*
 * 0, -EINVAL: a table row is incomplete, double, or its messages nest deeper
 * than WIRE_MAX_DEPTH (so recursive ones are refused); -ENOMEM.
 * The tables and descriptors must outlive the server.
 */
int rpc_server_new(struct rpc_server **ret, const struct rpc_config *cfg);
/* Closes all at once, cancelling calls. NULL is fine. */
void rpc_server_free(struct rpc_server *srv);
void *rpc_server_user(const struct rpc_server *srv);

/*
 * Serves also on a Unix socket at @path (a stale socket is replaced, a live
 * one is -EADDRINUSE, as is what is no socket, and a path that another server
 * has locked; rpc_socket_owner() says who, 0: nobody known); or on a listening
 * @fd, which the server then owns; or on 127.0.0.1:@port (0: any; *ret_port
 * says which). 0 or -errno.
 */
int rpc_listen_unix(struct rpc_server *srv, const char *path, mode_t mode);
pid_t rpc_socket_owner(const char *path);
int rpc_listen_fd(struct rpc_server *srv, int fd);
int rpc_listen_tcp(struct rpc_server *srv, uint16_t port, uint16_t *ret_port);
/* Serves one connected socket, which the server then owns. 0 or -errno. */
int rpc_adopt(struct rpc_server *srv, int fd);

/*
 * Stops listening, tells every client to go (GOAWAY), lets calls end for
 * @grace seconds, then cancels the rest; @done is called when nothing is
 * left. It may free the server.
 */
void rpc_server_shutdown(struct rpc_server *srv, double grace,
			 void (*done)(struct rpc_server *srv));

struct rpc_call_ops {
	/* Client, connection, deadline or server ended it: drop the pointer. */
	void (*on_cancel)(struct rpc_call *call, void *data);
	/* The queue fell below its low mark after rpc_send() returned 1. */
	void (*on_writable)(struct rpc_call *call, void *data);
	/* rpc_call_later() was said, and it is the user's turn. */
	void (*on_turn)(struct rpc_call *call, void *data);
};

void rpc_call_watch(struct rpc_call *call, const struct rpc_call_ops *ops,
		    void *data);
void *rpc_call_data(const struct rpc_call *call); /* NULL at first */
struct rpc_conn *rpc_call_conn(const struct rpc_call *call);
struct rpc_server *rpc_call_server(const struct rpc_call *call);
const struct rpc_method *rpc_call_method(const struct rpc_call *call);
/* The handler's message as it came, until it returns or ends the call. */
struct rpc_bytes rpc_call_message(const struct rpc_call *call);
/*
 * Work for a call that is not the answer to a message is done in its user's
 * turn, a portion each time: later() asks for one on_turn, work() says how many
 * bytes were looked at, so that the user's share of time is kept.
 */
void rpc_call_later(struct rpc_call *call);
void rpc_call_work(struct rpc_call *call, size_t bytes);
/* Bytes that rpc_send() has taken and pmud has not yet sent, or more. */
size_t rpc_call_queued(const struct rpc_call *call);
/* Stops and resumes the flow of request messages of a streaming call. */
void rpc_call_pause(struct rpc_call *call);
void rpc_call_resume(struct rpc_call *call);

/*
 * Queues one message. 0; 1: queued, but send no more until on_writable;
 * -EMSGSIZE: above the message limit; -ENOBUFS: not queued, the queue is full
 * (more than one message beyond the mark, or the user's limit); -ENOMEM.
 */
int rpc_send(struct rpc_call *call, const ProtobufCMessage *msg);

/* Ends the call after what is queued. @text: UTF-8, may be NULL. */
void rpc_finish(struct rpc_call *call, enum grpc_status status,
		const char *text, ...) __attribute__((format(printf, 3, 4)));
/* The one answer of a unary or client-streaming call, and OK. */
void rpc_reply(struct rpc_call *call, const ProtobufCMessage *msg);
void rpc_reply_bytes(struct rpc_call *call, struct rpc_bytes packed);

#endif
