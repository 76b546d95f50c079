/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One place for the form of messages to people; what they say is decided by
 * who finds it out.
 */
#include "say.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "tty.h"

static bool quiet;

static void say(enum tty_color color, const char *format, va_list args)
{
	tty_status_clear();
	fflush(stdout);
	fprintf(stderr, "%spmuctl:%s ", tty_color(stderr, color),
		tty_color(stderr, TTY_RESET));
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

void say_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(TTY_ERROR, format, args);
	va_end(args);
}

void say_note(const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	say(TTY_RESET, format, args);
	va_end(args);
}

void say_quietly(void)
{
	quiet = true;
}
