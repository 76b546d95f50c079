/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions of --filter: cli/trace/record-expr.c. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "captured.h"
#include "trace/record-expr.h"

/* From main(). */
const char *argp_program_version = "test";

/* Records that rows speak of, by their letters. */
enum {
	SAMPLE_A, /* cycles at 0x100, U, hart 0, of a process */
	SAMPLE_B, /* loads at 0x200, S, hart 1 */
	TRAP_C,	  /* cause 8 at 0x300, U, hart 1 */
	N_RECORDS
};

static Pmu__V1__Sample sample_a = PMU__V1__SAMPLE__INIT;
static Pmu__V1__Sample sample_b = PMU__V1__SAMPLE__INIT;
static Pmu__V1__Trap trap_c = PMU__V1__TRAP__INIT;
static Pmu__V1__Process process_a = PMU__V1__PROCESS__INIT;
static Pmu__V1__Record records[N_RECORDS];

static void make(Pmu__V1__Record *r, uint32_t hart, int privilege, uint64_t pc,
		 uint64_t cycle)
{
	pmu__v1__record__init(r);
	r->hart = hart;
	r->privilege = (Pmu__V1__Privilege)privilege;
	r->pc = pc;
	r->cycle = cycle;
	r->insn = cycle / 2;
	r->satp = privilege == PMU__V1__PRIVILEGE__PRIVILEGE_U ? 7 : 0;
}

static void setup(void)
{
	make(&records[SAMPLE_A], 0, PMU__V1__PRIVILEGE__PRIVILEGE_U, 0x104, 10);
	make(&records[SAMPLE_B], 1, PMU__V1__PRIVILEGE__PRIVILEGE_S, 0x204, 20);
	make(&records[TRAP_C], 1, PMU__V1__PRIVILEGE__PRIVILEGE_U, 0x300, 30);
	sample_a.event = (char *)"cycles";
	sample_a.last_pc = 0x100;
	sample_b.event = (char *)"loads";
	sample_b.last_pc = 0x200;
	trap_c.cause = 8;
	records[SAMPLE_A].kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	records[SAMPLE_A].sample = &sample_a;
	process_a.pid = 4000000000;
	process_a.tid = 9;
	process_a.comm = (char *)"my sh";
	records[SAMPLE_A].process = &process_a;
	records[SAMPLE_B].kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	records[SAMPLE_B].sample = &sample_b;
	records[TRAP_C].kind_case = PMU__V1__RECORD__KIND_TRAP;
	records[TRAP_C].trap = &trap_c;
}

static void teardown(void)
{
}

static const struct match_row {
	const char *text, *want;
} match_rows[] = {
	{ "hart == 0", "a" },
	{ "hart==1", "bc" },
	{ "hart != 1", "a" },
	{ "pc == 0x100", "a" }, /* where it happened */
	{ "pc < 0x200", "a" },
	{ "pc <= 0x200", "ab" },
	{ "pc > 512", "c" },
	{ "pc >= 512", "bc" },
	{ "cycle > 10", "bc" },
	{ "insn == 10", "b" },
	{ "satp == 7", "ac" },
	{ "pid == 4000000000", "a" },
	{ "pid != 4000000000", "bc" },
	{ "pid >= 0", "a" },
	{ "tid == 9", "a" },
	{ "tid != 9", "bc" },
	{ "comm == \"my sh\"", "a" },
	{ "comm != \"my sh\"", "bc" },
	{ "comm == sh", "" },
	{ "privilege == u", "ac" },
	{ "privilege != U", "b" },
	{ "event == cycles", "a" },
	{ "event == \"loads\"", "b" },
	{ "event != cycles", "bc" }, /* who has none has another */
	{ "event == Cycles", "" },
	{ "cause == 8", "c" },
	{ "cause != 8", "ab" },
	{ "cause < 99", "c" },
	{ "kind == sample", "ab" },
	{ "kind == trap", "c" },
	{ "function == main", "" },
	{ "function != main", "abc" },
	{ "event == \"\"", "" },
	{ "hart == 1 && privilege == u", "c" },
	{ "hart == 0 || kind == trap", "ac" },
	{ "hart == 0 || hart == 1 && kind == trap", "ac" },
	{ "(hart == 0 || hart == 1) && kind == trap", "c" },
	{ "kind == trap && hart == 0 || hart == 1", "bc" },
	{ "!hart == 1", "a" },
	{ "!(hart == 0 || kind == trap)", "b" },
	{ "!!hart == 0 && hart == 0", "a" },
	{ "  hart\t==\n1  ", "bc" },
	{ "hart == 1 && hart == 1 && kind == sample", "b" },
};

