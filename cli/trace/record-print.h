/* SPDX-License-Identifier: BSD-2-Clause */
/* Records as the options want them: lines of text or JSON. */
#ifndef CLI_TRACE_RECORD_PRINT_H
#define CLI_TRACE_RECORD_PRINT_H

#include "record-text.h"

struct args;

/* Before the first: the names of the columns, if any are wanted. */
void record_print_heading(FILE *out, const struct args *args,
			  const struct record_style *style);
/*
 * A line, on a terminal cut at its width. Returns an exit code; what is wrong
 * with @out shows itself.
 */
int record_print(FILE *out, const struct args *args,
		 const struct record_style *style, const Pmu__V1__Record *r);
/* Behind the last of so many: says so where samples are wanted and none is. */
void record_print_end(const struct args *args, uint64_t shown);

#endif
