/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of users' programs, and which address spaces are one. */
#include <string.h>

#include "captured.h"
#include "cmd/args.h"
#include "text/exit-codes.h"
#include "trace/user-symbols.h"

static const struct file_row {
	const char *text, *path;
} file_rows[] = {
	{ "prog", "prog" },
	{ "./a:b+c", "./a:b+c" },
	{ "prog@0x8000000000081234", "prog" },
	{ "prog@any", "prog" },
	{ "prog@any:0x2aaaaaa000", "prog" },
	{ "prog@5:16", "prog" },
	{ "me@home@5", "me@home" },
};

/* As the message says that it is not there. */
TEST_ROWS(a_file_may_have_a_place, file_rows)
{
	struct args_list list = { .item = { file_rows[_i].text }, .n = 1 };
	struct user_symbols *u;
	char want[100];

	snprintf(want, sizeof(want), "pmuctl: %s: ", file_rows[_i].path);
	capture();
	ck_assert_int_eq(user_symbols_open(&u, &list, 64), EXIT_FAILED);
	ck_assert_ptr_nonnull(strstr(capture_end(), want));
	ck_assert_ptr_null(u);
}

static const char *const bad_rows[] = {
	"me@home", "prog@", "prog@:5", "prog@5:", "prog@any:x", "prog@5x",
};

TEST_ROWS(what_is_no_place_is_told, bad_rows)
{
	struct args_list list = { .item = { bad_rows[_i] }, .n = 1 };
	struct user_symbols *u;
	char want[200];

	snprintf(want, sizeof(want),
		 "pmuctl: --user-symbols: '%s' is not FILE, FILE@SATP or "
		 "FILE@SATP:BASE, SATP a number or any\n",
		 bad_rows[_i]);
	capture();
	ck_assert_int_eq(user_symbols_open(&u, &list, 64), EXIT_USAGE);
	ck_assert_str_eq(capture_end(), want);
	ck_assert_ptr_null(u);
}

TEST(no_files_name_nothing)
{
	struct args_list none = { .n = 0 };
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	struct user_symbols *u;
	struct symbol s;

	ck_assert_int_eq(user_symbols_open(&u, &none, 64), EXIT_OK);
	ck_assert_ptr_null(u);
	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_U;
	ck_assert(!user_symbols_find(u, &r, 0, &s));
	user_symbols_close(u);
}

static const struct space_row {
	const char *why;
	unsigned xlen;
	uint64_t a, b;
	bool same;
} space_rows[] = {
	{ "alike", 64, 0x8005400000080123, 0x8005400000080123, true },
	{ "another ASID", 64, 0x8005400000080123, 0x8ffff00000080123, true },
	{ "another table", 64, 0x8005400000080123, 0x8005400000080124, false },
	{ "another mode", 64, 0x8005400000080123, 0x9005400000080123, false },
	{ "the highest table", 64, 0x80000fffffffffff, 0x800007ffffffffff,
	  false },
	{ "another ASID of 32 bits", 32, 0x80080123, 0xffc80123, true },
	{ "another table of 32 bits", 32, 0x80080123, 0x80280123, false },
	{ "no translation", 32, 0x80080123, 0x00080123, false },
};

TEST_ROWS(an_address_space_is_its_table, space_rows)
{
	const struct space_row *row = &space_rows[_i];

	ck_assert_msg(user_space_is(row->a, row->b, row->xlen) == row->same,
		      "%s", row->why);
}

SUITE("user-symbols");
