/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of hook-call.h on a page of our own: a call of the hook is found
 * however its arguments are loaded, and is none if any byte is another; what
 * replaces it fits, jumps to its end and reaches what it names, or is refused.
 */
#include <string.h>

#include "../unit/unit.h"
#include "engine/unicorn/fast/hook-call.h"

enum {
	N_ARGS = 4,
	CALL_FREE = 4,	 /* bytes of the call's way, which may be any */
	CHECK_FIXED = 7, /* of the check, then its way out */
	CHECK = 11,
};

static _Alignas(64) uint8_t code[256];
static const uint64_t WIDE = UINT64_C(0x123456789abcde00);

/* Each way in which generated code loads a constant, for rdi, rsi, rdx, rcx. */
enum way {
	XOR,
	MOV_32,
	MOV_SIGNED,
	LEA,
	MOV_64,
};

static const struct load {
	uint8_t len, n_fixed, n_value;
	uint8_t fixed[N_ARGS][3];
} loads[] = {
	[XOR] = { 2,
		  2,
		  0,
		  { { 0x33, 0xff },
		    { 0x33, 0xf6 },
		    { 0x33, 0xd2 },
		    { 0x33, 0xc9 } } },
	[MOV_32] = { 5, 1, 4, { { 0xbf }, { 0xbe }, { 0xba }, { 0xb9 } } },
	[MOV_SIGNED] = { 7,
			 3,
			 4,
			 { { 0x48, 0xc7, 0xc7 },
			   { 0x48, 0xc7, 0xc6 },
			   { 0x48, 0xc7, 0xc2 },
			   { 0x48, 0xc7, 0xc1 } } },
	[LEA] = { 7,
		  3,
		  4,
		  { { 0x48, 0x8d, 0x3d },
		    { 0x48, 0x8d, 0x35 },
		    { 0x48, 0x8d, 0x15 },
		    { 0x48, 0x8d, 0x0d } } },
	[MOV_64] = { 10,
		     2,
		     8,
		     { { 0x48, 0xbf },
		       { 0x48, 0xbe },
		       { 0x48, 0xba },
		       { 0x48, 0xb9 } } },
};

static uint8_t *put(uint8_t *at, const void *bytes, size_t n)
{
	memcpy(at, bytes, n);
	return at + n;
}

static uint8_t *put_load(uint8_t *at, unsigned arg, enum way way, uint64_t v)
{
	const struct load *load = &loads[way];
	uint64_t held = v;

	if (way == LEA)
		held -= (uint64_t)(uintptr_t)(at + load->len);
	at = put(at, load->fixed[arg], load->n_fixed);
	return put(at, &held, load->n_value);
}

/* A call of the hook, where one argument is loaded in a way of its own. */
struct site {
	uint8_t *start, *call, *end; /* the check's end */
	struct code_call found;
};

static struct site make(unsigned arg, enum way way, uint64_t v, bool direct)
{
	static const uint8_t check[CHECK] = { 0x8b, 0x5d, 0xf0, 0x85, 0xdb,
					      0x0f, 0x8c, 0x10, 0x20 };
	struct site s = { .start = code + 16 };
	uint8_t *at = s.start;

	memset(code, 0xcc, sizeof(code));
	for (unsigned i = 0; i < N_ARGS; i++) {
		s.found.args[i] = i == arg ? v : WIDE + i;
		at = put_load(at, i, i == arg ? way : MOV_64, s.found.args[i]);
	}
	s.call = at;
	at = direct ? put(at, (uint8_t[]){ 0xe8, 1, 2, 3, 4 }, 5)
		    : put(at, (uint8_t[]){ 0xff, 0x15, 1, 2, 3, 4 }, 6);
	s.found.ret = at;
	s.end = put(at, check, sizeof(check));
	return s;
}

static bool finds(const struct site *s)
{
	uint8_t len = 0;
	const uint8_t *at = code_find(&s->found, &len);

	if (at == NULL)
		return false;
	ck_assert_ptr_eq(at, s->start);
	ck_assert_uint_eq(len, s->end - s->start);
	return true;
}

/* An address that lea reaches, by its distance from the page. */
#define NEAR(off) ((uint64_t)(uintptr_t)code + (uint64_t)(off))

