/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trace files: one pmu.v1.Trace each, read and written record by record so that
 * size is no matter. Every byte of a file is regarded as hostile.
 */
#ifndef CLI_TRACE_TRACE_FILE_H
#define CLI_TRACE_TRACE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"
#include "wire/cleanup.h"

enum {
	TRACE_RECORD_MAX = 1 << 20, /* bytes of one record or the header */
};

struct trace_reader;

/* One record; both belong to the reader and end with the next call. */
struct trace_item {
	Pmu__V1__Record *record;
	const uint8_t *bytes; /* packed */
	size_t len;
	/*
	 * The first record of the run is 0. The inputs that a rotated trace
	 * begins with count from 0, whatever was between them.
	 */
	uint64_t index;
};

/*
 * Opens @path, "-" for stdin, and reads its header. Returns an exit code, after
 * an error was said.
 */
int trace_open(struct trace_reader **ret, const char *path);
void trace_close(struct trace_reader *r); /* NULL is fine */
CLEANUP_POINTER(trace, struct trace_reader, trace_close)
const Pmu__V1__Header *trace_header(const struct trace_reader *r);
/*
 * The next record: 1 and @ret, 0 at the end, -1 after an error was said. An end
 * that is not the run's, since nobody saw that, is noted once.
 */
int trace_next(struct trace_reader *r, struct trace_item *ret);
/* From the first record on again. Returns an exit code, likewise. */
int trace_again(struct trace_reader *r);

/* Appends to a file, so many bytes; 0 and errno on failure. */
size_t trace_write_header(FILE *out, const Pmu__V1__Header *header);
size_t trace_write_record(FILE *out, const Pmu__V1__Record *record);

#endif
