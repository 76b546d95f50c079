/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the RPC server know of each other: the server with its
 * listeners, a connection with its HTTP/2 session, a call with its queues.
 * conn.c owns connections, call.c their calls, share.c users. Names that the
 * linker sees begin with rpc_.
 */
#ifndef GRPC_INTERNAL_H
#define GRPC_INTERNAL_H

#include <stdint.h>
#include <sys/queue.h>

#include <nghttp2/nghttp2.h>

#include "rpc.h"
#include "share.h"
#include "wire/details.h"
#include "wire/frame.h"

#define RPC_MAX_LISTENERS 8

TAILQ_HEAD(rpc_calls, rpc_call);

struct rpc_listener {
	struct rpc_server *srv;
	ev_io io;
	ev_timer retry; /* after the process ran out of descriptors */
	int fd;
	char *path; /* to unlink, or NULL */
	char *lock_path;
	int lock; /* held as long as @path is served, or -1 */
};

struct rpc_server {
	struct ev_loop *loop;
	struct rpc_config cfg;
	struct rpc_limits limits;
	const struct rpc_method **methods; /* sorted by path */
	size_t n_methods;
	struct rpc_listener listeners[RPC_MAX_LISTENERS];
	size_t n_listeners;
	LIST_HEAD(, rpc_conn) conns;
	unsigned int n_conns, n_farewells;
	LIST_HEAD(, farewell) farewells;
	LIST_HEAD(, rpc_user) users;
	size_t bytes;
	struct rpc_users waiting; /* those with connections to serve */
	ev_prepare prepare;
	ev_idle again; /* keeps the loop awake while somebody waits */
	ev_timer grace;
	bool stopping, aborted;
	void (*stopped)(struct rpc_server *srv);
	struct reflect_files *files; /* for reflection; NULL: not asked yet */
};

struct rpc_conn {
	LIST_ENTRY(rpc_conn) link;
	TAILQ_ENTRY(rpc_conn) dirty_link;
	struct rpc_server *srv;
	struct rpc_user *user;
	struct rpc_peer peer;
	nghttp2_session *session;
	ev_io rio, wio;
	ev_timer idle;
	ev_tstamp last_use; /* when a call ended or its request went on */
	struct buf out;
	LIST_HEAD(, rpc_call) calls;
	struct rpc_calls due; /* those with a callback due */
	unsigned int holds;
	int fd;
	bool dirty;	       /* is on its user's list */
	bool readable;	       /* there may be more to read */
	bool greeted, leaving; /* settings came; told to go */
	bool flooded;	       /* it was told to go for asking too much */
	bool dead;	       /* to be closed when it is served next */
};

struct rpc_call {
	LIST_ENTRY(rpc_call) link;
	TAILQ_ENTRY(rpc_call) due_link;
	struct rpc_conn *conn;
	const struct rpc_method *method;
	const struct rpc_call_ops *ops;
	void *data;
	struct buf in, out;
	struct rpc_bytes message; /* in @in: the handler has it now */
	size_t unconsumed;	  /* received, window not yet given back */
	uint64_t timeout_ns;
	ev_timer deadline;
	size_t header_bytes;
	int32_t sid;
	unsigned int messages;
	enum grpc_status status;
	char text[GRPC_MESSAGE_MAX];
	struct details details;
	char path[RPC_MAX_PATH];
	bool post, grpc_content, compressed, bad_timeout, headers_too_large;
	bool has_timeout, half_closed; /* half: the client has sent all */
	bool ended;		       /* and the handler was told */
	bool answering;		       /* response headers are submitted */
	bool answered;		       /* the last of the response is sent */
	bool finished; /* by the handler, or the handler was cancelled */
	bool paused, full, behind; /* behind: messages wait for a turn */
	bool turn, due;		   /* on_turn is due; some callback is */
};

/* method-index.c: @own ends with NULL; 0, -EINVAL or -ENOMEM */
int rpc_methods_index(struct rpc_server *srv,
		      const struct rpc_table *const *own);
const struct rpc_method *rpc_methods_find(const struct rpc_server *srv,
					  const char *path);
/* listen.c */
void rpc_listen_close_all(struct rpc_server *srv);
/* lock.c: a descriptor, or -errno; @ret_path is where, to be freed */
int rpc_lock_take(const char *socket_path, char **ret_path);
void rpc_lock_drop(int fd, char *path);
/* peer.c */
void rpc_peer_learn(struct rpc_conn *conn);
/* conn.c: 0, or -errno (then @fd is closed) */
int rpc_conn_new(struct rpc_server *srv, int fd);
void rpc_conn_free(struct rpc_conn *conn);  /* cancels its calls */
void rpc_conn_serve(struct rpc_conn *conn); /* and frees it when it is over */
void rpc_conn_greet(struct rpc_conn *conn); /* its settings came */
void rpc_conn_cut_soon(struct rpc_conn *conn);
/* h2.c */
int rpc_h2_start(struct rpc_conn *conn);
void rpc_h2_feed(struct rpc_conn *conn, const uint8_t *bytes, size_t len);
void rpc_h2_goaway(struct rpc_conn *conn);
void rpc_h2_terminate(struct rpc_conn *conn, uint32_t error);
/* call.c */
struct rpc_call *rpc_call_new(struct rpc_conn *conn, int32_t sid); /* or NULL */
void rpc_call_free(struct rpc_call *call);    /* tells no one */
void rpc_call_set_due(struct rpc_call *call); /* a callback is due */
void rpc_call_cancel(struct rpc_call *call); /* tell the handler, if it knows */
/* request.c */
/* more than half a request */
bool rpc_request_is_busy(const struct rpc_call *call);
/* false: so many that the stream is not worth a status */
bool rpc_request_header(struct rpc_call *call, const nghttp2_nv *nv);
void rpc_request_headers_done(struct rpc_call *call);
void rpc_request_input(struct rpc_call *call, const uint8_t *bytes, size_t len);
void rpc_request_half_close(struct rpc_call *call);
void rpc_request_go_on(struct rpc_call *call); /* unless it is paused */
/* health.c and reflect.c: the methods that every server has */
extern const struct rpc_table rpc_health_table;
extern const struct rpc_table rpc_reflect_table;
void rpc_reflect_free(struct rpc_server *srv); /* what it remembers */

#endif
