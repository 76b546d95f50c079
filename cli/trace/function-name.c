/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is printed can be given back. Compilers' names are unique and what
 * authors wrote is not, so that the former are never read as the latter.
 */
#include "function-name.h"

#include <stdio.h>
#include <string.h>

#include "demangle.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "text/exit-codes.h"
#include "text/report.h"

enum {
	NAMED_MAX = 64, /* symbols that a name is looked for among */
	LISTED_MAX = 4	/* of which a message names so many */
};

/* In columns a name is one word, and among callers without a comma. */
static bool reads_as(const char *name, const char *wanted)
{
	for (; *name && *wanted; name++, wanted++) {
		bool blank = *name == ' ' || *name == ',';

		if (*name != *wanted && !(blank && *wanted == '_'))
			return false;
	}
	return *name == *wanted;
}

bool function_name_is(const char *name, const char *wanted)
{
	const char *written;

	if (!strcmp(name, wanted))
		return true;
	if (demangle_is_mangled(wanted))
		return false;
	written = demangle(name);
	return written != name && reads_as(written, wanted);
}

static bool is(void *arg, const char *name)
{
	return function_name_is(name, arg);
}

size_t function_name_ranges(struct symbols *s, const char *wanted,
			    struct symbols_range *ret, size_t max)
{
	return symbols_of_functions(s, is, (void *)wanted, ret, max);
}

/* Those of one address are one, as the two of a constructor are. */
static bool is_new(const struct symbols_named *named, size_t n,
		   const struct symbols_named *one)
{
	for (size_t i = 0; i < n; i++)
		if (named[i].address == one->address ||
		    !strcmp(named[i].name, one->name))
			return false;
	return true;
}

size_t function_name_choose(struct symbols_named *named, size_t n,
			    const char *wanted)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (function_name_is(named[i].name, wanted) &&
		    is_new(named, kept, &named[i]))
			named[kept++] = named[i];
	return kept;
}

int function_name_refuse(const struct symbols_named *named, size_t n,
			 const char *option, const char *wanted)
{
	char names[512] = "";
	size_t len = 0, i = 0;

	for (; i < n && i < LISTED_MAX && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len,
					"%s%s", i ? ", " : "", named[i].name);
	report_error("%s: '%s' may be any of %s%s", option, wanted, names,
		     i < n ? " and others" : "");
	return EXIT_USAGE;
}

int function_name_find(struct symbols *s, const char *option, const char *path,
		       const char *wanted, uint64_t *ret)
{
	struct symbols_named named[NAMED_MAX];
	size_t n;

	if (symbols_address(s, wanted, ret))
		return EXIT_OK;
	n = symbols_named(s, is, (void *)wanted, named, NAMED_MAX);
	n = function_name_choose(named, n < NAMED_MAX ? n : NAMED_MAX, wanted);
	if (n > 1)
		return function_name_refuse(named, n, option, wanted);
	if (n) {
		*ret = named[0].address;
		return EXIT_OK;
	}
	report_error("%s: %s has no symbol '%s'", option, path, wanted);
	return EXIT_NOT_FOUND;
}

static const char word_letters[] = "0123456789_$"
				   "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* Operators have codes of their own, and "{closure#0}" is no word. */
static bool is_literal(const char *word, size_t len)
{
	static const char operator_word[] = "operator";

	return len &&
	       strncmp(word, operator_word, sizeof(operator_word) - 1) != 0;
}

void function_name_part(const char *wanted, char ret[FUNCTION_NAME_PART])
{
	int depth = 0;

	/* the beginning of all compilers' names of C++ */
	strcpy(ret, "_Z");
	for (const char *at = wanted; *at; at++) {
		bool begins = at == wanted || (at[0] == ':' && at[1] == ':');
		const char *word = at + (at == wanted ? 0 : 2);
		size_t len;

		depth += (*at == '<') - (*at == '>');
		if (depth || !begins)
			continue;
		word += *word == '~';
		len = strspn(word, word_letters);
		if (is_literal(word, len))
			snprintf(ret, FUNCTION_NAME_PART, "%.*s", (int)len,
				 word);
	}
}
