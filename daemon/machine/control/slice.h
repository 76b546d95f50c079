/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much host work a slice of the loop has, so that it takes as long as is
 * wanted: it halves and doubles, and no guest can see it.
 */
#ifndef CONTROL_SLICE_H
#define CONTROL_SLICE_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SLICE_MIN = 1000,
	SLICE_MIN_CHECK = 200000, /* with engine=check */
	SLICE_MAX = 50000000,
	SLICE_START = 50000
};

struct slice_took { /* nanoseconds of the host's clock */
	uint64_t want, begin, end;
	uint64_t least; /* work of any slice */
	bool all;	/* the slice: its work was used up */
};

/* The work of the slice behind one of @work. */
uint64_t slice_next(uint64_t work, const struct slice_took *took);

#endif
