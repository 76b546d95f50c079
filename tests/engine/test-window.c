/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Limits beyond one window of counting: they stop with zero skid, too.
 */
#include "loop.h"

/* Around what 15 and 16 bits hold, and where loops of 24 count that. */
static const uint64_t distant[] = {
	0x7ffe, 0x7fff,	 0x8000,  0x8001, 0x8017,
	0xffff, 0x10000, 0x10001, 150001,
};

TEST_TIMES(a_limit_far_away_has_no_skid, 2 * PMU_N_ENGINE_EVENTS)
{
	check_distances(_i, distant, ARRAY_SIZE(distant));
}

SUITE("engine-window", .test_case = "window", .timeout = 60,
      .setup_all = rigs_open, .teardown_all = rigs_close);
