/* SPDX-License-Identifier: BSD-2-Clause */
/* What is done with traces: filtered, counted, printed. */
#include <stdio.h>

#include "captured.h"
#include "text/exit-codes.h"
#include "trace/record-filter.h"
#include "trace/record-text.h"
#include "trace-build.h"
#include "trace/trace-summary.h"
#include "unit.h"

static char text[4096];
static const struct record_style no_names = { .xlen = 64 };

static FILE *text_open(void)
{
	memset(text, 0, sizeof(text));
	return fmemopen(text, sizeof(text), "w");
}

static const struct filter_row {
	const char *kind;
	uint64_t counter, first, last;
	/* that match, at cycles 10, 20, 30, numbers 0, 1 and 2 of hart 0 */
	bool overflow, trap, stop;
	uint64_t from; /* a number */
	bool hart;     /* of hart 1 */
	const char *range;
} filter_rows[] = {
	{ NULL, ARGS_UNSET, 0, 0, false, false, true, 2 },
	{ "trap", ARGS_UNSET, 0, 0, false, true, false, 1 },
	{ NULL, ARGS_UNSET, 0, 0, false, false, false, 0, true },
	{ NULL, ARGS_UNSET, 0, 0, true, false, false, 0, false, "0x80200006" },
	{ NULL, ARGS_UNSET, 0, 0, false, true, true, 0, false,
	  "0x80200007-0x90000000" },
	{ NULL, ARGS_UNSET, 0, 0, true, true, true },
	{ "overflow", ARGS_UNSET, 0, 0, true, false, false },
	{ "stop,trap", ARGS_UNSET, 0, 0, false, true, true },
	{ NULL, 3, 0, 0, true, true, true },
	{ NULL, 4, 0, 0, false, true, true },
	{ "overflow", 4, 0, 0, false, false, false },
	{ NULL, ARGS_UNSET, 20, 0, false, true, true },
	{ NULL, ARGS_UNSET, 0, 20, true, true, false },
	{ NULL, ARGS_UNSET, 11, 19, false, false, false },
};

TEST_ROWS(a_filter_selects, filter_rows)
{
	const struct filter_row *row = &filter_rows[_i];
	struct record_filter f;
	struct built_record b;
	struct args args;

	args_init(&args);
	args.kind = row->kind;
	args.counter = row->counter;
	args.first_cycle = row->first;
	args.last_cycle = row->last;
	args.first_record = row->from;
	args.hart = row->hart;
	args.given = row->hart ? WITH(HART) : 0;
	args.range.n = row->range != NULL;
	args.range.item[0] = row->range;
	ck_assert(record_filter_init(&f, &args));
	ck_assert_int_eq(record_filter_places(&f, NULL, &args, &no_names),
			 EXIT_OK);
	ck_assert_int_eq(record_filter_match(&f, build_overflow(&b, 10, 3), 0),
			 row->overflow);
	ck_assert_int_eq(record_filter_match(&f, build_trap(&b, 20), 1),
			 row->trap);
	ck_assert_int_eq(record_filter_match(&f, build_stop(&b, 30), 2),
			 row->stop);
	record_filter_fini(&f);
}

/* Of a name that so many functions have, and one range more. */
TEST_TIMES(places_have_a_limit, 2)
{
	const unsigned n = 4096 - 1 + (unsigned)_i;
	struct record_style style = { .xlen = 64 };
	struct record_filter f;
	struct args args;
	const char *why;
	char *list;
	size_t size;
	FILE *out = open_memstream(&list, &size);

	for (unsigned i = 0; i < n; i++)
		fprintf(out, "%016x t many\n%016x t between\n", 0x1000 + 16 * i,
			0x1008 + 16 * i);
	fclose(out);
	style.symbols = symbols_open_memory(list, size, &why);
	PREPARING(ck_assert_msg(style.symbols, "%s", why));
	args_init(&args);
	args.symbols = "list";
	args.function.n = args.range.n = 1;
	args.function.item[0] = "many";
	args.range.item[0] = "5-6";
	ck_assert(record_filter_init(&f, &args));
	capture();
	ck_assert_int_eq(record_filter_places(&f, NULL, &args, &style),
			 _i ? EXIT_USAGE : EXIT_OK);
	ck_assert_str_eq(capture_end(), _i ? "pmuctl: --range: more than 4096 "
					     "ranges of addresses\n"
					   : "");
	record_filter_fini(&f);
	symbols_close(style.symbols);
	free(list);
}

