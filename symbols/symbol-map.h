/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names by address as kernels list them: System.map, /proc/kallsyms, and what
 * is found in a guest's memory (kallsyms.h). A list says no sizes: a symbol
 * reaches to the next, and one that is no code ends the code before it.
 */
#ifndef SYMBOLS_SYMBOL_MAP_H
#define SYMBOLS_SYMBOL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SYMBOL_MAP_MAX = 1 << 20,	 /* symbols */
	SYMBOL_MAP_MAX_NAME = 511,	 /* as Linux has it */
	SYMBOL_MAP_MAX_BYTES = 32 << 20, /* of all names */
};

struct symbol_map;

struct map_symbol {
	uint64_t address;
	const char *name; /* the map's */
	char type;	  /* as nm prints it */
};

struct symbol_map *symbol_map_new(void);    /* NULL without memory */
void symbol_map_free(struct symbol_map *m); /* NULL is fine */
/*
 * One more, of a name of @len bytes that is copied. Mapping symbols and local
 * labels are left out. False: no memory, or more than there may be.
 */
bool symbol_map_add(struct symbol_map *m, uint64_t address, char type,
		    const char *name, size_t len);
/* Behind the last that was added, before the first that is asked for. */
void symbol_map_finish(struct symbol_map *m);

/*
 * Of the lines "ADDRESS TYPE NAME" in @size bytes at @text, and "[MODULE]"
 * behind that. NULL: it is none, or there is no memory; *@ret_why, a constant
 * text, says which.
 */
struct symbol_map *symbol_map_parse(const char *text, size_t size,
				    const char **ret_why);

size_t symbol_map_count(const struct symbol_map *m);
/* How much memory it holds. */
size_t symbol_map_bytes(const struct symbol_map *m);
/* Number @i by address, which is below the count. */
void symbol_map_get(const struct symbol_map *m, size_t i,
		    struct map_symbol *ret);
/* The code that @pc is in. False: none that is known. */
bool symbol_map_find(const struct symbol_map *m, uint64_t pc,
		     struct map_symbol *ret);
/* The address of a name, the lowest of several. False: there is none. */
bool symbol_map_address(const struct symbol_map *m, const char *name,
			uint64_t *ret);

#endif
