/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lists of symbols: which text is one, what is told of an address, and of
 * several symbols at one.
 */
#include <string.h>

#include "symbol-map.h"
#include "symbols.h"
#include "unit.h"

static const char list[] = "0000000000000012 a low_number\n"
			   "ffffffff80000000 T _start\n"
			   "ffffffff80000000 T _text\n"
			   "ffffffff80000040 t helper\n"
			   "ffffffff80000040 W weak_helper\n"
			   "ffffffff80000044 t .L12\n"
			   "ffffffff80000044 t $x\n"
			   "ffffffff80000100 t twice\n"
			   "ffffffff80000100 T global\n"
			   "ffffffff80000200 T _etext\n"
			   "ffffffff80000200 D __data\n"
			   "ffffffff80000300 d data\n"
			   "ffffffff80000200 R rodata\n"
			   "ffffffff80000400 t twice\n"
			   "ffffffff80000500 B _end\n"
			   "ffffffff01234560 t a_function\t[a_module]\n";

static struct symbol_map *parse(const char *text)
{
	const char *why;
	struct symbol_map *m = symbol_map_parse(text, strlen(text), &why);

	PREPARING(ck_assert_msg(m, "%s", why));
	return m;
}

static const struct find_row {
	const char *why;
	uint64_t pc;
	const char *name; /* NULL: nothing is known */
	uint64_t offset;
} find_rows[] = {
	{ "below all of them", 0x11, NULL, 0 },
	{ "a number is no place", 0x12, NULL, 0 },
	{ "nor is what comes behind it", 0x10000, NULL, 0 },
	{ "the first of two that are alike", 0xffffffff80000000, "_start", 0 },
	{ "up to the next", 0xffffffff8000003e, "_start", 0x3e },
	{ "what is not local before what is", 0xffffffff80000042, "weak_helper",
	  2 },
	{ "labels and mapping symbols name nothing", 0xffffffff80000048,
	  "weak_helper", 8 },
	{ "a global one before a local one", 0xffffffff80000104, "global", 4 },
	{ "code before data", 0xffffffff80000200, "_etext", 0 },
	{ "data is no code", 0xffffffff80000300, NULL, 0 },
	{ "and ends the code before it", 0xffffffff800003fe, NULL, 0 },
	{ "code behind data", 0xffffffff80000402, "twice", 2 },
	{ "behind the end", 0xffffffff80000500, NULL, 0 },
	{ "at the end of all", UINT64_MAX, NULL, 0 },
	{ "in a module", 0xffffffff01234562, "a_function", 2 },
};

TEST_ROWS(an_address_is_in_the_code_before_it, find_rows)
{
	const struct find_row *row = &find_rows[_i];
	const char *why;
	struct symbols *s = symbols_open_memory(list, strlen(list), &why);
	struct symbol found;

	ck_assert_msg(s, "%s", why);
	ck_assert(symbols_have_functions(s) && !symbols_have_lines(s));
	symbols_find(s, row->pc, &found);
	ck_assert_msg(!found.function == !row->name, "%s: %s", row->why,
		      found.function ? found.function : "nothing");
	if (row->name) {
		ck_assert_str_eq(found.function, row->name);
		ck_assert_uint_eq(found.offset, row->offset);
	}
	ck_assert_ptr_null(found.file);
	symbols_close(s);
}

TEST(a_name_has_the_lowest_of_its_addresses)
{
	const char *why;
	struct symbols *s = symbols_open_memory(list, strlen(list), &why);
	uint64_t at = 1;

	ck_assert(symbols_address(s, "twice", &at));
	ck_assert_uint_eq(at, 0xffffffff80000100);
	ck_assert(symbols_address(s, "data", &at));
	ck_assert_uint_eq(at, 0xffffffff80000300);
	ck_assert(!symbols_address(s, "twic", &at));
	ck_assert(!symbols_address(s, ".L12", &at));
	symbols_close(s);
}

