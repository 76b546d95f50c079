/* SPDX-License-Identifier: BSD-2-Clause */
/* Time on the host, for what waits. */
#ifndef CLI_TEXT_NOW_H
#define CLI_TEXT_NOW_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Of two that poll() takes, where -1 is for ever. */
static inline int timeout_sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

#endif
