/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables on terminals of all widths and in files, which have none. */
#include <stdarg.h>
#include <string.h>

#include <libsmartcols/libsmartcols.h>

#include "cmd/args.h"
#include "text/exit-codes.h"
#include "text/table-fit.h"
#include "text/table.h"
#include "text/tty.h"
#include "captured.h"
#include "no-memory.h"
#include "unit.h"

/* What the linker sends here: each of them may be without memory. */
#define NEEDS_MEMORY(type, none, name, params, args)                           \
	type __real_##name params;                                             \
	type __wrap_##name params;                                             \
	type __wrap_##name params                                              \
	{                                                                      \
		return fails() ? none : __real_##name args;                    \
	}

NEEDS_MEMORY(struct libscols_table *, NULL, scols_new_table, (void), ())
NEEDS_MEMORY(struct libscols_line *, NULL, scols_table_new_line,
	     (struct libscols_table * t, struct libscols_line *parent),
	     (t, parent))
NEEDS_MEMORY(struct libscols_column *, NULL, scols_table_new_column,
	     (struct libscols_table * t, const char *name, double width,
	      int flags),
	     (t, name, width, flags))
NEEDS_MEMORY(int, -1, scols_line_refer_data,
	     (struct libscols_line * line, size_t n, char *data),
	     (line, n, data))
NEEDS_MEMORY(int, -1, scols_line_set_data,
	     (struct libscols_line * line, size_t n, const char *data),
	     (line, n, data))
NEEDS_MEMORY(int, -1, scols_cell_set_color,
	     (struct libscols_cell * cell, const char *color), (cell, color))
NEEDS_MEMORY(int, -1, scols_print_table, (struct libscols_table * t), (t))
NEEDS_MEMORY(FILE *, NULL, open_memstream, (char **ret, size_t *ret_len),
	     (ret, ret_len))
NEEDS_MEMORY(int, -1, vasprintf, (char **ret, const char *format, va_list ap),
	     (ret, format, ap))
NEEDS_MEMORY(char *, NULL, strndup, (const char *s, size_t n), (s, n))

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

#define LONG                                                                   \
	"a sentence that is longer than any terminal of eighty columns could " \
	"show in one line, if there were one"

static const struct column columns[] = {
	{ "NAME", COLUMN_TEXT },
	{ "VALUE", COLUMN_WIDE },
	{ "HELP", COLUMN_LAST },
};

/* What table_print() writes, to be freed. */
static char *print(bool json, bool mark)
{
	struct table *t = table_new("things", columns, 3, json);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	table_row(t);
	table_cell(t, "one");
	table_cell(t, "1");
	if (mark)
		table_mark_overflow(t);
	table_cell(t, "%s", LONG);
	ck_assert_int_eq(table_print(t, out), EXIT_OK);
	fclose(out);
	return text;
}

TEST(what_is_no_terminal_is_neither_broken_nor_coloured)
{
	char *text = print(false, true);

	ck_assert_str_eq(text, "NAME VALUE HELP\none      1 " LONG "\n");
	free(text);
}

TEST(without_headings_rows_are_all)
{
	char *text;

	table_headings(false);
	text = print(false, false);
	ck_assert_str_eq(text, "one      1 " LONG "\n");
	free(text);
	text = print(true, false);
	ck_assert_ptr_nonnull(strstr(text, "\"name\": \"one\""));
	free(text);
	table_headings(true);
}

static bool bare; /* without headings */

/* A table of one row, made to fit, as text to be freed. */
static char *fitted(const char *const cells[3], size_t width)
{
	struct libscols_table *wide = scols_new_table(), *narrow;
	struct libscols_line *line;
	char *text = NULL;

	scols_table_new_column(wide, "NAME", 0.1, 0);
	scols_table_new_column(wide, "VALUE", 0.1, SCOLS_FL_RIGHT);
	scols_table_new_column(wide, "HELP", 0.1, 0);
	line = scols_table_new_line(wide, NULL);
	for (size_t i = 0; i < 3; i++)
		scols_line_set_data(line, i, cells[i]);
	scols_table_enable_noheadings(wide, bare);
	narrow = table_fit(wide, width);
	ck_assert_ptr_nonnull(narrow);
	ck_assert_int_eq(scols_print_table_to_string(narrow, &text), 0);
	scols_unref_table(narrow);
	scols_unref_table(wide);
	return text;
}

