/* SPDX-License-Identifier: BSD-2-Clause */
/* The details of an error: what is packed comes out, and nothing bad does. */
#include "unit.h"

#include <string.h>

#include "wire/details.h"
#include "wire/wire.h"

static const struct row {
	const char *field, *reason;
} rows[] = {
	{ "hart", "NO_SUCH_HART" },
	{ "config.settings[2].value", "BAD_VALUE" },
	{ "", "OUT_OF_MEMORY" },
	{ "csr", "" },
	/* as long as they may be, so that every length of Base64 comes */
	{ "a", "A" },
	{ "ab", "A" },
	{ "abc", "A" },
	{ "01234567890123456789012345678901234567890123456789012345678901234567"
	  "89"
	  "0123456789012345678901234",
	  "01234567890123456789012345678901234567890123456" },
};

TEST_ROWS(what_goes_in_comes_out, rows)
{
	const struct row *r = &rows[_i];
	struct details d = { 0 }, got;
	char text[DETAILS_MAX];
	char words[GRPC_MESSAGE_MAX];
	const struct details_of of = { 3, words, "/pmu.v1.A/B" };
	size_t len;

	memset(words, 'w', sizeof(words));
	for (unsigned n = 0; n < sizeof(words); n += 37) {
		words[n] = '\0';
		strcpy(d.field, r->field);
		strcpy(d.reason, r->reason);
		len = details_encode(&d, &of, text);
		ck_assert_uint_gt(len, 0);
		ck_assert_uint_eq(len, strlen(text));
		ck_assert(details_decode(text, len, &got));
		ck_assert_str_eq(got.field, r->field);
		ck_assert_str_eq(got.reason, r->reason);
		words[n] = 'w';
	}
}

/* Others fill up what they send to groups of four digits. */
TEST(what_is_filled_up_comes_out_too)
{
	const struct details_of of = { 3, "no", "/pmu.v1.A/B" };
	char text[DETAILS_MAX];
	struct details d = { 0 }, got;
	size_t len;

	for (unsigned n = 1; n <= 3; n++) {
		memset(d.field, 'f', n);
		len = details_encode(&d, &of, text);
		while (len % 4)
			text[len++] = '=';
		text[len] = 'A'; /* behind it */
		ck_assert(details_decode(text, len, &got));
		ck_assert_str_eq(got.field, d.field);
	}
}

/* A byte that is no digit, wherever it stands. */
TEST(no_byte_but_a_digit_is_one)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmno"
				     "pqrstuvwxyz0123456789+/";
	const struct details_of of = { 3, "no", "/pmu.v1.A/B" };
	struct details d = { "field", "REASON" }, got;
	char text[DETAILS_MAX];
	size_t len = details_encode(&d, &of, text);

	ck_assert(details_decode(text, len, &got));
	for (unsigned byte = 0; byte <= 255; byte++) {
		if (memchr(digits, (int)byte, sizeof(digits) - 1))
			continue;
		text[len / 2] = (char)byte;
		ck_assert_msg(!details_decode(text, len, &got), "%u", byte);
	}
}

