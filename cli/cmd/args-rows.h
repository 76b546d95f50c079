/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of options, for args.c alone. */
#ifndef CLI_CMD_ARGS_ROWS_H
#define CLI_CMD_ARGS_ROWS_H

#include <stddef.h>

#include "args.h"

/* What its value is. */
enum args_type {
	TYPE_FLAG,
	TYPE_TEXT,
	TYPE_NUMBER,
	TYPE_NONZERO, /* a number of which 0 would mean: not given */
	TYPE_COUNT,
	TYPE_POSITIVE, /* a count of 1 or more */
	TYPE_SIZE,
	TYPE_SECONDS,
	TYPE_SET,
	TYPE_LIST,
};

struct option_row {
	char letter; /* or 0 */
	enum args_type type;
	size_t offset; /* in struct args */
	const char *name, *arg, *help;
};

extern const struct option_row args_rows[N_OPTIONS];

#endif
