/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The callers of a sample, and the names of its addresses, by the files of the
 * machine and of users' programs: which of them is asked, where it was loaded,
 * and how a chain ends. Argument: a file of unwind-rules.S.
 */
#include <libgen.h>
#include <limits.h>
#include <string.h>

#include "cmd/args.h"
#include "symbols.h"
#include "text/exit-codes.h"
#include "trace/guest-files.h"
#include "trace/record-symbols.h"
#include "trace/unwind-sample.h"
#include "trace/user-symbols.h"
#include "unit.h"
#include "unwind.h"

#define SPACE  UINT64_C(0x8000000000081234)
#define ASID   UINT64_C(0x0005000000000000)
#define BASE   UINT64_C(0x2aaaaaa000)
#define IN_IT  "@0x8000000000081234:0x2aaaaaa000"
#define BEYOND "@0x8000000000085678:0x2aaaaaa000"
#define USER   PMU__V1__PRIVILEGE__PRIVILEGE_U
#define KERNEL PMU__V1__PRIVILEGE__PRIVILEGE_S
#define END(x) PMU__V1__CHAIN_END__CHAIN_END_##x

enum {
	REG_RA = 1,
	REG_SP = 2,
	SP = 0x7000,
	WORDS = 4 * UNWIND_MAX_CALLERS + 4, /* frames of saves() */
	MOST = 3
};

static const char *path;
static struct symbols *file; /* as it was linked */

static struct {
	struct record_style style;
	struct args_list list;
	char item[MOST][300];
	uint64_t reg[UNWIND_REGISTERS], stack[WORDS];
	Pmu__V1__Sample sample;
	Pmu__V1__Record record;
	struct unwind_callers got;
	struct args args; /* --sysroot */
	char root[PATH_MAX];
} t;

static void arguments(int argc, char **argv)
{
	path = argv[1];
}

static void setup(void)
{
	const char *why;

	memset(&t, 0, sizeof(t));
	file = symbols_open(&(struct symbols_file){ .path = path }, &why);
	PREPARING(ck_assert_msg(file, "%s", why));
	t.style.xlen = 64;
	t.sample = (Pmu__V1__Sample)PMU__V1__SAMPLE__INIT;
	t.record = (Pmu__V1__Record)PMU__V1__RECORD__INIT;
	t.record.kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	t.record.sample = &t.sample;
	t.record.satp = SPACE | ASID;
	t.sample.registers = t.reg;
	t.sample.n_registers = UNWIND_REGISTERS;
	t.sample.stack.data = (uint8_t *)t.stack;
	t.sample.stack.len = sizeof(t.stack);
	t.reg[REG_SP] = SP;
	args_init(&t.args);
}

static void teardown(void)
{
	user_symbols_close(t.style.users);
	guest_files_close(t.style.files);
	symbols_close(file);
}

/* In a function behind its rule, as it was linked. */
static uint64_t in(const char *function)
{
	uint64_t ret = 0;

	PREPARING(ck_assert_msg(symbols_address(file, function, &ret), "%s",
				function));
	return ret + 4;
}

/* --user-symbols; NULL ends them. */
static void users(const char *const places[MOST])
{
	for (size_t i = 0; i < MOST && places[i]; i++) {
		snprintf(t.item[i], sizeof(t.item[i]), "%s%s", path, places[i]);
		t.list.item[t.list.n++] = t.item[i];
	}
	PREPARING(ck_assert_int_eq(
		user_symbols_open(&t.style.users, &t.list, t.style.xlen),
		EXIT_OK));
}

/* Sampled where it is. */
static void sample(unsigned privilege, uint64_t pc)
{
	t.record.privilege = (Pmu__V1__Privilege)privilege;
	t.record.pc = pc;
	t.sample.last_pc = pc - 4;
	ck_assert(unwind_sample(&t.style, &t.record, &t.got));
}

static const struct file_row {
	const char *why, *places[MOST];
	unsigned privilege;
	uint64_t moved; /* by so much */
	bool machine;	/* the machine's file is the same */
	bool found;
} file_rows[] = {
	{ "the machine's file", { NULL }, KERNEL, 0, true, true },
	{ "no file", { NULL }, KERNEL, 0, false, false },
	{ "a user's file, where it was loaded",
	  { IN_IT },
	  USER,
	  BASE,
	  false,
	  true },
	{ "in every space", { "@any:0x2aaaaaa000" }, USER, BASE, false, true },
	{ "as it was linked", { "" }, USER, 0, false, true },
	{ "not where it was linked", { IN_IT }, USER, 0, false, false },
	{ "not in another space", { BEYOND }, USER, BASE, false, false },
	{ "the one behind another space's",
	  { BEYOND, IN_IT },
	  USER,
	  BASE,
	  false,
	  true },
	{ "the one behind another place's",
	  { "@any:0x100000", "@any:0x200000", IN_IT },
	  USER,
	  BASE,
	  false,
	  true },
	{ "the machine's behind users'", { IN_IT }, USER, 0, true, true },
	{ "no user's file in the kernel",
	  { IN_IT },
	  KERNEL,
	  BASE,
	  false,
	  false },
	{ "the machine's is there, too", { IN_IT }, KERNEL, 0, true, true },
};

