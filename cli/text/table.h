/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables on stdout, as text or as JSON from the same rows. */
#ifndef CLI_TEXT_TABLE_H
#define CLI_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct table;

enum column_kind {
	COLUMN_TEXT,
	COLUMN_NUMBER, /* to the right; a JSON number: below 2^53 only */
	COLUMN_WIDE,   /* to the right; a JSON string */
	COLUMN_LAST,   /* text that takes what is left of the line */
};

/* Have tables of text from now on a line that names the columns? */
void table_headings(bool wanted);

struct column {
	const char *name;
	enum column_kind kind;
};

/* @name is that of the array in JSON. NULL: out of memory. */
struct table *table_new(const char *name, const struct column *columns,
			size_t n, bool json);
/* Begins a row; its cells follow, from the first column on. */
void table_row(struct table *t);
/* One cell, formatted; an empty one is shown as nothing. */
void table_cell(struct table *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The last cell has a counter that overflowed: shown so where colours are. */
void table_mark_overflow(struct table *t);
/*
 * Prints @n tables, with a blank line between them or as one JSON object, and
 * frees them. On a terminal they are made to fit it, and long ones go to the
 * pager. Returns an exit code: EXIT_FAILED when out of memory.
 */
int tables_print(struct table *const *tables, size_t n, FILE *out);
int table_print(struct table *t, FILE *out); /* the same for one */

#endif
