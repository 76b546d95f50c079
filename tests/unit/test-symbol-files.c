/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is a file of symbols, what of it is executed, and what it needs of the
 * host. Arguments: symbol-places.elf.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "places-file.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "unit.h"

TEST_TIMES(what_is_executed_are_segments, N_KINDS)
{
	struct symbols_segment in[2], none;
	struct symbols *s;
	bool turned = places_file_kinds[_i].make == places_file_not_by_address;
	uint64_t start;

	places_file_kinds[_i].make();
	start = places_file_kinds[_i].make == places_file_not_by_pages
			? FIRST + 4
			: FIRST;
	s = places_file_kinds[_i].open();
	start += places_file_bias;
	ck_assert(symbols_segment(s, turned, &in[0]));
	ck_assert(symbols_segment(s, !turned, &in[1]));
	ck_assert(!symbols_segment(s, 2, &none));
	/* the headers may be in it, too */
	ck_assert_uint_le(in[0].start, start);
	ck_assert_uint_eq(in[0].start + in[0].len, 0x1003c + places_file_bias);
	ck_assert_uint_eq(in[1].start, OTHER + places_file_bias);
	ck_assert(symbols_can_move(s) ==
		  (places_file_header()->e_type == ET_DYN));
	ck_assert_uint_eq(in[1].len, 12);
	for (unsigned i = 0; i < 2; i++)
		ck_assert_uint_eq(in[i].start % 4096, in[i].offset % 4096);
	symbols_close(s);
}

static void no_segments(void)
{
	places_file_header()->e_phnum = 0;
}

static void none_loaded(void)
{
	for (unsigned i = 0; i < places_file_header()->e_phnum; i++)
		places_file_segment(i)->p_type = PT_NOTE;
}

static void all_beyond_the_end(void)
{
	for (unsigned i = 0; i < places_file_header()->e_phnum; i++)
		places_file_segment(i)->p_memsz = UINT64_MAX;
}

static void only_magic(void)
{
	elf.size = 4;
}

static void cut(void)
{
	elf.size = 8;
}

static void no_magic(void)
{
	elf.size = 3;
}

/* Behind what is there: of so many only the last is executed. */
static void many_segments(unsigned n)
{
	Elf64_Phdr last = { 0 };

	for (unsigned i = 0; i < places_file_header()->e_phnum; i++)
		if (places_file_segment(i)->p_vaddr == OTHER)
			last = *places_file_segment(i);
	places_file_header()->e_phoff = elf.size = (elf.size + 7) / 8 * 8;
	places_file_header()->e_phnum = (uint16_t)n;
	memset(elf.bytes + elf.size, 0, n * sizeof(last));
	*places_file_segment(n - 1) = last;
	elf.size += n * sizeof(last);
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
	ck_assert(!symbols_open_memory(elf.bytes, elf.size, &why));
	ck_assert_msg(strstr(why, bad_rows[_i].says), "%s: %s",
		      bad_rows[_i].why, why);
}

/* Of 4096 the last is one of them, of 4097 it is none. */
TEST(segments_have_a_limit)
{
	struct symbols_segment in;
	struct symbols *s;

	many_segments(4096);
	s = places_file_from_memory();
	ck_assert(symbols_segment(s, 0, &in));
	ck_assert_uint_eq(in.start, OTHER);
	symbols_close(s);
	many_segments(4097);
	*places_file_segment(0) = *places_file_segment(4096);
	s = places_file_from_memory();
	ck_assert(symbols_segment(s, 0, &in));
	ck_assert(!symbols_segment(s, 1, &in));
	symbols_close(s);
}

/* What is read are bytes: no file is looked for, and none is closed. */
TEST_TIMES(bytes_need_no_descriptor, 2)
{
	int fds[2], next;
	struct symbols *s;

	if (_i) /* then debug information would be in another file */
		places_file_strip();
	PREPARING(ck_assert_int_eq(pipe(fds), 0));
	dup2(fds[0], STDIN_FILENO);
	s = places_file_from_memory();
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

	ck_assert(!symbols_open(&(struct symbols_file){ .path = "/nowhere" },
				&why));
	ck_assert_ptr_nonnull(strstr(why, "No such file"));
}

TEST(a_stripped_file_names_nothing)
{
	struct symbol found;
	struct symbols *s;
	uint64_t at;

	places_file_strip();
	s = places_file_from_memory();
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

SUITE("symbol-files", .setup = places_file_setup,
      .teardown = places_file_teardown, .begin = places_file_arguments);
