/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a trace has, counted: records by kind, overflows by function, records of
 * users by address space.
 */
#ifndef CLI_TRACE_TRACE_SUMMARY_H
#define CLI_TRACE_TRACE_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "pmu/v1/traces.pb-c.h"
#include "record-text.h"

struct trace_summary;

/* NULL: out of memory. What @style, or NULL, points to must live as long. */
struct trace_summary *trace_summary_new(const struct record_style *style);
void trace_summary_free(struct trace_summary *s); /* NULL is fine */
/* False: out of memory. */
bool trace_summary_add(struct trace_summary *s, const Pmu__V1__Record *r);
/*
 * Prints the tables; that of address spaces only if users were in some. Returns
 * an exit code.
 */
int trace_summary_print(struct trace_summary *s, FILE *out, bool json);

#endif
