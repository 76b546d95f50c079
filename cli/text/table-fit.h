/* SPDX-License-Identifier: BSD-2-Clause */
/* A table made narrower: long texts go on in the next line of their column. */
#ifndef CLI_TEXT_TABLE_FIT_H
#define CLI_TEXT_TABLE_FIT_H

#include <stddef.h>

struct libscols_table;

enum {
	TABLE_COLUMNS = 16 /* at most */
};

/*
 * The hint of a column's width: its title's counts where it is not printed,
 * too, so that rows without headings are those of the whole table. Not every
 * version of the library does that by itself.
 */
double table_column_width(const char *title);

/*
 * A table of the same rows in at most @width columns, if its texts can be made
 * as narrow as that, else as near as it goes. NULL: out of memory.
 */
struct libscols_table *table_fit(struct libscols_table *from, size_t width);

#endif
