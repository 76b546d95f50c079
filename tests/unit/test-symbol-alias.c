/* SPDX-License-Identifier: BSD-2-Clause */
/* Which of two names of one address is told. */
#include <string.h>

#include "symbol-alias.h"
#include "unit.h"

static int compare(const char *a, const char *b)
{
	return symbol_alias_compare(symbol_alias_key(a), a, symbol_alias_key(b),
				    b);
}

static const struct alias_row {
	const char *why, *told, *other;
} alias_rows[] = {
	{ "the plain one", "strlen", "__pi_strlen" },
	{ "fewer underscores", "_start_kernel", "__efistub__start_kernel" },
	{ "fewer underscores, though longer", "ftrace_stub", "_mcount" },
	{ "the shorter", "__memcpy", "__pi_memcpy" },
	{ "the alphabet", "cpu_show_gds", "cpu_show_srb" },
	{ "no end", "__do_softirq", "__lock_end" },
	{ "no beginning", "__do_softirq", "__a_start" },
	{ "no beginning of a group", "__do_softirq", "__i_begin" },
	{ "no bound without a suffix", "__traceiter_initcall_level", "_text" },
	{ "nor the others", "__traceiter_initcall_level", "_stext" },
	{ "nor an end", "__traceiter_initcall_level", "_etext" },
	{ "nor that of what is for the boot", "__traceiter", "_sinittext" },
	{ "nor its end", "__traceiter", "_einittext" },
	{ "a function that starts something", "walk_start", "walk_start_" },
	{ "which has underscores", "_a_start", "__a" },
	{ "a suffix is no name", "__x", "__xx_end" },
};

TEST_ROWS(of_two_one_is_told, alias_rows)
{
	const struct alias_row *row = &alias_rows[_i];

	ck_assert_msg(compare(row->told, row->other) < 0, "%s", row->why);
	ck_assert_msg(compare(row->other, row->told) > 0, "%s", row->why);
	ck_assert_int_eq(compare(row->told, row->told), 0);
}

static const struct bound_row {
	const char *name;
	bool is;
} bound_rows[] = {
	{ "_text", true },
	{ "_texts", false },
	{ "__sched_text_end", true },
	{ "__sched_text_ends", false },
	{ "__init_begin", true },
	{ "_init_begin", false },
	{ "__a_start", true },
	{ "a__start", false },
	{ "_start", false },
	{ "", false },
};

TEST_ROWS(lists_name_the_bounds_of_code_too, bound_rows)
{
	ck_assert_msg(symbol_alias_is_bound(symbol_alias_key(
			      bound_rows[_i].name)) == bound_rows[_i].is,
		      "%s", bound_rows[_i].name);
}

/* All names of a hostile file may be as long as it is, each within another. */
TEST(a_name_is_read_to_its_256th_letter)
{
	char a[300], b[300];

	memset(a, 'x', sizeof(a) - 1);
	a[sizeof(a) - 1] = 0;
	memcpy(b, a, sizeof(b));
	b[256] = 'y';
	ck_assert_int_eq(compare(a, b), 0);
	b[299 - 20] = 0;
	ck_assert_int_eq(compare(a, b), 0);
	b[255] = 'y';
	ck_assert_int_lt(compare(a, b), 0);
	memset(a, '_', sizeof(a) - 1);
	memcpy(b, a, sizeof(b));
	b[280] = 'x';
	ck_assert_int_eq(compare(a, b), 0);
	memcpy(a + sizeof(a) - 7, "_start", 7);
	ck_assert(!symbol_alias_is_bound(symbol_alias_key(a)));
}

/* Else sorting a hostile file's is to read all of them at each comparison. */
TEST(names_are_read_only_where_their_keys_are_alike)
{
	ck_assert_int_lt(symbol_alias_compare(1, NULL, 2, NULL), 0);
	ck_assert_int_gt(symbol_alias_compare(2, NULL, 1, NULL), 0);
	ck_assert_int_eq(symbol_alias_compare(1, NULL, 1, NULL), 0);
	ck_assert_int_lt(symbol_alias_compare(1, "a", 1, "b"), 0);
}

SUITE("symbol-alias");