static const struct load_row {
	const char *why;
	enum way way;
	uint64_t value; /* with LEA, a distance */
	bool found;
} load_rows[] = {
	{ "xor is 0", XOR, 0, true },
	{ "xor is nothing else", XOR, 1, false },
	{ "32 bits of 1", MOV_32, 1, true },
	{ "32 bits are not extended", MOV_32, 0x80000000, true },
	{ "all of 32 bits", MOV_32, UINT32_MAX, true },
	{ "one more than 32 bits hold", MOV_32, UINT64_C(1) << 32, false },
	{ "32 bits of something wide", MOV_32, UINT64_C(0x500000001), false },
	{ "32 bits are not -1", MOV_32, UINT64_MAX, false },
	{ "extended, -1", MOV_SIGNED, UINT64_MAX, true },
	{ "extended, the least", MOV_SIGNED, (uint64_t)INT32_MIN, true },
	{ "extended, the most", MOV_SIGNED, INT32_MAX, true },
	{ "one less than the least", MOV_SIGNED, (uint64_t)INT32_MIN - 1,
	  false },
	{ "extended, one more than the most", MOV_SIGNED, 0x80000000, false },
	{ "nearby", LEA, 0x1000, true },
	{ "nearby, before it", LEA, (uint64_t)-0x1000, true },
	{ "4 GB from there", LEA, UINT64_C(0x100001000), false },
	{ "64 bits", MOV_64, UINT64_C(0xfedcba9876543210), true },
};

TEST_TIMES(a_call_is_found_however_its_arguments_are_loaded,
	   ARRAY_SIZE(load_rows) * N_ARGS * 2)
{
	const struct load_row *row = &load_rows[_i / N_ARGS / 2];
	uint64_t v = row->way == LEA ? NEAR(row->value) : row->value;
	struct site s = make((unsigned)_i / 2 % N_ARGS, row->way, v, _i % 2);

	ck_assert_msg(finds(&s) == row->found, "%s", row->why);
	s.found.args[_i / 2 % N_ARGS]++;
	ck_assert_msg(!finds(&s), "%s, but it is another value", row->why);
}

/* Free are the ways that the call and the check go. */
static bool is_free(const struct site *s, const uint8_t *at)
{
	return (at < s->found.ret && at >= s->found.ret - CALL_FREE) ||
	       at >= s->found.ret + CHECK_FIXED;
}

static const struct load_row *good_row(int i)
{
	const struct load_row *row = &load_rows[i];

	return row->found ? row : NULL;
}

TEST_WHERE(each_other_byte_makes_it_no_call, 0,
	   ARRAY_SIZE(load_rows) * N_ARGS * 2, good_row(_i / N_ARGS / 2))
{
	const struct load_row *row = good_row(_i / N_ARGS / 2);
	uint64_t v = row->way == LEA ? NEAR(row->value) : row->value;
	struct site s = make((unsigned)_i / 2 % N_ARGS, row->way, v, _i % 2);

	for (uint8_t *at = s.start; at < s.end; at++) {
		*at ^= 1;
		ck_assert_msg(finds(&s) == is_free(&s, at), "%s: byte %d",
			      row->why, (int)(at - s.start));
		*at ^= 1;
	}
	ck_assert(finds(&s));
}

TEST(a_stop_goes_where_the_check_went)
{
	static const uint8_t was[] = { 0, 0x0f, 0x8c, 0xf0, 0xff, 0xff, 0xff };

	ck_assert_ptr_eq(code_stop(was, sizeof(was), code + 100), code + 84);
}

/* The end of a block as it is generated, with and without vzeroupper. */
static const uint8_t *make_way_out(bool vector, uint8_t *ret_end)
{
	static const uint8_t lea[] = { 0x48, 0x8d, 0x05, 1, 2, 3, 4 };
	static const uint8_t jump[] = { 0xe9, 20, 0, 0, 0 };
	static const uint8_t frame[] = { 0x48, 0x81, 0xc4, 0x88, 4, 0, 0 };
	static const uint8_t pops[] = { 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d,
					0x41, 0x5c, 0x5b, 0x5d, 0xc3 };
	uint8_t *at;

	memset(code, 0xcc, sizeof(code));
	put(put(code, lea, sizeof(lea)), jump, sizeof(jump));
	at = put(code + 32, frame, sizeof(frame));
	if (vector)
		at = put(at, (uint8_t[]){ 0xc5, 0xf8, 0x77 }, 3);
	at = put(at, pops, sizeof(pops));
	*ret_end = (uint8_t)(at - code);
	return code + 32;
}

TEST_TIMES(the_way_out_is_known_by_each_byte, 2)
{
	uint8_t end;
	const uint8_t *out = make_way_out(_i, &end);

	ck_assert_ptr_eq(code_way_out(code), out);
	for (unsigned i = 0; i < end; i++) {
		bool free = (i >= 3 && i < 7) || (i >= 12 && i < 32) ||
			    (i >= 35 && i < 39);

		if (i >= 8 && i < 12) /* where it jumps to */
			continue;
		code[i] ^= 1;
		ck_assert_msg((code_way_out(code) == out) == free, "byte %u",
			      i);
		code[i] ^= 1;
	}
}

/* What is composed */

enum {
	JS = 17, /* of hook-call.c's listing: the ends of its instructions */
	MOVL = 29,
	CALL = 37,
	LEFT = 128, /* offsets in code[] of what is named */
	CURRENT = 160,
	SLOW = 192,
};

static struct code_count named(void)
{
	return (struct code_count){
		.counts = WIDE,
		.left = (uint64_t *)(void *)(code + LEFT),
		.number = 0x8765,
		.current = (uint32_t *)(void *)(code + CURRENT),
		.slow = (void *const *)(void *)(code + SLOW),
	};
}