TEST(a_list_is_told_by_address)
{
	struct symbol_map *m = parse(list);
	struct map_symbol s, before = { 0 };

	ck_assert_uint_eq(symbol_map_count(m), 14);
	for (size_t i = 0; i < symbol_map_count(m); i++) {
		symbol_map_get(m, i, &s);
		ck_assert_uint_ge(s.address, before.address);
		before = s;
	}
	ck_assert_str_eq(before.name, "_end");
	ck_assert_int_eq(before.type, 'B');
	symbol_map_free(m);
}

static const struct bad_row {
	const char *why, *text, *says;
} bad_rows[] = {
	{ "nothing", "", "without addresses" },
	{ "an empty line", "\n", "ADDRESS TYPE NAME" },
	{ "no address", "x T y\n", "ADDRESS TYPE NAME" },
	{ "half an address", "ffffffff8000 T y\n", "ADDRESS TYPE NAME" },
	{ "capitals", "FFFFFFFF80000000 T y\n", "ADDRESS TYPE NAME" },
	{ "no type", "ffffffff80000000 main\n", "ADDRESS TYPE NAME" },
	{ "no name", "ffffffff80000000 T \n", "ADDRESS TYPE NAME" },
	{ "two names", "ffffffff80000000 T a b\n", "ADDRESS TYPE NAME" },
	{ "a module without its end", "ffffffff80000000 T a\t[b\n",
	  "ADDRESS TYPE NAME" },
	{ "what Debian has in /boot",
	  "ffffffffffffffff B The real System.map is in the "
	  "linux-image-<version>-dbg package\n",
	  "names the package" },
	{ "a good line and a bad one", "ffffffff80000000 T a\n?\n",
	  "ADDRESS TYPE NAME" },
	{ "/proc/kallsyms as a user sees it",
	  "0000000000000000 T a\n0000000000000000 t b\n",
	  "not allowed to see them" },
};

TEST_ROWS(what_is_no_list_is_refused, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	const char *why = NULL;

	ck_assert_msg(!symbols_open_memory(row->text, strlen(row->text), &why),
		      "%s", row->why);
	ck_assert_msg(strstr(why, row->says), "%s: %s", row->why, why);
}

TEST(the_last_line_needs_no_end)
{
	struct symbol_map *m = parse("80000000 T a\n80000010 T b");
	struct map_symbol s;

	ck_assert(symbol_map_find(m, 0x80000012, &s));
	ck_assert_str_eq(s.name, "b");
	symbol_map_free(m);
}

/* Cut anywhere, it is refused or shorter, and nothing is read behind it. */
TEST_TIMES(a_list_may_end_anywhere, sizeof(list))
{
	char *cut = malloc((size_t)_i + 1);
	const char *why;
	struct symbol_map *m;

	memcpy(cut, list, (size_t)_i);
	m = symbol_map_parse(cut, (size_t)_i, &why);
	ck_assert(m || why);
	if (m)
		ck_assert_uint_le(symbol_map_count(m), 14);
	symbol_map_free(m);
	free(cut);
}

TEST(names_and_symbols_have_limits)
{
	char name[SYMBOL_MAP_MAX_NAME + 1];
	struct symbol_map *m = symbol_map_new();
	unsigned n = 0;

	memset(name, 'a', sizeof(name));
	ck_assert(!symbol_map_add(m, 1, 'T', name, 0));
	ck_assert(!symbol_map_add(m, 1, 'T', name, SYMBOL_MAP_MAX_NAME + 1));
	while (symbol_map_add(m, 1, 'T', name, SYMBOL_MAP_MAX_NAME))
		n++;
	ck_assert_uint_eq(n, SYMBOL_MAP_MAX_BYTES / (SYMBOL_MAP_MAX_NAME + 1));
	symbol_map_free(m);
	m = symbol_map_new();
	for (n = 0; symbol_map_add(m, n, 'T', "a", 1); n++)
		;
	ck_assert_uint_eq(n, SYMBOL_MAP_MAX);
	symbol_map_free(m);
}

SUITE("symbol-map", .timeout = 60);
