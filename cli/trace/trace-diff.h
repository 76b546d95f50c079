/* SPDX-License-Identifier: BSD-2-Clause */
/* Where two traces part. */
#ifndef CLI_TRACE_TRACE_DIFF_H
#define CLI_TRACE_TRACE_DIFF_H

#include <stdio.h>

#include "record-text.h"
#include "trace-file.h"

enum trace_diff_end {
	DIFF_SAME,
	DIFF_HEADERS, /* records are the same */
	DIFF_RECORDS, /* one record differs from the other */
	DIFF_SHORTER, /* one trace goes on where the other ends */
	DIFF_ERROR,   /* one cannot be read; it was said */
};

struct trace_diff {
	enum trace_diff_end end;
	bool headers_differ;
	uint64_t index; /* of the first record that differs */
	/* the records there, NULL where a trace has ended; the readers' */
	const Pmu__V1__Record *a, *b;
};

/*
 * Compares the headers and then records until two differ, by their bytes. Each
 * of @style learns from the records of its side, those that differ too.
 */
void trace_diff(struct trace_reader *a, struct trace_reader *b,
		const struct record_style style[2], struct trace_diff *ret);
/* What is different in the headers, a line for each thing. */
void trace_diff_headers(FILE *out, const Pmu__V1__Header *a,
			const Pmu__V1__Header *b);

/* The fields that differ between two records, a line for each. */
void trace_diff_fields(FILE *out, const Pmu__V1__Record *a,
		       const Pmu__V1__Record *b);

#endif
