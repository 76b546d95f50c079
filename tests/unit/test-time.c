/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cycles to ticks and back: exact for every rate, for numbers up to 64 bits,
 * for offsets that stand for a time set forward or back.
 */
#include <inttypes.h>

#include <pmu/time.h>

#include "unit.h"

#define MAX UINT64_MAX
#define QEMU                                                                   \
	{                                                                      \
		1000000000, 10000000, 0                                        \
	}

static const struct time_row {
	const char *why;
	struct pmu_timebase tb;
	uint64_t cycle, time;
} time_rows[] = {
	{ "starts at 0", QEMU, 0, 0 },
	{ "floor below", QEMU, 99, 0 },
	{ "floor at", QEMU, 100, 1 },
	{ "a year", QEMU, UINT64_C(31536000000000000), 315360000000000 },
	{ "the last cycle", QEMU, MAX, 184467440737095516 },
	{ "equal rates", { 7, 7, 0 }, MAX, MAX },
	{ "huge rates", { MAX, MAX - 1, 0 }, MAX, MAX - 1 },
	{ "huge rates, one before", { MAX, MAX - 1, 0 }, MAX - 1, MAX - 2 },
	{ "odd rates", { 3, 2, 0 }, 5, 3 },
	{ "offset", { 10, 1, 1000 }, 25, 1002 },
	{ "set back", { 10, 1, -UINT64_C(2) }, 25, 0 },
	{ "wraps", { 1, 1, MAX }, 1, 0 },
};

TEST_ROWS(time_is_exact, time_rows)
{
	const struct time_row *row = &time_rows[_i];

	ck_assert_msg(pmu_time(&row->tb, row->cycle) == row->time,
		      "%s: %" PRIu64, row->why, pmu_time(&row->tb, row->cycle));
}

static const struct cycle_row {
	const char *why;
	struct pmu_timebase tb;
	uint64_t ticks, cycle;
} cycle_rows[] = {
	{ "0 is at once", QEMU, 0, 0 },
	{ "1 tick", QEMU, 1, 100 },
	{ "odd rates round up", { 3, 2, 0 }, 1, 2 },
	{ "odd rates, exact", { 3, 2, 0 }, 2, 3 },
	{ "never: beyond the clock", QEMU, MAX, MAX },
	{ "never: just beyond", QEMU, 184467440737095517, MAX },
	{ "the last that is reached", QEMU, 184467440737095516,
	  UINT64_C(18446744073709551600) },
	{ "offset already there", { 10, 1, 1000 }, 1000, 0 },
	{ "offset beyond", { 10, 1, 1000 }, 5, 0 },
	{ "after the offset", { 10, 1, 1000 }, 1001, 10 },
	{ "set back: counted from there", { 10, 1, -UINT64_C(100) }, 5, 1050 },
	{ "set back: never", { 1, 1, -UINT64_C(100) }, MAX, MAX },
	{ "set back: MAX - 99 is never",
	  { 1, 1, -UINT64_C(100) },
	  MAX - 99,
	  MAX },
};

TEST_ROWS(the_cycle_of_a_time_is_exact, cycle_rows)
{
	const struct cycle_row *row = &cycle_rows[_i];
	uint64_t got = pmu_time_cycle(&row->tb, row->ticks);

	ck_assert_msg(got == row->cycle, "%s: %" PRIu64, row->why, got);
	if (got && got != MAX) {
		ck_assert_uint_ge(pmu_time(&row->tb, got), row->ticks);
		ck_assert_uint_ne(pmu_time(&row->tb, got - 1), row->ticks);
	}
}

static const struct next_row {
	const char *why;
	struct pmu_timebase tb;
	uint64_t ticks, now, cycle;
} next_rows[] = {
	{ "reached: behind a wrap that never comes", QEMU, 5, 1000, MAX },
	{ "reached now: the same", QEMU, 10, 1050, MAX },
	{ "reached: behind the wrap", { 100, 1, MAX - 49 }, 50, 10, 10000 },
	{ "reached now, and the wrap is near",
	  { 1, 1, MAX - 49 },
	  MAX - 39,
	  10,
	  MAX },
	{ "always reached", { 1, 1, MAX - 49 }, 0, 10, MAX },
	{ "ahead", QEMU, 11, 1000, 1100 },
	{ "ahead, in the middle of a tick", QEMU, 11, 1099, 1100 },
	{ "set back, time still large: reached, and again behind the wrap",
	  { 1, 1, -UINT64_C(100) },
	  5,
	  10,
	  105 },
	{ "set back, time wrapped", { 1, 1, -UINT64_C(100) }, 5, 100, 105 },
	{ "near the wrap", { 1, 1, MAX - 9 }, MAX, 0, 9 },
	{ "never", QEMU, MAX, 0, MAX },
	{ "never: the ticks overflow", { 1, 1, 0 }, MAX, MAX, MAX },
	{ "never: raw ticks do not fit",
	  { 1, 1, -UINT64_C(200) },
	  MAX - 100,
	  MAX - 50,
	  MAX },
};

TEST_ROWS(the_next_cycle_of_a_time_is_exact, next_rows)
{
	const struct next_row *row = &next_rows[_i];
	uint64_t got = pmu_time_next(&row->tb, row->ticks, row->now);

	ck_assert_msg(got == row->cycle, "%s: %" PRIu64, row->why, got);
}

/* Against the definition, cycle by cycle, for many rates. */
TEST_RANGE(the_next_cycle_is_the_first, 1, 12)
{
	for (uint64_t hz = 1; hz <= (uint64_t)_i; hz++) {
		const struct pmu_timebase tb = { (uint64_t)_i, hz, 3 };

		for (uint64_t ticks = 0; ticks < 40; ticks++) {
			uint64_t c = 0, next = pmu_time_next(&tb, ticks, 0);

			while (pmu_time(&tb, c) < ticks)
				c++;
			ck_assert_uint_eq(pmu_time_cycle(&tb, ticks), c);
			if (ticks > 3)
				ck_assert_uint_eq(next, c);
			else /* 2^64 ticks later */
				ck_assert_uint_gt(next, MAX / 2);
		}
	}
}

SUITE("time");
