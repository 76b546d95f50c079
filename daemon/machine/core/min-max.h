/* SPDX-License-Identifier: BSD-2-Clause */
/* The smaller and the larger of two clocks, or counts. */
#ifndef CORE_MIN_MAX_H
#define CORE_MIN_MAX_H

#include <stdint.h>

static inline uint64_t min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static inline uint64_t max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

#endif
