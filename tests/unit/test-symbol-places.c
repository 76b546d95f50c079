/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an ELF file says of every address of symbol-places.S, and of its names
 * and lines where they are; the same if it may be moved, and if it begins where
 * no page does. Arguments: that file.
 */
#include <string.h>

#include "places-file.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "unit.h"

enum {
	MOST = 8
};

/* Of the four bytes from there on. */
static const struct place_row {
	const char *why;
	uint64_t at;
	const char *function;
	uint64_t offset;
	const char *path;
	int line;
	bool alone;  /* the function, of the first byte */
	bool number; /* there is one, which does not move */
} place_rows[] = {
	{ "below all", FIRST - 4, NULL, 0, NULL, 0 },
	{ "a function", 0x10000, "start", 0, "/src/first.c", 10 },
	{ "up to its end", 0x10004, "start", 4, "/src/first.c", 11 },
	{ "behind that, a function's number", 0x10008, "fixed", 0,
	  "/src/first.c", 12, true, true },
	{ "a label", 0x1000c, "label", 0, "/src/first.c", 20 },
	{ "behind it", 0x10010, "label", 4, "/src/first.c", 21 },
	{ "up to the next", 0x10014, "label", 8, "/src/first.c", 20 },
	{ "a function behind a label", 0x10018, "outer", 0, "/src/first.c",
	  30 },
	{ "no statement of its own", 0x1001c, "outer", 4, "/src/first.c", 30 },
	{ "a label in a function", 0x10020, "outer", 8, "/src/sub/second.c",
	  31 },
	{ "a function without a size in one with", 0x10024, "outer", 12,
	  "third.c", 31 },
	{ "behind that", 0x10028, "outer", 16, "/src/first.c", 31 },
	{ "an object is no function", 0x1002c, "entry", 8, "/src/first.c", 31 },
	{ "the later of two lines", 0x10030, "twice", 0, "/src/first.c", 41 },
	{ "a mapping symbol behind an end", 0x10034, "twice", 4, "/src/first.c",
	  42 },
	{ "a number", 0x10038, NULL, 0, "/src/first.c", 43, .number = true },
	{ "behind all of a section", 0x1003c, NULL, 0, NULL, 0,
	  .number = true },
	{ "a function with a label", OTHER, "bare", 0, "/src/first.c", 70 },
	{ "another section", OTHER + 4, "other", 0, "/src/first.c", 20 },
	{ "a local function", OTHER + 8, "last", 0, "/src/first.c", 60 },
	{ "behind all", OTHER + 12, NULL, 0, NULL, 0 },
};

static const char *text(const char *name)
{
	return name ? name : "nothing";
}

static void check_place(struct symbols *s, const struct place_row *row,
			unsigned ahead)
{
	const char *function = ahead && row->alone ? NULL : row->function;
	struct symbol found;
	const char *slash;

	symbols_find(s, row->at + ahead + places_file_bias, &found);
	ck_assert_msg(!strcmp(text(found.function), text(function)), "%s: %s",
		      row->why, text(found.function));
	ck_assert_msg(found.offset == (function ? row->offset + ahead : 0),
		      "%s: offset %ju", row->why, (uintmax_t)found.offset);
	ck_assert_msg(found.line == row->line, "%s: line %d", row->why,
		      found.line);
	ck_assert_msg(!found.path == !row->path, "%s: %s", row->why,
		      text(found.path));
	if (!row->path)
		return;
	/* a relative one is behind the compiler's directory */
	slash = strrchr(found.path, '/');
	ck_assert_msg(row->path[0] == '/' ? !strcmp(found.path, row->path)
					  : !strcmp(slash + 1, row->path),
		      "%s: %s", row->why, found.path);
	ck_assert_ptr_eq(found.file, slash + 1);
}

TEST_TIMES(every_address_has_its_function_and_line, N_KINDS)
{
	struct symbols *s;

	places_file_kinds[_i].make();
	s = places_file_kinds[_i].open();
	for (unsigned i = 0; i < ARRAY_SIZE(place_rows); i++) {
		if (place_rows[i].number && places_file_bias)
			continue;
		check_place(s, &place_rows[i], 0);
		check_place(s, &place_rows[i], 2);
	}
	ck_assert(symbols_have_functions(s) && symbols_have_lines(s));
	ck_assert(!symbols_are_listed(s));
	symbols_close(s);
}

/* As a function of a shared library stands in the table of who calls it. */
static void take_away(const char *name)
{
	const Elf64_Ehdr *head = places_file_header();
	const Elf64_Shdr *at = (void *)(elf.bytes + head->e_shoff);
	const Elf64_Shdr *table = at;
	const char *names;

	while (table->sh_type != SHT_SYMTAB)
		table++;
	names = (void *)(elf.bytes + at[table->sh_link].sh_offset);
	for (Elf64_Sym *s = (void *)(elf.bytes + table->sh_offset);; s++) {
		if (strcmp(names + s->st_name, name) != 0)
			continue;
		*s = (Elf64_Sym){
			.st_name = s->st_name,
			.st_info = ELF64_ST_INFO(STB_WEAK, STT_FUNC),
			.st_shndx = SHN_UNDEF,
		};
		return;
	}
}

