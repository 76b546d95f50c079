/* SPDX-License-Identifier: BSD-2-Clause */
/* Expressions of --filter: cli/trace/record-expr.c. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "captured.h"
#include "text/exit-codes.h"
#include "cmd/args.h"
#include "cmd/command.h"
#include "trace/record-expr.h"

/* From main(). */
const char *argp_program_version = "test";

/* Records that rows speak of, by their letters. */
enum {
	SAMPLE_A,  /* cycles at 0x100, U, hart 0, of a process */
	SAMPLE_B,  /* loads at 0x200, S, hart 1 */
	TRAP_C,	   /* cause 8 at 0x300, U, hart 1 */
	N_RECORDS, /* that rows of what all kinds have speak of */
	/* of one kind each, in M on hart 2 */
	OVERFLOW_D = N_RECORDS, /* of loads, by counter 4 */
	INTERRUPT_E,		/* cause 5, to S, tval 7 */
	FIRMWARE_F,		/* cause 9, which the firmware handles */
	CALL_G,			/* PMU.counter_stop: ALREADY_STOPPED */
	UNKNOWN_H,		/* a call of no name, and an error of none */
	LOST_I,			/* HSM.hart_stop, which does not return */
	WAITING_J,		/* its hart waits */
	EBB_K,			/* of session 3 */
	N_ALL
};

static Pmu__V1__Sample sample_a = PMU__V1__SAMPLE__INIT;
static Pmu__V1__Sample sample_b = PMU__V1__SAMPLE__INIT;
static Pmu__V1__Trap trap_c = PMU__V1__TRAP__INIT;
static Pmu__V1__Process process_a = PMU__V1__PROCESS__INIT;
static Pmu__V1__Overflow overflow_d = PMU__V1__OVERFLOW__INIT;
static Pmu__V1__Trap interrupt_e = PMU__V1__TRAP__INIT;
static Pmu__V1__Trap firmware_f = PMU__V1__TRAP__INIT;
static Pmu__V1__SbiCall call_g = PMU__V1__SBI_CALL__INIT;
static Pmu__V1__SbiCall unknown_h = PMU__V1__SBI_CALL__INIT;
static Pmu__V1__SbiCall lost_i = PMU__V1__SBI_CALL__INIT;
static Pmu__V1__HartChange waiting_j = PMU__V1__HART_CHANGE__INIT;
static Pmu__V1__EbbDelivery ebb_k = PMU__V1__EBB_DELIVERY__INIT;
static Pmu__V1__Record records[N_ALL];

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

static void call(Pmu__V1__SbiCall *c, uint64_t eid, uint64_t fid, int64_t error)
{
	c->eid = eid;
	c->fid = fid;
	c->error = error;
	c->returned = true;
}

/* A message of any kind: what its record points to. */
static void set_kind(Pmu__V1__Record *r, unsigned kind, void *message)
{
	make(r, 2, PMU__V1__PRIVILEGE__PRIVILEGE_M, 0x400, 40);
	r->kind_case = (Pmu__V1__Record__KindCase)kind;
	r->overflow = message;
}

