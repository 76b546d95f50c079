/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The recorder's keeper: records are packed at once and wait in a local buffer
 * until the sink has room; nothing is ever dropped, the machine stops between
 * slices while something waits.
 */
#ifndef CONTROL_TRACE_H
#define CONTROL_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"
#include "core/recorder.h"
#include "mappings.h"
#include "processes.h"

/* Beyond so many waiting bytes the machine's slice should end. */
enum {
	TRACE_HIGH_WATER = 256 << 10,
	TRACE_MAX_CONSOLE = 64 << 10, /* bytes of one record; more are split */
};

/* A session is told. False: the machine is to stand until trace_go_on(). */
typedef bool trace_told_fn(void *arg, const struct record_at *at,
			   const struct ebb_told *told);

/* Takes whole records in order: 0, -ENOBUFS (later) or another errno. */
typedef int trace_sink_fn(void *sink, const void *bytes, size_t len);

struct trace {
	struct recorder recorder; /* for the machine; the kinds that it wants */
	trace_sink_fn *put;	  /* NULL: records are discarded */
	void *sink;
	trace_told_fn *told; /* NULL: clients read records */
	void *told_arg;
	bool stands; /* a session could not be told */
	/*
	 * Whose overflows and samples are; those of sessions have their own, so
	 * that nobody who watches decides when a kernel is looked for.
	 */
	struct processes processes, watched;
	struct mappings mappings, watched_mappings;
	struct buf waiting; /* records, until the sink has room */
};

/* It must not be moved afterwards. */
void trace_init(struct trace *t, trace_sink_fn *put, void *sink);
void trace_free(struct trace *t);
/*
 * From here on overflows and samples say which process of @m's Linux runs, and
 * where its code is from.
 */
void trace_processes(struct trace *t, const struct machine *m);
/*
 * Hands waiting records to the sink. Returns 0 when none is left, -ENOBUFS
 * when the sink is full, or another negated errno of it.
 */
int trace_flush(struct trace *t);
/* Whoever was told has room again. */
void trace_go_on(struct trace *t);
/* Bytes of records that the sink has not taken yet. */
size_t trace_backlog(const struct trace *t);

#endif
