/* SPDX-License-Identifier: BSD-2-Clause */
/* How a record reads: what each kind says, columns, names, JSON. */
#include <stdio.h>
#include <string.h>

#include "trace/record-text.h"
#include "unit.h"

static char text[4096];

static FILE *text_open(void)
{
	memset(text, 0, sizeof(text));
	return fmemopen(text, sizeof(text), "w");
}

#define KIND(which, member, Type, ...)                                         \
	{                                                                      \
		.kind_case = PMU__V1__RECORD__KIND_##which,                    \
		.member = &(Pmu__V1__##Type)                                   \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define INPUT(which, member, Type, ...)                                        \
	KIND(INPUT, input, Input, .kind_case = PMU__V1__INPUT__KIND_##which,   \
	     .member = &(Pmu__V1__##Type){ __VA_ARGS__ })
#define BYTES(s)                                                               \
	{                                                                      \
		sizeof(s) - 1, (uint8_t *)(s)                                  \
	}
#define OUTPUT(on, s)                                                          \
	KIND(CONSOLE_OUTPUT, console_output, ConsoleOutput, .port = (on),      \
	     .data = BYTES(s))
#define OVERFLOW(name, ...)                                                    \
	KIND(OVERFLOW, overflow, Overflow, .counter = 3,                       \
	     .event = (char *)(name), __VA_ARGS__)
#define SAMPLE(name, ...)                                                      \
	KIND(SAMPLE, sample, Sample, .event = (char *)(name), .period = 9,     \
	     __VA_ARGS__)
#define TRAP(...)                                                              \
	KIND(TRAP, trap, Trap, .target = PMU__V1__PRIVILEGE__PRIVILEGE_S,      \
	     .handler = 0x80, __VA_ARGS__)
#define ACCESS(...) KIND(CSR_ACCESS, csr_access, CsrAccess, __VA_ARGS__)
#define DELIVERY(...)                                                          \
	KIND(EBB_DELIVERY, ebb_delivery, EbbDelivery, .session = 2,            \
	     .counters = 0x18, __VA_ARGS__)
#define EBB(...) INPUT(EBB, ebb, EbbInput, .session = 5, __VA_ARGS__)

#define TEN(s)	  s s s s s s s s s s
#define FORTY_8	  TEN("0123") "01234567"
#define EVIL_TEXT (char *)"a\033[2Jb"

#define DELIVERED(how, ...)                                                    \
	{                                                                      \
		.kind_case = PMU__V1__RECORD__KIND_DELIVERY, .cycle = 9,       \
		.delivery = &(Pmu__V1__Delivery)                               \
		{                                                              \
			.way = PMU__V1__DELIVERY__WAY__WAY_##how,              \
			.target = PMU__V1__PRIVILEGE__PRIVILEGE_S,             \
			.handler = 0x80, __VA_ARGS__                           \
		}                                                              \
	}

static uint64_t now[] = { 9, 9 }, earlier[] = { 7, 9 }, never[] = { 0 };
static uint64_t callers[] = { 0x10, 0x20 };
static uint64_t unknown[] = { 1, 2, 3, 4, 5, 6, 0x20, 0x31 };
static uint64_t nothing[3];
static uint64_t registers[] = { 3, 1, 2, 0, 0, 0, 4, 0x504d55 };

/* Of calls that nobody knows. */
#define CALL_OF(why, ...)                                                      \
	KIND(SBI_CALL, sbi_call, SbiCall, .reason = (char *)(why), .fid = 1,   \
	     __VA_ARGS__)
#define CALL(...) CALL_OF("", .eid = 0x99, .returned = true, __VA_ARGS__)
#define ACCESSED(w, at, bytes, all)                                            \
	(&(Pmu__V1__SbiMemory){ .address = (at),                               \
				.data = BYTES(bytes),                          \
				.written = (w),                                \
				.length = (all) })
#define READ(at, bytes, all)  ACCESSED(false, at, bytes, all)
#define WROTE(at, bytes, all) ACCESSED(true, at, bytes, all)
#define SIXTEEN		      "\x00\x01\xfe\xffzzzzzzzzzzzz"

static Pmu__V1__SbiMemory *no_byte[] = { READ(0x80000010, "", 70) };
static Pmu__V1__SbiMemory *one_byte[] = { WROTE(0x80000010, "\x01", 1) };
static Pmu__V1__SbiMemory *several[] = {
	READ(0x80000010, SIXTEEN, 16),
	WROTE(0x80000020, SIXTEEN "z", 17),
	READ(0x80000030, "zz", 3),
};
static Pmu__V1__SbiMemory *printed[] = {
	READ(0x80000010, "of \"text\"\n", 10),
	WROTE(0x80000020, "\033[", 4),
};
static Pmu__V1__SbiMemory byte = { .address = 16,
				   .data = BYTES("a"),
				   .length = 1 };
static Pmu__V1__SbiMemory *nine[] = { &byte, &byte, &byte, &byte, &byte,
				      &byte, &byte, &byte, &byte };
#define EIGHT_READ                                                             \
	"; read 1 byte at 0x10: 61; read 1 byte at 0x10: 61; read 1 byte at "  \
	"0x10: 61; read 1 byte at 0x10: 61; read 1 byte at 0x10: 61; read 1 "  \
	"byte at 0x10: 61; read 1 byte at 0x10: 61; read 1 byte at 0x10: 61"

static Pmu__V1__Process evil_process = { .pid = 12,
					 .tid = 13,
					 .comm = EVIL_TEXT };

static const struct what_row {
	const char *want;
	Pmu__V1__Record record;
} what_rows[] = {
	{ "sample loads period 9 summed times 4",
	  SAMPLE("loads", .summed = true, .periods = 4) },
	{ "overflow counter 3 loads last 0",
	  OVERFLOW("loads", .raised = false) },
	{ "overflow counter 3 loads last 0x10 raised value 0x7",
	  OVERFLOW("loads", .raised = true, .last_pc = 16, .value = 7) },
	/* its own bit is no news */
	{ "overflow counter 3 loads last 0",
	  OVERFLOW("loads", .pending = 0x8) },
	{ "overflow counter 3 loads last 0 pending 0x18",
	  OVERFLOW("loads", .pending = 0x18) },
	{ "overflow counter 3 - last 0", OVERFLOW("", .value = 0) },
	{ "overflow counter 3 loads last 0 process 12/13 \"a?[2Jb\"",
	  { .kind_case = PMU__V1__RECORD__KIND_OVERFLOW,
	    .overflow = &(Pmu__V1__Overflow){ .counter = 3,
					      .event = (char *)"loads" },
	    .process = &evil_process } },

	{ "sample loads period 9", SAMPLE("loads", .periods = 1) },
	{ "sample loads period 9 process 12/13 \"a?[2Jb\"",
	  { .kind_case = PMU__V1__RECORD__KIND_SAMPLE,
	    .sample =
		    &(Pmu__V1__Sample){ .event = (char *)"loads", .period = 9 },
	    .process = &evil_process } },
	{ "sample loads period 9 times 2", SAMPLE("loads", .periods = 2) },
	{ "sample loads period 9 from 0x10,0x20",
	  SAMPLE("loads", .n_callers = 2, .callers = callers) },
	{ "sample loads period 9 from 0x10 chain bottom",
	  SAMPLE("loads", .n_callers = 1, .callers = callers, .chain_end = 1) },

	{ "trap 2 (illegal instruction) tval 0x13 to S at 0x80",
	  TRAP(.cause = 2, .tval = 0x13) },
	{ "trap 14 to S at 0x80", TRAP(.cause = 14) },
	{ "interrupt 13 (counter overflow) to S at 0x80",
	  TRAP(.cause = 13, .interrupt = true) },
	{ "interrupt 44 to S at 0x80", TRAP(.cause = 44, .interrupt = true) },
	{ "interrupt 43 (high-priority RAS) to S at 0x80",
	  TRAP(.cause = 43, .interrupt = true) },
	{ "trap 9 (ecall from S) to the firmware",
	  KIND(TRAP, trap, Trap, .cause = 9) },

	{ "sbi 0x99.1() = SUCCESS, 0", CALL(.value = 0) },
	{ "sbi 0x99.1() = SUCCESS, 0; read 70 bytes at 0x80000010",
	  CALL(.n_memory = 1, .memory = no_byte) },
	{ "sbi 0x99.1() does not return; wrote 1 byte at 0x80000010: 01",
	  CALL_OF("", .eid = 0x99, .n_memory = 1, .memory = one_byte) },
	{ "sbi 0x99.1() = FAILED, 0: why not; wrote 1 byte at 0x80000010: 01",
	  CALL_OF("why not", .eid = 0x99, .n_memory = 1, .memory = one_byte,
		  .returned = true, .error = -1) },
	{ "sbi 0x99.1() = SUCCESS, 0; "
	  "read 16 bytes at 0x80000010: 0001feff7a7a7a7a7a7a7a7a7a7a7a7a; "
	  "wrote 17 bytes at 0x80000020: "
	  "0001feff7a7a7a7a7a7a7a7a7a7a7a7a...; "
	  "read 3 bytes at 0x80000030: 7a7a...",
	  CALL(.n_memory = 3, .memory = several) },
	/* of the console's calls it is text */
	{ "sbi DBCN.console_read(num_bytes=0, base_addr_lo=0, base_addr_hi=0) "
	  "= SUCCESS, 0; "
	  "read 10 bytes at 0x80000010: \"of \\\"text\\\"\\n\"; "
	  "wrote 4 bytes at 0x80000020: \"\\x1b[\"...",
	  CALL_OF("", .eid = 0x4442434e, .n_memory = 2, .memory = printed,
		  .returned = true, .n_args = 3, .args = nothing) },
	{ "sbi 0x99.1() = SUCCESS, 0" EIGHT_READ,
	  CALL(.n_memory = 8, .memory = nine) },
	{ "sbi 0x99.1() = SUCCESS, 0" EIGHT_READ "; 1 more access, 1 byte",
	  CALL(.n_memory = 9, .memory = nine) },
	{ "sbi 0x99.1() = SUCCESS, 0" EIGHT_READ "; 3 more accesses, 13 bytes",
	  CALL(.n_memory = 9, .memory = nine, .more_accesses = 2,
	       .more_read = 5, .more_written = 7) },

	{ "csr mie read 0x2000",
	  ACCESS(.csr = 0x304, .read = true, .old_value = 0x2000) },
	{ "csr mie 0 -> 0x2000",
	  ACCESS(.csr = 0x304, .written = true, .new_value = 0x2000) },
	{ "csr mie read 0x1 -> 0",
	  ACCESS(.csr = 0x304, .read = true, .written = true, .old_value = 1) },
	{ "csr 0x7c1 read 0", ACCESS(.csr = 0x7c1, .read = true) },
	{ "csr sip (vsip) read 0",
	  ACCESS(.csr = 0x144, .read = true, .reached = 0x244) },
	{ "csr sireg (0x43: mhpmcounter3) read 0",
	  ACCESS(.csr = 0x151, .read = true, .selects = true, .select = 0x43,
		 .reached = 0xb03) },
	{ "csr sireg (0x30) read 0",
	  ACCESS(.csr = 0x151, .read = true, .selects = true, .select = 0x30) },
	{ "csr siph read refused: absent",
	  ACCESS(.csr = 0x154, .read = true, .refusal = 1) },
	{ "csr mie write refused: privilege",
	  ACCESS(.csr = 0x304, .written = true, .refusal = 2) },
	{ "csr cycle read write refused: read-only",
	  ACCESS(.csr = 0xc00, .read = true, .written = true, .refusal = 3) },
	{ "csr cycle read refused: closed by hcounteren, virtual instruction",
	  ACCESS(.csr = 0xc00, .read = true, .refusal = 4, .closed_by = 0x606,
		 .virtual_instruction = true) },
	{ "csr cycle read refused: 9",
	  ACCESS(.csr = 0xc00, .read = true, .refusal = 9) },

	{ "console \"\"", OUTPUT(0, "") },
	{ "serial \"a\"", OUTPUT(1, "a") },
	{ "console \"\\x1f ~\\x7f\\xc3\"", OUTPUT(0, "\x1f ~\x7f\xc3") },
	{ "console \"a\\nb\\\"c\\\\\"", OUTPUT(0, "a\nb\"c\\") },
	{ "console \"" FORTY_8 "\"", OUTPUT(0, FORTY_8) },
	{ "console \"" FORTY_8 "\"...", OUTPUT(0, FORTY_8 "8") },

	{ "input console \"x\"",
	  KIND(INPUT, input, Input, .kind_case = PMU__V1__INPUT__KIND_CONSOLE,
	       .console = BYTES("x")) },
	{ "input register a0 = 0xff",
	  INPUT(REGISTER_WRITE, register_write, RegisterWrite, .number = 10,
		.value = 255) },
	{ "input memory 0x1000, 3 bytes",
	  INPUT(MEMORY_WRITE, memory_write, MemoryWrite, .address = 4096,
		.data = BYTES("abc")) },
	{ "input memory 0x1000, 3 bytes, virtual",
	  INPUT(MEMORY_WRITE, memory_write, MemoryWrite, .address = 4096,
		.data = BYTES("abc"), .virtual_ = true) },
	{ "input sbi PMU.counter_stop(counter_idx_base=0x3, "
	  "counter_idx_mask=0x1, stop_flags=0x2)",
	  INPUT(SBI_CALL, sbi_call, SbiInput, .n_args = 8, .args = registers) },
	/* of what nobody knows, all that may be arguments */
	{ "input sbi 0x31.32(0x1, 0x2, 0x3, 0x4, 0x5, 0x6)",
	  INPUT(SBI_CALL, sbi_call, SbiInput, .n_args = 8, .args = unknown) },
	/* what is not there is 0 */
	{ "input sbi LEGACY.set_timer(stime_value=0x3)",
	  INPUT(SBI_CALL, sbi_call, SbiInput, .n_args = 7, .args = registers) },
	{ "input sbi LEGACY.set_timer()",
	  INPUT(SBI_CALL, sbi_call, SbiInput, .n_args = 0) },
	{ "input ebb session 5 enable", EBB(.what = 3) },
	{ "input ebb session 5 rearm counter 4, period 100",
	  EBB(.what = 7, .counter = 4, .period = 100) },
	{ "input inject 7 loads", INPUT(INJECT, inject, EventInput, .count = 7,
					.event = (char *)"loads") },
	{ "input inject 7 loads behind 0x40",
	  INPUT(INJECT, inject, EventInput, .count = 7,
		.event = (char *)"loads", .last_pc = 0x40) },
	{ "input of an unknown kind", KIND(INPUT, input, Input, .cycle = 1) },

	{ "hart waiting", KIND(HART_CHANGE, hart_change, HartChange, .what = 3,
			       .counters = 8) },
	{ "hart event-branch for counters 0x8",
	  KIND(HART_CHANGE, hart_change, HartChange,
	       .what = PMU__V1__HART_CHANGE__WHAT__WHAT_EVENT_BRANCH,
	       .counters = 8) },
	{ "ebb session 2 told of counters 0x18", DELIVERY(.cycle = 0) },
	{ "ebb session 2 told of counters 0x18, held since cycle 4",
	  DELIVERY(.cycle = 4) },
	{ "delivery lcofi to S at 0x80 for counter 3, 5",
	  DELIVERED(LCOFI, .counters = 0x28, .n_cycles = 2, .cycles = now) },
	{ "delivery lcofi to S at 0x80 for counter 3 of cycle 7, 5, held",
	  DELIVERED(LCOFI, .counters = 0x28, .n_cycles = 2, .cycles = earlier,
		    .held = true) },
	{ "delivery ebb to S at 0x80 for counter 3 of an unknown cycle",
	  DELIVERED(EBB, .counters = 8, .n_cycles = 1, .cycles = never) },
	{ "delivery ebb to S at 0x80 for counter 31 of an unknown cycle",
	  DELIVERED(EBB, .counters = 1u << 31) },
	{ "delivery sse 0x10000 to S at 0x80 for no overflow",
	  DELIVERED(SSE, .event = 0x10000) },
	{ "reset cold", KIND(RESET, reset, Reset, .kind = 1) },
	{ "absent rtc at 0x101000, 0x1000 bytes",
	  KIND(ABSENT, absent, Absent, .node = (char *)"rtc",
	       .address = 0x101000, .size = 0x1000) },
	{ "stop max-insns, exit code 124",
	  KIND(STOP, stop, Stop, .cause = 7, .exit_code = 124) },
	{ "a record of an unknown kind", { .kind_case = 0 } },

	/* a stranger's text tells the terminal nothing */
	{ "overflow counter 3 a?[2Jb last 0", OVERFLOW(EVIL_TEXT, .value = 0) },
	{ "sample a?[2Jb period 9", SAMPLE(EVIL_TEXT, .periods = 1) },
	{ "input inject 0 a?[2Jb",
	  INPUT(INJECT, inject, EventInput, .event = EVIL_TEXT) },
	{ "absent a?[2Jb at 0, 0 bytes",
	  KIND(ABSENT, absent, Absent, .node = EVIL_TEXT) },
};

TEST_ROWS(each_kind_says_what_happened, what_rows)
{
	const struct what_row *row = &what_rows[_i];
	const struct record_style style = { .xlen = 64 };
	FILE *out = text_open();

	record_what(out, &style, &row->record);
	fclose(out);
	ck_assert_str_eq(text, row->want);
}

TEST(an_overflow_may_have_a_color)
{
	const Pmu__V1__Record r = OVERFLOW("loads", .raised = false);
	const struct record_style style = { .xlen = 64, .color = true };
	FILE *out = text_open();

	record_what(out, &style, &r);
	fclose(out);
	ck_assert_int_eq(text[0], '\033');
	ck_assert_ptr_nonnull(strstr(text, "overflow\033["));
	ck_assert_ptr_nonnull(strstr(text, " counter 3 loads last 0"));
}

/* Names */

static struct symbols *symbols;

static void setup(void)
{
	static const char list[] = "0000000080000000 T first\n"
				   "0000000080000100 T second\n"
				   "0000000080000200 T _Z1aIicEvv\n"
				   "0000000080000300 T _end\n";
	const char *why;

	symbols = symbols_open_memory(list, sizeof(list) - 1, &why);
	PREPARING(ck_assert_msg(symbols != NULL, "%s", why));
}

static void teardown(void)
{
	symbols_close(symbols);
}

static Pmu__V1__Stop stop = { .base = PROTOBUF_C_MESSAGE_INIT(
				      &pmu__v1__stop__descriptor) };
static Pmu__V1__Overflow overflow = {
	.base = PROTOBUF_C_MESSAGE_INIT(&pmu__v1__overflow__descriptor),
	.counter = 3,
	.event = (char *)"loads",
};

/* An overflow's place is @last, any other record's its pc. */
static Pmu__V1__Record at(uint64_t pc, uint64_t last)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.cycle = 7;
	r.hart = 1;
	r.privilege = PMU__V1__PRIVILEGE__PRIVILEGE_S;
	r.pc = pc;
	overflow.last_pc = last;
	if (last) {
		r.kind_case = PMU__V1__RECORD__KIND_OVERFLOW;
		r.overflow = &overflow;
	} else {
		r.kind_case = PMU__V1__RECORD__KIND_STOP;
		r.stop = &stop;
	}
	return r;
}

#define PLACE "           7    1    S 0x"
#define STOP  "stop -, exit code 0\n"

static const struct line_row {
	const char *want;
	bool named;
	unsigned xlen;
	uint64_t pc, last;
} line_rows[] = {
	{ PLACE "80000004 " STOP, false, 32, 0x80000004, 0 },
	{ PLACE "0000000080000004 " STOP, false, 64, 0x80000004, 0 },
	{ PLACE "80000004 first+0x4              -                  " STOP,
	  true, 32, 0x80000004, 0 },
	{ PLACE "00000010 -                      -                  " STOP,
	  true, 32, 0x10, 0 },
	/* the name is that of the instruction that overflowed */
	{ PLACE "80000008 first+0x4              -                  "
		"overflow counter 3 loads last 0x80000004\n",
	  true, 32, 0x80000008, 0x80000004 },
	{ PLACE "80000100 first+0xfc             -                  "
		"overflow counter 3 loads last 0x800000fc next second+0 -\n",
	  true, 32, 0x80000100, 0x800000fc },
	{ PLACE "80000100 -                      -                  "
		"overflow counter 3 loads last 0x8 next second+0 -\n",
	  true, 32, 0x80000100, 0x8 },
};

TEST_ROWS(a_line_has_columns_and_names_where_there_are_some, line_rows)
{
	const struct line_row *row = &line_rows[_i];
	const struct record_style style = {
		.xlen = row->xlen,
		.symbols = row->named ? symbols : NULL,
	};
	Pmu__V1__Record r = at(row->pc, row->last);
	FILE *out = text_open();

	record_line(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(text, row->want);
}

static const struct head_row {
	const char *want;
	bool named;
	unsigned xlen;
} head_rows[] = {
	{ "       CYCLE HART PRIV PC         WHAT\n", false, 32 },
	{ "       CYCLE HART PRIV PC                 WHAT\n", false, 64 },
	{ "       CYCLE HART PRIV PC         FUNCTION               SOURCE"
	  "             WHAT\n",
	  true, 32 },
};

TEST_ROWS(the_heading_stands_over_its_columns, head_rows)
{
	const struct head_row *row = &head_rows[_i];
	const struct record_style style = {
		.xlen = row->xlen,
		.symbols = row->named ? symbols : NULL,
	};
	FILE *out = text_open();

	record_heading(out, &style);
	fclose(out);
	ck_assert_str_eq(text, row->want);
}

/* A name is one word, and a comma is between callers. */
TEST(a_callers_name_is_one_word)
{
	static uint64_t two[] = { 0x80000101, 0x80000205 };
	const struct record_style style = { .xlen = 64, .symbols = symbols };
	Pmu__V1__Record r = SAMPLE("loads", .n_callers = 2, .callers = two);
	FILE *out = text_open();

	record_what(out, &style, &r);
	fclose(out);
	ck_assert_str_eq(
		text, "sample loads period 9 from second+0x1,a<int__char>+0x5");
}

static const struct json_row {
	const char *has, *has_not;
	uint64_t pc, last;
} json_rows[] = {
	{ "\"function\":\"first\",\"offset\":\"4\"}\n", "\"next\"", 0x80000004,
	  0 },
	{ "\"next\":{\"function\":\"second\",\"offset\":\"0\"},"
	  "\"function\":\"first\",\"offset\":\"252\"}\n",
	  "\"file\"", 0x80000100, 0x800000fc },
	{ "\"function\":\"first\",\"offset\":\"4\"}\n", "\"next\"", 0x80000008,
	  0x80000004 },
	{ "\"cycle\":\"7\",", "\"function\"", 0x10, 0 },
	/* the next one is at nothing known */
	{ "\"next\":{},\"function\":\"first\",\"offset\":\"4\"}\n", "\"file\"",
	  0x10, 0x80000004 },
};

TEST_ROWS(an_object_has_names_beside_the_message, json_rows)
{
	const struct json_row *row = &json_rows[_i];
	const struct record_style style = { .xlen = 64, .symbols = symbols };
	Pmu__V1__Record r = at(row->pc, row->last);
	FILE *out = text_open();

	record_json(out, &style, &r);
	fclose(out);
	ck_assert_msg(strstr(text, row->has) && !strstr(text, row->has_not),
		      "%s", text);
}

static const struct kind_row {
	int kind;
	const char *want;
} kind_rows[] = {
	{ PMU__V1__RECORD__KIND_OVERFLOW, "overflow" },
	{ PMU__V1__RECORD__KIND_STOP, "stop" },
	{ PMU__V1__RECORD__KIND__NOT_SET, "-" },
	{ 9999, "-" },
};

TEST_ROWS(a_kind_has_one_word, kind_rows)
{
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.kind_case = (Pmu__V1__Record__KindCase)kind_rows[_i].kind;
	ck_assert_str_eq(record_kind(&r), kind_rows[_i].want);
}

SUITE("record-text", .setup = setup, .teardown = teardown);
