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
	READ = 256 /* a length up to it has 9 bits of a key */
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

static bool is_bound(const char *name, size_t len)
{
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

static uint32_t underscores(const char *name)
{
	uint32_t n = 0;

	while (n < READ && name[n] == '_')
		n++;
	return n;
}

uint32_t symbol_alias_key(const char *name)
{
	uint32_t len = (uint32_t)strnlen(name, READ);

	return (is_bound(name, len) ? SYMBOL_ALIAS_BOUND : 0) |
	       underscores(name) << 9 | len;
}

int symbol_alias_compare(uint32_t key_a, const char *a, uint32_t key_b,
			 const char *b)
{
	if (key_a != key_b)
		return key_a < key_b ? -1 : 1;
	return a == b ? 0 : strncmp(a, b, READ);
}
