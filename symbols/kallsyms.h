/* SPDX-License-Identifier: BSD-2-Clause */
/* The symbols that a Linux kernel keeps of itself, in a guest's memory. */
#ifndef SYMBOLS_KALLSYMS_H
#define SYMBOLS_KALLSYMS_H

#include "symbol-map.h"

/*
 * Looks for the tables of kallsyms in @size bytes at @memory, in the layout of
 * Linux 6.12 or of 7.0: all of them, in their order, each agreeing with the
 * others. What is found is the guest's word; it is bounded, and nothing else is
 * done with it than to name addresses. NULL: there are none that can be read,
 * or there is no memory for them; *@ret_why, a constant text, says which.
 */
struct symbol_map *kallsyms_find(const uint8_t *memory, size_t size,
				 unsigned xlen, const char **ret_why);

#endif
