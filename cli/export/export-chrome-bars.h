/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bars of Chrome's timeline: what lasts, from one record to another. On the
 * row of a hart it is started, in that it waits, or is in a handler of SBI's
 * software events; on that of a counter an overflow waits for its delivery.
 */
#ifndef CLI_EXPORT_EXPORT_CHROME_BARS_H
#define CLI_EXPORT_EXPORT_CHROME_BARS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "export-index.h"

struct export_item;
struct export_samples;

enum export_chrome_group {
	EXPORT_CHROME_HARTS = 1, /* the format's processes */
	EXPORT_CHROME_COUNTERS
};

struct export_chrome_at {
	enum export_chrome_group group;
	uint64_t row, ns;
};

/* What all events begin with, after a comma if there were any. */
void export_chrome_begin(FILE *out, bool *more, char phase,
			 struct export_chrome_at at);

struct export_chrome_hart;

/* The first three are given, all else is zero; export_chrome_bars_end(). */
struct export_chrome_bars {
	struct export_samples *x;
	FILE *out;
	bool *more;
	struct export_index harts, counters;
	struct export_chrome_hart *hart;
	size_t room;
	uint64_t last; /* time */
};

/* What @item begins or ends. False: out of memory. */
bool export_chrome_bar(struct export_chrome_bars *b,
		       const struct export_item *item);
/* All that is open ends with the trace. */
void export_chrome_bars_end(struct export_chrome_bars *b);

#endif
