/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of a table as tests on the rigs that it is for. */
#ifndef TESTS_ENGINE_ROWS_H
#define TESTS_ENGINE_ROWS_H

#include "../unit/unit.h"
#include "rig.h"

/* @test gets row * RIG_KINDS + rig; @xlen 0: the row is for both. */
static inline void rig_add_row(TCase *tc, const TTest *test, unsigned row,
			       uint8_t xlen)
{
	unsigned first = row * RIG_KINDS + (xlen == 64 ? RIG_MODES : 0);
	unsigned n = xlen ? RIG_MODES : RIG_KINDS;

	tcase_add_loop_test(tc, test, (int)first, (int)(first + n));
}

#endif
