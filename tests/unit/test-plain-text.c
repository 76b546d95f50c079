/* SPDX-License-Identifier: BSD-2-Clause */
/* Text that others wrote reaches a terminal as text. */
#include "text/plain-text.h"

#include <string.h>

#include "captured.h"
#include "text/report.h"
#include "unit.h"

static const struct text_row {
	const char *why, *text, *is;
} text_rows[] = {
	{ "nothing", "", "" },
	{ "names", "main+0x4 \"a b\" ~", "main+0x4 \"a b\" ~" },
	{ "an escape", "f\33[31m", "f?[31m" },
	{ "a title", "\33]0;x\a", "?]0;x?" },
	{ "lines", "a\nb\r\nc", "a?b??c" },
	{ "a tab", "add\ta0", "add a0" },
	{ "delete", "a\177\b", "a??" },
	{ "the first and last of ASCII's", "\1\37 ", "?? " },
	{ "UTF-8", "gr\xc3\xb6\xc3\x9f", "gr\xc3\xb6\xc3\x9f" },
	{ "an escape of one character",
	  "\xc2\x9b"
	  "31m",
	  "??31m" },
	{ "the first and last of those", "\xc2\x80\xc2\x9f\xc2\xa0",
	  "????\xc2\xa0" },
	{ "cut in the middle", "a\xc2", "a\xc2" },
};

static char got[256];

static FILE *open_got(void)
{
	memset(got, 0, sizeof(got));
	return fmemopen(got, sizeof(got), "w");
}

TEST_ROWS(no_byte_is_the_terminals, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char both[300];
	FILE *out = open_got();

	plain_put(out, row->text);
	fclose(out);
	ck_assert_msg(!strcmp(got, row->is), "%s: %s", row->why, got);
	out = open_got();
	plain_printf(out, "%d: %s\n", 7, row->text);
	plain_printf(out, "%s", row->text);
	fclose(out);
	snprintf(both, sizeof(both), "7: %s\n%s", row->is, row->is);
	ck_assert_msg(!strcmp(got, both), "%s: %s", row->why, got);
}

/* Whatever fits where. */
TEST_RANGE(a_long_text_is_whole, 1000, 1050)
{
	static char text[1100], got_of[1200], want[1200];
	FILE *out = fmemopen(got_of, sizeof(got_of), "w");

	memset(text, 'a', (size_t)_i);
	text[0] = '\33';
	text[_i] = '\0';
	plain_printf(out, "%s\n", text);
	fclose(out);
	snprintf(want, sizeof(want), "?%s\n", text + 1);
	ck_assert_str_eq(got_of, want);
}

TEST(nor_are_messages_to_people)
{
	capture();
	report_error("no symbol '%s'", "f\33[2J\n");
	report_note("%s has none", "a\x1b");
	ck_assert_str_eq(capture_end(), "pmuctl: no symbol 'f?[2J?'\n"
					"pmuctl: a? has none\n");
}

SUITE("plain-text");
