/* SPDX-License-Identifier: BSD-2-Clause */
/* What both ends of a gRPC connection share: frames, timeouts, text. */
#include "unit.h"

#include <string.h>

#include "rpc-test.pb-c.h"
#include "wire/frame.h"
#include "wire/message.h"
#include "wire/wire.h"

static const struct frame_row {
	const char *why;
	const char *bytes;
	size_t n;
	enum frame_state want;
} frame_rows[] = {
	{ "nothing", "", 0, FRAME_SHORT },
	{ "a prefix cut", "\0\0\0\0", 4, FRAME_SHORT },
	{ "an empty message", "\0\0\0\0\0", 5, FRAME_READY },
	{ "a message cut", "\0\0\0\0\2a", 6, FRAME_SHORT },
	{ "a message", "\0\0\0\0\2ab", 7, FRAME_READY },
	{ "a message and more", "\0\0\0\0\2abc", 8, FRAME_READY },
	{ "at the limit, not here yet", "\0\0\0\1\0", 5, FRAME_SHORT },
	{ "above the limit", "\0\0\0\1\1", 5, FRAME_TOO_LARGE },
	{ "the largest length", "\0\377\377\377\377", 5, FRAME_TOO_LARGE },
	{ "compressed, at its first byte", "\1", 1, FRAME_COMPRESSED },
	{ "an unknown flag", "\2", 1, FRAME_BAD },
	{ "an unknown flag", "\377\0\0\0\0", 5, FRAME_BAD },
};

TEST_ROWS(a_frame_is_seen_for_what_it_is, frame_rows)
{
	const struct frame_row *row = &frame_rows[_i];
	struct buf b = { 0 };
	uint32_t len = 0;

	ck_assert_int_eq(buf_append(&b, row->bytes, row->n), 0);
	ck_assert_msg(frame_peek(&b, 256, &len) == row->want, "%s", row->why);
	ck_assert_uint_eq(buf_len(&b), row->n);
	buf_free(&b);
}

/* Four bytes, the highest first. */
TEST(a_length_is_written_whole)
{
	static const uint8_t want[] = { 0, 1, 2, 3, 4 };
	static uint8_t bytes[0x01020304];
	struct buf out = { 0 };
	uint32_t len;

	ck_assert_int_eq(frame_append_bytes(&out, bytes, sizeof(bytes)), 0);
	ck_assert_mem_eq(buf_head(&out), want, sizeof(want));
	ck_assert_int_eq(frame_peek(&out, sizeof(bytes), &len), FRAME_READY);
	ck_assert_uint_eq(len, sizeof(bytes));
	buf_free(&out);
}

TEST(a_framed_message_reads_back)
{
	Test__Item item = TEST__ITEM__INIT, *back;
	struct buf b = { 0 }, copy = { 0 };
	uint32_t len;

	item.name = (char *)"x";
	item.number = 7;
	ck_assert_int_eq(frame_append(&b, &item.base), 0);
	ck_assert_int_eq(frame_peek(&b, 256, &len), FRAME_READY);
	back = test__item__unpack(NULL, len, buf_head(&b) + FRAME_PREFIX);
	ck_assert_uint_eq(back->number, 7);
	test__item__free_unpacked(back, NULL);
	ck_assert_int_eq(
		frame_append_bytes(&copy, buf_head(&b) + FRAME_PREFIX, len), 0);
	ck_assert_mem_eq(buf_head(&copy), buf_head(&b), buf_len(&b));
	ck_assert_int_eq(frame_append_bytes(&copy, NULL, 0), 0);
	buf_free(&b);
	buf_free(&copy);
}

TEST(a_copy_shares_nothing_with_its_message)
{
	char name[] = "x";
	Test__Item item = TEST__ITEM__INIT, *copy;

	item.name = name;
	item.number = 7;
	copy = message_copy(&item.base);
	name[0] = 'y';
	item.number = 8;
	ck_assert_ptr_nonnull(copy);
	ck_assert_ptr_eq(copy->base.descriptor, &test__item__descriptor);
	ck_assert_str_eq(copy->name, "x");
	ck_assert_uint_eq(copy->number, 7);
	test__item__free_unpacked(copy, NULL);
}

TEST(an_empty_message_has_a_copy)
{
	Test__Item item = TEST__ITEM__INIT, *copy = message_copy(&item.base);

	ck_assert_ptr_nonnull(copy);
	ck_assert_uint_eq(copy->number, 0);
	test__item__free_unpacked(copy, NULL);
}

