/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What went wrong, in words, and with which Unicorn.
 */
#include "adapter.h"

#include <stdarg.h>
#include <stdio.h>

void engine_fail(struct engine *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(e->error, sizeof(e->error), fmt, ap);
	va_end(ap);
}

const char *engine_error(const struct engine *e)
{
	return e->error;
}

const char *engine_version(void)
{
	static const char *const known[] = {
		"unicorn 2.1.0", "unicorn 2.1.1", "unicorn 2.1.2",
		"unicorn 2.1.3", "unicorn 2.1.4", "unicorn 2.1.5",
	};
	unsigned version = uc_version(NULL, NULL) >> 8;
	unsigned patch = version & 0xff;

	if (version >> 8 == 0x0201 && patch < sizeof(known) / sizeof(known[0]))
		return known[patch];
	return "unicorn, newer than 2.1.5";
}
