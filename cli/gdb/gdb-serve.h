/* SPDX-License-Identifier: BSD-2-Clause */
/* Serving debuggers of one machine: one loop, one debugger at a time. */
#ifndef CLI_GDB_GDB_SERVE_H
#define CLI_GDB_GDB_SERVE_H

#include <stdbool.h>

#include "gdb-feed.h"

struct gdb_stub;

struct gdb_serve_config {
	struct gdb_feed_config feed; /* the machine, and what comes out of it */
	bool stdio;		     /* the debugger is at stdin and stdout */
	const char *listen;	     /* else where, as gdb_listen() */
	/* The machine was made for this and ends with it; else it was there. */
	bool own;
	bool stays_paused; /* when the debugger leaves */
	/* see struct gdb_stub */
	bool (*monitor)(struct gdb_stub *s, char *line);
};

/*
 * The machine is NEW or has started. Serves until the debugger has detached or
 * killed it, the machine has ended or a signal comes; a machine of our own is
 * followed to its end. Returns an exit code: that of the machine's end if that
 * was it. *@ret_whole: all of the trace was written.
 */
int gdb_serve(const struct gdb_serve_config *cfg, bool *ret_whole);

#endif
