/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of a table as tests on the rigs that it is for. */
#ifndef TESTS_ENGINE_ROWS_H
#define TESTS_ENGINE_ROWS_H

#include "../unit/unit.h"
#include "rig.h"

/* Test row * RIG_KINDS + rig; a row's xlen of 0 is both. */
#define TEST_RIGS(name, rows)                                                  \
	TEST_WHERE(name, 0, ARRAY_SIZE(rows) * RIG_KINDS,                      \
		   rig_has((unsigned)_i % RIG_KINDS,                           \
			   (rows)[_i / RIG_KINDS].xlen))

static inline bool rig_has(unsigned rig, uint8_t xlen)
{
	return !xlen || (xlen == 64) == (rig >= RIG_MODES);
}

#endif
