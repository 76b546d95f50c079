/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which of several names of one address is told. It follows from the names
 * alone: a file's table, a list and a kernel's own have them in different
 * orders, and are to tell the same.
 */
#ifndef SYMBOLS_SYMBOL_ALIAS_H
#define SYMBOLS_SYMBOL_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	SYMBOL_ALIAS_BOUND = 1 << 18, /* from here on keys are bounds' */
	SYMBOL_ALIAS_BITS = 19,	      /* of a key */
};

/*
 * What of a name decides first, to be found once for each: the name of the
 * lower key is told, a function's rather than a bound's, then what has fewer
 * underscores in front, then what is shorter. No name is read beyond its 256th
 * letter.
 */
uint32_t symbol_alias_key(const char *name);
/*
 * Is it what linker scripts call the bounds of code ("_stext",
 * "__sched_text_start", "__init_begin")? Lists do not say that these are no
 * functions.
 */
static inline bool symbol_alias_is_bound(uint32_t key)
{
	return key >= SYMBOL_ALIAS_BOUND;
}
/*
 * Below 0: @a is told rather than @b, whose keys are given: of those that are
 * alike what comes first in the alphabet. 0: they are alike, up to the 256th
 * letter.
 */
int symbol_alias_compare(uint32_t key_a, const char *a, uint32_t key_b,
			 const char *b);

#endif
