/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions by the name of the file and by the one that is printed. */
#include <stdlib.h>
#include <string.h>

#include "captured.h"
#include "symbol-ranges.h"
#include "symbols.h"
#include "text/exit-codes.h"
#include "trace/function-name.h"

static const struct name_row {
	const char *why, *name, *wanted;
	bool is;
} name_rows[] = {
	{ "the same", "main", "main", true },
	{ "another", "main", "mai", false },
	{ "another", "mai", "main", false },
	{ "C, of which nothing is read", "a_b", "a b", false },
	{ "as its author wrote it", "_ZN3foo3barEi", "foo::bar", true },
	{ "as the file has it", "_ZN3foo3barEi", "_ZN3foo3barEi", true },
	{ "another overload", "_ZN3foo3barEi", "_ZN3foo3barEc", false },
	{ "a part of it", "_ZN3foo3barEi", "bar", false },
	{ "its beginning", "_ZN3foo3barEi", "foo::ba", false },
	{ "more than it", "_ZN3foo3barEi", "foo::bars", false },
	{ "with parameters, which are not printed", "_ZN3foo3barEi",
	  "foo::bar(int)", false },
	{ "Rust", "_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write",
	  true },
	{ "Rust, the newer scheme", "_RNvCs1234_7mycrate4main", "mycrate::main",
	  true },
	{ "two words", "_Znwm", "operator new", true },
	{ "as a column has them", "_Znwm", "operator_new", true },
	{ "a blank for what is none", "_ZN1a3b_cEv", "a::b c", false },
	{ "as a column has two arguments", "_ZN3boxIiiE3putEi",
	  "box<int,_int>::put", true },
	{ "as a list of callers has them", "_ZN3boxIiiE3putEi",
	  "box<int__int>::put", true },
	{ "as it is", "_ZN3boxIiiE3putEi", "box<int, int>::put", true },
};

TEST_ROWS(a_function_has_two_names, name_rows)
{
	const struct name_row *row = &name_rows[_i];

	ck_assert_msg(function_name_is(row->name, row->wanted) == row->is,
		      "%s: %s, %s", row->why, row->name, row->wanted);
}

static const char list[] = "0000000000001000 T start\n"
			   "0000000000001100 T _ZN3foo3barEi\n"
			   "0000000000001200 T _ZN3foo3barEc\n"
			   "0000000000001300 T _ZN3foo3bazEv\n"
			   "0000000000001400 T _ZN3fooC1Ev\n"
			   "0000000000001400 T _ZN3fooC2Ev\n"
			   "0000000000001500 T _Z4mainv\n"
			   "0000000000001600 T main\n"
			   "0000000000001700 T _ZN3foo1fEa\n"
			   "0000000000001800 T _ZN3foo1fEb\n"
			   "0000000000001900 T _ZN3foo1fEc\n"
			   "0000000000001a00 T _ZN3foo1fEd\n"
			   "0000000000001b00 T _ZN3foo1fEe\n"
			   "0000000000001c00 T end\n";
static struct symbols *s;

static void setup(void)
{
	const char *why;

	s = symbols_open_memory(list, sizeof(list) - 1, &why);
	ck_assert_msg(s != NULL, "%s", why);
}

static void teardown(void)
{
	symbols_close(s);
}

static const struct find_row {
	const char *wanted;
	int code;
	uint64_t address;
	const char *says;
} find_rows[] = {
	{ "start", EXIT_OK, 0x1000, "" },
	{ "_ZN3foo3barEc", EXIT_OK, 0x1200, "" },
	{ "foo::baz", EXIT_OK, 0x1300, "" },
	{ "foo::foo", EXIT_OK, 0x1400, "" },
	/* the file's goes first */
	{ "main", EXIT_OK, 0x1600, "" },
	{ "foo::bar", EXIT_USAGE, 0,
	  "pmuctl: --at: 'foo::bar' may be any of _ZN3foo3barEi, "
	  "_ZN3foo3barEc\n" },
	{ "foo::f", EXIT_USAGE, 0,
	  "pmuctl: --at: 'foo::f' may be any of _ZN3foo1fEa, _ZN3foo1fEb, "
	  "_ZN3foo1fEc, _ZN3foo1fEd and others\n" },
	{ "foo::none", EXIT_NOT_FOUND, 0,
	  "pmuctl: --at: g.elf has no symbol 'foo::none'\n" },
};

TEST_ROWS(a_place_is_one_symbol, find_rows)
{
	const struct find_row *row = &find_rows[_i];
	uint64_t address = 0;
	int code;

	capture();
	code = function_name_find(s, "--at", "g.elf", row->wanted, &address);
	ck_assert_str_eq(capture_end(), row->says);
	ck_assert_int_eq(code, row->code);
	ck_assert_uint_eq(address, row->address);
}

static const struct range_row {
	const char *wanted;
	size_t n;
	struct symbols_range at[2];
} range_rows[] = {
	{ "foo::bar", 1, { { 0x1100, 0x12ff } } },
	{ "_ZN3foo3barEc", 1, { { 0x1200, 0x12ff } } },
	{ "foo::baz", 1, { { 0x1300, 0x13ff } } },
	/* of both names */
	{ "main", 1, { { 0x1500, 0x16ff } } },
	{ "foo::none", 0, { { 0, 0 } } },
};

TEST_ROWS(a_set_is_all_that_are_called_so, range_rows)
{
	const struct range_row *row = &range_rows[_i];
	struct symbols_range at[2];
	size_t n = function_name_ranges(s, row->wanted, at, ARRAY_SIZE(at));

	ck_assert_uint_eq(n, row->n);
	for (size_t i = 0; i < n; i++) {
		ck_assert_uint_eq(at[i].first, row->at[i].first);
		ck_assert_uint_eq(at[i].last, row->at[i].last);
	}
}

static const struct part_row {
	const char *wanted, *part;
} part_rows[] = {
	{ "main", "main" },
	{ "foo::bar", "bar" },
	{ "foo::~foo", "foo" },
	{ "box<int, a::b>::put", "put" },
	{ "box<a::b>", "box" },
	{ "<T as m::Trait>::fmt", "fmt" },
	{ "(anonymous namespace)::f", "f" },
	{ "crate::main::{closure#0}", "main" },
	{ "foo::operator+=", "foo" },
	{ "foo::operator<<", "foo" },
	/* of which nothing stands there as it is */
	{ "operator new", "_Z" },
	{ "operator_new", "_Z" },
	{ "", "_Z" },
	{ "a234567890123456789012345678901234567890123456789012345678901234",
	  "a23456789012345678901234567890123456789012345678901234567890123" },
};

TEST_ROWS(a_part_is_in_all_that_are_printed_so, part_rows)
{
	char part[FUNCTION_NAME_PART];

	function_name_part(part_rows[_i].wanted, part);
	ck_assert_str_eq(part, part_rows[_i].part);
}

/* So that no c++filt is asked, nor missed, for a name of the file. */
TEST(a_compilers_name_is_not_read)
{
	setenv("PATH", "/nonexistent", 1);
	capture();
	ck_assert(!function_name_is("_ZN3foo3barEi", "_ZN3foo3barEc"));
	ck_assert_str_eq(capture_end(), "");
	capture();
	ck_assert(!function_name_is("_ZN3foo3barEi", "foo::bar"));
	ck_assert_ptr_nonnull(strstr(capture_end(), "no c++filt answers"));
}

SUITE("function-name", .fork = true, .setup = setup, .teardown = teardown);
