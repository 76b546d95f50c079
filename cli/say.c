/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One place for the form of messages to people; what they say is decided by
 * who finds it out.
 */
#include "say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool quiet;

static void say(const char *format, va_list args)
{
	fflush(stdout);
	fputs("pmuctl: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

void say_note(const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void say_quietly(void)
{
	quiet = true;
}
