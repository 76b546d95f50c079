/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing an error down. What is an error, its finder decides.
 */
#include "machine-error.h"

#include <stdarg.h>
#include <stdio.h>

bool error_set(struct error *e, enum error_kind kind, struct error_at at,
	       const char *format, ...)
{
	va_list args;

	if (!e)
		return false;
	e->kind = kind;
	e->reason = at.reason;
	e->part = at.part;
	e->index = ERROR_ALONE;
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return false;
}

bool error_no_memory(struct error *e)
{
	return error_set(e, ERROR_NO_ROOM, AT(PART_NONE, "OUT_OF_MEMORY"),
			 "out of memory");
}

bool error_no_memory_for(struct error *e, const char *what)
{
	return error_set(e, ERROR_NO_ROOM, AT(PART_NONE, "OUT_OF_MEMORY"),
			 "%s: out of memory", what);
}

bool error_within(struct error *e, size_t index)
{
	if (e)
		e->index = (int)index;
	return false;
}