TEST(what_the_file_has_not_is_nowhere)
{
	struct symbol found;
	struct symbols *s;

	take_away("other");
	s = places_file_from_memory();
	for (uint64_t at = 0; at < 16; at += 4) {
		symbols_find(s, at, &found);
		ck_assert_ptr_null(found.function);
	}
	symbols_find(s, OTHER + 4, &found);
	ck_assert_str_eq(found.function, "bare");
	symbols_close(s);
}

static const struct name_row {
	const char *name;
	uint64_t address, size;
	bool none, number;
} name_rows[] = {
	{ "start", FIRST, 8 },
	{ "label", 0x1000c, 0 },
	{ "outer", 0x10018, 20 },
	{ "object", 0x1002c, 4 },
	{ "number", 0x10038, 0, .number = true },
	{ "other", OTHER + 4, 4 },
	{ "fixed", 0x10008, 0, .number = true },
	{ "datum", 0x30000, 0 },
	{ "first.s", .none = true },
	{ ".another", .none = true },
	{ "absent", .none = true },
	{ "", .none = true },
};

static bool is_equal(void *arg, const char *name)
{
	return strcmp(name, arg) == 0;
}

TEST_TIMES(every_name_has_its_extent, N_KINDS *ARRAY_SIZE(name_rows))
{
	const struct name_row *row = &name_rows[_i % ARRAY_SIZE(name_rows)];
	uint64_t at = 1, bytes_of = 1, want;
	struct symbols_named named;
	struct symbols *s;
	size_t n;

	places_file_kinds[_i / ARRAY_SIZE(name_rows)].make();
	want = row->address + (row->number ? 0 : places_file_bias);
	s = places_file_kinds[_i / ARRAY_SIZE(name_rows)].open();
	ck_assert_msg(symbols_extent(s, row->name, &at, &bytes_of) ==
			      !row->none,
		      "%s", row->name);
	ck_assert_msg(at == (row->none ? 1 : want) &&
			      bytes_of == (row->none ? 1 : row->size),
		      "%s: %#jx, %ju bytes", row->name, (uintmax_t)at,
		      (uintmax_t)bytes_of);
	n = symbols_named(s, is_equal, (void *)row->name, &named, 1);
	ck_assert_msg(!n == row->none, "%s: %zu", row->name, n);
	ck_assert(!n || named.address == want);
	ck_assert(!n || !strcmp(named.name, row->name));
	ck_assert_uint_eq(
		symbols_named(s, is_equal, (void *)row->name, NULL, 0), n);
	symbols_close(s);
}

/* What is found somewhere is all that has the name. */
TEST(a_function_is_where_its_addresses_are)
{
	struct symbols *s = places_file_from_memory();

	for (unsigned i = 0; i < ARRAY_SIZE(place_rows); i++) {
		const char *name = place_rows[i].function;
		struct symbols_range in[MOST];
		size_t n = name ? symbols_of_function(s, name, in, MOST) : 0;

		ck_assert_uint_lt(n, MOST);
		for (uint64_t at = FIRST - 4; name && at < OTHER + 16; at++) {
			struct symbol found;
			bool inside = false;

			if (at == FIRST + 0x40)
				at = OTHER - 4;
			for (size_t k = 0; k < n; k++)
				inside |= at >= in[k].first && at <= in[k].last;
			symbols_find(s, at, &found);
			ck_assert_msg(!strcmp(text(found.function), name) ==
					      inside,
				      "%s at %#jx", name, (uintmax_t)at);
		}
	}
	symbols_close(s);
}

/* Line 20 is there before and behind another one, and elsewhere. */
static const struct line_row {
	const char *why, *file;
	int line;
	size_t n;
	struct symbols_range at[3];
} line_rows[] = {
	{ "one instruction", "first.c", 10, 1, { { 0x10000, 0x10003 } } },
	{ "before, behind and elsewhere",
	  "first.c",
	  20,
	  3,
	  { { 0x1000c, 0x1000f },
	    { 0x10014, 0x10017 },
	    { 0x20004, 0x20007 } } },
	{ "two rows of the table", "first.c", 30, 1, { { 0x10018, 0x1001f } } },
	{ "a line of another file, too",
	  "first.c",
	  31,
	  1,
	  { { 0x10028, 0x1002f } } },
	{ "a part of the path",
	  "sub/second.c",
	  31,
	  1,
	  { { 0x10020, 0x10023 } } },
	{ "all of it", "/src/sub/second.c", 31, 1, { { 0x10020, 0x10023 } } },
	{ "a relative one", "third.c", 31, 1, { { 0x10024, 0x10027 } } },
	{ "a line without code", "first.c", 40, 0, { { 0 } } },
	{ "the last of a section", "first.c", 43, 1, { { 0x10038, 0x1003b } } },
	{ "the last of all", "first.c", 60, 1, { { 0x20008, 0x2000b } } },
	{ "a part of a name", "econd.c", 31, 0, { { 0 } } },
	{ "more than the path", "/a/src/sub/second.c", 31, 0, { { 0 } } },
	{ "no file", "", 31, 0, { { 0 } } },
	{ "another", "other.c", 31, 0, { { 0 } } },
	{ "line 0 is none", "first.c", 0, 0, { { 0 } } },
};

