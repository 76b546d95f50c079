/* SPDX-License-Identifier: BSD-2-Clause */
/* What comes out of a machine that is debugged: its console and its trace. */
#ifndef CLI_GDB_GDB_FEED_H
#define CLI_GDB_GDB_FEED_H

#include <stdbool.h>
#include <stdio.h>

#include "trace/trace-out.h"

struct pmud;
struct pmuclient_stream;

struct gdb_feed_config {
	struct pmud *pmud;
	const char *machine;
	bool console; /* wanted at all */
	FILE *trace;  /* or NULL; written, not closed */
	const char *trace_path;
};

struct gdb_feed {
	struct gdb_feed_config cfg;
	struct pmuclient_stream *console, *records; /* NULL: ended */
	struct trace_out trace;			    /* if it is wanted */
	bool whole; /* all of the trace is written */
	int code;   /* not 0: a failure */
};

/* Before the start. Returns an exit code. */
int gdb_feed_open(struct gdb_feed *f, const struct gdb_feed_config *cfg);
/*
 * Takes what has come: console bytes go to @print, unless that is NULL, when
 * they wait. False: a failure, which was said.
 */
bool gdb_feed_take(struct gdb_feed *f,
		   void (*print)(void *arg, const char *text, size_t len),
		   void *arg);
/* pmud is gone: what came before that is taken, and what it had stored. */
void gdb_feed_rest(struct gdb_feed *f);
/* Nothing will follow. */
static inline bool gdb_feed_ended(const struct gdb_feed *f)
{
	return !f->console && !f->records;
}
void gdb_feed_close(struct gdb_feed *f);

#endif
