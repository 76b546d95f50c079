/* SPDX-License-Identifier: BSD-2-Clause */
/* A stretch of a guest's time, as options say it. */
#include "guest-time.h"

#include <stddef.h>
#include <string.h>

#include "number.h"
#include "text/report.h"

enum {
	NS_PER_S = 1000000000,
};

bool guest_time_parse(struct guest_time *ret, const char *option,
		      const char *text)
{
	static const struct {
		const char *unit;
		uint64_t ns;
	} units[] = {
		{ "ns", 1 },	   { "us", 1000 }, { "ms", 1000000 },
		{ "s", NS_PER_S }, { "c", 0 },
	};
	const char *at = text;
	uint64_t n;

	if (number_take(&at, &n) && n) {
		for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
			ret->in_cycles = !units[i].ns;
			if (!strcmp(at, units[i].unit) &&
			    !__builtin_mul_overflow(
				    n, ret->in_cycles ? 1 : units[i].ns,
				    &ret->n))
				return true;
		}
	}
	report_error("%s: '%s' is not a time such as 10ms, 500us, 2s or, in "
		     "cycles, 1000c",
		     option, text);
	return false;
}

uint64_t guest_time_cycles(const struct guest_time *t, uint64_t hz)
{
	__extension__ unsigned __int128 cycles = t->n;

	if (!t->in_cycles)
		cycles = cycles * hz / NS_PER_S;
	if (cycles > UINT64_MAX / 2)
		return UINT64_MAX / 2;
	return cycles ? (uint64_t)cycles : 1;
}
