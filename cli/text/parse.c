/* SPDX-License-Identifier: BSD-2-Clause */
/* The words for a number that is none. */
#include "parse.h"

#include <inttypes.h>

#include "number.h"
#include "report.h"

bool parse_value(const char *what, const char *text, uint64_t *ret)
{
	if (number_parse_signed(text, ret))
		return true;
	report_error("%s: '%s' is not a number", what, text);
	return false;
}

bool parse_hart(const struct args *args, uint32_t *ret)
{
	if (args->hart > UINT32_MAX) {
		report_error("--hart: there is no hart %" PRIu64, args->hart);
		return false;
	}
	*ret = (uint32_t)args->hart;
	return true;
}
