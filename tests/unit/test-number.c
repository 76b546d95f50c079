/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The grammar of numbers, which pmuctl, pmud and the settings share: what is
 * taken, and what is none.
 */
#include <inttypes.h>

#include "number.h"
#include "unit.h"

typedef bool parse_fn(const char *text, uint64_t *ret);

#define NONE 0x5eed /* nothing was written */

static const struct number_row {
	parse_fn *parse;
	const char *text;
	bool ok;
	uint64_t want;
} rows[] = {
	{ number_parse, "0", true, 0 },
	{ number_parse, "010", true, 10 },
	{ number_parse, "0x10", true, 16 },
	{ number_parse, "0XfF", true, 255 },
	{ number_parse, "18446744073709551615", true, UINT64_MAX },
	{ number_parse, "0xffffffffffffffff", true, UINT64_MAX },
	{ number_parse, "18446744073709551616", false, NONE },
	{ number_parse, "0x10000000000000000", false, NONE },
	{ number_parse, "", false, NONE },
	{ number_parse, "0x", false, NONE },
	{ number_parse, " 1", false, NONE },
	{ number_parse, "1 ", false, NONE },
	{ number_parse, "+1", false, NONE },
	{ number_parse, "-1", false, NONE },
	{ number_parse, "1a", false, NONE },
	{ number_parse, "1k", false, NONE },
	{ number_parse, "1KiB", false, NONE },
	{ number_parse, "0x1g", false, NONE },
	{ number_parse, "x1", false, NONE },
	{ number_parse, "0b1", false, NONE },
	{ number_parse, "08", true, 8 },
	{ number_parse, "00x1", false, NONE },
	{ number_parse, "0xabcdefABCDEF", true, 0xabcdefabcdef },
	{ number_parse, "/", false, NONE },
	{ number_parse, ":", false, NONE },
	{ number_parse_signed, "-1", true, UINT64_MAX },
	{ number_parse_signed, "-0x8000000000000000", true, UINT64_C(1) << 63 },
	{ number_parse_signed, "-9223372036854775809", false, NONE },
	{ number_parse_signed, "--1", false, NONE },
	{ number_parse_signed, "7", true, 7 },
	{ number_parse_signed, "-", false, NONE },
	{ number_parse_signed, "-010", true, (uint64_t)-10 },
	{ number_parse_count, "3k", true, 3000 },
	{ number_parse_count, "2M", true, 2000000 },
	{ number_parse_count, "1G", true, 1000000000 },
	{ number_parse_count, "1T", true, 1000000000000 },
	{ number_parse_count, "5", true, 5 },
	{ number_parse_count, "010k", true, 10000 },
	{ number_parse_count, "0x10k", true, 16000 },
	{ number_parse_count, "5K", false, NONE },
	{ number_parse_count, "5KiB", true, 5 << 10 },
	{ number_parse_count, "5MiB", true, 5 << 20 },
	{ number_parse_count, "5GiB", true, UINT64_C(5) << 30 },
	{ number_parse_count, "5TiB", true, UINT64_C(5) << 40 },
	{ number_parse_count, "18446744073709551615", true, UINT64_MAX },
	{ number_parse_count, "18446744073709551616", false, NONE },
	{ number_parse_count, "18446744073709551k", true,
	  UINT64_MAX - UINT64_MAX % 1000 },
	{ number_parse_count, "18446744073709552k", false, NONE },
	{ number_parse_count, "5kk", false, NONE },
	{ number_parse_count, "5kiB", false, NONE },
	{ number_parse_count, "k", false, NONE },
	{ number_parse_count, "99999999999999999G", false, NONE },
	{ number_parse_size, "4096", true, 4096 },
	{ number_parse_size, "1K", true, 1024 },
	{ number_parse_size, "1KiB", true, 1024 },
	{ number_parse_size, "64MiB", true, 64 << 20 },
	{ number_parse_size, "64M", true, 64 << 20 },
	{ number_parse_size, "2GiB", true, UINT64_C(2) << 30 },
	{ number_parse_size, "0x10M", true, 16 << 20 },
	{ number_parse_size, "1TiB", true, UINT64_C(1) << 40 },
	{ number_parse_size, "1T", true, UINT64_C(1) << 40 },
	{ number_parse_size, "010K", true, 10240 },
	{ number_parse_size, "1k", false, NONE },
	{ number_parse_size, "1kib", false, NONE },
	{ number_parse_size, " 1K", false, NONE },
	{ number_parse_size, "1 K", false, NONE },
	{ number_parse_size, "18014398509481983KiB", true,
	  UINT64_MAX - UINT64_MAX % 1024 },
	{ number_parse_size, "18014398509481984KiB", false, NONE },
	{ number_parse_size, "1MB", false, NONE },
	{ number_parse_size, "1Mi", false, NONE },
	{ number_parse_size, "iB", false, NONE },
	{ number_parse_size, "16777216TiB", false, NONE },
	{ number_parse_seconds, "1", true, 1000 },
	{ number_parse_seconds, "0.5", true, 500 },
	{ number_parse_seconds, "2.25", true, 2250 },
	{ number_parse_seconds, "9.987", true, 9987 },
	{ number_parse_seconds, "1.999", true, 1999 },
	{ number_parse_seconds, "0.001", true, 1 },
	{ number_parse_seconds, "010", true, 10000 },
	{ number_parse_seconds, "1.", true, 1000 },
	{ number_parse_seconds, "0x1", false, NONE },
	{ number_parse_seconds, "4294967295", true, UINT64_C(4294967295000) },
	{ number_parse_seconds, "4294967296", false, NONE },
	{ number_parse_seconds, "0.0005", false, NONE },
	{ number_parse_seconds, ".5", false, NONE },
	{ number_parse_seconds, "1s", false, NONE },
	{ number_parse_seconds, "-1", false, NONE },
};

