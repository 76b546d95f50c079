/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of records of accesses to CSRs, of deliveries and of calls with
 * memory: cli/trace/record-field.c. Those of other kinds: test-record-expr.c.
 */
#include <argp.h>
#include <string.h>

#include "captured.h"
#include "cmd/args.h"
#include "cmd/command.h"
#include "text/exit-codes.h"
#include "trace/record-expr.h"
#include "unit.h"

/* From main(). */
const char *argp_program_version = "test";

/* Records that rows speak of, by their letters. */
enum {
	READ_A,	   /* of sireg, which is mhpmcounter3: 5 */
	WRITE_B,   /* mie, of 6, to 7 */
	REFUSED_C, /* a read of cycle, by scounteren */
	ABSENT_D,  /* a read of siph, which the hart lacks */
	LCOFI_E,   /* to VS at 0x80, of counters 3 and 5, held */
	SSE_F,	   /* to S at 0x90, event 0x10000, of none */
	MEMORY_G,  /* a call: 12 bytes read, 4 written */
	READS_H,   /* a call: 1 byte read */
	SILENT_I,  /* a call that says nothing of memory */
	TRAP_J,	   /* to S at 0x80 */
	N_ALL
};

#define KIND(which, member, Type, ...)                                         \
	{                                                                      \
		.kind_case = PMU__V1__RECORD__KIND_##which,                    \
		.member = &(Pmu__V1__##Type)                                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ACCESS(...)    KIND(CSR_ACCESS, csr_access, CsrAccess, __VA_ARGS__)
#define DELIVERED(...) KIND(DELIVERY, delivery, Delivery, __VA_ARGS__)
#define CALL(...)      KIND(SBI_CALL, sbi_call, SbiCall, __VA_ARGS__)
#define REFUSED(how)   .refusal = PMU__V1__CSR_ACCESS__REFUSAL__REFUSAL_##how
#define WAY(how)       .way = PMU__V1__DELIVERY__WAY__WAY_##how
#define TO(mode)       .target = PMU__V1__PRIVILEGE__PRIVILEGE_##mode

static Pmu__V1__SbiMemory two_read = { .length = 2 };
static Pmu__V1__SbiMemory three_written = { .length = 3, .written = true };
static Pmu__V1__SbiMemory six_read = { .length = 6 };
static Pmu__V1__SbiMemory one_read = { .length = 1 };
static Pmu__V1__SbiMemory *some[] = { &two_read, &three_written, &six_read };
static Pmu__V1__SbiMemory *one[] = { &one_read };

static const Pmu__V1__Record records[N_ALL] = {
	[READ_A] = ACCESS(.csr = 0x151, .reached = 0xb03, .selects = true,
			  .select = 0x43, .read = true, .old_value = 5),
	[WRITE_B] = ACCESS(.csr = 0x304, .written = true, .old_value = 6,
			   .new_value = 7),
	[REFUSED_C] = ACCESS(.csr = 0xc00, .read = true, REFUSED(CLOSED),
			     .closed_by = 0x106),
	[ABSENT_D] = ACCESS(.csr = 0x154, .read = true, REFUSED(ABSENT)),
	[LCOFI_E] = DELIVERED(WAY(LCOFI), TO(VS), .handler = 0x80,
			      .counters = 0x28, .held = true),
	[SSE_F] = DELIVERED(WAY(SSE), TO(S), .handler = 0x90, .event = 0x10000),
	/* four bytes read and one written are of accesses not listed */
	[MEMORY_G] = CALL(.n_memory = 3, .memory = some, .more_accesses = 2,
			  .more_read = 4, .more_written = 1),
	[READS_H] = CALL(.n_memory = 1, .memory = one),
	[SILENT_I] = CALL(.returned = true),
	[TRAP_J] = KIND(TRAP, trap, Trap, TO(S), .handler = 0x80),
};

static void setup(void)
{
}

static void teardown(void)
{
}

static const struct command no_roots;

static int open_expr(struct record_expr **ret, const char *text)
{
	struct args args;

	args_init(&args);
	args.command = &no_roots;
	args.filter = text;
	return record_expr_open(ret, &args);
}

static const struct match_row {
	const char *text, *want;
} match_rows[] = {
	{ "csr == sireg", "a" },
	{ "csr == MIE", "b" },
	{ "csr != sireg && kind == csr", "bcd" },
	/* itself is no other */
	{ "reached == mhpmcounter3", "a" },
	{ "reached != mhpmcounter3 && kind == csr", "bcd" },
	{ "reached == mie", "" },
	{ "closed_by == scounteren", "c" },
	{ "closed_by != scounteren && kind == csr", "abd" },
	{ "select == 0x43", "a" },
	{ "select == 0", "" },
	{ "read == 1", "acd" },
	{ "read == 0", "b" },
	{ "written == 1", "b" },
	{ "written == 0", "acd" },
	{ "refusal == closed", "c" },
	{ "refusal == ABSENT", "d" },
	{ "refusal == read-only", "" },
	{ "refusal != closed && kind == csr", "abd" },
	/* of what was refused there is none, of what was not written no new */
	{ "old_value == 5", "a" },
	{ "old_value >= 0", "ab" },
	{ "new_value == 7", "b" },
	{ "new_value >= 0", "b" },
	{ "way == lcofi", "e" },
	{ "way == SSE", "f" },
	{ "way != ebb && kind == delivery", "ef" },
	{ "counters == 0x28", "e" },
	{ "counters == 0", "f" },
	{ "held == 1", "e" },
	{ "held == 0", "f" },
	{ "sse == 0x10000", "f" },
	{ "sse == 0", "" },
	{ "target == s", "fj" },
	{ "target == VS", "e" },
	{ "handler == 0x80", "ej" },
	{ "handler > 0x80", "f" },
	{ "memory_read == 12", "g" },
	{ "memory_read < 12", "h" },
	{ "memory_written == 4", "g" },
	{ "memory_written == 0", "h" },
	{ "memory_written != 4 && kind == sbi", "hi" },
};

TEST_ROWS(a_kind_has_fields_of_its_own, match_rows)
{
	const struct match_row *row = &match_rows[_i];
	const struct record_style style = { .xlen = 64 };
	char got[N_ALL + 1] = "";
	struct record_expr *e;
	size_t len = 0;

	ck_assert_int_eq(open_expr(&e, row->text), EXIT_OK);
	for (int i = 0; i < N_ALL; i++) {
		if (!record_expr_match(e, &style, &records[i]))
			continue;
		got[len++] = (char)('a' + i);
		ck_assert(record_expr_can_match(e, records[i].kind_case, 0));
	}
	record_expr_free(e);
	ck_assert_msg(!strcmp(got, row->want), "'%s' chooses '%s'", row->text,
		      got);
}

/* What a record of none of these kinds cannot have. */
static const char *const of_kinds[] = {
	"csr == mie",	  "reached == mie",   "closed_by == mie",
	"read == 0",	  "written == 0",     "refusal == closed",
	"old_value == 0", "new_value == 0",   "select == 0",
	"way == sse",	  "counters == 0",    "held == 0",
	"sse == 0",	  "memory_read == 0", "memory_written == 0",
	"handler == 0",
};

TEST_ROWS(others_are_not_meant, of_kinds)
{
	struct record_expr *e;

	ck_assert_int_eq(open_expr(&e, of_kinds[_i]), EXIT_OK);
	ck_assert(!record_expr_can_match(e, PMU__V1__RECORD__KIND_OVERFLOW, 0));
	record_expr_free(e);
}

static const struct wrong_row {
	const char *text, *why;
} wrong_rows[] = {
	{ "csr == scountof", "a CSR is wanted, as scountovf," },
	{ "reached == 0xb03", "a CSR is wanted" },
	{ "closed_by == x", "a CSR is wanted" },
	{ "csr > mie", "a name has no order" },
	{ "refusal == no", "absent, privilege, read-only or closed is wanted" },
	{ "way == none", "lcofi, sse or ebb is wanted" },
	{ "way < sse", "a name has no order" },
	{ "held == yes", "a number is wanted" },
};

TEST_ROWS(what_a_field_cannot_have_is_named, wrong_rows)
{
	struct record_expr *e;

	capture();
	ck_assert_int_eq(open_expr(&e, wrong_rows[_i].text), EXIT_USAGE);
	ck_assert_msg(strstr(capture_end(), wrong_rows[_i].why), "'%s': %s",
		      wrong_rows[_i].text, captured);
}

SUITE("record-field", .setup = setup, .teardown = teardown);