TEST(the_longest_fits)
{
	struct details d, got;
	char text[DETAILS_MAX], words[GRPC_MESSAGE_MAX], path[256];
	const struct details_of of = { 3, words, path };

	memset(&d, 'd', sizeof(d));
	d.field[DETAILS_FIELD - 1] = d.reason[DETAILS_REASON - 1] = '\0';
	memset(words, 'w', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	memset(path, 'p', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	ck_assert(details_decode(text, details_encode(&d, &of, text), &got));
	ck_assert_str_eq(got.field, d.field);
	ck_assert_str_eq(got.reason, d.reason);
}

/* Four digits of Base64 for three bytes, and the last four are its end's. */
TEST(as_much_is_sent_as_has_room)
{
	struct details d;
	char text[DETAILS_MAX], words[GRPC_MESSAGE_MAX] = "", path[1024];
	const struct details_of of = { 3, words, path };
	size_t most = 0;

	memset(&d, 'd', sizeof(d));
	d.field[DETAILS_FIELD - 1] = d.reason[DETAILS_REASON - 1] = '\0';
	memset(words, 'w', sizeof(words) - 1);
	for (size_t n = 0; n < sizeof(path) - 1; n++) {
		size_t len;

		path[n] = '\0';
		len = details_encode(&d, &of, text);
		most = len > most ? len : most;
		path[n] = 'p';
	}
	ck_assert_uint_eq(most, DETAILS_MAX - 4);
}

TEST(nothing_to_say_is_no_header)
{
	const struct details_of of = { 5, "no", "/pmu.v1.A/B" };
	struct details d = { 0 };
	char text[DETAILS_MAX];

	ck_assert_uint_eq(details_encode(&d, &of, text), 0);
}

/* "CAM=" is a Status of code 3 and no more. */
static const char *const bad[] = { "",	   "!",	    "CAM", "CAM=",  "CAM*",
				   "////", "=====", "Gg",  "GgP//w" };

TEST_ROWS(what_is_none_gives_none, bad)
{
	struct details got;

	memset(&got, 'x', sizeof(got));
	ck_assert(!details_decode(bad[_i], strlen(bad[_i]), &got));
	ck_assert_str_eq(got.field, "");
	ck_assert_str_eq(got.reason, "");
}

/* Of two details, as another server may send them, in Base64. */
static const struct two_row {
	const char *why, *text, *field, *reason;
} two_rows[] = {
	{ "a reason that is none, and a field",
	  ("CAMaLgoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkVycm9ySW5mbxIC//"
	   "8a"
	   "NgopdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkJhZFJlcXVlc3QSCQoHCgV"
	   "m"
	   "aWVsZA"),
	  "field", "" },
	{ "a field that is none, and a reason",
	  ("CAMaLwopdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkJhZFJlcXVlc3QSAv/"
	   "/"
	   "GjQKKHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5FcnJvckluZm8SCAoGUkV"
	   "B"
	   "U09O"),
	  "", "REASON" },
	{ "no field at all, and a reason",
	  ("CAMaLQopdHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLkJhZFJlcXVlc3QSABo"
	   "0"
	   "Cih0eXBlLmdvb2dsZWFwaXMuY29tL2dvb2dsZS5ycGMuRXJyb3JJbmZvEggKBlJFQVN"
	   "P"
	   "Tg"),
	  "", "REASON" },
	{ "what only others know, and both",
	  ("CAMaLAoodHlwZS5nb29nbGVhcGlzLmNvbS9nb29nbGUucnBjLlJldHJ5SW5mbxIAGjQ"
	   "K"
	   "KHR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5FcnJvckluZm8SCAoGUkVBU09"
	   "O"
	   "GjYKKXR5cGUuZ29vZ2xlYXBpcy5jb20vZ29vZ2xlLnJwYy5CYWRSZXF1ZXN0EgkKBwo"
	   "F"
	   "ZmllbGQ"),
	  "field", "REASON" },
};

TEST_ROWS(a_detail_that_is_none_leaves_the_others, two_rows)
{
	const struct two_row *row = &two_rows[_i];
	struct details got;

	ck_assert_msg(details_decode(row->text, strlen(row->text), &got), "%s",
		      row->why);
	ck_assert_str_eq(got.field, row->field);
	ck_assert_str_eq(got.reason, row->reason);
}

/* One has half of the room, of which 28 bytes are not the method's name. */
TEST_TIMES(a_detail_that_is_too_long_is_left_out, 2)
{
	const size_t most = (DETAILS_MAX / 4 * 3 - 3) / 2 - 28;
	struct details d = { "field", "REASON" }, got;
	char text[DETAILS_MAX], path[DETAILS_MAX];
	const struct details_of of = { 3, "no", path };

	memset(path, 'p', sizeof(path));
	path[most + (size_t)_i] = '\0';
	ck_assert(details_decode(text, details_encode(&d, &of, text), &got));
	ck_assert_str_eq(got.field, "field");
	ck_assert_str_eq(got.reason, _i ? "" : "REASON");
}

TEST(more_than_fits_is_refused)
{
	static char text[2 * DETAILS_MAX];
	struct details got;

	memset(text, 'A', sizeof(text));
	ck_assert(!details_decode(text, sizeof(text), &got));
}

SUITE("details");
