/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limits of pmud itself: how much of each thing a client or a machine's
 * process can make it keep. Those of a connection are in grpc/rpc-limits.h,
 * those of a guest in the machine's settings, and what a client sees of all of
 * them in docs/LIMITS.md.
 */
#ifndef SERVER_DAEMON_LIMITS_H
#define SERVER_DAEMON_LIMITS_H

#include "wire/frame.h"

enum {
	MAX_MACHINES = 256, /* the most that its option accepts */
	MACHINES_DEFAULT = 64,
	MAX_CONNECTIONS = 16384, /* the same of connections */
	CONNECTIONS_DEFAULT = 256,
	MAX_CALLS_PER_MACHINE = 256,  /* that its process has not answered */
	MAX_READERS_PER_MACHINE = 64, /* streams, watchers and uploads */
	IMAGE_CHUNK_MAX = 1 << 20,    /* bytes of one LoadImage chunk */
	CONFIG_MAX = 64 << 10,	      /* bytes of a machine's configuration */
	FORWARD_MAX = 64 << 10,	      /* of a request without lists or bytes */
	/* bytes of records or console output in one message of a stream */
	STREAM_BATCH_BYTES = 64 << 10,

	/* of what a machine's process sends */
	STDERR_TAIL = 2048,	     /* last bytes of stderr that are kept */
	STDERR_PASSED = 64 << 10,    /* bytes of it that pmud prints itself */
	NOTICE_MAX = 64 << 10,	     /* bytes of a message with its state */
	MESSAGE_UNPACKED = 32 << 20, /* memory of one message, unpacked */
	RECORD_UNPACKED = 4 << 20,   /* memory of one record, unpacked */
};

#define TRACE_BYTES_DEFAULT   (256u << 20) /* of stored records of a machine */
#define TRACE_BYTES_LEAST     (1u << 20)   /* that can be asked for */
#define CONSOLE_BYTES_DEFAULT (16u << 20)  /* of its stored console output */
/* of the records that are stored only because somebody watches them */
#define LIVE_BYTES	      (16u << 20)
#define BYTES_MOST	      (UINT64_C(1) << 50) /* that an option accepts */

/* of all stores: what MACHINES_DEFAULT machines store at most by default */
#define STORE_DEFAULT                                                          \
	(MACHINES_DEFAULT *                                                    \
	 (uint64_t)(TRACE_BYTES_DEFAULT + CONSOLE_BYTES_DEFAULT))

/*
 * No user's share is smaller than this: what a machine with its default
 * settings can come to use, and the store of a short trace.
 */
#define MEMORY_LEAST (UINT64_C(320) << 20)
#define STORE_LEAST  (UINT64_C(16) << 20)

/*
 * Bytes of requests that machines have not read: of all users, of one as much
 * as one machine's queue takes, and never less than a message and its head.
 */
#define REQUESTS_TOTAL	  (4 * REQUESTS_PER_USER)
#define REQUESTS_PER_USER ((uint64_t)FRAME_OUT_LIMIT)
#define REQUESTS_LEAST	  ((uint64_t)FRAME_MAX + (64 << 10))

#endif
