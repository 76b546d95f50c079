/* SPDX-License-Identifier: BSD-2-Clause */
/* daemon/machine/control/slice.c: how much work the next slice has. */
#include "unit.h"

#include "control/slice.h"

static const struct slice_row {
	const char *why;
	uint64_t work, ns; /* of the 1000 wanted */
	bool all;
	uint64_t next;
} slice_rows[] = {
	{ "in time", 50000, 700, true, 50000 },
	{ "exactly in time", 50000, 1000, true, 50000 },
	{ "too late", 50000, 1001, true, 25000 },
	{ "too late, and not used up", 50000, 1001, false, 25000 },
	{ "in half of the time", 50000, 500, true, 50000 },
	{ "in less", 50000, 499, true, 100000 },
	{ "in no time", 50000, 0, true, 100000 },
	{ "in less, for it had nothing to do", 50000, 499, false, 50000 },
	{ "not below the least", 1900, 2000, true, 1000 },
	{ "the least", 1000, 2000, true, 1000 },
	{ "down to the least", 2002, 2000, true, 1001 },
	{ "not above the most", 30000000, 1, true, 50000000 },
	{ "the most", 50000000, 1, true, 50000000 },
	{ "up to the most", 24999999, 1, true, 49999998 },
};

TEST_ROWS(a_slice_is_as_long_as_the_last_one_says, slice_rows)
{
	const struct slice_row *row = &slice_rows[_i];
	const struct slice_took took = {
		.want = 1000,
		.least = SLICE_MIN,
		.begin = 77777,
		.end = 77777 + row->ns,
		.all = row->all,
	};

	ck_assert_msg(slice_next(row->work, &took) == row->next, "%s: %llu",
		      row->why,
		      (unsigned long long)slice_next(row->work, &took));
}

SUITE("slice");
