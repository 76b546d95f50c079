/* SPDX-License-Identifier: BSD-2-Clause */
/* --filter: which samples of a trace are meant. All other records are. */
#ifndef CLI_TRACE_SAMPLE_FILTER_H
#define CLI_TRACE_SAMPLE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "record-text.h"
#include "wire/cleanup.h"

struct args;
struct pmud;
struct record_expr;

struct sample_filter {
	const struct args *args;
	struct pmud *pmud;	  /* of a machine there; NULL: of none */
	struct record_expr *expr; /* NULL: all */
	struct record_style style;
	uint64_t seen, taken; /* samples that were asked about */
};

/* Returns an exit code, after an error was said; to be closed in any case. */
int sample_filter_open(struct sample_filter *f, const struct args *args);
/* Of this trace; likewise, once. */
int sample_filter_begin(struct sample_filter *f, const Pmu__V1__Header *header);
void sample_filter_close(struct sample_filter *f);
CLEANUP_VALUE(sample_filter, struct sample_filter, sample_filter_close)
/* @f may be NULL. */
bool sample_filter_keeps(const struct sample_filter *f,
			 const Pmu__V1__Record *r);
/* Is @r a sample that is meant, with names as @style has them? */
bool sample_filter_takes(struct sample_filter *f,
			 const struct record_style *style,
			 const Pmu__V1__Record *r);
/* Says so where none of @path was. */
void sample_filter_end(const struct sample_filter *f, const char *path);

#endif
