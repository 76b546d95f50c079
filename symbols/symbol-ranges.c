/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What symbols_find() says of an address can only change where a symbol, or a
 * row of a line table, begins or ends. So it is asked at these places, and what
 * it says holds up to the next.
 */
#include "symbol-ranges.h"

#include <stdlib.h>
#include <string.h>

#include "symbol-functions.h"
#include "symbol-map.h"
#include "symbols-inside.h"

struct found {
	struct symbols_range *ranges;
	size_t n, max;
	uint64_t end; /* of the last */
};

/* One more, or more of the last. */
static void add(struct found *f, uint64_t first, uint64_t end)
{
	bool goes_on = f->n && f->end == first;

	f->end = end;
	if (!goes_on) {
		if (f->n < f->max)
			f->ranges[f->n].first = first;
		f->n++;
	}
	if (f->n <= f->max)
		f->ranges[f->n - 1].last = end - 1;
}

/* Where symbols begin and end, by address. */
struct places {
	uint64_t *at;
	size_t n;
};

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void places_of_map(const struct symbol_map *map, struct places *ret)
{
	for (; ret->n < symbol_map_count(map); ret->n++) {
		struct map_symbol one;

		symbol_map_get(map, ret->n, &one);
		ret->at[ret->n] = one.address;
	}
}

static void places_of_file(Dwfl_Module *module, int n, struct places *ret)
{
	for (int i = 1; i < n; i++) {
		GElf_Addr address;
		GElf_Sym sym;

		/* numbers, too, change what is said of code behind them */
		if (!dwfl_module_getsym_info(module, i, &sym, &address, NULL,
					     NULL, NULL))
			continue;
		ret->at[ret->n++] = address;
		/* a label without a size may be named for its address alone */
		ret->at[ret->n++] = address + 1;
		ret->at[ret->n++] = address + sym.st_size;
	}
}

static struct places places_of(struct symbols *s)
{
	int n = s->map ? 0 : dwfl_module_getsymtab(s->module);
	size_t most =
		s->map ? symbol_map_count(s->map) : 3 * (size_t)(n > 0 ? n : 0);
	struct places ret = { calloc(most + 1, sizeof(uint64_t)), 0 };

	if (!ret.at)
		return ret;
	if (s->map)
		places_of_map(s->map, &ret);
	else
		places_of_file(s->module, n, &ret);
	qsort(ret.at, ret.n, sizeof(*ret.at), compare);
	return ret;
}

static bool is_equal(void *arg, const char *name)
{
	return strcmp(name, arg) == 0;
}

size_t symbols_of_function(struct symbols *s, const char *name,
			   struct symbols_range *ret, size_t max)
{
	return symbols_of_functions(s, is_equal, (void *)name, ret, max);
}

size_t symbols_of_functions(struct symbols *s, symbols_name_fn *is, void *arg,
			    struct symbols_range *ret, size_t max)
{
	struct places places = places_of(s);
	struct found f = { .ranges = ret, .max = max };

	for (size_t i = 0; i + 1 < places.n; i++) {
		struct symbol at = { 0 };

		if (places.at[i] == places.at[i + 1])
			continue;
		symbols_find_function(s, places.at[i], &at);
		if (at.function && is(arg, at.function))
			add(&f, places.at[i], places.at[i + 1]);
	}
	free(places.at);
	return f.n;
}

static size_t named_of_map(const struct symbol_map *map, symbols_name_fn *is,
			   void *arg, struct symbols_named *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < symbol_map_count(map); i++) {
		struct map_symbol one;

		symbol_map_get(map, i, &one);
		if (!is(arg, one.name))
			continue;
		if (n < max)
			ret[n] =
				(struct symbols_named){ one.name, one.address };
		n++;
	}
	return n;
}

size_t symbols_named(struct symbols *s, symbols_name_fn *is, void *arg,
		     struct symbols_named *ret, size_t max)
{
	int all = s->map ? 0 : dwfl_module_getsymtab(s->module);
	size_t n = 0;

	if (s->map)
		return named_of_map(s->map, is, arg, ret, max);
	for (int i = 1; i < all; i++) {
		struct symbols_named one;
		uint64_t size;

		if (!symbols_entry(s, i, &one.name, &one.address, &size) ||
		    !is(arg, one.name))
			continue;
		if (n < max)
			ret[n] = one;
		n++;
	}
	return n;
}

static bool is_file(const char *path, const char *file)
{
	size_t p = path ? strlen(path) : 0, n = strlen(file);

	return n && p >= n && strcmp(path + p - n, file) == 0 &&
	       (p == n || path[p - n - 1] == '/');
}

static Dwarf_Addr address_of(Dwarf_Die *unit, size_t i)
{
	Dwarf_Addr address = 0;

	dwfl_lineinfo(dwfl_onesrcline(unit, i), &address, NULL, NULL, NULL,
		      NULL);
	return address;
}

/* The rows of one unit are by address. */
static void lines_of_unit(struct symbols *s, Dwarf_Die *unit, const char *file,
			  int line, struct found *f)
{
	size_t n = 0, next;

	if (dwfl_getsrclines(unit, &n))
		return;
	for (size_t i = 0; i < n; i = next) {
		Dwarf_Addr first = address_of(unit, i);
		struct symbol at;

		for (next = i + 1; next < n && address_of(unit, next) == first;)
			next++;
		symbols_find(s, first, &at);
		if (next < n && at.line == line && is_file(at.path, file))
			add(f, first, address_of(unit, next));
	}
}

size_t symbols_of_line(struct symbols *s, const char *file, int line,
		       struct symbols_range *ret, size_t max)
{
	struct found f = { .ranges = ret, .max = max };
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	while (!s->map && (unit = dwfl_module_nextcu(symbols_complete(s), unit,
						     &bias)) != NULL)
		lines_of_unit(s, unit, file, line, &f);
	return f.n;
}