static const struct fit_row {
	const char *why, *cells[3];
	size_t width;
	const char *want;
} fit_rows[] = {
	{ "it fits",
	  { "one", "1", "short" },
	  16,
	  "NAME VALUE HELP\n"
	  "one      1 short" },
	{ "words go on below",
	  { "one", "1", "a word and a second one" },
	  28,
	  "NAME VALUE HELP\n"
	  "one      1 a word and a\n"
	  "           second one" },
	{ "the widest gives way",
	  { "one", "1", "twelve and a half" },
	  26,
	  "NAME VALUE HELP\n"
	  "one      1 twelve and a\n"
	  "           half" },
	{ "names are broken where they have joints",
	  { "rv64imac_zicsr_zihpm", "1", "x" },
	  24,
	  "NAME        VALUE HELP\n"
	  "rv64imac_       1 x\n"
	  "zicsr_zihpm       " },
	{ "or anywhere, if there is none",
	  { "one", "1", "abcdefghijklmnopqrstuvwxyz" },
	  31,
	  "NAME VALUE HELP\n"
	  "one      1 abcdefghijklmnopqrst\n"
	  "           uvwxyz" },
	{ "numbers stay whole, texts wide enough to read",
	  { "one", "123456789012345678901234567890", "a word and one" },
	  20,
	  "NAME                          VALUE HELP\n"
	  "one  123456789012345678901234567890 a word and\n"
	  "                                    one" },
};

TEST_ROWS(a_table_fits, fit_rows)
{
	const struct fit_row *row = &fit_rows[_i];
	char *text = fitted(row->cells, row->width);

	ck_assert_msg(!strcmp(text, row->want), "%s:\n%s", row->why, text);
	free(text);
}

static const struct cut_row {
	const char *why, *text;
	size_t width;
	const char *want;
} cut_rows[] = {
	{ "no width, no cut", "abcdef\n", 0, "abcdef\n" },
	{ "it fits", "abc\nabc\n", 3, "abc\nabc\n" },
	{ "each line by itself", "abcd\nab\nabcde\n", 3, "ab>\nab\nab>\n" },
	{ "without a newline", "abcd", 3, "ab>" },
	{ "colours take no room", "\033[33mabc\033[0m", 3,
	  "\033[33mabc\033[0m" },
	{ "and end where the line does", "\033[33mabcd\033[0m", 3,
	  "\033[33mab\033[0m>" },
	{ "letters of several bytes are one", "\303\244\303\266\303\274", 3,
	  "\303\244\303\266\303\274" },
	{ "and are not torn", "\303\244\303\266\303\274x", 3,
	  "\303\244\303\266>" },
	{ "an escape that is no colour is text", "\033[x", 3, "\033[x" },
};

TEST_ROWS(a_line_is_cut_at_its_width, cut_rows)
{
	const struct cut_row *row = &cut_rows[_i];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tty_write(out, row->text, row->width);
	fclose(out);
	ck_assert_msg(!strcmp(text, row->want), "%s: %s", row->why, text);
	free(text);
}

TEST(colours_are_auto_always_or_never)
{
	struct args args;

	args_init(&args);
	ck_assert(tty_setup(&args));
	for (size_t i = 0; (args.color = tty_color_at(i)); i++)
		ck_assert(tty_setup(&args));
	args.color = "never";
	ck_assert(tty_setup(&args) && !tty_in_color(stdout));
	args.color = "always";
	ck_assert(tty_setup(&args) && tty_in_color(stdout));
	args.color = "red";
	ck_assert(!tty_setup(&args));
}

