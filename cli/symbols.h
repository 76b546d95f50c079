/* SPDX-License-Identifier: BSD-2-Clause */
/* Function and source line of a guest's pc, from its ELF file. */
#ifndef CLI_SYMBOLS_H
#define CLI_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

struct symbol {
	const char *function; /* NULL: unknown; the file's, as are the others */
	uint64_t offset;      /* of the pc in the function */
	const char *file;     /* NULL: no line is known */
	int line;
};

/*
 * Opens the symbols and, if it has any, the debug information of @path.
 * Returns NULL when it cannot, with *@ret_why a constant text.
 */
struct symbols *symbols_open(const char *path, const char **ret_why);
void symbols_close(struct symbols *s); /* NULL is fine */
/* What the file has; a stripped one has neither. */
bool symbols_have_functions(const struct symbols *s);
bool symbols_have_lines(const struct symbols *s);
/*
 * The address of @text, "main" or "main+0x10". False: there is no such symbol,
 * or it is no such text.
 */
bool symbols_address(struct symbols *s, const char *text, uint64_t *ret);
/* Never fails: what is unknown is NULL. @s may be NULL. */
void symbols_find(struct symbols *s, uint64_t pc, struct symbol *ret);

#endif