static const struct bad_place_row {
	const char *function, *line, *range, *want;
} bad_place_rows[] = {
	{ "main", NULL, NULL, "--function needs --symbols or --guest-symbols" },
	{ NULL, "a.c:3", NULL, "--line needs --symbols or --guest-symbols" },
	{ NULL, NULL, "", "--range: '' is not ADDRESS or ADDRESS-ADDRESS" },
	{ NULL, NULL, "4-", "--range: '4-' is not ADDRESS or ADDRESS-ADDRESS" },
	{ NULL, NULL, "-4", "--range: '-4' is not ADDRESS or ADDRESS-ADDRESS" },
	{ NULL, NULL, "5-4",
	  "--range: '5-4' is not ADDRESS or ADDRESS-ADDRESS" },
	{ NULL, NULL, "x", "--range: 'x' is not ADDRESS or ADDRESS-ADDRESS" },
};

TEST_ROWS(a_place_that_cannot_be_is_told, bad_place_rows)
{
	const struct bad_place_row *row = &bad_place_rows[_i];
	struct record_filter f;
	struct args args;
	char want[160];

	args_init(&args);
	args.function =
		(struct args_list){ { row->function }, !!row->function };
	args.line = (struct args_list){ { row->line }, row->line != NULL };
	args.range = (struct args_list){ { row->range }, row->range != NULL };
	snprintf(want, sizeof(want), "pmuctl: %s\n", row->want);
	ck_assert(record_filter_init(&f, &args));
	capture();
	ck_assert_int_eq(record_filter_places(&f, NULL, &args, &no_names),
			 EXIT_USAGE);
	ck_assert_str_eq(capture_end(), want);
	record_filter_fini(&f);
}

/* Of the protocol's fields, the kinds of records. */
static bool is_kind(int field)
{
	const ProtobufCMessageDescriptor *d = &pmu__v1__record__descriptor;

	return d->fields[field].flags & PROTOBUF_C_FIELD_FLAG_ONEOF;
}

TEST_WHERE(each_kind_of_the_protocol_has_a_name_and_a_flag, 0,
	   (int)pmu__v1__record__descriptor.n_fields, is_kind(_i))
{
	unsigned kind = pmu__v1__record__descriptor.fields[_i].id;
	Pmu__V1__Overflow overflow = PMU__V1__OVERFLOW__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	struct record_filter f;
	struct args args;

	r.kind_case = (Pmu__V1__Record__KindCase)kind;
	r.overflow = &overflow;
	args_init(&args);
	args.kind = record_kind(&r);
	ck_assert_str_ne(args.kind, "-");
	ck_assert(record_filter_init(&f, &args));
	ck_assert_int_eq(record_filter_places(&f, NULL, &args, &no_names),
			 EXIT_OK);
	ck_assert(record_filter_match(&f, &r, 0));
	r.kind_case = PMU__V1__RECORD__KIND__NOT_SET;
	ck_assert(!record_filter_match(&f, &r, 0));
	record_filter_fini(&f);
	ck_assert_str_eq(record_kind(&r), "-");
}

static const char *const bad_kinds[] = { "",	  "overflows", "trap,",
					 ",trap", "trap,x",    "Trap" };

TEST_ROWS(an_unknown_kind_is_refused, bad_kinds)
{
	struct record_filter f;
	struct args args;

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	args_init(&args);
	args.kind = bad_kinds[_i];
	ck_assert(!record_filter_init(&f, &args));
}

TEST(a_line_says_where_and_what)
{
	struct record_style style = { .xlen = 32 };
	struct built_record b;
	FILE *out = text_open();

	record_line(out, &style, build_overflow(&b, 16, 3));
	style.xlen = 64;
	record_line(out, &style, build_trap(&b, 16));
	record_line(out, &style, build_stop(&b, 16));
	fclose(out);
	ck_assert_str_eq(
		text,
		"          16    0    S 0x80200010 overflow counter 3 "
		"instructions last 0x8020000c raised\n"
		"          16    0    S 0x0000000080200010 trap 13 "
		"(load page fault) tval 0x1000 to S at 0x80200100\n"
		"          16    0    S 0x0000000080200010 stop shutdown, "
		"exit code 0\n");
}

