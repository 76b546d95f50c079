/* SPDX-License-Identifier: BSD-2-Clause */
/* The functions of a file, and labels in their place where there are none. */
#ifndef SYMBOLS_SYMBOL_FUNCTIONS_H
#define SYMBOLS_SYMBOL_FUNCTIONS_H

#include <stdint.h>

struct symbol;
struct symbol_functions;
struct symbols;

/* What symbols_find() says but for lines; @ret is all zero before. */
void symbols_find_function(struct symbols *s, uint64_t pc, struct symbol *ret);
void symbol_functions_free(struct symbol_functions *f);

#endif
