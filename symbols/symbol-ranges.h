/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The addresses of a function or a source line: those of which symbols_find()
 * says so.
 */
#ifndef SYMBOLS_SYMBOL_RANGES_H
#define SYMBOLS_SYMBOL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

struct symbols_range {
	uint64_t first, last; /* the last one in it */
};

/*
 * Of all functions, or labels with code behind them, that have the name. Writes
 * at most @max to @ret and returns how many there are.
 */
size_t symbols_of_function(struct symbols *s, const char *name,
			   struct symbols_range *ret, size_t max);
/* The same of all whose name @is takes. */
typedef bool symbols_name_fn(void *arg, const char *name);
size_t symbols_of_functions(struct symbols *s, symbols_name_fn *is, void *arg,
			    struct symbols_range *ret, size_t max);

/* A symbol with its address. */
struct symbols_named {
	const char *name; /* the file's */
	uint64_t address;
};

/* All functions, objects and labels whose name @is takes. Likewise. */
size_t symbols_named(struct symbols *s, symbols_name_fn *is, void *arg,
		     struct symbols_named *ret, size_t max);
/*
 * Of a line of all sources whose path is @file or ends with it behind a '/'.
 * Likewise.
 */
size_t symbols_of_line(struct symbols *s, const char *file, int line,
		       struct symbols_range *ret, size_t max);

#endif
