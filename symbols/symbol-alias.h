/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which of several names of one address is told. It follows from the names
 * alone: a file's table, a list and a kernel's own have them in different
 * orders, and are to tell the same.
 */
#ifndef SYMBOLS_SYMBOL_ALIAS_H
#define SYMBOLS_SYMBOL_ALIAS_H

#include <stdbool.h>

/*
 * Is it what linker scripts call the bounds of code ("_stext",
 * "__sched_text_start", "__init_begin")? Lists do not say that these are no
 * functions.
 */
bool symbol_alias_is_bound(const char *name);
/*
 * Below 0: @a is told rather than @b, a function's name rather than a bound's,
 * then what has fewer underscores in front, is shorter, comes first in the
 * alphabet. 0: they are alike, up to the 256th letter.
 */
int symbol_alias_compare(const char *a, const char *b);

#endif
