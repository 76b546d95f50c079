/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that a peer of the RPC server can ask for more of, and how much
 * it gets. The daemon may lower or raise these through struct rpc_limits; a
 * zero field means the default given here. docs/LIMITS.md says what a client
 * sees of each.
 */
#ifndef GRPC_RPC_LIMITS_H
#define GRPC_RPC_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#define RPC_KIB ((size_t)1024)
#define RPC_MIB (RPC_KIB * RPC_KIB)

#define RPC_MAX_MESSAGE	      (4 * RPC_MIB)  /* bytes of one message */
#define RPC_MAX_UNPACKED      (16 * RPC_MIB) /* memory of one, unpacked */
#define RPC_MAX_HEADERS	      (16 * RPC_KIB) /* header list, as HTTP/2 */
#define RPC_HEADERS_RESET     4	  /* times that: no status, but a reset */
#define RPC_MAX_PATH	      128 /* "/package.Service/Method" */
#define RPC_MAX_STREAMS	      100 /* calls at once, per connection */
#define RPC_MAX_OUTBOUND      256 /* frames that wait to be sent, beside DATA */
#define RPC_MAX_CONNS	      256 /* connections at once */
#define RPC_MAX_CONNS_PER_UID 64  /* of which by one user */
#define RPC_STREAM_WINDOW     (1 * RPC_MIB) /* request bytes in flight */
#define RPC_CONN_WINDOW	      (4 * RPC_MIB)
#define RPC_IDLE_SECONDS      600.0 /* nothing complete, nothing comes */
#define RPC_HELLO_SECONDS     10.0  /* until its settings have come */
#define RPC_BACKLOG	      64
#define RPC_WHY		      256 /* bytes of why a connection is refused */

struct rpc_server;
struct rpc_peer;

/*
 * May @peer have a connection? Asked when the limits let it; if it may,
 * conn_closed() follows. False: @ret_why is told to it.
 */
typedef bool rpc_admit_fn(struct rpc_server *srv, const struct rpc_peer *peer,
			  char ret_why[RPC_WHY]);

/*
 * Memory. A user is charged for what waits in queues, in both directions, and
 * for each connection and call. The last quarter of the total is for users
 * that hold little.
 */
#define RPC_MAX_USER_BYTES  (12 * RPC_MIB) /* held for one user */
#define RPC_MAX_TOTAL_BYTES (24 * RPC_MIB) /* held for all */
#define RPC_LITTLE_BYTES    (2 * RPC_MIB)  /* may reach into the last quarter */
#define RPC_CONN_BYTES	    (32 * RPC_KIB) /* a connection without calls */
#define RPC_CALL_BYTES	    (2 * RPC_KIB)  /* a call with empty queues */
#define RPC_QUEUE_HIGH	    (256 * RPC_KIB) /* rpc_send() says "full" */
#define RPC_QUEUE_LOW	    (64 * RPC_KIB)  /* writable again */

/*
 * Work, counted in bytes: those received, those of decoded header lists, those
 * sent; what else costs time counts as so many. See share.c.
 */
#define RPC_WORK_TURN  (256 * RPC_KIB) /* one user's, in a turn of the loop */
#define RPC_WORK_DEBT  (16 * RPC_WORK_TURN) /* no more is held against it */
#define RPC_WORK_SERVE ((size_t)256)	    /* looking after a connection */
#define RPC_WORK_FRAME ((size_t)64)
#define RPC_WORK_CALL  (2 * RPC_KIB) /* a call, or a message for a handler */
#define RPC_READ_BLOCK                                                         \
	(16 * RPC_KIB) /* then another connection has its turn                 \
			*/

struct rpc_limits {
	size_t max_message;
	size_t max_unpacked;
	size_t max_headers;
	size_t max_outbound;
	size_t user_bytes;
	size_t total_bytes;
	size_t queue_high;
	size_t queue_low;
	size_t work_turn;
	unsigned int max_streams;
	unsigned int max_conns;
	unsigned int max_conns_per_uid;
	double idle_seconds;
	double hello_seconds;
};

#endif
