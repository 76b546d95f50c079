/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Everything that a client or a machine can make pmud grow, and how far. The
 * limits of one RPC connection are in grpc/rpc-limits.h, those of a guest in
 * the machine's settings.
 */
#ifndef SERVER_DAEMON_LIMITS_H
#define SERVER_DAEMON_LIMITS_H

enum {
	MAX_MACHINES = 256, /* hosted at once, whatever the option says */
	MACHINES_DEFAULT = 64,
	MAX_CONNECTIONS = 16384, /* the same of connections */
	CONNECTIONS_DEFAULT = 256,
	MAX_CALLS_PER_MACHINE = 256,   /* waiting for its process to answer */
	MAX_READERS_PER_MACHINE = 64,  /* streams of its records or console */
	IMAGE_CHUNK_MAX = 1 << 20,     /* bytes of one LoadImage chunk */
	STREAM_BATCH_BYTES = 64 << 10, /* records of one stream message */
	STDERR_TAIL = 2048,	       /* of a dying machine, kept to report */
	STDERR_PASSED = 64 << 10,      /* of a machine, to pmud's own stderr */
	CONFIG_MAX = 64 << 10,	       /* bytes of a machine's configuration */
	NOTICE_MAX = 64 << 10,	       /* bytes of what it says of itself */
	MESSAGE_UNPACKED = 32 << 20,   /* memory of one message from it */
	RECORD_UNPACKED = 4 << 20,     /* memory of one record from it */
};

#define TRACE_BYTES_DEFAULT   (256u << 20) /* stored records of one machine */
#define CONSOLE_BYTES_DEFAULT (16u << 20)  /* stored console output of one */
#define LIVE_BYTES	      (16u << 20)  /* records of it that are watched */
#define BYTES_MOST	      (UINT64_C(1) << 50) /* that an option accepts */
/* What is left for users who have none yet is given in parts of this at least
 */
#define MEMORY_LEAST	      (UINT64_C(320) << 20) /* a machine as it is by default */
#define STORE_LEAST	      (UINT64_C(16) << 20)

#endif
