/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing but a number is one: no sign, no blank, nothing that wraps. */
#include "number.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *suffix;
	unsigned shift;
} units[] = {
	{ "", 0 }, { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 }, { "TiB", 40 },
};

bool number_parse(const char *text, uint64_t min, uint64_t max, uint64_t *ret)
{
	unsigned long long n;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	n = strtoull(text, &end, 0);
	if (errno)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(end, units[i].suffix) != 0)
			continue;
		if (n > UINT64_MAX >> units[i].shift)
			return false;
		n <<= units[i].shift;
		if (n < min || n > max)
			return false;
		*ret = n;
		return true;
	}
	return false;
}