TEST_ROWS(a_number_is_taken_whole_or_refused, rows)
{
	const struct number_row *row = &rows[_i];
	uint64_t got = NONE;

	ck_assert_msg(row->parse(row->text, &got) == row->ok, "'%s'",
		      row->text);
	ck_assert_msg(got == row->want, "'%s' is %" PRIu64, row->text, got);
}

static const struct large_row {
	const char *text;
	bool large;
} large_rows[] = {
	{ "18446744073709551616", true },
	{ "99999999999999999999", true },
	{ "18446744073709551615", true }, /* what stands for none */
	{ "18446744073709551614", false },
	{ "0x10000000000000000", true },
	{ "0xffffffffffffffff", true },
	{ "0xfffffffffffffffe", false },
	{ "18446744073709551616k", true },
	{ "18446744073709551615T", true },
	{ "99999999999999999999GiB", true },
	{ "20000000T", true },
	{ "18446744T", false },
	{ "99999999999999999999K", true },
	{ "99999999999999999999x", false },
	{ "99999999999999999999 ", false },
	{ "99999999999999999999a", false },
	{ "0x10000000000000000f", true },
	{ "0x10000000000000000g", false },
	{ "0X10000000000000000K", true },
	{ "-99999999999999999999", false },
	{ "0x", false },
	{ "x", false },
	{ "k", false },
	{ "", false },
	{ "12", false },
};

TEST_ROWS(a_number_that_is_too_large_is_known, large_rows)
{
	ck_assert_msg(number_is_too_large(large_rows[_i].text) ==
			      large_rows[_i].large,
		      "'%s'", large_rows[_i].text);
}

static const struct take_row {
	const char *text;
	uint64_t want; /* NONE: refused */
	const char *rest;
} take_rows[] = {
	{ "5", 5, "" },
	{ "010-3", 10, "-3" },
	{ "3,4", 3, ",4" },
	{ "0x10", 0, "x10" },
	{ "7k", 7, "k" },
	{ "18446744073709551615:", UINT64_MAX, ":" },
	{ "18446744073709551616", NONE, "18446744073709551616" },
	{ "", NONE, "" },
	{ "-1", NONE, "-1" },
	{ " 1", NONE, " 1" },
	{ "a", NONE, "a" },
};

TEST_ROWS(the_number_that_a_text_begins_with_is_taken, take_rows)
{
	const struct take_row *row = &take_rows[_i];
	const char *text = row->text;
	uint64_t got = NONE;

	ck_assert_msg(number_take(&text, &got) == (row->want != NONE), "'%s'",
		      row->text);
	ck_assert_msg(got == row->want, "'%s' is %" PRIu64, row->text, got);
	ck_assert_str_eq(text, row->rest);
}

SUITE("number");
