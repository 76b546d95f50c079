/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces for other tools; what each format is, cli/export/ knows. */
#include <stdio.h>

#include "command.h"
#include "export/export.h"
#include "text/exit-codes.h"
#include "text/report.h"
#include "trace/record-filter.h"

/* All that there are, for people. */
static void list_formats(char *buf, size_t size)
{
	const struct export_format *format;
	size_t at = 0;

	*buf = '\0';
	for (size_t i = 0; at < size && (format = export_format_at(i)); i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s",
				       i ? ", " : "", format->name);
}

static int export_run(struct pmud *s, struct args *args)
{
	const struct export_format *format =
		args->format ? export_format_find(args->format) : NULL;
	char names[256];

	if (format)
		return export_trace(format, args);
	list_formats(names, sizeof(names));
	if (args->format)
		report_error("--format: '%s' is none of %s", args->format,
			     names);
	else
		report_error("--format is needed, one of %s", names);
	return EXIT_USAGE;
}

static const struct option_help own[] = {
	{ OPTION_HART, "Only this hart (default: all)" },
	{ 0 },
};

const struct command trace_export_commands[] = {
	{ "trace export", "FILE", "Write a trace as other tools read it",
	  WITH(FORMAT) | WITH(OUTPUT) | WITH_FILTER | WITH(FIRST_RECORD) |
		  WITH(LIMIT) | WITH_NAMES | WITH(NO_PROCESSES) | WITH(SYSROOT),
	  1, 1, NO_DAEMON, export_run, .own = own, .files = "r" },
	{ 0 },
};