static void setup_kinds(void)
{
	overflow_d.event = (char *)"loads";
	overflow_d.counter = 4;
	interrupt_e.interrupt = true;
	interrupt_e.cause = 5;
	interrupt_e.tval = 7;
	interrupt_e.target = PMU__V1__PRIVILEGE__PRIVILEGE_S;
	firmware_f.cause = 9;
	call(&call_g, 0x504d55, 4, -8);
	call(&unknown_h, 0x99, 1, -99);
	call(&lost_i, 0x48534d, 1, 0);
	lost_i.returned = false;
	waiting_j.what = PMU__V1__HART_CHANGE__WHAT__WHAT_WAITING;
	ebb_k.session = 3;
#define IS(letter, kind, message)                                              \
	set_kind(&records[letter], PMU__V1__RECORD__KIND_##kind, message)
	IS(OVERFLOW_D, OVERFLOW, &overflow_d);
	IS(INTERRUPT_E, TRAP, &interrupt_e);
	IS(FIRMWARE_F, TRAP, &firmware_f);
	IS(CALL_G, SBI_CALL, &call_g);
	IS(UNKNOWN_H, SBI_CALL, &unknown_h);
	IS(LOST_I, SBI_CALL, &lost_i);
	IS(WAITING_J, HART_CHANGE, &waiting_j);
	IS(EBB_K, EBB_DELIVERY, &ebb_k);
}

static void setup(void)
{
	setup_kinds();
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

/* One that knows no --sysroot. */
static const struct command no_roots;

/* Where functions have names, if @named. Returns an exit code. */
static int open_expr(struct record_expr **ret, const char *text, bool named)
{
	struct args args;

	args_init(&args);
	args.command = &no_roots;
	args.filter = text;
	args.symbols = named ? "file" : NULL;
	return record_expr_open(ret, &args);
}

static bool parse(struct record_expr **ret, const char *text)
{
	int code = open_expr(ret, text, true);

	ck_assert(code == EXIT_OK || code == EXIT_USAGE);
	return !code;
}

/* The letters of those of the first @n that @text chooses. */
static void check_match(const struct match_row *row, int n)
{
	const struct record_style style = { .xlen = 64 };
	struct record_expr *e;
	char got[N_ALL + 1] = "";
	size_t len = 0;

	ck_assert(parse(&e, row->text));
	for (int i = 0; i < n; i++) {
		const Pmu__V1__Record *r = &records[i];

		if (!record_expr_match(e, &style, r))
			continue;
		got[len++] = (char)('a' + i);
		ck_assert_msg(record_expr_can_match(e, r->kind_case, r->hart),
			      "'%s' cannot choose %c", row->text, 'a' + i);
	}
	ck_assert_msg(!strcmp(got, row->want), "'%s' chooses '%s'", row->text,
		      got);
	record_expr_free(e);
}

TEST_ROWS(an_expression_chooses, match_rows)
{
	check_match(&match_rows[_i], N_RECORDS);
}

/* Whoever lacks a field is only unequal. */
static const struct match_row kind_rows[] = {
	{ "event == loads", "bd" },
	{ "event != loads", "acefghijk" },
	{ "counter == 4", "d" },
	{ "counter < 32", "d" },
	{ "counter != 4", "abcefghijk" },
	{ "period == 0", "ab" },
	{ "cause == 5", "e" },
	{ "cause >= 0", "cef" },
	{ "!(cause >= 0)", "abdghijk" },
	{ "cause != 5 && kind == trap", "cf" },
	{ "interrupt == 1", "e" },
	{ "interrupt == 0", "cf" },
	{ "tval == 7", "e" },
	{ "tval == 0", "cf" },
	{ "target == s", "e" },
	{ "target != S && kind == trap", "cf" },
	{ "call == PMU.counter_stop", "g" },
	{ "call == pmu.Counter_Stop", "g" },
	{ "call != PMU.counter_stop && kind == sbi", "hi" },
	{ "eid == 0x504d55", "g" },
	{ "eid == 0x99 && fid == 1", "h" },
	{ "fid > 3", "g" },
	{ "error == ALREADY_STOPPED", "g" },
	{ "error == success", "" },
	{ "error != already_stopped && kind == sbi", "hi" },
	{ "change == waiting", "j" },
	{ "change != waiting", "abcdefghik" },
	{ "session == 3", "k" },
	{ "session < 4", "k" },
};

TEST_ROWS(a_kind_has_fields_of_its_own, kind_rows)
{
	check_match(&kind_rows[_i], N_ALL);
}

/* What kinds and harts of the records above it can hold for. */
static const struct match_row reach_rows[] = {
	{ "pc == 1", "abcdefghijk" },
	{ "kind == trap", "cef" },
	{ "kind != trap", "abdghijk" },
	{ "!kind == trap", "abdghijk" },
	{ "hart == 1", "bc" },
	{ "hart < 2 && cause == 8", "c" },
	{ "cause == 99", "cef" },
	{ "cause != 99", "abcdefghijk" },
	{ "!cause == 99", "abcdefghijk" },
	{ "!cause != 99", "cef" },
	{ "event == x || kind == hart", "abdj" },
	{ "(event == x || eid == 1) && hart > 0", "bdghi" },
	{ "!(kind == trap || hart == 2)", "ab" },
	{ "!(kind == trap && cause == 8)", "abcdefghijk" },
	{ "!(kind != trap && pc == 1)", "abcdefghijk" },
	{ "kind == trap && kind == sbi", "" },
	{ "function == f", "abcdefghijk" },
};

TEST_ROWS(what_it_can_hold_for_is_known_beforehand, reach_rows)
{
	const struct match_row *row = &reach_rows[_i];
	char got[N_ALL + 1] = "";
	struct record_expr *e;
	size_t len = 0;

	ck_assert(parse(&e, row->text));
	for (int i = 0; i < N_ALL; i++)
		if (record_expr_can_match(e, records[i].kind_case,
					  records[i].hart))
			got[len++] = (char)('a' + i);
	ck_assert_msg(!strcmp(got, row->want), "'%s' can choose '%s'",
		      row->text, got);
	record_expr_free(e);
}

static const struct wrong_row {
	const char *text, *why;
} wrong_rows[] = {
	{ "", "change or session is wanted at 'the end'" },
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
	{ "target == x", "M, S, U, VS or VU is wanted" },
	{ "call == PMU.x", "an SBI call is wanted, as PMU.counter_start," },
	{ "error == 3", "an SBI error is wanted, as INVALID_PARAM" },
	{ "event > 3", "a name has no order" },
	{ "hart == 1 hart == 2", "&& or || is wanted at 'hart == 2'" },
	{ "hart == 1 &&", "--filter: pc, function, hart, privilege, kind, "
			  "cycle, insn, satp, pid, tid, comm, event, counter, "
			  "period, cause, interrupt, tval, target, handler, "
			  "call, eid, fid, error, memory_read, memory_written, "
			  "csr, reached, closed_by, read, written, refusal, "
			  "old_value, new_value, select, way, counters, held, "
			  "sse, change or session is wanted at" },
	{ "hart == 1 & hart == 2", "&& or || is wanted at '& hart" },
	{ "(hart == 1", "')' is wanted" },
	{ "hart == 1)", "&& or || is wanted at ')'" },
	{ "!", "session is wanted" },
	{ "event == \"loads", "a value is wanted" },
};

TEST_ROWS(what_is_none_is_named_with_its_place, wrong_rows)
{
	struct record_expr *e;

	capture();
	ck_assert(!parse(&e, wrong_rows[_i].text));
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
	ck_assert(parse(&e, text) == !row->why);
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
		ck_assert_msg(parse(&e, text) == (n == 255), "%d", n);
		capture_end();
		record_expr_free(e);
	}
}

TEST(nothing_said_is_everything)
{
	struct record_expr *e;

	ck_assert(parse(&e, NULL));
	ck_assert_ptr_null(e);
	ck_assert(record_expr_match(e, NULL, &records[TRAP_C]));
	ck_assert(record_expr_can_match(e, 0, 0));
}

TEST(only_functions_need_names)
{
	struct record_expr *e;

	ck_assert_int_eq(open_expr(&e, "pc == 1 || !(hart == 2)", false),
			 EXIT_OK);
	record_expr_free(e);
	capture();
	ck_assert_int_eq(open_expr(&e, "pc == 1 || !function != f", false),
			 EXIT_USAGE);
	ck_assert_ptr_nonnull(strstr(capture_end(), "only by --symbols"));
	ck_assert_ptr_null(e);
}

/* By any of the options that give them. */
TEST_TIMES(functions_are_refused_without_names, 5)
{
	struct record_expr *e;
	struct args args;

	args_init(&args);
	args.command = &no_roots;
	args.filter = "function == f";
	args.symbols = _i == 1 ? "file" : NULL;
	args.user_symbols.n = _i == 2;
	args.sysroot = _i == 3 ? "folder" : NULL;
	args.guest_symbols = _i == 4 ? "file" : NULL;
	capture();
	ck_assert_int_eq(record_expr_open(&e, &args),
			 _i ? EXIT_OK : EXIT_USAGE);
	ck_assert(!*capture_end() == !!_i);
	ck_assert(!e == !_i);
	record_expr_free(e);
}

SUITE("record-expr", .setup = setup, .teardown = teardown);
