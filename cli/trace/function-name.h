/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions by the name that a user gives: the file's, or as it is printed. */
#ifndef CLI_TRACE_FUNCTION_NAME_H
#define CLI_TRACE_FUNCTION_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;
struct symbols_named;
struct symbols_range;

enum {
	FUNCTION_NAME_PART = 64
};

/*
 * Is the function that a file calls @name meant by @wanted? That is @name
 * itself, or what it is printed as (demangle.h), which several may be: all
 * overloads of a function of C++.
 */
bool function_name_is(const char *name, const char *wanted);

/*
 * The addresses of all functions that are meant. Writes at most @max to @ret
 * and returns how many there are.
 */
size_t function_name_ranges(struct symbols *s, const char *wanted,
			    struct symbols_range *ret, size_t max);

/*
 * Where the one symbol is that is meant; one that is called so in the file goes
 * before those that are printed so. @option and @path, of the file, are for
 * messages. Returns an exit code, after an error was said: EXIT_NOT_FOUND, or
 * EXIT_USAGE where it could be several, which are named.
 */
int function_name_find(struct symbols *s, const char *option, const char *path,
		       const char *wanted, uint64_t *ret);
/*
 * Of @n symbols those that are meant, once for each place, in front of the
 * others; returns how many. Of one name the first counts.
 */
size_t function_name_choose(struct symbols_named *named, size_t n,
			    const char *wanted);
/* Says of @n symbols that each could be meant. Returns EXIT_USAGE. */
int function_name_refuse(const struct symbols_named *named, size_t n,
			 const char *option, const char *wanted);
/*
 * What is in every compiler's name that is printed as @wanted: its last word
 * that stands there as it is.
 */
void function_name_part(const char *wanted, char ret[FUNCTION_NAME_PART]);

#endif
