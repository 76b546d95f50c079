/* SPDX-License-Identifier: BSD-2-Clause */
/* Which records a command line asks for, of a file or of a machine. */
#ifndef CLI_TRACE_RECORD_FILTER_H
#define CLI_TRACE_RECORD_FILTER_H

#include <stdbool.h>

#include "cmd/args.h"
#include "pmu/v1/traces.pb-c.h"

struct record_filter {
	Pmu__V1__RecordFilter message; /* for the daemon */
	uint32_t counter;	       /* what message.counters points to */
	uint64_t first_cycle, last_cycle, limit; /* 0: no bound */
};

/* From --kind, --counter and so on. False after an error was said. */
bool record_filter_init(struct record_filter *f, const struct args *args);
/* The @i-th name that --kind knows; NULL after the last. */
const char *record_kind_at(size_t i);
/* Does @r match, apart from the limit? */
bool record_filter_match(const struct record_filter *f,
			 const Pmu__V1__Record *r);

#endif
