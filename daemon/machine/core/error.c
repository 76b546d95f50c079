/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing an error down. What is an error, its finder decides.
 */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *e, enum status status, struct error_at at,
	       const char *format, ...)
{
	va_list args;

	if (!e)
		return false;
	e->status = status;
	e->reason = at.reason;
	snprintf(e->field, sizeof(e->field), "%s", at.field ? at.field : "");
	va_start(args, format);
	vsnprintf(e->text, sizeof(e->text), format, args);
	va_end(args);
	return false;
}

bool error_no_memory(struct error *e)
{
	return error_set(e, STATUS_RESOURCE_EXHAUSTED,
			 AT(NULL, "OUT_OF_MEMORY"), "out of memory");
}

bool error_within(struct error *e, const char *format, ...)
{
	char inner[ERROR_FIELD];
	va_list args;
	size_t n;

	if (!e || !*e->field)
		return false;
	strcpy(inner, e->field);
	va_start(args, format);
	vsnprintf(e->field, sizeof(e->field), format, args);
	va_end(args);
	n = strlen(e->field);
	snprintf(e->field + n, sizeof(e->field) - n, "%s", inner);
	return false;
}

bool error_rename(struct error *e, const char *part, const char *whole)
{
	size_t n = strlen(part);

	if (e && !strncmp(e->field, part, n) &&
	    (!e->field[n] || part[n - 1] == '.')) {
		char inner[ERROR_FIELD];

		strcpy(inner, e->field + n);
		snprintf(e->field, sizeof(e->field), "%s%s", whole, inner);
	}
	return false;
}
