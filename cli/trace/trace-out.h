/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The trace of a machine, written to a file as it comes. Records wait for
 * others in memory, but not for long: whoever is killed leaves all that came
 * more than a second before. What a pmud had stored that is gone can follow.
 */
#ifndef CLI_TRACE_TRACE_OUT_H
#define CLI_TRACE_TRACE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"

struct trace_out {
	FILE *file; /* the caller's, as is @path */
	const char *path;
	uint64_t flush_at; /* 0: nothing waits */
	uint64_t taken;	   /* bytes of the records that came, as packed */
	struct sample_filter *filter; /* the caller's; NULL: all */
};

/* False after an error was said. The header also begins the filter. */
bool trace_out_header(struct trace_out *o, const Pmu__V1__Header *header);
bool trace_out_records(struct trace_out *o, const Pmu__V1__RecordBatch *batch);
/*
 * Writes the header or the records of @r, if it has any; of those that were
 * lost, the caller tells. False after an error was said.
 */
bool trace_out_write(struct trace_out *o,
		     const Pmu__V1__StreamRecordsResponse *r);
/*
 * pmud is gone. The records of @machine behind those that came are appended
 * from the file @stored where it had them, as far as they are whole; -1: there
 * is none, and it is said where they may be. False after an error was said.
 */
bool trace_out_rest(struct trace_out *o, int stored, const char *machine);
/* ms until trace_out_flush() has something to do; -1: nothing waits. */
int trace_out_timeout(const struct trace_out *o);
/* Writes what has waited long enough. False after an error was said. */
bool trace_out_flush(struct trace_out *o);

#endif