static const struct what_row {
	const char *text;
	uint64_t eid, fid;
	uint64_t args[6];
	unsigned xlen;
} what_rows[] = {
	{ "sbi TIME.set_timer(stime_value=0) = SUCCESS, 0",
	  0x54494d45,
	  0,
	  { 0, 7, 7 },
	  64 },
	{ "sbi TIME.set_timer(stime_value=0x100000002) = SUCCESS, 0",
	  0x54494d45,
	  0,
	  { 2, 1 },
	  32 },
	{ "sbi PMU.counter_start(counter_idx_base=0x3, counter_idx_mask=0x1, "
	  "start_flags=0, initial_value=0) = SUCCESS, 0",
	  0x504d55,
	  3,
	  { 3, 1 },
	  64 },
	{ "sbi PMU.counter_start(counter_idx_base=0x3, counter_idx_mask=0x1, "
	  "start_flags=0x1, initial_value=0xfffffffe00000001) = SUCCESS, 0",
	  0x504d55,
	  3,
	  { 3, 1, 1, 1, 0xfffffffe },
	  32 },
	{ "sbi PMU.num_counters() = SUCCESS, 0", 0x504d55, 0, { 5, 5 }, 64 },
	{ "sbi LEGACY.console_putchar(ch=0) = SUCCESS, 0", 1, 0, { 0 }, 64 },
	{ "sbi 0x9000000.1(0, 0x2) = SUCCESS, 0", 0x9000000, 1, { 0, 2 }, 64 },
	{ "sbi 0x9000000.1() = SUCCESS, 0", 0x9000000, 1, { 0 }, 64 },
};

