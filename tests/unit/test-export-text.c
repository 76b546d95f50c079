/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/export/export-text.c: names as each format can bear them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export-text.h"
#include "unit.h"

static char *text;
static size_t len;
static FILE *out;

static void setup(void)
{
	out = open_memstream(&text, &len);
	PREPARING(ck_assert_ptr_nonnull(out));
}

static void teardown(void)
{
	free(text);
}

static const char *written(void)
{
	PREPARING(ck_assert_int_eq(fclose(out), 0));
	return text;
}

/* Characters of UTF-8 at the ends of their kinds, and what is none. */
static const struct utf8_row {
	const char *why, *bytes;
	unsigned wrong; /* bytes of it, each for itself; 0: it stays */
} utf8_rows[] = {
	{ "ASCII", " ~", 0 },
	{ "the first of two bytes that is no control", "\xc2\xa0", 0 },
	{ "the last of two bytes", "\xdf\xbf", 0 },
	{ "the first of three bytes", "\xe0\xa0\x80", 0 },
	{ "before the surrogates", "\xed\x9f\xbf", 0 },
	{ "behind the surrogates", "\xee\x80\x80", 0 },
	{ "the last of three bytes", "\xef\xbf\xbf", 0 },
	{ "the first of four bytes", "\xf0\x90\x80\x80", 0 },
	{ "any of four bytes", "\xf1\x80\x80\x80", 0 },
	{ "and the last of a first byte", "\xf3\xbf\xbf\xbf", 0 },
	{ "the last of all", "\xf4\x8f\xbf\xbf", 0 },
	{ "a byte that continues", "\x80", 1 },
	{ "the last that does", "\xbf", 1 },
	{ "too long for ASCII", "\xc0\x80", 2 },
	{ "too long for ASCII, too", "\xc1\xbf", 2 },
	{ "two bytes would do", "\xe0\x9f\xbf", 3 },
	{ "three bytes would do", "\xf0\x8f\xbf\xbf", 4 },
	{ "the first surrogate", "\xed\xa0\x80", 3 },
	{ "the last surrogate", "\xed\xbf\xbf", 3 },
	{ "above all characters", "\xf4\x90\x80\x80", 4 },
	{ "far above them", "\xf5\x80\x80\x80", 4 },
	{ "no first byte", "\xff", 1 },
	{ "cut behind the first of two", "\xc2", 1 },
	{ "cut behind the second of three", "\xe1\x80", 2 },
	{ "cut behind the third of four", "\xf1\x80\x80", 3 },
	{ "the second does not continue", "\xc3\xc3", 2 },
	{ "the second is below", "\xc3\x7f", 1 },
	{ "the third does not continue", "\xe1\x80\xc0", 3 },
	{ "the fourth does not continue", "\xf1\x80\x80\xc0", 4 },
};

/* What JSON makes of it, between two letters. */
static void want_json(const struct utf8_row *row, char *ret)
{
	strcpy(ret, "\"k\":\"a");
	for (const char *p = row->bytes; row->wrong && *p; p++) {
		if ((*p & 0x80) != 0)
			sprintf(ret + strlen(ret), "\\uef%02x", (uint8_t)*p);
		else
			strcat(ret, "\\u007f");
	}
	if (!row->wrong)
		strcat(ret, row->bytes);
	strcat(ret, "z\"");
}

TEST_ROWS(json_is_utf8, utf8_rows)
{
	const struct utf8_row *row = &utf8_rows[_i];
	char name[16], want[64];

	snprintf(name, sizeof(name), "a%sz", row->bytes);
	want_json(row, want);
	export_json_text(out, "k", name);
	ck_assert_msg(!strcmp(written(), want), "%s: %s", row->why, text);
}

TEST_ROWS(a_wrong_byte_becomes_a_question, utf8_rows)
{
	const struct utf8_row *row = &utf8_rows[_i];
	char name[16];
	unsigned n = 0;

	written();
	snprintf(name, sizeof(name), "a%sz", row->bytes);
	export_to_utf8(name);
	for (const char *p = name; *p; p++)
		n += *p == '?';
	ck_assert_msg(n == row->wrong, "%s: %s", row->why, name);
	ck_assert_int_eq(name[0], 'a');
	ck_assert_int_eq(name[strlen(row->bytes) + 1], 'z');
	if (!row->wrong)
		ck_assert_mem_eq(name + 1, row->bytes, strlen(row->bytes));
}

static const struct text_row {
	const char *name, *json, *html, *plain; /* plain: without a ';' */
} text_rows[] = {
	{ "", "", "", "" },
	{ "main", "main", "main", "main" },
	{ "a\"b\\c", "a\\\"b\\\\c", "a&#34;b\\c", "a\"b\\c" },
	{ "\x01\x1f\x7f ", "\\u0001\\u001f\\u007f ", "??? ", "??? " },
	{ "\xc2\x80\xc2\x9b[\xc2\x9f\xc2\xa0", "\\u0080\\u009b[\\u009f\xc2\xa0",
	  "????[??\xc2\xa0", "????[??\xc2\xa0" },
	{ "<a&'b>;", "<a&'b>;", "&#60;a&#38;&#39;b&#62;;", "<a&'b>?" },
	{ "\xc3\xa4\xff", "\xc3\xa4\\uefff", "\xc3\xa4&#xfffd;",
	  "\xc3\xa4\xff" },
	{ "\xc3", "\\uefc3", "&#xfffd;", "\xc3" },
};

TEST_ROWS(a_name_in_json_is_a_string, text_rows)
{
	char want[64];

	snprintf(want, sizeof(want), "\"n\":\"%s\"", text_rows[_i].json);
	export_json_text(out, "n", text_rows[_i].name);
	ck_assert_str_eq(written(), want);
}

TEST_ROWS(a_name_in_a_page_is_no_markup, text_rows)
{
	export_html_text(out, text_rows[_i].name);
	ck_assert_str_eq(written(), text_rows[_i].html);
}

TEST_ROWS(a_plain_name_is_one_line_without_what_parts_them, text_rows)
{
	export_plain(out, text_rows[_i].name, ";");
	ck_assert_str_eq(written(), text_rows[_i].plain);
}

TEST(numbers_in_json_are_strings)
{
	export_json_number(out, "n", UINT64_MAX);
	fputc(',', out);
	export_json_address(out, "a", UINT64_MAX - 0xf);
	ck_assert_str_eq(written(), "\"n\":\"18446744073709551615\","
				    "\"a\":\"0xfffffffffffffff0\"");
}

SUITE("export-text", .setup = setup, .teardown = teardown);