/* Its caller's pc is as it was on the stack: no file's. */
TEST_ROWS(the_file_that_was_there_is_asked, file_rows)
{
	const struct file_row *row = &file_rows[_i];
	struct symbol s;

	users(row->places);
	t.style.symbols = row->machine ? file : NULL;
	t.stack[3] = 0x1234;
	sample(row->privilege, in("saves") + row->moved);
	ck_assert_msg(t.got.n == row->found, "%s: %zu", row->why, t.got.n);
	ck_assert_uint_eq(t.got.end, END(NO_TABLE));
	if (row->found)
		ck_assert_uint_eq(t.got.pc[0], 0x1234);
	record_find(&t.style, &t.record, t.record.pc, &s);
	ck_assert_msg(!s.function == !row->found, "%s", row->why);
	if (row->found) {
		ck_assert_str_eq(s.function, "saves");
		ck_assert_uint_eq(s.offset, 4);
	}
}

#define MAPPED_AT UINT64_C(0x3fb0000000)

enum {
	PID = 7
};

/* --sysroot, the folder of the file, of which @bytes are mapped in PID. */
static void map(uint64_t bytes)
{
	Pmu__V1__Mapping m = PMU__V1__MAPPING__INIT, *mappings = &m;
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;
	char name[PATH_MAX];

	snprintf(t.root, sizeof(t.root), "%s", path);
	snprintf(name, sizeof(name), "/%s", basename(t.root));
	t.args.sysroot = dirname(t.root);
	PREPARING(ck_assert_int_eq(
		guest_files_open(&t.style.files, &t.args, false), EXIT_OK));
	m.start = MAPPED_AT;
	m.end = MAPPED_AT + bytes;
	m.file = name;
	process.pid = PID;
	process.n_mappings = 1;
	process.mappings = &mappings;
	r.process = &process;
	PREPARING(ck_assert(guest_files_learn(t.style.files, &r)));
}

/* How far its bytes in the file are from its address, as it was linked. */
static uint64_t before(void)
{
	struct symbols_segment s;

	PREPARING(ck_assert(symbols_segment(file, 0, &s)));
	return s.start - s.offset;
}

static const struct mapped_row {
	const char *why, *places[MOST];
	unsigned privilege;
	uint32_t pid;
	uint64_t bytes;
	bool found;
} mapped_rows[] = {
	{ "mapped", { NULL }, USER, PID, 0x100000, true },
	{ "in another process", { NULL }, USER, PID + 1, 0x100000, false },
	{ "in the kernel", { NULL }, KERNEL, PID, 0x100000, false },
	{ "not so far", { NULL }, USER, PID, 8, false },
	{ "behind a file that is not there",
	  { IN_IT },
	  USER,
	  PID,
	  0x100000,
	  true },
};

TEST_ROWS(the_file_that_was_mapped_is_asked, mapped_rows)
{
	const struct mapped_row *row = &mapped_rows[_i];
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;

	users(row->places);
	map(row->bytes);
	process.pid = row->pid;
	t.record.process = &process;
	t.stack[3] = 0x1234;
	sample(row->privilege, in("saves") - before() + MAPPED_AT);
	ck_assert_msg(t.got.n == row->found, "%s: %zu", row->why, t.got.n);
	ck_assert_uint_eq(t.got.end, END(NO_TABLE));
	if (row->found)
		ck_assert_uint_eq(t.got.pc[0], 0x1234);
}

/* Behind its last instruction is no mapping, or another. */
TEST(a_call_may_be_a_mappings_last_instruction)
{
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	uint64_t moved = MAPPED_AT - before(), at = in("saves") + moved;

	process.pid = PID;
	t.record.process = &process;
	map(at + 4 - MAPPED_AT);
	t.stack[3] = at + 4;
	t.stack[7] = 0x1234;
	sample(USER, at);
	ck_assert_uint_eq(t.got.n, 2);
	ck_assert_uint_eq(t.got.pc[0], at + 4);
	ck_assert_uint_eq(t.got.pc[1], 0x1234);
}

static const struct end_row {
	const char *function;
	Pmu__V1__ChainEnd end;
} end_rows[] = {
	{ "_start", END(NO_TABLE) },
	{ "outermost", END(BOTTOM) },
	{ "far_slot", END(STACK_END) },
	{ "below_itself", END(BAD_RULE) },
};