TEST(a_table_without_headings_stays_so)
{
	static const char *const cells[3] = { "one", "1", "a word and more" };
	char *text;

	bare = true;
	text = fitted(cells, 20);
	ck_assert(!strncmp(text, "one      1 a word", 17));
	ck_assert_ptr_null(strstr(text, "NAME"));
	free(text);
}

static struct libscols_table *wide_table(void)
{
	struct libscols_table *t = scols_new_table();
	struct libscols_line *line;

	scols_table_new_column(t, "NAME", 0.1, 0);
	scols_table_new_column(t, "HELP", 0.1, 0);
	line = scols_table_new_line(t, NULL);
	scols_line_set_data(line, 0, "one");
	scols_line_set_data(line, 1, LONG);
	scols_cell_set_color(scols_line_get_cell(line, 0), "red");
	return t;
}

/* Not every version of libsmartcols counts what it does not print. */
TEST(a_title_is_as_wide_where_it_is_not_printed)
{
	struct libscols_table *wide = wide_table(), *narrow;

	scols_table_enable_noheadings(wide, true);
	narrow = table_fit(wide, 60);
	for (size_t c = 0; c < scols_table_get_ncols(narrow); c++)
		ck_assert_double_eq(scols_column_get_whint(
					    scols_table_get_column(narrow, c)),
				    (double)strlen("NAME"));
	scols_unref_table(narrow);
	scols_unref_table(wide);
}

static const char *color_at(struct libscols_table *t, size_t row, size_t column)
{
	return scols_cell_get_color(
		scols_line_get_cell(scols_table_get_line(t, row), column));
}

/* Also where its text goes on. */
TEST(what_is_broken_keeps_its_colour)
{
	struct libscols_table *wide = wide_table(), *narrow;

	narrow = table_fit(wide, 60);
	ck_assert_uint_gt(scols_table_get_nlines(narrow), 1);
	for (size_t i = 0; i < scols_table_get_nlines(narrow); i++) {
		ck_assert_ptr_nonnull(color_at(narrow, i, 0));
		ck_assert_str_eq(color_at(narrow, i, 0), color_at(wide, 0, 0));
		ck_assert_ptr_null(color_at(narrow, i, 1));
	}
	scols_unref_table(narrow);
	scols_unref_table(wide);
}

TEST(without_memory_no_table_is_made_to_fit)
{
	struct libscols_table *wide = wide_table(), *narrow = NULL;
	unsigned n = 0;

	for (; !narrow; n++) {
		ran_out = false;
		left = n;
		narrow = table_fit(wide, 60);
		left = UINT32_MAX;
		ck_assert(!narrow == ran_out);
	}
	ck_assert_uint_gt(n, 10);
	scols_unref_table(narrow);
	scols_unref_table(wide);
}

/* A command fills it and prints it, and is told then. */
static int fill_and_print(bool json, bool empty, FILE *out)
{
	struct table *t = table_new("things", columns, 3, json);

	if (empty)
		return table_print(t, out);
	table_row(t);
	table_cell(t, "one");
	table_mark_overflow(t);
	table_cell(t, "%d", 1);
	table_cell(t, "%s", "short");
	return table_print(t, out);
}

TEST_TIMES(without_memory_no_table_is_printed, 4)
{
	unsigned n = 0;
	char *text;
	size_t size;
	bool said_all = false;
	struct args plain;

	args_init(&plain);
	tty_setup(&plain);
	for (; !said_all; n++) {
		FILE *out = __real_open_memstream(&text, &size);
		int code;

		ran_out = false;
		left = n;
		capture();
		code = fill_and_print(_i % 2, _i >= 2, out);
		left = UINT32_MAX;
		capture_end();
		fclose(out);
		said_all = !ran_out;
		ck_assert_int_eq(code, ran_out ? EXIT_FAILED : EXIT_OK);
		ck_assert_str_eq(captured,
				 ran_out ? "pmuctl: table: out of memory\n"
					 : "");
		ck_assert(_i || (size > 0) == !ran_out);
		free(text);
	}
	ck_assert_uint_gt(n, _i < 2 ? 12 : 5);
}

SUITE("table");
