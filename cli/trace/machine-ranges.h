/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of functions and lines, as a machine's files have them. */
#ifndef CLI_TRACE_MACHINE_RANGES_H
#define CLI_TRACE_MACHINE_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "symbol-ranges.h"

struct pmud;

struct machine_ranges {
	struct symbols_range *at; /* room for all */
	size_t n, max;
};

/*
 * Of all functions of @machine that are meant by @name, as function-name.h has
 * it. Adds them to @to, which counts those that there is no room for, too.
 * Returns an exit code, after an error was said: EXIT_NOT_FOUND where there is
 * none.
 */
int machine_ranges_function(struct pmud *s, const char *machine,
			    const char *name, struct machine_ranges *to);
/* The same of line @line of the sources that are called @file. */
int machine_ranges_line(struct pmud *s, const char *machine, const char *file,
			uint32_t line, struct machine_ranges *to);

#endif
