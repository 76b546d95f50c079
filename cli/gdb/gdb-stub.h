/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One debugger's conversation: takes its bytes, answers packets, and tells it
 * when the machine has stopped. It reads and writes no descriptor: what is to
 * be sent waits in gdb_stub.out.
 */
#ifndef CLI_GDB_GDB_STUB_H
#define CLI_GDB_GDB_STUB_H

#include "buf.h"
#include "gdb-run.h"
#include "gdb-target.h"
#include "rsp-frame.h"
#include "rsp-text.h"

enum {
	GDB_MONITOR_LINE = 256 /* bytes of a command, its end included */
};

enum gdb_end {
	GDB_GOES_ON,
	GDB_DETACHED, /* it wants no more; the machine may go on */
	GDB_KILLED,   /* it wants the machine to end */
	GDB_OVER,     /* it knows that the machine has ended */
};

struct gdb_stub {
	struct gdb_target *target;
	struct gdb_run *run;
	bool attached;	   /* to a machine that is not the debugger's own */
	bool stays_paused; /* when it detaches */
	/* A command of its user; false: it has failed. It may change @line. */
	bool (*monitor)(struct gdb_stub *s, char *line);
	/* the rest begins zeroed */
	enum gdb_end end;
	bool no_acks;
	bool error_text; /* it understands E.TEXT */
	unsigned hart;	 /* that g, p, m and the like are about */
	struct rsp_reader reader;
	char reply[RSP_PACKET_MAX];
	size_t n_reply;	 /* 0 between packets: what is sent is gone */
	struct buf out;	 /* to be sent */
	bool out_failed; /* no memory for it */
	char *frame;	 /* the last one, to be sent again */
	size_t n_frame;
	char *description; /* target.xml */
	char *threads;	   /* of a transfer under way */
};

/* False: no memory. The first five members are set by the caller. */
bool gdb_stub_init(struct gdb_stub *s);
void gdb_stub_fini(struct gdb_stub *s);
/* What the debugger sent. */
void gdb_stub_take(struct gdb_stub *s, const uint8_t *bytes, size_t len);
/* The machine, which went, stands. */
void gdb_stub_stopped(struct gdb_stub *s, const struct gdb_stop *stop);
/* For its user to read, while the machine goes or a command is under way. */
void gdb_stub_print(struct gdb_stub *s, const char *text, size_t len);

/* For what answers packets: builds the reply, which is sent afterwards. */
void gdb_reply(struct gdb_stub *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void gdb_reply_bytes(struct gdb_stub *s, const void *bytes, size_t len);
void gdb_reply_hex(struct gdb_stub *s, const void *bytes, size_t len);
/* The packet is not as it must be. */
void gdb_reply_malformed(struct gdb_stub *s);
/* It could not be done: @why, or where it is NULL what the daemon said. */
void gdb_reply_refused(struct gdb_stub *s, const char *why);
/* The hart of @thread, or the present one; false: there is none. */
bool gdb_stub_hart(const struct gdb_stub *s, int64_t thread, unsigned *ret);
/* How the machine stands. */
void gdb_reply_status(struct gdb_stub *s);
/* Queues what was built. */
void gdb_reply_send(struct gdb_stub *s);
void gdb_out_put(struct gdb_stub *s, const char *bytes, size_t len);

struct gdb_packet {
	const char *name; /* how it begins */
	void (*answer)(struct gdb_stub *s, struct rsp_text *t);
};
/* gdb-packets.c, and gdb-query.c: q and Q packets; ended by an empty row. */
extern const struct gdb_packet gdb_packets[], gdb_queries[];

#endif
