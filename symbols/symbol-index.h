/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which symbol an address is in, of many: made once, and asked in a few steps
 * however many there are.
 *
 * An address is in the symbol that reaches over it and begins last; of those
 * that begin together the one of the higher rank, then the shorter, then the
 * one that symbol-alias.h prefers, then the first. Where none reaches it is in
 * the last one without a size at or before it, of several the one whose section
 * goes on for longest, if it is in that section and none with a size ends
 * behind the symbol.
 */
#ifndef SYMBOLS_SYMBOL_INDEX_H
#define SYMBOLS_SYMBOL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#include "symbol-alias.h"

struct symbol_extent {
	uint64_t start, size; /* size 0: nobody says */
	uint64_t section_end; /* without a size: it is in none from there on */
	const char *name;
	uint32_t key : SYMBOL_ALIAS_BITS; /* of the name: symbol-alias.h */
	uint32_t rank : 32 - SYMBOL_ALIAS_BITS;
	uint32_t number; /* what is answered; not 0 */
};

struct symbol_index;

/* NULL: out of memory. Sorts @all, which are not needed any more afterwards. */
struct symbol_index *symbol_index_new(struct symbol_extent *all, size_t n);
void symbol_index_free(struct symbol_index *x);
/* Its number; 0: it is in none. */
uint32_t symbol_index_find(const struct symbol_index *x, uint64_t address);

#endif