TEST_TIMES(a_line_is_where_its_code_is, 2 * ARRAY_SIZE(line_rows))
{
	const struct line_row *row = &line_rows[_i / 2];
	struct symbols_range in[MOST];
	struct symbols *s;
	size_t n;

	places_file_move(_i % 2);
	s = places_file_from_memory();
	n = symbols_of_line(s, row->file, row->line, in, MOST);
	ck_assert_msg(n == row->n, "%s: %zu", row->why, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(in[i].first - places_file_bias ==
					      row->at[i].first &&
				      in[i].last - places_file_bias ==
					      row->at[i].last,
			      "%s: %#jx to %#jx", row->why,
			      (uintmax_t)in[i].first, (uintmax_t)in[i].last);
	symbols_close(s);
}

/* As many as there are, of which no more are written than asked for. */
TEST_TIMES(ranges_have_room_for_so_many, 5)
{
	static const struct symbols_range all[] = { { 0x1000c, 0x1000f },
						    { 0x10014, 0x10017 },
						    { 0x20004, 0x20007 } };
	struct symbols_range in[4] = { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } };
	struct symbols *s = places_file_from_memory();

	ck_assert_uint_eq(symbols_of_line(s, "first.c", 20, in, (size_t)_i), 3);
	for (int i = 0; i < 4; i++) {
		bool there = i < _i && i < 3;

		ck_assert_uint_eq(in[i].first, there ? all[i].first : 1);
		ck_assert_uint_eq(in[i].last, there ? all[i].last : 1);
	}
	symbols_close(s);
}

static const char list[] = "0000000000000000 T zero\n"
			   "0000000000000004 T one\n"
			   "0000000000000004 t another\n"
			   "0000000000000010 t twice\n"
			   "0000000000000018 t between\n"
			   "0000000000000020 t twice\n"
			   "0000000000000028 t twice\n"
			   "0000000000000030 d data\n"
			   "0000000000000038 T at_the_end\n";

static const struct listed_row {
	const char *why, *name;
	size_t n;
	struct symbols_range at[2];
} listed_rows[] = {
	{ "from address 0 on", "zero", 1, { { 0, 3 } } },
	{ "to the next", "one", 1, { { 4, 0xf } } },
	{ "what another hides", "another", 0, { { 0 } } },
	{ "two, one of two parts",
	  "twice",
	  2,
	  { { 0x10, 0x17 }, { 0x20, 0x2f } } },
	{ "data", "data", 0, { { 0 } } },
	{ "nobody says where the last ends", "at_the_end", 0, { { 0 } } },
	{ "no such name", "absent", 0, { { 0 } } },
};

TEST_ROWS(a_listed_function_reaches_to_the_next, listed_rows)
{
	const struct listed_row *row = &listed_rows[_i];
	const char *why;
	struct symbols *s = symbols_open_memory(list, sizeof(list) - 1, &why);
	struct symbols_range in[MOST];
	struct symbols_segment none;
	size_t n;

	PREPARING(ck_assert_msg(s, "%s", why));
	n = symbols_of_function(s, row->name, in, MOST);
	ck_assert_msg(n == row->n, "%s: %zu", row->why, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(in[i].first == row->at[i].first &&
				      in[i].last == row->at[i].last,
			      "%s: %#jx to %#jx", row->why,
			      (uintmax_t)in[i].first, (uintmax_t)in[i].last);
	/* without so much room there are as many */
	ck_assert_uint_eq(symbols_of_function(s, row->name, in, 1), n);
	ck_assert_uint_eq(symbols_of_function(s, row->name, NULL, 0), n);
	/* a list has neither lines nor segments */
	ck_assert_uint_eq(symbols_of_line(s, "first.c", 20, in, MOST), 0);
	ck_assert(!symbols_segment(s, 0, &none));
	ck_assert(symbols_are_listed(s));
	symbols_close(s);
}

SUITE("symbol-places", .setup = places_file_setup,
      .teardown = places_file_teardown, .begin = places_file_arguments);
