/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: where functions and lines
 * are, of symbol-places.elf, the argument, and of a list of names.
 */
#include "control-files.h"

enum {
	MOST = 4096, /* ranges of an answer */
	WITHIN = 8,  /* that a row has, at most */
	LIST = 1 << 19,
};

static const char *path;

static void arguments(int argc, char **argv)
{
	path = argv[1];
}

/* symbol-places.elf, and behind it @n functions that are called "many". */
static void make(unsigned n)
{
	static char bytes[LIST];
	FILE *in = fopen(path, "rb");
	size_t len;

	PREPARING(ck_assert_ptr_nonnull(in));
	len = fread(bytes, 1, sizeof(bytes), in);
	fclose(in);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	send_symbols(bytes, len);
	len = 0;
	for (unsigned i = 0; i < n; i++)
		len += (size_t)snprintf(bytes + len, sizeof(bytes) - len,
					"%016x T many\n%016x T gap\n",
					0x40000 + 8 * i, 0x40004 + 8 * i);
	len += (size_t)snprintf(bytes + len, sizeof(bytes) - len,
				"%016x T start\n%016x T end\n", 0x90000,
				0x90010);
	send_symbols(bytes, len);
}

static const struct row {
	const char *why;
	const char *function; /* or NULL: the line */
	const char *file;
	uint32_t line;
	size_t n;
	uint64_t at[WITHIN]; /* the first and the last of each */
} rows[] = {
	{ "of all files",
	  "start",
	  NULL,
	  0,
	  2,
	  { 0x10000, 0x10007, 0x90000, 0x9000f } },
	{ "a label", "label", NULL, 0, 1, { 0x1000c, 0x10017 } },
	{ "of a list", "gap", NULL, 0, 1, { 0x40004, 0x8ffff } },
	{ "a line",
	  NULL,
	  "first.c",
	  20,
	  3,
	  { 0x1000c, 0x1000f, 0x10014, 0x10017, 0x20004, 0x20007 } },
	{ "the end of a path",
	  NULL,
	  "sub/second.c",
	  31,
	  1,
	  { 0x10020, 0x10023 } },
};

static unsigned ask(const struct row *row)
{
	Pmu__V1__FindRangesRequest q = PMU__V1__FIND_RANGES_REQUEST__INIT;
	Pmu__V1__SourceLine line = PMU__V1__SOURCE_LINE__INIT;

	line.file = (char *)row->file;
	line.line = row->line;
	if (row->function) {
		q.of_case = PMU__V1__FIND_RANGES_REQUEST__OF_FUNCTION;
		q.function = (char *)row->function;
	} else if (row->file) {
		q.of_case = PMU__V1__FIND_RANGES_REQUEST__OF_LINE;
		q.line = &line;
	}
	return peer_call(&p, CALL(FindRanges), &q.base)->code;
}

TEST_ROWS(a_function_or_a_line_is_at_these_addresses, rows)
{
	const struct row *row = &rows[_i];
	const Pmu__V1__FindRangesResponse *r;

	make(1);
	ck_assert_msg(ask(row) == OK, "%s: %s", row->why, p.last.text);
	r = p.last.answer;
	ck_assert_msg(r->n_ranges == row->n, "%s: %zu", row->why, r->n_ranges);
	for (size_t i = 0; i < row->n; i++) {
		ck_assert_uint_eq(r->ranges[i]->first, row->at[2 * i]);
		ck_assert_uint_eq(r->ranges[i]->last, row->at[2 * i + 1]);
	}
}

static const struct wrong_row {
	struct row asked;
	unsigned code;
	const char *reason, *text;
} wrong_rows[] = {
	{ { "nothing" },
	  INVALID,
	  "FIELD_MISSING",
	  "of: neither a function nor a line is named" },
	{ { "no function", "none" },
	  NOT_FOUND,
	  "NO_SUCH_SYMBOL",
	  "no file of the machine has the function 'none'" },
	{ { "data", "datum" },
	  NOT_FOUND,
	  "NO_SUCH_SYMBOL",
	  "no file of the machine has the function 'datum'" },
	{ { "no name", "" },
	  NOT_FOUND,
	  "NO_SUCH_SYMBOL",
	  "no file of the machine has the function ''" },
	{ { "no code", NULL, "first.c", 40 },
	  NOT_FOUND,
	  "NO_SUCH_LINE",
	  "no file of the machine has code of 'first.c:40'" },
	{ { "no file", NULL, "none.c", 10 },
	  NOT_FOUND,
	  "NO_SUCH_LINE",
	  "no file of the machine has code of 'none.c:10'" },
	{ { "no line", NULL, "first.c", 0 },
	  INVALID,
	  "BAD_VALUE",
	  "line: 0, lines are from 1 to 2147483647" },
	{ { "beyond all", NULL, "first.c", UINT32_C(1) << 31 },
	  INVALID,
	  "BAD_VALUE",
	  "line: 2147483648, lines are from 1 to 2147483647" },
};

TEST_ROWS(what_is_nowhere_is_refused, wrong_rows)
{
	const struct wrong_row *row = &wrong_rows[_i];

	make(1);
	ck_assert_msg(ask(&row->asked) == row->code, "%s: %s", row->asked.why,
		      p.last.text);
	ck_assert_str_eq(p.last.reason, row->reason);
	ck_assert_str_eq(p.last.text, row->text);
}

/* Those of an answer, and one more. */
TEST_TIMES(so_many_ranges_are_told, 2)
{
	const struct row many = { "many", "many" };
	const Pmu__V1__FindRangesResponse *r;

	make(MOST + (unsigned)_i);
	if (_i) {
		ck_assert_uint_eq(ask(&many), EXHAUSTED);
		ck_assert_str_eq(p.last.reason, "TOO_MANY");
		ck_assert_str_eq(p.last.text,
				 "of: more than 4096 ranges of addresses");
		return;
	}
	ck_assert_uint_eq(ask(&many), OK);
	r = p.last.answer;
	ck_assert_uint_eq(r->n_ranges, MOST);
	ck_assert_uint_eq(r->ranges[MOST - 1]->first, 0x40000 + 8 * (MOST - 1));
}

TEST(a_machine_without_files_has_none)
{
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, 1, true, ""), OK);
	ck_assert_uint_eq(ask(&rows[0]), NOT_FOUND);
}

SUITE("control-ranges", .begin = arguments, .teardown = teardown);
