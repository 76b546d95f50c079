/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces compared: the first difference, and what it is. */
#include <stdio.h>

#include "captured.h"
#include "text/exit-codes.h"
#include "trace-build.h"
#include "trace/trace-diff.h"
#include "unit.h"

static char text[4096];

static FILE *text_open(void)
{
	memset(text, 0, sizeof(text));
	return fmemopen(text, sizeof(text), "w");
}

static void diff(const char *a, const char *b, struct trace_diff *ret)
{
	static const struct record_style style[2];
	struct trace_reader *x, *y;

	ck_assert_int_eq(trace_open(&x, a), EXIT_OK);
	ck_assert_int_eq(trace_open(&y, b), EXIT_OK);
	trace_diff(x, y, style, ret);
	trace_close(x);
	trace_close(y);
}

static const struct diff_row {
	const char *why;
	unsigned harts, n; /* of the other; the first is 1 hart, 4 records */
	enum trace_diff_end end;
	bool headers;
	uint64_t index;
} diff_rows[] = {
	{ "the same", 1, 4, DIFF_SAME, false, 5 },
	{ "another header", 2, 4, DIFF_HEADERS, true, 5 },
	{ "a trap instead of the stop", 1, 6, DIFF_RECORDS, false, 4 },
	{ "a stop instead of an overflow", 1, 0, DIFF_RECORDS, false, 0 },
	{ "both", 4, 2, DIFF_RECORDS, true, 2 },
};

TEST_ROWS(the_first_difference_is_found, diff_rows)
{
	const struct diff_row *row = &diff_rows[_i];
	char a[64], b[64];
	struct trace_diff d;

	build_trace(a, 1, 4);
	build_trace(b, row->harts, row->n);
	diff(a, b, &d);
	unlink(a);
	unlink(b);
	ck_assert_msg(d.end == row->end, "%s: %d", row->why, (int)d.end);
	ck_assert_msg(d.headers_differ == row->headers, "%s", row->why);
	ck_assert_msg(d.index == row->index, "%s", row->why);
}

TEST(a_shorter_trace_is_found_from_both_sides)
{
	char a[64], b[64];
	struct trace_diff d;
	FILE *out = build_file(a, 1);

	fclose(out);
	build_trace(b, 1, 0);
	diff(a, b, &d);
	ck_assert_int_eq(d.end, DIFF_SHORTER);
	ck_assert(!d.a && d.b);
	diff(b, a, &d);
	ck_assert_int_eq(d.end, DIFF_SHORTER);
	ck_assert(d.a && !d.b);
	unlink(a);
	unlink(b);
}

/* What is no trace ends it, on either side, and is said. */
TEST_TIMES(damage_is_an_error, 2)
{
	char a[64], b[64];
	struct trace_diff d;
	FILE *out;

	build_trace(a, 1, 4);
	build_trace(b, 1, 4);
	out = fopen(_i ? a : b, "ab");
	fwrite("\x1a", 2, 1, out);
	fclose(out);
	capture();
	diff(a, b, &d);
	ck_assert_ptr_nonnull(strstr(capture_end(), _i ? a : b));
	ck_assert_int_eq(d.end, DIFF_ERROR);
	unlink(a);
	unlink(b);
}

TEST(records_are_told_apart_by_their_fields)
{
	struct built_record a, b;
	FILE *out = text_open();

	trace_diff_fields(out, build_trap(&a, 5), build_stop(&b, 6));
	fclose(out);
	ck_assert_str_eq(text, "insn: \"5\" and \"6\"\n"
			       "cycle: \"5\" and \"6\"\n"
			       "pc: \"2149580805\" and \"2149580806\"\n"
			       "trap: {\"interrupt\":false,\"cause\":13,"
			       "\"tval\":\"4096\",\"target\":\"PRIVILEGE_S\","
			       "\"handler\":\"2149581056\"} and null\n"
			       "stop: null and {\"cause\":"
			       "\"STOP_CAUSE_SHUTDOWN\",\"exitCode\":0}\n");
}

