/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing an error down. What is an error, its finder decides.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *e, enum status status, const char *format, ...)
{
	va_list args;

	if (!e)
		return false;
	e->status = status;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return false;
}
