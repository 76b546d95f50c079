/* SPDX-License-Identifier: BSD-2-Clause */
/* A stretch of a guest's time, as options say it. */
#ifndef CLI_CMD_GUEST_TIME_H
#define CLI_CMD_GUEST_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct guest_time {
	uint64_t n; /* ns or cycles; 0: none was said */
	bool in_cycles;
};

/* "10ms", "1000c", of @option. False, after an error was said: it is none. */
bool guest_time_parse(struct guest_time *ret, const char *option,
		      const char *text);
/* In cycles of a clock of @hz: 1 at least, and half of what 64 bits hold. */
uint64_t guest_time_cycles(const struct guest_time *t, uint64_t hz);

#endif