TEST_ROWS(an_expression_chooses, match_rows)
{
	const struct match_row *row = &match_rows[_i];
	const struct record_style style = { .xlen = 64 };
	struct record_expr *e;
	char got[N_RECORDS + 1] = "";
	size_t n = 0;

	ck_assert(record_expr_parse(&e, row->text));
	for (int i = 0; i < N_RECORDS; i++)
		if (record_expr_match(e, &style, &records[i]))
			got[n++] = (char)('a' + i);
	ck_assert_msg(!strcmp(got, row->want), "'%s' chooses '%s'", row->text,
		      got);
	record_expr_free(e);
}

static const struct wrong_row {
	const char *text, *why;
} wrong_rows[] = {
	{ "", "comm is wanted at 'the end'" },
	{ "hart", "> or >= is wanted at 'the end'" },
	{ "hart =", "> or >= is wanted" },
	{ "hart = 1", "> or >= is wanted" },
	{ "hart ==", "a value is wanted" },
	{ "hart == x", "a number is wanted at ' x'" },
	{ "hart == -1", "a number is wanted" },
	{ "hart == 99999999999999999999", "a number is wanted" },
	{ "thread == 1", "is wanted at 'thread == 1'" },
	{ "event < loads", "a name has no order" },
	{ "privilege == x", "M, S, U, VS or VU is wanted" },
	{ "kind == smaple", "a kind of records is wanted" },
	{ "hart == 1 hart == 2", "&& or || is wanted at 'hart == 2'" },
	{ "hart == 1 &&", "comm is wanted" },
	{ "hart == 1 & hart == 2", "&& or || is wanted at '& hart" },
	{ "(hart == 1", "')' is wanted" },
	{ "hart == 1)", "&& or || is wanted at ')'" },
	{ "!", "comm is wanted" },
	{ "event == \"loads", "a value is wanted" },
};

TEST_ROWS(what_is_none_is_named_with_its_place, wrong_rows)
{
	struct record_expr *e;

	capture();
	ck_assert(!record_expr_parse(&e, wrong_rows[_i].text));
	ck_assert_msg(strstr(capture_end(), wrong_rows[_i].why), "'%s': %s",
		      wrong_rows[_i].text, captured);
	ck_assert_ptr_null(e);
}

/* @n times @first, then @last. */
static char *repeated(const char *first, int n, const char *last)
{
	char *text = calloc(1, strlen(first) * (size_t)n + strlen(last) + 1);

	ck_assert_ptr_nonnull(text);
	for (int i = 0; i < n; i++)
		strcat(text, first);
	return strcat(text, last);
}

static const struct bound_row {
	const char *first;
	int n;
	const char *last, *why; /* NULL: it is good */
} bound_rows[] = {
	{ "!", 63, "hart == 1", NULL },
	{ "!", 64, "hart == 1", "it is too deep" },
	{ "(", 100000, "hart == 1", "it is too deep" },
	{ "hart == 1 || ", 127, "hart == 1", NULL },
	{ "hart == 1 || ", 128, "hart == 1", "it is too long" },
	{ "event == a && ", 200, "event == a", "it is too long" },
};

TEST_ROWS(an_expression_has_bounds, bound_rows)
{
	const struct bound_row *row = &bound_rows[_i];
	char *text = repeated(row->first, row->n, row->last);
	struct record_expr *e;

	capture();
	ck_assert(record_expr_parse(&e, text) == !row->why);
	capture_end();
	ck_assert(!row->why || strstr(captured, row->why));
	record_expr_free(e);
	free(text);
}

/* 255 bytes, in quotes or not. */
TEST_TIMES(a_word_has_a_limit, 2)
{
	char text[300];

	for (int n = 255; n <= 256; n++) {
		struct record_expr *e = NULL;
		const char *quote = _i ? "\"" : "";

		snprintf(text, sizeof(text), "event == %s%0*d%s", quote, n, 0,
			 quote);
		capture();
		ck_assert_msg(record_expr_parse(&e, text) == (n == 255), "%d",
			      n);
		capture_end();
		record_expr_free(e);
	}
}

TEST(nothing_said_is_everything)
{
	struct record_expr *e;

	ck_assert(record_expr_parse(&e, NULL));
	ck_assert_ptr_null(e);
	ck_assert(record_expr_match(e, NULL, &records[TRAP_C]));
	ck_assert(!record_expr_needs_names(e));
}

TEST(only_functions_need_names)
{
	struct record_expr *e;

	ck_assert(record_expr_parse(&e, "pc == 1 || !(hart == 2)"));
	ck_assert(!record_expr_needs_names(e));
	record_expr_free(e);
	ck_assert(record_expr_parse(&e, "pc == 1 || function != f"));
	ck_assert(record_expr_needs_names(e));
	record_expr_free(e);
}

SUITE("record-expr", .setup = setup, .teardown = teardown);