static int32_t way(const uint8_t *end)
{
	int32_t v;

	memcpy(&v, end - 4, sizeof(v));
	return v;
}

/* Bytes of NOPs at @at: of those that are put before what counts. */
static unsigned nops(const uint8_t *at)
{
	unsigned n = at[0] == 0x66;

	if (at[n] == 0x90)
		return n + 1;
	if (at[n] != 0x0f || at[n + 1] != 0x1f)
		return 0;
	switch (at[n + 2]) {
	case 0x00:
		return n + 3;
	case 0x40:
		return n + 4;
	case 0x44:
		return n + 5;
	case 0x80:
		return n + 7;
	default:
		return 0;
	}
}

/* It runs from @got to its end at @len, whichever way it goes. */
static void check_composed(const uint8_t *got, unsigned len, unsigned pad)
{
	static const uint8_t sub[] = { 0x48, 0x29, 0x0d };
	const uint8_t *at = got + pad;

	ck_assert(at[0] == 0x48 && at[1] == 0xb9);
	ck_assert_mem_eq(at + 2, &WIDE, 8);
	ck_assert_mem_eq(at + 10, sub, sizeof(sub));
	ck_assert_uint_eq(pad + JS + (unsigned)way(at + JS), LEFT);
	ck_assert(at[JS] == 0x78 && JS + 2 + at[JS + 1] == CALL - 6);
	ck_assert(at[19] == 0xc7 && at[20] == 0x05);
	ck_assert_uint_eq(pad + MOVL + (unsigned)way(at + MOVL - 4), CURRENT);
	ck_assert_int_eq(way(at + MOVL), 0x8765);
	ck_assert(at[MOVL] == 0xeb && pad + MOVL + 2 + at[MOVL + 1] == len);
	ck_assert(at[31] == 0xff && at[32] == 0x15);
	ck_assert_uint_eq(pad + CALL + (unsigned)way(at + CALL), SLOW);
	for (unsigned i = pad + CALL; i < len; i++)
		ck_assert_uint_eq(got[i], 0x90);
}

/* Where the hook that runs comes back to: a jump to the end, or behind all. */
TEST_TIMES(it_is_composed_where_it_fits, 70)
{
	const struct code_count c = named();
	uint8_t len = (uint8_t)_i, got[70];

	for (unsigned back = 0; back < sizeof(got); back++) {
		unsigned pad = back < CALL ? back - MOVL : 0;
		bool fits = back >= MOVL && len <= CODE_SITE_MAX &&
			    pad + CODE_SITE_MIN <= len;

		memset(got, 0xcc, sizeof(got));
		ck_assert_msg(code_compose(got, code, len, &c, code + back) ==
				      fits,
			      "%d bytes, back to %u", _i, back);
		for (unsigned i = len; i < sizeof(got); i++)
			ck_assert_uint_eq(got[i], 0xcc);
		if (!fits)
			continue;
		ck_assert(pad == 0 || nops(got) == pad);
		check_composed(got, len, pad);
	}
}

/* What the instruction that ends @end bytes into it reaches, and just not. */
static const struct reach_row {
	const char *why;
	int end;
	size_t field; /* of struct code_count */
} reach_rows[] = {
	{ "the counts left", JS, offsetof(struct code_count, left) },
	{ "the current block", MOVL, offsetof(struct code_count, current) },
	{ "the slow way", CALL, offsetof(struct code_count, slow) },
};

TEST_ROWS(what_is_too_far_away_is_refused, reach_rows)
{
	static const struct {
		int64_t far;
		bool fits;
	} rows[] = { { INT32_MAX, true },
		     { INT64_C(1) + INT32_MAX, false },
		     { INT32_MIN, true },
		     { INT64_C(-1) + INT32_MIN, false },
		     { INT64_C(1) << 32, false } };
	const struct reach_row *row = &reach_rows[_i];
	uint8_t got[CODE_SITE_MAX];

	for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
		struct code_count c = named();
		uintptr_t to =
			(uintptr_t)(code + row->end) + (uintptr_t)rows[i].far;

		memcpy((char *)&c + row->field, &to, sizeof(to));
		ck_assert_msg(code_compose(got, code, CODE_SITE_MAX, &c,
					   code + CALL) == rows[i].fits,
			      "%s, at %lld", row->why, (long long)rows[i].far);
	}
}

TEST_TIMES(the_slow_way_knows_what_it_was_called_for, 8)
{
	const struct code_count c = named();
	const uint8_t *back = code + MOVL + _i;

	ck_assert(code_compose(code, code, CODE_SITE_MAX, &c, back));
	ck_assert_ptr_eq(code_left(code + _i + CALL), c.left);
	ck_assert_uint_eq(code_number(code + _i + CALL), c.number);
}

SUITE("engine-hook-call", .test_case = "hook-call", .timeout = 30);
