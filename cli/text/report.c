/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One place for the form of messages to people; what they say is decided by
 * who finds it out.
 */
#include "report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "exit-codes.h"
#include "plain-text.h"
#include "tty.h"

static bool quiet;

static void put_report(bool error, const char *format, va_list args)
{
	bool color = error && tty_in_color(stderr);

	tty_status_clear();
	fflush(stdout);
	fprintf(stderr, "%spmuctl:%s ", color ? tty_sequence(TTY_ERROR) : "",
		color ? tty_sequence(TTY_RESET) : "");
	plain_vprintf(stderr, format, args);
	fputc('\n', stderr);
}

void report_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_report(true, format, args);
	va_end(args);
}

int report_no_memory(const char *what)
{
	report_error("%s: out of memory", what);
	return EXIT_FAILED;
}

void report_note(const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	put_report(false, format, args);
	va_end(args);
}

void report_notes(bool wanted)
{
	quiet = !wanted;
}

bool report_is_quiet(void)
{
	return quiet;
}
