/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Linux has "strlen" also as "__pi_strlen", and its assembler's functions often
 * under a public name beside "__memcpy": a reader knows the plain one.
 */
#include "symbol-alias.h"

#include <stddef.h>
#include <string.h>

/* All symbols of a hostile file may have one name, as long as the file. */
enum {
	READ = 256
};

/* A bound of a section that is not named by a suffix. */
static const char *const bounds[] = { "_text", "_stext", "_etext", "_sinittext",
				      "_einittext" };
static const char *const suffixes[] = { "_start", "_end", "_begin" };

static bool ends_with(const char *name, size_t len, const char *suffix)
{
	size_t n = strlen(suffix);

	return len > n && len < READ && !strcmp(name + len - n, suffix);
}

bool symbol_alias_is_bound(const char *name)
{
	size_t len = strnlen(name, READ);

	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
		if (!strcmp(name, bounds[i]))
			return true;
	if (strncmp(name, "__", 2) != 0)
		return false;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++)
		if (ends_with(name, len, suffixes[i]))
			return true;
	return false;
}

static int order(size_t x, size_t y)
{
	return (x > y) - (x < y);
}

static size_t underscores(const char *name)
{
	size_t n = 0;

	while (n < READ && name[n] == '_')
		n++;
	return n;
}

int symbol_alias_compare(const char *a, const char *b)
{
	int c = symbol_alias_is_bound(a) - symbol_alias_is_bound(b);

	if (!c)
		c = order(underscores(a), underscores(b));
	if (!c)
		c = order(strnlen(a, READ), strnlen(b, READ));
	return c ? c : strncmp(a, b, READ);
}