#define CENTURY (UINT64_C(100) * 365 * 24 * 3600 * 1000000000)

static const struct timeout_row {
	const char *text;
	bool ok;
	uint64_t ns;
} timeout_rows[] = {
	{ "1n", true, 1 },
	{ "2u", true, 2000 },
	{ "3m", true, 3000000 },
	{ "4S", true, UINT64_C(4000000000) },
	{ "5M", true, UINT64_C(300000000000) },
	{ "6H", true, UINT64_C(21600000000000) },
	{ "0S", true, 0 },
	{ "00000001n", true, 1 },
	{ "12345678n", true, 12345678 },
	{ "99999999H", true, CENTURY },
	{ "", false, 0 },
	{ "n", false, 0 },
	{ "1", false, 0 },
	{ "-1S", false, 0 },
	{ "1 S", false, 0 },
	{ "1s", false, 0 },
	{ "1.5S", false, 0 },
	{ "1/S", false, 0 },
	{ "1:S", false, 0 },
	{ "123456789n", false, 0 },
};

TEST_ROWS(a_timeout_is_read_as_the_protocol_says, timeout_rows)
{
	const struct timeout_row *row = &timeout_rows[_i];
	uint64_t ns = 42;

	ck_assert_msg(timeout_parse(row->text, strlen(row->text), &ns) ==
			      row->ok,
		      "'%s'", row->text);
	ck_assert_uint_eq(ns, row->ok ? row->ns : 42);
}

static const struct format_row {
	uint64_t ns;
	const char *want;
} format_rows[] = {
	{ 0, "0n" },
	{ 1, "1n" },
	{ 99999999, "99999999n" },
	{ 100000000, "100000u" },
	{ 100000001, "100001u" }, /* rounded up, never down */
	{ UINT64_C(99999999) * 1000, "99999999u" },
	{ UINT64_C(100000000) * 1000, "100000m" },
	{ UINT64_MAX, "52560000M" },
};

TEST_ROWS(a_timeout_is_written_in_eight_digits, format_rows)
{
	const struct format_row *row = &format_rows[_i];
	char text[GRPC_TIMEOUT_MAX];
	uint64_t ns;

	timeout_format(row->ns, text);
	ck_assert_str_eq(text, row->want);
	ck_assert(timeout_parse(text, strlen(text), &ns));
	if (row->ns <= CENTURY)
		ck_assert_uint_ge(ns, row->ns);
}

static const struct text_row {
	const char *plain, *encoded;
} text_rows[] = {
	{ "", "" },
	{ "no such machine", "no such machine" },
	{ "100% '\xc3\xa4'", "100%25 '%C3%A4'" },
	{ "line\nend\x7f", "line%0Aend%7F" },
	{ "a ~", "a ~" },
	{ "!\x1f$&", "!%1F$&" },
	{ " ends with a space ", "%20ends with a space%20" },
	{ " ", "%20" },
};

TEST_ROWS(text_survives_its_encoding, text_rows)
{
	const struct text_row *row = &text_rows[_i];
	char out[64], back[64];
	size_t n = percent_encode(row->plain, out, sizeof(out));

	ck_assert_str_eq(out, row->encoded);
	ck_assert_uint_eq(n, strlen(row->encoded));
	ck_assert_uint_eq(percent_decode(out, n, back, sizeof(back)),
			  strlen(row->plain));
	ck_assert_str_eq(back, row->plain);
}

TEST(text_that_does_not_fit_is_cut_between_escapes)
{
	char out[9];

	for (size_t cap = 1; cap <= sizeof(out); cap++) {
		size_t n = percent_encode("a\xff\xff", out, cap);

		ck_assert_uint_eq(n, cap < 2   ? 0
				     : cap < 5 ? 1
				     : cap < 8 ? 4
					       : 7);
		ck_assert_uint_eq(strlen(out), n);
		ck_assert_uint_eq(percent_decode("%41bcdefghi", 11, out, cap),
				  cap - 1);
	}
}

static const struct text_row broken_rows[] = {
	{ "%", "%" },
	{ "%4", "%4" },
	{ "a%zz", "a%zz" },
	{ "%%41", "%A" },
	{ "%c3%A4", "\xc3\xa4" },
	{ "%aa%AA%ff%FF", "\xaa\xaa\xff\xff" },
	{ "%30%39%90", "09\x90" },
	{ "%/0%0/", "%/0%0/" },
	{ "%:0%0:", "%:0%0:" },
	{ "%`0%0`", "%`0%0`" },
	{ "%g0%0g", "%g0%0g" },
	{ "%@0%0@", "%@0%0@" },
	{ "%G0%0G", "%G0%0G" },
};