/* Each access by its number; of more or fewer than those all are told. */
TEST_TIMES(accesses_to_memory_are_told_apart_one_by_one, 2)
{
	Pmu__V1__SbiMemory p = PMU__V1__SBI_MEMORY__INIT, q = p, other = p;
	Pmu__V1__SbiMemory *x[] = { &p, &p, &q }, *y[] = { &p, &other, &q };
	Pmu__V1__SbiCall a = PMU__V1__SBI_CALL__INIT, b = a;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT, s = r;
	FILE *out = text_open();

	r.kind_case = s.kind_case = PMU__V1__RECORD__KIND_SBI_CALL;
	r.sbi_call = &a;
	s.sbi_call = &b;
	other.length = 2;
	other.data = (ProtobufCBinaryData){ 2, (uint8_t *)"ab" };
	a.memory = x;
	b.memory = y;
	a.n_memory = 3;
	b.n_memory = _i ? 1 : 3;
	trace_diff_fields(out, &r, &s);
	fclose(out);
#define NO_BYTES                                                               \
	"{\"address\":\"0\",\"data\":\"\",\"written\":false,\"length\":\"0\"}"
	ck_assert_str_eq(text,
			 _i ? "sbiCall.memory: [" NO_BYTES "," NO_BYTES
			      "," NO_BYTES "] and [" NO_BYTES "]\n"
			    : "sbiCall.memory[1].data: \"\" and \"YWI=\"\n"
			      "sbiCall.memory[1].length: \"0\" and \"2\"\n");
}

TEST(headers_are_told_apart_by_name)
{
	Pmu__V1__Header a = PMU__V1__HEADER__INIT, b = a;
	Pmu__V1__MachineConfig x = PMU__V1__MACHINE_CONFIG__INIT, y = x;
	Pmu__V1__Setting s = PMU__V1__SETTING__INIT, t = s;
	Pmu__V1__Setting *sx = &s, *sy = &t;
	FILE *out = text_open();

	s.key = (char *)"quantum";
	s.value = (char *)"10000";
	t.key = (char *)"cpi";
	t.value = (char *)"2\a";
	x.settings = &sx;
	y.settings = &sy;
	x.n_settings = y.n_settings = 1;
	x.harts = 1;
	y.harts = 4;
	x.bootargs = (char *)"quiet\33[2J";
	x.start_mode = PMU__V1__START_MODE__START_MODE_M;
	y.start_mode = PMU__V1__START_MODE__START_MODE_S;
	a.config = &x;
	b.config = &y;
	trace_diff_headers(out, &a, &b);
	fclose(out);
	ck_assert_str_eq(text, "harts: 1 and 4\n"
			       "start mode: m and s\n"
			       "bootargs: quiet?[2J and \n"
			       "setting quantum: 10000 and not set\n"
			       "setting cpi: not set and 2?\n");
}

TEST(all_settings_and_images_are_compared)
{
	Pmu__V1__Header a = PMU__V1__HEADER__INIT, b = a;
	Pmu__V1__MachineConfig x = PMU__V1__MACHINE_CONFIG__INIT, y = x;
	Pmu__V1__Setting cpi = PMU__V1__SETTING__INIT, one = cpi, two = cpi;
	Pmu__V1__Setting *sx[] = { &cpi, &one }, *sy[] = { &cpi, &two };
	Pmu__V1__ImageInfo same = PMU__V1__IMAGE_INFO__INIT, p = same, q = same;
	Pmu__V1__ImageInfo *ix[] = { &same, &p }, *iy[] = { &same, &q };
	FILE *out = text_open();

	cpi.key = (char *)"cpi";
	one.key = two.key = (char *)"quantum";
	one.value = (char *)"1";
	two.value = (char *)"2";
	p.sha256 = (char *)"a\nb";
	q.sha256 = (char *)"cd";
	x.settings = sx;
	y.settings = sy;
	a.images = ix;
	b.images = iy;
	x.n_settings = y.n_settings = a.n_images = b.n_images = 2;
	a.config = &x;
	b.config = &y;
	trace_diff_headers(out, &a, &b);
	fclose(out);
	ck_assert_str_eq(text, "setting quantum: 1 and 2\n"
			       "image 1: sha256 a?b and cd\n");
}

SUITE("trace-diff");
