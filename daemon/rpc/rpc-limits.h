/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that a peer of the RPC server can ask for more of, and how much
 * it gets. The daemon may lower or raise these through struct rpc_limits; a
 * zero field means the default given here.
 */
#ifndef RPC_RPC_LIMITS_H
#define RPC_RPC_LIMITS_H

#include <stdbool.h>
#include <stddef.h>

#define RPC_KIB ((size_t)1024)
#define RPC_MIB (RPC_KIB * RPC_KIB)

#define RPC_MAX_MESSAGE	      (4 * RPC_MIB)  /* bytes of one message */
#define RPC_MAX_UNPACKED      (32 * RPC_MIB) /* memory of one, unpacked */
#define RPC_MAX_HEADERS	      (16 * RPC_KIB) /* header list, as HTTP/2 */
#define RPC_MAX_PATH	      128	     /* "/package.Service/Method" */
#define RPC_MAX_STREAMS	      100	     /* calls at once, per connection */
#define RPC_MAX_CONNS	      256	     /* connections at once */
#define RPC_MAX_CONNS_PER_UID 64	     /* of which by one user */
#define RPC_MAX_USER_BYTES    (64 * RPC_MIB) /* queued for one user */
#define RPC_MAX_TOTAL_BYTES   (256 * RPC_MIB) /* queued for all */
#define RPC_QUEUE_HIGH	      (256 * RPC_KIB) /* rpc_send() says "full" */
#define RPC_QUEUE_LOW	      (64 * RPC_KIB)  /* writable again */
#define RPC_STREAM_WINDOW     (1 * RPC_MIB)   /* request bytes in flight */
#define RPC_CONN_WINDOW	      (4 * RPC_MIB)
#define RPC_IDLE_SECONDS      600.0 /* no call and no hold */
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

struct rpc_limits {
	size_t max_message;
	size_t max_unpacked;
	size_t max_headers;
	size_t user_bytes;
	size_t total_bytes;
	size_t queue_high;
	size_t queue_low;
	unsigned int max_streams;
	unsigned int max_conns;
	unsigned int max_conns_per_uid;
	double idle_seconds;
	double hello_seconds;
};

#endif
