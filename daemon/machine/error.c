/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing an error down. What is an error, its finder decides. Texts quote what
 * others sent and are cut, so what was UTF-8 need not be any more.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

#include "wire/wire.h"

bool error_set(struct error *e, enum status status, const char *format, ...)
{
	va_list args;

	if (!e)
		return false;
	e->status = status;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	utf8_mend(e->text);
	return false;
}