/* What a file says of its own code is the end, whatever others say. */
TEST_TIMES(a_chain_has_its_end, 2 * ARRAY_SIZE(end_rows))
{
	const struct end_row *row = &end_rows[_i / 2];

	if (_i % 2)
		users((const char *const[MOST]){ IN_IT });
	t.style.symbols = file;
	sample(_i % 2 ? USER : KERNEL, in(row->function) + (_i % 2 ? BASE : 0));
	ck_assert_uint_eq(t.got.n, 0);
	ck_assert_msg(t.got.end == row->end, "%s: %d", row->function,
		      (int)t.got.end);
}

/* So many frames and one more; a call is a function's last instruction. */
TEST(a_chain_has_a_limit)
{
	t.style.symbols = file;
	for (size_t i = 0; i < WORDS; i++)
		t.stack[i] = in("saves") + 4;
	sample(KERNEL, in("saves"));
	ck_assert_uint_eq(t.got.end, END(LIMIT));
	ck_assert_uint_eq(t.got.n, UNWIND_MAX_CALLERS);
	for (size_t i = 0; i < t.got.n; i++)
		ck_assert_uint_eq(t.got.pc[i], in("saves") + 4);
}

static const struct jump_row {
	const char *why;
	int last, ra; /* from pc on */
	size_t n;
} jump_rows[] = {
	{ "no jump", -4, 0x700, 1 },
	{ "no jump, behind two bytes", -2, 0x700, 1 },
	{ "no jump, though ra is behind it", -4, 0, 1 },
	{ "a call: its frame is the first caller", -0x1004, -0x1000, 0 },
	{ "a call of two bytes", -0x1002, -0x1000, 0 },
	{ "a jump within", -0x1004, 0x700, 1 },
	{ "a return: it has gone back to the caller", 0x900, 0, 2 },
};

/* The caller of saves() has no table. */
TEST_ROWS(a_jump_is_a_call_or_a_return, jump_rows)
{
	const struct jump_row *row = &jump_rows[_i];

	t.style.symbols = file;
	t.record.privilege = KERNEL;
	/* a return address is behind its function's last instruction */
	t.record.pc = in("saves") + (row->n > 1 ? 4 : 0);
	t.sample.last_pc = t.record.pc + (uint64_t)row->last;
	t.reg[REG_RA] = t.record.pc + (uint64_t)row->ra;
	t.stack[3] = 0x1234;
	ck_assert(unwind_sample(&t.style, &t.record, &t.got));
	ck_assert_msg(t.got.n == row->n, "%s: %zu", row->why, t.got.n);
	ck_assert_uint_eq(t.got.end, END(NO_TABLE));
	if (row->n)
		ck_assert_uint_eq(t.got.pc[row->n - 1], 0x1234);
	if (row->n > 1)
		ck_assert_uint_eq(t.got.pc[0], t.record.pc);
}

static void no_sample(void)
{
	t.record.kind_case = PMU__V1__RECORD__KIND_TRAP;
}

static void no_stack(void)
{
	t.sample.stack.len = 0;
}

static void no_registers(void)
{
	t.sample.n_registers = 0;
}

static void (*const spoil[])(void) = { no_sample, no_stack, no_registers };

TEST_ROWS(what_was_not_recorded_has_no_callers, spoil)
{
	t.style.symbols = file;
	t.got.n = 77;
	t.record.pc = in("saves");
	spoil[_i]();
	ck_assert(!unwind_sample(&t.style, &t.record, &t.got));
	ck_assert_uint_eq(t.got.n, 77);
}

static const struct back_row {
	const char *last; /* where the sampled instruction is */
	size_t n;	  /* callers, of saves() and what it interrupted */
} back_rows[] = {
	{ "back_by_sret", 2 },
	{ "back_by_mret", 2 },
	{ "elsewhere", 1 },
};

/* A handler's caller is what it goes back to, in whose file it may be. */
TEST_TIMES(a_trap_has_interrupted_its_caller, 2 * ARRAY_SIZE(back_rows))
{
	const struct back_row *row = &back_rows[_i / 2];
	Pmu__V1__Process process = PMU__V1__PROCESS__INIT;
	uint64_t moved = _i % 2 ? MAPPED_AT - before() : 0;

	process.pid = PID;
	if (_i % 2) {
		t.record.process = &process;
		map(0x100000);
	} else {
		t.style.symbols = file;
	}
	t.stack[3] = 0x1234;
	t.record.privilege = _i % 2 ? USER : KERNEL;
	t.record.pc = in("saves") + moved;
	t.sample.last_pc = in(row->last) - 4 + moved;
	ck_assert(unwind_sample(&t.style, &t.record, &t.got));
	ck_assert_msg(t.got.n == row->n, "%s: %zu", row->last, t.got.n);
	ck_assert_uint_eq(t.got.pc[row->n - 1], 0x1234);
	ck_assert(row->n == 1 || t.got.pc[0] == t.record.pc);
}

SUITE("unwind-sample", .setup = setup, .teardown = teardown,
      .begin = arguments);