TEST_ROWS(a_call_is_shown_with_the_arguments_that_it_has, what_rows)
{
	const struct what_row *row = &what_rows[_i];
	struct record_style style = { .xlen = row->xlen };
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__SbiCall c = PMU__V1__SBI_CALL__INIT;
	FILE *out = text_open();

	c.eid = row->eid;
	c.fid = row->fid;
	c.args = (uint64_t *)row->args;
	c.n_args = 6;
	c.returned = true;
	r.kind_case = PMU__V1__RECORD__KIND_SBI_CALL;
	r.sbi_call = &c;
	record_what(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(text, row->text);
}

static const struct end_row {
	const char *text;
	int64_t error;
	uint64_t value;
	bool returned;
} end_rows[] = {
	{ "sbi PMU.num_counters() = SUCCESS, 0x20", 0, 0x20, true },
	{ "sbi PMU.num_counters() = FAILED, 0", -1, 0, true },
	{ "sbi PMU.num_counters() = -77, 0x1", -77, 1, true },
	{ "sbi PMU.num_counters() = 77, 0", 77, 0, true },
	{ "sbi PMU.num_counters() does not return", 0, 0, false },
};

TEST_ROWS(a_call_is_shown_with_its_end, end_rows)
{
	const struct end_row *row = &end_rows[_i];
	struct record_style style = { .xlen = 64 };
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__SbiCall c = PMU__V1__SBI_CALL__INIT;
	FILE *out = text_open();

	c.eid = 0x504d55;
	c.error = row->error;
	c.value = row->value;
	c.returned = row->returned;
	r.kind_case = PMU__V1__RECORD__KIND_SBI_CALL;
	r.sbi_call = &c;
	record_what(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(text, row->text);
}

/* A trace that somebody sent: no escape sequence of his is obeyed. */
TEST(texts_of_a_trace_are_no_commands)
{
	static char evil[] = "\033]0;x\a\n\x7f\303\244";
	struct record_style style = { .xlen = 64 };
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__SbiCall c = PMU__V1__SBI_CALL__INIT;
	Pmu__V1__Overflow o = PMU__V1__OVERFLOW__INIT;
	FILE *out = text_open();

	c.eid = 0x504d55;
	c.error = -1;
	c.returned = true;
	c.reason = evil;
	r.kind_case = PMU__V1__RECORD__KIND_SBI_CALL;
	r.sbi_call = &c;
	record_what(out, &style, &r);
	fputc('\n', out);
	o.counter = 3;
	o.event = evil;
	r.kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
	r.overflow = &o;
	record_what(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(text, "sbi PMU.num_counters() = FAILED, 0: "
			       "?]0;x???\303\244\n"
			       "overflow counter 3 ?]0;x???\303\244 last 0");
}

static const struct input_row {
	const char *text;
	uint32_t csr;
} input_rows[] = {
	{ "input csr mhpmcounter3 = 0x5", 0xb03 },
	{ "input csr mhpmevent31h = 0x5", 0x73f },
	{ "input csr mstatus = 0x5", 0x300 },
	{ "input csr sebbcs = 0x5", 0x5c0 },
	{ "input csr 0x5c7 = 0x5", 0x5c7 },
};

TEST_ROWS(a_csr_is_shown_by_its_name, input_rows)
{
	struct record_style style = { .xlen = 64 };
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	Pmu__V1__Input in = PMU__V1__INPUT__INIT;
	Pmu__V1__CsrWrite w = PMU__V1__CSR_WRITE__INIT;
	FILE *out = text_open();

	w.csr = input_rows[_i].csr;
	w.value = 5;
	in.kind_case = PMU__V1__INPUT__KIND_CSR_WRITE;
	in.csr_write = &w;
	r.kind_case = PMU__V1__RECORD__KIND_INPUT;
	r.input = &in;
	record_what(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(text, input_rows[_i].text);
}

TEST(overflows_are_counted_by_pc_without_symbols)
{
	struct trace_summary *s = trace_summary_new(NULL);
	struct built_record b;
	FILE *out = text_open();

	for (unsigned i = 0; i < 3; i++)
		ck_assert(trace_summary_add(s, build_overflow(&b, 16, 3)));
	ck_assert(trace_summary_add(s, build_overflow(&b, 32, 3)));
	ck_assert(trace_summary_add(s, build_overflow(&b, 16, 4)));
	ck_assert(trace_summary_add(s, build_stop(&b, 40)));
	ck_assert_int_eq(trace_summary_print(s, out, true), EXIT_OK);
	fclose(out);
	trace_summary_free(s);
	ck_assert_ptr_nonnull(strstr(text, "\"overflows\": \"3\""));
	ck_assert_ptr_nonnull(strstr(text, "\"percent\": 75.0"));
	ck_assert_ptr_nonnull(strstr(text, "\"kind\": \"stop\""));
	ck_assert_ptr_nonnull(strstr(text, "0x8020001c"));
}

/* More places than there is room for at first, the busiest on top. */
TEST(a_summary_has_a_line_for_every_place)
{
	struct trace_summary *s = trace_summary_new(NULL);
	struct built_record b;
	char place[32], *at;
	FILE *out;

	for (unsigned i = 1; i <= 40; i++)
		for (unsigned n = 0; n < i; n++)
			ck_assert(trace_summary_add(
				s, build_overflow(&b, 16 * i, 3)));
	out = text_open();
	ck_assert_int_eq(trace_summary_print(s, out, false), EXIT_OK);
	fclose(out);
	trace_summary_free(s);
	at = text;
	for (unsigned i = 40; i; i--) {
		snprintf(place, sizeof(place), "0x%x", 0x80200000 + 16 * i - 4);
		at = strstr(at, place);
		ck_assert_msg(at, "%s", text);
	}
}

/* Of so many only the first have a line of their own. */
TEST_TIMES(a_summary_has_so_many_spaces, 2)
{
	const uint64_t n = 255 + 3 * (unsigned)_i;
	struct trace_summary *s = trace_summary_new(NULL);
	struct built_record b;
	char *all = NULL;
	size_t size;
	FILE *out = open_memstream(&all, &size);

	for (uint64_t i = 0; i < 2 * n; i++) {
		build_overflow(&b, i, 3);
		b.record.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_U;
		b.record.satp = UINT64_C(8) << 60 | (0x1000 + i % n);
		ck_assert(trace_summary_add(s, &b.record));
	}
	ck_assert_int_eq(trace_summary_print(s, out, false), EXIT_OK);
	fclose(out);
	trace_summary_free(s);
	ck_assert_ptr_nonnull(strstr(all, "\n0x80000000000010fe "));
	ck_assert_ptr_null(strstr(all, "\n0x80000000000010ff "));
	if (_i) {
		const char *others = strstr(all, "\nothers ");
		unsigned records, overflows;

		ck_assert_ptr_nonnull(others);
		ck_assert_int_eq(
			sscanf(others, " others %u %u", &records, &overflows),
			2);
		ck_assert_uint_eq(records, 6);
		ck_assert_uint_eq(overflows, 6);
	} else {
		ck_assert_ptr_null(strstr(all, "others"));
	}
	free(all);
}

SUITE("trace-tools");
