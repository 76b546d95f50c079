/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an ELF file says of every address of symbol-places.S, and of its names
 * and lines where they are; the same if it may be moved, and if it begins where
 * no page does. Arguments: that file.
 */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol-map.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "unit.h"

enum {
	FIRST = 0x10000,
	OTHER = 0x20000,
	MOST = 8
};

static const char *path;
static uint8_t *bytes;
static size_t size;

static Elf64_Ehdr *header(void)
{
	return (Elf64_Ehdr *)bytes;
}

static Elf64_Phdr *segment(unsigned i)
{
	return (Elf64_Phdr *)(bytes + header()->e_phoff) + i;
}

static void setup(void)
{
	FILE *f = fopen(path, "rb");

	ck_assert_ptr_nonnull(f);
	bytes = malloc(1 << 20);
	size = fread(bytes, 1, 1 << 20, f);
	fclose(f);
}

static void teardown(void)
{
	free(bytes);
}

static struct symbols *from_memory(void)
{
	const char *why;
	struct symbols *s = symbols_open_memory(bytes, size, &why);

	PREPARING(ck_assert_msg(s, "%s", why));
	return s;
}

/* As a file of its own. */
static struct symbols *from_file(void)
{
	int fd = memfd_create("elf", 0);
	const char *why;
	struct symbols *s;
	char name[40];

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	PREPARING(ck_assert(write(fd, bytes, size) == (ssize_t)size));
	s = symbols_open(name, &why);
	close(fd);
	PREPARING(ck_assert_msg(s, "%s", why));
	return s;
}

static void as_it_is(void)
{
}

static void may_be_moved(void)
{
	header()->e_type = ET_DYN;
}

/* The first segment from its first code on, the others where they are. */
static void not_by_pages(void)
{
	Elf64_Phdr *p = segment(0);

	while (p->p_type != PT_LOAD)
		p++;
	p->p_offset += FIRST + 4 - p->p_vaddr;
	p->p_filesz -= FIRST + 4 - p->p_vaddr;
	p->p_memsz = p->p_filesz;
	p->p_vaddr = p->p_paddr = FIRST + 4;
}

static void without_alignment(void)
{
	for (unsigned i = 0; i < header()->e_phnum; i++)
		segment(i)->p_align = 0;
}

/* The highest comes first. */
static void not_by_address(void)
{
	unsigned n = header()->e_phnum;

	for (unsigned i = 0; i < n / 2; i++) {
		Elf64_Phdr one = *segment(i);

		*segment(i) = *segment(n - 1 - i);
		*segment(n - 1 - i) = one;
	}
}

static const struct kind_row {
	const char *why;
	void (*make)(void);
	struct symbols *(*open)(void);
} kind_rows[] = {
	{ "a file", as_it_is, from_file },
	{ "bytes", as_it_is, from_memory },
	{ "a file that may be moved", may_be_moved, from_file },
	{ "bytes that may be moved", may_be_moved, from_memory },
	{ "a file that begins within a page", not_by_pages, from_file },
	{ "bytes that begin within a page", not_by_pages, from_memory },
	{ "bytes that say no alignment", without_alignment, from_memory },
	{ "a file that is not by address", not_by_address, from_file },
	{ "bytes that are not by address", not_by_address, from_memory },
};

