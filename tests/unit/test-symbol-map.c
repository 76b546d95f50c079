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
			   "ffffffff80000000 T _text\n"
			   "ffffffff80000000 T _start\n"
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
			   "ffffffff80000400 T __text_start\n"
			   "ffffffff80000400 t twice\n"
			   "ffffffff80000500 B _end\n"
			   "ffffffff01234560 t a_function\t[a_module]\n";

static int requests_left = -1; /* until there is no memory; -1: no end */

void *__wrap_malloc(size_t size);
void *__real_malloc(size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__real_realloc(void *p, size_t size);

static bool is_granted(void)
{
	if (requests_left > 0)
		return requests_left--;
	return requests_left;
}

void *__wrap_malloc(size_t size)
{
	return is_granted() ? __real_malloc(size) : NULL;
}

void *__wrap_realloc(void *p, size_t size)
{
	return is_granted() ? __real_realloc(p, size) : NULL;
}

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
	{ "not the bound of the code", 0xffffffff80000000, "_start", 0 },
	{ "up to the next", 0xffffffff8000003e, "_start", 0x3e },
	{ "what is not local before what is", 0xffffffff80000042, "weak_helper",
	  2 },
	{ "labels and mapping symbols name nothing", 0xffffffff80000048,
	  "weak_helper", 8 },
	{ "a global one before a local one", 0xffffffff80000104, "global", 4 },
	{ "code before data", 0xffffffff80000200, "_etext", 0 },
	{ "data is no code", 0xffffffff80000300, NULL, 0 },
	{ "and ends the code before it", 0xffffffff800003fe, NULL, 0 },
	{ "code behind data, not a bound", 0xffffffff80000402, "twice", 2 },
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

/* A guest's list may be of one address alone; each is as soon found there. */
TEST(many_names_of_one_address_cost_a_search_nothing)
{
	enum {
		NAMES = 1 << 18,
		SEARCHES = 1 << 18
	};
	struct symbol_map *m = symbol_map_new();
	struct map_symbol s;

	for (int i = 0; i < NAMES; i++)
		if (!symbol_map_add(m, 0x1000, i < NAMES / 2 ? 't' : 'T',
				    i == NAMES / 2 ? "first" : "later", 5))
			ck_abort_msg("name %d", i);
	symbol_map_finish(m);
	for (int i = 0; i < SEARCHES; i++)
		if (!symbol_map_find(m, 0x1000 + (uint64_t)i, &s))
			ck_abort_msg("search %d", i);
	ck_assert_str_eq(s.name, "first");
	ck_assert_uint_eq(symbol_map_count(m), NAMES);
	symbol_map_free(m);
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

	ck_assert_uint_eq(symbol_map_count(m), 15);
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

TEST(below_the_first_function_is_nothing)
{
	struct symbol_map *m = parse("80000010 T a\n80000020 T b\n"), *none;
	struct map_symbol s;

	ck_assert(!symbol_map_find(m, 0, &s));
	ck_assert(!symbol_map_find(m, 0x8000000f, &s));
	ck_assert(symbol_map_find(m, 0x80000010, &s));
	ck_assert_str_eq(s.name, "a");
	ck_assert(symbol_map_find(m, 0x8000001f, &s));
	ck_assert_str_eq(s.name, "a");
	symbol_map_free(m);
	none = symbol_map_new();
	symbol_map_finish(none);
	ck_assert(!symbol_map_find(none, UINT64_MAX, &s));
	symbol_map_free(none);
}

/* It is in the list as soon as there is some again. */
TEST(a_symbol_without_memory_is_refused)
{
	struct symbol_map *m = symbol_map_new();
	struct map_symbol s;
	bool added[2];

	for (int n = 0; n < 2; n++) {
		requests_left = n;
		added[n] = symbol_map_add(m, 0x1000, 'T', "first", 5);
	}
	requests_left = -1;
	ck_assert(!added[0] && !added[1]);
	ck_assert_uint_eq(symbol_map_count(m), 0);
	ck_assert(symbol_map_add(m, 0x1000, 'T', "first", 5));
	ck_assert(symbol_map_find(m, 0x1000, &s));
	ck_assert_str_eq(s.name, "first");
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
		ck_assert_uint_le(symbol_map_count(m), 15);
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

/* Two of one address: who is told, whichever of them was first. */
static const char *const rank_rows[] = { "TW", "Tw", "Tt", "TD", "Wt",
					 "wt", "WD", "wR", "tD", "tA" };

TEST_TIMES(what_a_reader_looks_for_is_told, 2 * ARRAY_SIZE(rank_rows))
{
	const char *types = rank_rows[_i / 2];
	struct symbol_map *m = symbol_map_new();
	struct map_symbol got;

	for (int i = 0; i < 2; i++) {
		char type = types[(i + _i) % 2];

		ck_assert(symbol_map_add(m, 0x80000000, type, &type, 1));
	}
	symbol_map_finish(m);
	ck_assert(symbol_map_find(m, 0x80000000, &got));
	ck_assert_int_eq(got.type, types[0]);
	ck_assert_int_eq(got.name[0], types[0]);
	symbol_map_get(m, 1, &got);
	ck_assert_int_eq(got.type, types[1]);
	symbol_map_free(m);
}

/* Ups and downs; of what is alike the first is told. */
TEST(a_list_may_come_in_any_order)
{
	enum {
		N = 100
	};
	struct symbol_map *m = symbol_map_new();
	struct map_symbol got;

	for (unsigned i = 0; i < N; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		ck_assert(symbol_map_add(m, 0x1000 + 8 * (i * 37 % (N / 2)),
					 'T', name, strlen(name)));
	}
	symbol_map_finish(m);
	ck_assert_uint_eq(symbol_map_count(m), N);
	for (unsigned i = 0; i < N / 2; i++) {
		char name[8];

		snprintf(name, sizeof(name), "n%u", i);
		ck_assert(symbol_map_find(m, 0x1003 + 8 * (i * 37 % (N / 2)),
					  &got));
		ck_assert_uint_eq(got.address, 0x1000 + 8 * (i * 37 % (N / 2)));
		ck_assert_str_eq(got.name, name);
	}
	for (unsigned i = 0; i < N; i++) {
		symbol_map_get(m, i, &got);
		ck_assert_uint_eq(got.address, 0x1000 + 8 * (i / 2));
	}
	symbol_map_free(m);
}

/* Of the first letters alone; what is behind is nobody's business. */
static const struct label_row {
	const char *name;
	size_t len;
	bool kept;
} label_rows[] = {
	{ "$x", 2, false },   { "$", 1, false },  { "x$", 2, true },
	{ ".L1", 3, false },  { ".L", 2, false }, { ".L", 1, true },
	{ ".text", 5, true }, { "L1", 2, true },  { "aL", 2, true },
	{ "..L", 3, true },
};

TEST_ROWS(labels_are_left_out, label_rows)
{
	const struct label_row *row = &label_rows[_i];
	struct symbol_map *m = symbol_map_new();

	ck_assert(symbol_map_add(m, 1, 'T', row->name, row->len));
	ck_assert_msg(symbol_map_count(m) == row->kept, "%s", row->name);
	symbol_map_free(m);
}

/* Of a line, whose @at-th character is each of these, those that are good. */
static const struct char_row {
	const char *why, *line, *good;
	size_t at;
} char_rows[] = {
	{ "a digit of the address", "0000000080000000 T a", "0123456789abcdef",
	  9 },
	{ "behind the address", "0000000080000000 T a", " ", 16 },
	{ "the type", "0000000080000000 T a",
	  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ?", 17 },
	{ "behind the type", "0000000080000000 T a", " ", 18 },
	{ "before a module", "0000000080000000 T a\t[m]", "\t", 20 },
	{ "where a module begins", "0000000080000000 T a\t[m]", "[", 21 },
	{ "where a module ends", "0000000080000000 T a\t[m]", "]", 23 },
};

TEST_ROWS(a_line_is_read_letter_by_letter, char_rows)
{
	const struct char_row *row = &char_rows[_i];

	for (int c = 1; c < 256; c++) {
		char line[40];
		const char *why;
		struct symbol_map *m;
		bool good = strchr(row->good, c) != NULL;

		if (c == '\n')
			continue;
		strcpy(line, row->line);
		line[row->at] = (char)c;
		/* a longer name has no module */
		if (row->at == 20 && c > ' ' && c < 0x7f)
			good = true;
		m = symbol_map_parse(line, strlen(line), &why);
		ck_assert_msg(!m == !good, "%s: %#x", row->why, (unsigned)c);
		symbol_map_free(m);
	}
}

/* All that is printed, and no blank, may be in a name. */
TEST(a_name_is_of_what_is_printed)
{
	char line[] = "80000000 T a";

	for (int c = 1; c < 256; c++) {
		bool good = c > ' ' && c < 0x7f && c != '$';
		struct symbol_map *m;
		const char *why;

		if (c == '\n')
			continue;
		line[11] = (char)c;
		m = symbol_map_parse(line, strlen(line), &why);
		ck_assert_msg(!m == !good, "%#x", (unsigned)c);
		symbol_map_free(m);
	}
}

static const struct {
	const char *line;
	uint64_t address; /* 0: it is none */
} address_rows[] = {
	{ "1234567 T a", 0 },
	{ "12345678 T a", 0x12345678 },
	{ "123456789 T a", 0 },
	{ "123456789abcdef T a", 0 },
	{ "123456789abcdef0 T a", 0x123456789abcdef0 },
	{ "123456789abcdef01 T a", 0 },
	{ "9a0bfced T a", 0x9a0bfced },
	{ "80000000 T a\t[]", 0x80000000 },
	{ "80000000 T a\t[", 0 },
	{ "80000000 T a\t]", 0 },
	{ "80000000 T", 0 },
	{ "80000000", 0 },
};

TEST_ROWS(an_address_has_8_or_16_digits, address_rows)
{
	const char *line = address_rows[_i].line, *why;
	struct symbol_map *m = symbol_map_parse(line, strlen(line), &why);
	struct map_symbol got;

	ck_assert_msg(!m == !address_rows[_i].address, "%s", line);
	if (m) {
		symbol_map_get(m, 0, &got);
		ck_assert_uint_eq(got.address, address_rows[_i].address);
		ck_assert_str_eq(got.name, "a");
	}
	symbol_map_free(m);
}

TEST(a_name_that_is_too_long_is_told)
{
	char line[600];
	const char *why;

	memset(line, 'a', sizeof(line));
	memcpy(line, "80000000 T ", 11);
	ck_assert(!symbol_map_parse(line, 11 + SYMBOL_MAP_MAX_NAME + 1, &why));
	ck_assert_str_eq(why, "a System.map of more names than there may be "
			      "or is memory for");
}

/* To the byte. */
TEST(all_names_have_a_limit)
{
	char name[SYMBOL_MAP_MAX_NAME];
	struct symbol_map *m = symbol_map_new();
	size_t each = sizeof(name) + 1, n = SYMBOL_MAP_MAX_BYTES / each;

	memset(name, 'a', sizeof(name));
	while (--n)
		ck_assert(symbol_map_add(m, 1, 'T', name, sizeof(name)));
	ck_assert(symbol_map_add(m, 1, 'T', name, each - 2 - 1));
	ck_assert(!symbol_map_add(m, 1, 'T', name, 2));
	ck_assert(symbol_map_add(m, 1, 'T', name, 1));
	ck_assert(!symbol_map_add(m, 1, 'T', name, 1));
	ck_assert_uint_ge(symbol_map_bytes(m), SYMBOL_MAP_MAX_BYTES);
	ck_assert_uint_lt(symbol_map_bytes(m), 2 * SYMBOL_MAP_MAX_BYTES);
	symbol_map_free(m);
}

SUITE("symbol-map", .timeout = 60);
