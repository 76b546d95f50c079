/* SPDX-License-Identifier: BSD-2-Clause */
/* What a trace has, counted: records by kind, overflows by function. */
#ifndef CLI_TRACE_TRACE_SUMMARY_H
#define CLI_TRACE_TRACE_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"
#include "symbols.h"

struct trace_summary;

/* NULL: out of memory. @symbols, which may be NULL, must live as long. */
struct trace_summary *trace_summary_new(struct symbols *symbols);
void trace_summary_free(struct trace_summary *s); /* NULL is fine */
/* False: out of memory. */
bool trace_summary_add(struct trace_summary *s, const Pmu__V1__Record *r);
/* Prints both tables. Returns an exit code. */
int trace_summary_print(struct trace_summary *s, FILE *out, bool json);

#endif
