/* SPDX-License-Identifier: BSD-2-Clause */
/* cli/gdb/rsp-text.c: what packets are made of, and what is none. */
#include "gdb/rsp-text.h"

#include <string.h>

#include "unit.h"

static struct rsp_text text(const char *s)
{
	return rsp_text(s, strlen(s));
}

static const struct {
	const char *text;
	bool good;
	uint64_t value;
	const char *rest;
} numbers[] = {
	{ "0", true, 0, "" },
	{ "1f,2", true, 0x1f, ",2" },
	{ "ABCdef", true, 0xabcdef, "" },
	{ "ffffffffffffffff:", true, UINT64_MAX, ":" },
	{ "00000000000000000001", true, 1, "" },
	{ "10000000000000000", false, 0, "10000000000000000" },
	{ "", false, 0, "" },
	{ "-1", false, 0, "-1" },
	{ "g", false, 0, "g" },
};

TEST_ROWS(a_number_is_taken, numbers)
{
	struct rsp_text t = text(numbers[_i].text);
	uint64_t value = 0;

	ck_assert_int_eq(rsp_number(&t, &value), numbers[_i].good);
	ck_assert_uint_eq(value, numbers[_i].value);
	ck_assert_str_eq(t.at, numbers[_i].rest);
}

static const struct {
	const char *text;
	bool good;
	uint64_t a, b;
} pairs[] = {
	{ "1000,4", true, 0x1000, 4 }, { "1,2:", true, 1, 2 },
	{ "1000", false, 0, 0 },       { "1000,", false, 0, 0 },
	{ ",4", false, 0, 0 },	       { "1;2", false, 0, 0 },
};

TEST_ROWS(a_pair_is_taken, pairs)
{
	struct rsp_text t = text(pairs[_i].text);
	uint64_t a = 0, b = 0;

	ck_assert_int_eq(rsp_pair(&t, &a, &b), pairs[_i].good);
	ck_assert_uint_eq(a, pairs[_i].a);
	ck_assert_uint_eq(b, pairs[_i].b);
	if (!pairs[_i].good)
		ck_assert_str_eq(t.at, pairs[_i].text);
}

static const struct {
	const char *text;
	size_t len;
	bool good;
	uint64_t value;
} values[] = {
	{ "78563412", 4, true, 0x12345678 },
	{ "efcdab8967452301", 8, true, 0x123456789abcdef },
	{ "ff", 1, true, 0xff },
	{ "ff", 2, false, 0 },
	{ "f", 1, false, 0 },
	{ "fg", 1, false, 0 },
	{ "", 0, false, 0 },
	{ "00112233445566778899", 9, false, 0 },
};

TEST_ROWS(a_value_is_little_endian, values)
{
	struct rsp_text t = text(values[_i].text);
	uint64_t value = 0;
	char back[17] = "";

	ck_assert_int_eq(rsp_value(&t, values[_i].len, &value),
			 values[_i].good);
	ck_assert_uint_eq(value, values[_i].value);
	if (!values[_i].good)
		return;
	rsp_put_value(back, value, values[_i].len);
	ck_assert_str_eq(back, values[_i].text);
}

static const struct {
	const char *text;
	bool good;
	int64_t thread;
} threads[] = {
	{ "1", true, 1 },	{ "-1", true, RSP_ALL },
	{ "0", true, RSP_ANY }, { "a", true, 10 },
	{ "p1.3", true, 3 },	{ "p1", true, RSP_ALL },
	{ "p-1.-1", true, -1 }, { "p1.", false, 0 },
	{ "p", false, 0 },	{ "", false, 0 },
	{ "-2", false, 0 },	{ "80000000", false, 0 },
};

TEST_ROWS(a_thread_is_taken, threads)
{
	struct rsp_text t = text(threads[_i].text);
	int64_t thread = 0;

	ck_assert_int_eq(rsp_thread(&t, &thread), threads[_i].good);
	ck_assert_int_eq(thread, threads[_i].thread);
}

static const struct {
	const char *why, *text;
	int64_t n;
	bool good;
	struct rsp_resume want;
} resumes[] = {
	{ "all go", ";c", 4, true, { true, RSP_ANY, 0, 0, false } },
	{ "with a signal, too",
	  ";C05",
	  4,
	  true,
	  { true, RSP_ANY, 0, 0, false } },
	{ "one steps, the others stand",
	  ";s:2",
	  4,
	  true,
	  { false, 2, 0, 0, false } },
	{ "one steps, the others go",
	  ";s:2;c",
	  4,
	  true,
	  { true, 2, 0, 0, false } },
	{ "one goes first", ";c:1;s:2", 4, true, { true, 2, 0, 0, false } },
	{ "a step with a signal",
	  ";S05:3;c",
	  4,
	  true,
	  { true, 3, 0, 0, false } },
	{ "in a range",
	  ";r1000,1010:1;c",
	  4,
	  true,
	  { true, 1, 0x1000, 0x1010, false } },
	{ "all step: one does", ";s", 4, true, { true, RSP_ALL, 0, 0, false } },
	{ "the only one steps",
	  ";s",
	  1,
	  true,
	  { false, RSP_ALL, 0, 0, false } },
	{ "what is left of them is none",
	  ";s:1;c",
	  1,
	  true,
	  { false, 1, 0, 0, false } },
	{ "two step: the first does",
	  ";s:1;s:2",
	  4,
	  true,
	  { true, 1, 0, 0, false } },
	{ "all stop", ";t", 4, true, { false, RSP_ANY, 0, 0, true } },
	{ "no action", "", 4, false, { 0 } },
	{ "an empty one", ";", 4, false, { 0 } },
	{ "an unknown one", ";x", 4, false, { 0 } },
	{ "a signal is missing", ";C", 4, false, { 0 } },
	{ "half a range", ";r1000:1", 4, false, { 0 } },
	{ "no thread", ";c:", 4, false, { 0 } },
	{ "more behind the thread", ";c:1x", 4, false, { 0 } },
	{ "no separator", "c", 4, false, { 0 } },
};

TEST_ROWS(actions_come_to_one_thing, resumes)
{
	struct rsp_text t = text(resumes[_i].text);
	const struct rsp_resume *want = &resumes[_i].want;
	struct rsp_resume r = { 0 };

	ck_assert_msg(rsp_resume(&t, resumes[_i].n, &r) == resumes[_i].good,
		      "%s", resumes[_i].why);
	ck_assert_msg(r.others == want->others && r.step == want->step &&
			      r.lo == want->lo && r.hi == want->hi &&
			      r.stop == want->stop,
		      "%s: others %d step %d", resumes[_i].why, r.others,
		      (int)r.step);
}

TEST(a_text_is_cut_at_a_byte)
{
	struct rsp_text t = text("a+;b"), part = rsp_until(&t, ';');

	ck_assert_int_eq(part.end - part.at, 2);
	ck_assert_str_eq(t.at, "b");
	part = rsp_until(&t, ';');
	ck_assert_int_eq(part.end - part.at, 1);
	ck_assert(rsp_done(&t));
	part = rsp_until(&t, ';');
	ck_assert(rsp_done(&part));
}

SUITE("rsp-text");