TEST_ROWS(a_broken_escape_stays_as_it_is, broken_rows)
{
	const struct text_row *row = &broken_rows[_i];
	char out[16];

	percent_decode(row->plain, strlen(row->plain), out, sizeof(out));
	ck_assert_str_eq(out, row->encoded);
}

TEST(an_escape_ends_with_its_text)
{
	char out[16];

	ck_assert_uint_eq(percent_decode("%41", 2, out, sizeof(out)), 2);
	ck_assert_str_eq(out, "%4");
	ck_assert_uint_eq(percent_decode("%41", 3, out, sizeof(out)), 1);
	ck_assert_str_eq(out, "A");
}

static const struct utf8_row {
	const char *bytes;
	bool ok;
	const char *mended;
} utf8_rows[] = {
	{ "", true },
	{ "plain", true },
	{ "\xc2\x80 \xdf\xbf", true },
	{ "\xe0\xa0\x80 \xed\x9f\xbf \xef\xbf\xbf", true },
	{ "\xf0\x90\x80\x80 \xf4\x8f\xbf\xbf", true },
	{ "\x80", false, "?" },
	{ "\xc1\xbf", false, "??" },	       /* longer than needed */
	{ "\xe0\x9f\xbf", false, "???" },      /* longer than needed */
	{ "\xf0\x8f\xbf\xbf", false, "????" }, /* longer than needed */
	{ "\xed\xa0\x80", false, "???" },      /* a surrogate */
	{ "\xf4\x90\x80\x80", false, "????" }, /* beyond U+10FFFF */
	{ "\xf5\x80\x80\x80", false, "????" },
	{ "\xff", false, "?" },
	{ "a\xc3", false, "a?" },
	{ "\xe2\x82", false, "??" },
	{ "\xf0\x9f\x98", false, "???" },
	{ "\xc3(", false, "?(" },
};

TEST_ROWS(utf8_is_told_from_what_is_not, utf8_rows)
{
	const struct utf8_row *row = &utf8_rows[_i];

	ck_assert_msg(utf8_valid(row->bytes, strlen(row->bytes)) == row->ok,
		      "row %d", _i);
}

TEST_ROWS(what_is_no_utf8_is_mended_byte_by_byte, utf8_rows)
{
	const struct utf8_row *row = &utf8_rows[_i];
	char text[16];

	strcpy(text, row->bytes);
	utf8_mend(text);
	ck_assert_str_eq(text, row->ok ? row->bytes : row->mended);
}

TEST(every_status_has_its_name)
{
	ck_assert_str_eq(grpc_status_name(0), "OK");
	ck_assert_str_eq(grpc_status_name(5), "NOT_FOUND");
	ck_assert_str_eq(grpc_status_name(16), "UNAUTHENTICATED");
	ck_assert_str_eq(grpc_status_name(17), "UNKNOWN");
}

/* Bytes that are consumed make room for others, and what fits exactly fits. */
TEST(a_buffer_grows_only_when_it_is_full)
{
	struct buf b = { 0 };
	const uint8_t *block;
	size_t cap;

	block = buf_reserve(&b, 1);
	ck_assert_ptr_nonnull(block);
	cap = b.cap;
	ck_assert_ptr_eq(buf_reserve(&b, cap), block);
	memset(b.data, 'x', cap);
	b.data[cap - 1] = 'y';
	buf_commit(&b, cap);
	buf_consume(&b, cap / 2);
	ck_assert_ptr_eq(buf_reserve(&b, cap / 2), block + cap / 2);
	ck_assert_uint_eq(buf_len(&b), cap / 2);
	ck_assert_uint_eq(buf_head(&b)[cap / 2 - 1], 'y');
	buf_consume(&b, 1);
	buf_commit(&b, cap / 2);
	ck_assert_ptr_nonnull(buf_reserve(&b, 2)); /* one byte is free */
	ck_assert_uint_eq(b.cap, 2 * cap);
	buf_free(&b);
	/* what is asked for exactly fills the block that it gets */
	ck_assert_ptr_nonnull(buf_reserve(&b, 4 * cap));
	ck_assert_uint_eq(b.cap, 4 * cap);
	buf_free(&b);
}

SUITE("wire");