/* Of the four bytes from there on. */
static const struct place_row {
	const char *why;
	uint64_t at;
	const char *function;
	uint64_t offset;
	const char *path;
	int line;
} place_rows[] = {
	{ "below all", FIRST - 4, NULL, 0, NULL, 0 },
	{ "a function", 0x10000, "start", 0, "/src/first.c", 10 },
	{ "up to its end", 0x10004, "start", 4, "/src/first.c", 11 },
	{ "behind that", 0x10008, NULL, 0, "/src/first.c", 12 },
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
	{ "a number", 0x10038, NULL, 0, "/src/first.c", 43 },
	{ "behind all of a section", 0x1003c, NULL, 0, NULL, 0 },
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
	struct symbol found;
	const char *slash;

	symbols_find(s, row->at + ahead, &found);
	ck_assert_msg(!strcmp(text(found.function), text(row->function)),
		      "%s: %s", row->why, text(found.function));
	ck_assert_msg(found.offset == (row->function ? row->offset + ahead : 0),
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

TEST_ROWS(every_address_has_its_function_and_line, kind_rows)
{
	struct symbols *s;

	kind_rows[_i].make();
	s = kind_rows[_i].open();
	for (unsigned i = 0; i < ARRAY_SIZE(place_rows); i++) {
		check_place(s, &place_rows[i], 0);
		check_place(s, &place_rows[i], 2);
	}
	ck_assert(symbols_have_functions(s) && symbols_have_lines(s));
	ck_assert(!symbols_are_listed(s));
	symbols_close(s);
}

static const struct name_row {
	const char *name;
	uint64_t address, size;
	bool none;
} name_rows[] = {
	{ "start", FIRST, 8 },	      { "label", 0x1000c, 0 },
	{ "outer", 0x10018, 20 },     { "object", 0x1002c, 4 },
	{ "number", 0x10038, 0 },     { "other", OTHER + 4, 4 },
	{ "datum", 0x30000, 0 },      { "first.s", .none = true },
	{ ".another", .none = true }, { "absent", .none = true },
	{ "", .none = true },
};

TEST_TIMES(every_name_has_its_extent,
	   ARRAY_SIZE(kind_rows) * ARRAY_SIZE(name_rows))
{
	const struct name_row *row = &name_rows[_i % ARRAY_SIZE(name_rows)];
	uint64_t at = 1, bytes_of = 1;
	struct symbols *s;

	kind_rows[_i / ARRAY_SIZE(name_rows)].make();
	s = kind_rows[_i / ARRAY_SIZE(name_rows)].open();
	ck_assert_msg(symbols_extent(s, row->name, &at, &bytes_of) ==
			      !row->none,
		      "%s", row->name);
	ck_assert_msg(at == (row->none ? 1 : row->address) &&
			      bytes_of == (row->none ? 1 : row->size),
		      "%s: %#jx, %ju bytes", row->name, (uintmax_t)at,
		      (uintmax_t)bytes_of);
	symbols_close(s);
}

/* What is found somewhere is all that has the name. */
TEST(a_function_is_where_its_addresses_are)
{
	struct symbols *s = from_memory();

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

/* first.c:20 is there before and behind another line, and elsewhere. */
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

TEST_ROWS(a_line_is_where_its_code_is, line_rows)
{
	const struct line_row *row = &line_rows[_i];
	struct symbols *s = from_memory();
	struct symbols_range in[MOST];
	size_t n = symbols_of_line(s, row->file, row->line, in, MOST);

	ck_assert_msg(n == row->n, "%s: %zu", row->why, n);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(in[i].first == row->at[i].first &&
				      in[i].last == row->at[i].last,
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
	struct symbols *s = from_memory();

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

TEST_ROWS(what_is_executed_are_segments, kind_rows)
{
	struct symbols_segment in[2], none;
	struct symbols *s;
	bool turned = kind_rows[_i].make == not_by_address;
	uint64_t start;

	kind_rows[_i].make();
	start = kind_rows[_i].make == not_by_pages ? FIRST + 4 : FIRST;
	s = kind_rows[_i].open();
	ck_assert(symbols_segment(s, turned, &in[0]));
	ck_assert(symbols_segment(s, !turned, &in[1]));
	ck_assert(!symbols_segment(s, 2, &none));
	/* the headers may be in it, too */
	ck_assert_uint_le(in[0].start, start);
	ck_assert_uint_eq(in[0].start + in[0].len, 0x1003c);
	ck_assert_uint_eq(in[1].start, OTHER);
	ck_assert_uint_eq(in[1].len, 12);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_eq(in[i].start % 4096, in[i].offset % 4096);
	symbols_close(s);
}

static void no_segments(void)
{
	header()->e_phnum = 0;
}

static void none_loaded(void)
{
	for (unsigned i = 0; i < header()->e_phnum; i++)
		segment(i)->p_type = PT_NOTE;
}

static void all_beyond_the_end(void)
{
	for (unsigned i = 0; i < header()->e_phnum; i++)
		segment(i)->p_memsz = UINT64_MAX;
}

static void only_magic(void)
{
	size = 4;
}

static void cut(void)
{
	size = 8;
}

static void no_magic(void)
{
	size = 3;
}

/* Behind what is there: of so many only the last is executed. */
static void many_segments(unsigned n)
{
	Elf64_Phdr last = { 0 };

	for (unsigned i = 0; i < header()->e_phnum; i++)
		if (segment(i)->p_vaddr == OTHER)
			last = *segment(i);
	header()->e_phoff = size = (size + 7) / 8 * 8;
	header()->e_phnum = (uint16_t)n;
	memset(bytes + size, 0, n * sizeof(last));
	*segment(n - 1) = last;
	size += n * sizeof(last);
}

static void too_many_segments(void)
{
	many_segments(4097);
}

static const struct bad_row {
	const char *why;
	void (*make)(void);
	const char *says;
} bad_rows[] = {
	{ "no segments", no_segments, "no ELF file with segments" },
	{ "none that is loaded", none_loaded, "no ELF file with segments" },
	{ "none that fits", all_beyond_the_end, "no ELF file with segments" },
	{ "one that is behind 4096 others", too_many_segments,
	  "no ELF file with segments" },
	{ "only its beginning", cut, "no ELF file with segments" },
	{ "what says that it is one", only_magic, "no ELF file with segments" },
	{ "less than that", no_magic, "neither an ELF file with segments" },
};

TEST_ROWS(bytes_without_segments_are_refused, bad_rows)
{
	const char *why = NULL;

	bad_rows[_i].make();
	ck_assert(!symbols_open_memory(bytes, size, &why));
	ck_assert_msg(strstr(why, bad_rows[_i].says), "%s: %s",
		      bad_rows[_i].why, why);
}

/* Of 4096 the last is one of them, of 4097 it is none. */
TEST(segments_have_a_limit)
{
	struct symbols_segment in;
	struct symbols *s;

	many_segments(4096);
	s = from_memory();
	ck_assert(symbols_segment(s, 0, &in));
	ck_assert_uint_eq(in.start, OTHER);
	symbols_close(s);
	many_segments(4097);
	*segment(0) = *segment(4096);
	s = from_memory();
	ck_assert(symbols_segment(s, 0, &in));
	ck_assert(!symbols_segment(s, 1, &in));
	symbols_close(s);
}

/* What is read are bytes: no file is looked for, and none is closed. */
TEST_TIMES(bytes_need_no_descriptor, 2)
{
	int fds[2], next;
	struct symbols *s;

	if (_i) { /* then debug information would be in another file */
		header()->e_shnum = 0;
		header()->e_shoff = 0;
		header()->e_shstrndx = 0;
	}
	PREPARING(ck_assert_int_eq(pipe(fds), 0));
	dup2(fds[0], STDIN_FILENO);
	s = from_memory();
	ck_assert(symbols_have_lines(s) == !_i);
	next = dup(fds[0]);
	ck_assert_int_eq(next, fds[1] + 1);
	symbols_close(s);
	for (int fd = 0; fd <= next; fd++)
		ck_assert_msg(fcntl(fd, F_GETFD) >= 0, "%d is open", fd);
}

TEST(a_file_that_is_not_there_is_told)
{
	const char *why = NULL;

	ck_assert(!symbols_open("/nowhere", &why));
	ck_assert_ptr_nonnull(strstr(why, "No such file"));
}

TEST(a_stripped_file_names_nothing)
{
	struct symbol found;
	struct symbols *s;
	uint64_t at;

	header()->e_shnum = 0;
	header()->e_shoff = 0;
	header()->e_shstrndx = 0;
	s = from_memory();
	ck_assert(!symbols_have_functions(s) && !symbols_have_lines(s));
	symbols_find(s, FIRST, &found);
	ck_assert(!found.function && !found.path && !found.file);
	ck_assert(!symbols_address(s, "start", &at));
	ck_assert_uint_eq(symbols_of_function(s, "start", NULL, 0), 0);
	symbols_close(s);
}

TEST(no_symbols_name_nothing)
{
	struct symbol found = { .function = "x", .line = 3 };

	symbols_find(NULL, FIRST, &found);
	ck_assert(!found.function && !found.path && !found.line);
	symbols_close(NULL);
}

static void arguments(int argc, char **argv)
{
	path = argv[1];
}

SUITE("symbol-places", .setup = setup, .teardown = teardown,
      .begin = arguments);
