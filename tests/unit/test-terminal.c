/* SPDX-License-Identifier: BSD-2-Clause */
/* The way out of a guest's console: Ctrl-A x, however the keys arrive. */
#include <string.h>

#include "text/terminal.h"
#include "unit.h"

static const struct key_row {
	const char *why, *typed, *want;
	bool leaves;
} rows[] = {
	{ "nothing special", "abc", "abc", false },
	{ "Ctrl-C is the guest's", "\003", "\003", false },
	{ "Ctrl-A x leaves", "ab\001xcd", "ab", true },
	{ "so does X", "\001X", "", true },
	{ "Ctrl-A twice is one", "a\001\001x", "a\001x", false },
	{ "four are two", "\001\001\001\001", "\001\001", false },
	{ "before another key it stays", "\001c", "\001c", false },
	{ "x alone is no way out", "xx", "xx", false },
	{ "a Ctrl-A at the end waits", "a\001", "a", false },
};

/* Types the row in pieces of @piece bytes. */
static bool type(const struct key_row *row, size_t piece, char *got)
{
	struct terminal_keys keys = { 0 };
	struct terminal_input in;
	size_t len = strlen(row->typed);
	bool leaves = false;

	for (size_t i = 0; i < len && !leaves; i += piece) {
		size_t n = len - i < piece ? len - i : piece;

		leaves = terminal_filter(&keys, (const uint8_t *)row->typed + i,
					 n, &in);
		memcpy(got, in.bytes, in.n);
		got += in.n;
	}
	*got = '\0';
	return leaves;
}

TEST_ROWS(keys_go_to_the_guest_but_for_the_way_out, rows)
{
	const struct key_row *row = &rows[_i];
	char got[64];

	for (size_t piece = 1; piece <= strlen(row->typed); piece++) {
		ck_assert_msg(type(row, piece, got) == row->leaves, "%s",
			      row->why);
		ck_assert_str_eq(got, row->want);
	}
}

TEST(a_full_chunk_after_a_prefix_fits)
{
	struct terminal_keys keys = { .prefix = true };
	struct terminal_input in;
	uint8_t typed[TERMINAL_CHUNK];

	memset(typed, 'b', sizeof(typed));
	ck_assert(!terminal_filter(&keys, typed, sizeof(typed), &in));
	ck_assert_uint_eq(in.n, sizeof(typed) + 1);
	ck_assert_uint_eq(in.bytes[0], 1);
}

SUITE("terminal");
