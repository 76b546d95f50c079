/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One step by each kind of rule of unwind-rules.S: where the caller is, what it
 * has in its registers, and how a chain ends. Arguments: its files of 64 and
 * 32 bits.
 */
#include "unwind.h"

#include <string.h>

#include "symbols.h"
#include "unit.h"

enum {
	REG_RA = 1,
	REG_SP = 2,
	REG_T0 = 5,
	REG_S0 = 8,
	REG_S1 = 9,
	REG_A0 = 10,
	REG_T6 = 31,
	SLOTS = 16, /* words of the stack that are kept */
	SP = 0x7000,
};

static char **paths;
static int n_paths; /* of 64 bits, of 32 */

static struct {
	struct symbols *symbols;
	uint8_t bytes[8 * SLOTS];
	struct unwind_stack stack;
	struct unwind_frame f;
} u;

static uint64_t narrow(uint64_t value)
{
	return u.stack.word == 4 ? (uint32_t)value : value;
}

/* What is kept of the stack at @slot; its halves differ. */
static uint64_t slot(int slot)
{
	return narrow(UINT64_C(0x12345678000080f1) + 0x11 * (uint64_t)slot);
}

/* So many words above where sp is. */
static uint64_t above(int words)
{
	return narrow(SP + u.stack.word * (uint64_t)words);
}

static uint64_t address(const char *name)
{
	uint64_t ret = 0;

	PREPARING(ck_assert_msg(symbols_address(u.symbols, name, &ret), "%s",
				name));
	return ret;
}

/* Behind the rule of a function, with every register known. */
static void begin(int path)
{
	const char *why;

	u.symbols = symbols_open(&(struct symbols_file){ .path = paths[path] },
				 &why);
	PREPARING(ck_assert_msg(u.symbols, "%s", why));
	u.stack = (struct unwind_stack){ SP, u.bytes, 0, path ? 4 : 8 };
	for (int i = 0; i < SLOTS; i++) {
		uint64_t value = slot(i);

		memcpy(u.bytes + u.stack.n, &value, u.stack.word);
		u.stack.n += u.stack.word;
	}
	u.f = (struct unwind_frame){ .known = UINT32_MAX };
	for (unsigned r = 1; r < UNWIND_REGISTERS; r++)
		u.f.reg[r] = 0x4000 + 0x100 * r;
	u.f.reg[REG_SP] = SP;
	u.f.reg[REG_S0] = above(6);
	u.f.reg[REG_T6] = above(20);
}

static enum unwind_end step_in(const char *function)
{
	u.f.pc = address(function) + 4;
	return unwind_step(u.symbols, &u.stack, false, &u.f);
}

static void end(void)
{
	symbols_close(u.symbols);
}

enum {
	OF_REGISTER = 100
};

static const struct step_row {
	const char *why, *function;
	int sp;	  /* words above: the caller's */
	int from; /* the slot that the return address was in, or a register */
} step_rows[] = {
	{ "nothing saved yet", "leaf", 0, OF_REGISTER + REG_RA },
	{ "the return address below the frame", "saves", 4, 3 },
	{ "found by the frame pointer", "by_frame_pointer", 8, 7 },
	{ "kept in another register", "ra_in_t0", 0, OF_REGISTER + REG_T0 },
	{ "in the first slot that is kept", "first_slot", 0, 0 },
	{ "in the last", "last_slot", 0, 15 },
	{ "what only another register wants is out of reach",
	  "s1_behind_last_slot", 0, OF_REGISTER + REG_RA },
	{ "a rule for sp is none", "its_own_sp", 2, OF_REGISTER + REG_RA },
	{ "another register for return addresses", "returns_by_t6", 0,
	  OF_REGISTER + REG_T6 },
	{ "a frame by the last register", "by_t6", 22, OF_REGISTER + REG_RA },
	{ "by an address", "by_address", 64, OF_REGISTER + REG_RA },
	{ "by a register's number", "by_number", 5, OF_REGISTER + REG_RA },
	{ "a table for debuggers alone", "in_debug_frame", 2, 1 },
};

TEST_TIMES(a_caller_is_where_the_rules_say, 2 * ARRAY_SIZE(step_rows))
{
	const struct step_row *row = &step_rows[_i / 2];
	uint64_t pc;

	begin(_i % 2);
	pc = row->from < OF_REGISTER ? slot(row->from)
				     : u.f.reg[row->from - OF_REGISTER];
	ck_assert_msg(step_in(row->function) == UNWIND_GOES_ON, "%s", row->why);
	ck_assert_msg(u.f.pc == pc, "%s: pc %#jx", row->why, (uintmax_t)u.f.pc);
	ck_assert_msg(u.f.reg[REG_SP] == above(row->sp), "%s: sp %#jx",
		      row->why, (uintmax_t)u.f.reg[REG_SP]);
	ck_assert(u.f.known >> REG_SP & 1);
	end();
}

static const struct end_row {
	const char *why, *function;
	enum unwind_end how;
} end_rows[] = {
	{ "code without a table", "_start", UNWIND_NO_TABLE },
	{ "no return address", "outermost", UNWIND_BOTTOM },
	{ "below what is kept", "below_first_slot", UNWIND_STACK_END },
	{ "only a part of it is kept", "half_a_slot", UNWIND_STACK_END },
	{ "behind what is kept", "behind_last_slot", UNWIND_STACK_END },
	{ "far behind it", "far_slot", UNWIND_STACK_END },
	{ "a frame by what is not kept", "by_far_slot", UNWIND_STACK_END },
	{ "a frame below its own", "below_itself", UNWIND_BAD_RULE },
	{ "a frame at 0", "by_zero", UNWIND_BAD_RULE },
	{ "x0 returns nowhere", "returns_by_zero", UNWIND_BAD_RULE },
	{ "f0 holds no return address", "returns_by_none", UNWIND_BAD_RULE },
	{ "f0 holds no frame", "by_no_number", UNWIND_BAD_RULE },
	{ "a frame by itself", "by_itself", UNWIND_BAD_RULE },
	{ "an operation that nobody writes", "by_nothing", UNWIND_BAD_RULE },
	{ "another one, of what is there", "by_dup", UNWIND_BAD_RULE },
	{ "more than nothing", "by_plus_of_none", UNWIND_BAD_RULE },
	{ "a load of nothing", "by_deref_of_none", UNWIND_BAD_RULE },
	{ "a frame by too many values", "by_too_many", UNWIND_BAD_RULE },
	{ "a frame by no operation", "by_garbage", UNWIND_BAD_RULE },
	{ "a return address by none", "ra_is_garbage", UNWIND_BAD_RULE },
	{ "a sum of one", "by_sum_of_one", UNWIND_BAD_RULE },
};

TEST_TIMES(a_chain_ends_with_its_reason, 2 * ARRAY_SIZE(end_rows))
{
	const struct end_row *row = &end_rows[_i / 2];
	struct unwind_frame before;
	enum unwind_end how;

	begin(_i % 2);
	before = u.f;
	how = step_in(row->function);
	ck_assert_msg(how == row->how, "%s: %d", row->why, how);
	before.pc = u.f.pc;
	ck_assert_msg(!memcmp(&before, &u.f, sizeof(before)),
		      "%s: the frame is untouched", row->why);
	end();
}

/* The caller's a0 by expressions. */
static const struct value_row {
	const char *function;
	uint64_t value;
} value_rows[] = {
	{ "lit_0", 0 },
	{ "lit_31", 31 },
	{ "const_1u", 0xff },
	{ "const_1s", (uint64_t)-1 },
	{ "const_2u", 0xfffe },
	{ "const_2s", (uint64_t)-2 },
	{ "const_4u", 0xfffffffd },
	{ "const_4s", (uint64_t)-3 },
	{ "const_8u", 0x0807060504030201 },
	{ "const_8s", 0xf102030405060708 },
	{ "const_u", 0xff },
	{ "const_s", (uint64_t)-2 },
	{ "sum", 0x1239 },
	{ "difference", 0x122f },
	{ "both", 0x14 },
	{ "sum_of_three", 7 },
	{ "sum_with", 0x1335 },
	{ "below_zero", (uint64_t)-1 },
	{ "frame", SP + 3 },
	{ "deep", 15 },
	{ "from_frame", SP - 1 },
	{ "by_register", 0x4904 },
};

TEST_TIMES(a_register_was_what_an_expression_says, 2 * ARRAY_SIZE(value_rows))
{
	const struct value_row *row = &value_rows[_i / 2];

	begin(_i % 2);
	ck_assert_int_eq(step_in(row->function), UNWIND_GOES_ON);
	ck_assert_msg(u.f.reg[REG_A0] == narrow(row->value), "%s: %#jx",
		      row->function, (uintmax_t)u.f.reg[REG_A0]);
	ck_assert(u.f.known >> REG_A0 & 1);
	end();
}

/* What registers the caller has, and from where. */
enum {
	UNKNOWN = -1,
	AS_IT_WAS = -2,
	ADDRESS = 200
};

static const struct register_row {
	const char *why, *function;
	int r;
	int from; /* slot, register, words above sp, or as above */
} register_rows[] = {
	{ "saved", "saves", REG_S0, 2 },
	{ "not touched", "saves", REG_S1, AS_IT_WAS },
	{ "restored", "restores", REG_S0, AS_IT_WAS },
	{ "lost", "loses", REG_S1, UNKNOWN },
	{ "kept beside a lost one", "loses", REG_S0, AS_IT_WAS },
	{ "in another one", "swapped", REG_S1, OF_REGISTER + REG_T6 },
	{ "each in the other", "swapped", REG_T6, OF_REGISTER + REG_S1 },
	{ "an address", "by_value", REG_S1, ADDRESS + 3 },
	{ "saved where an expression says", "saved_by_expression", REG_A0, 1 },
	{ "an expression that says so is a value", "a_value_after_all", REG_A0,
	  ADDRESS + 1 },
	{ "out of reach", "s1_behind_last_slot", REG_S1, UNKNOWN },
	{ "within it", "s1_behind_last_slot", REG_S0, 15 },
	{ "an expression that is too deep", "too_deep", REG_A0, UNKNOWN },
	{ "one that is none", "garbage", REG_A0, UNKNOWN },
	{ "saved beside the one that it returns by", "returns_by_t6_again",
	  REG_RA, 1 },
	{ "a rule for sp is none", "its_own_sp", REG_SP, ADDRESS + 2 },
	{ "0", "leaf", 0, AS_IT_WAS },
};

TEST_TIMES(a_caller_has_its_registers, 2 * ARRAY_SIZE(register_rows))
{
	const struct register_row *row = &register_rows[_i / 2];
	uint64_t want;

	begin(_i % 2);
	want = row->from == AS_IT_WAS	 ? u.f.reg[row->r]
	       : row->from < OF_REGISTER ? slot(row->from)
	       : row->from < ADDRESS	 ? u.f.reg[row->from - OF_REGISTER]
					 : above(row->from - ADDRESS);
	ck_assert_int_eq(step_in(row->function), UNWIND_GOES_ON);
	ck_assert_msg((u.f.known >> row->r & 1) == (row->from != UNKNOWN),
		      "%s: known", row->why);
	ck_assert_msg(row->from == UNKNOWN || u.f.reg[row->r] == want,
		      "%s: %#jx", row->why, (uintmax_t)u.f.reg[row->r]);
	end();
}

/* What is not known now is not known then; and is wanted by some rules. */
static const struct unknown_row {
	const char *why, *function;
	int r;
	enum unwind_end how;
} unknown_rows[] = {
	{ "no return address", "leaf", REG_RA, UNWIND_BOTTOM },
	{ "none in another register", "ra_in_t0", REG_T0, UNWIND_BAD_RULE },
	{ "none in the one that it returns by", "returns_by_t6", REG_T6,
	  UNWIND_BOTTOM },
	{ "no stack", "leaf", REG_SP, UNWIND_BAD_RULE },
	{ "another one than what says that it cannot be", "below_itself", 3,
	  UNWIND_BAD_RULE },
	{ "no frame pointer", "by_frame_pointer", REG_S0, UNWIND_BAD_RULE },
	{ "a register that nothing wants", "leaf", REG_S1, UNWIND_GOES_ON },
	{ "the return address is in the stack", "saves", REG_RA,
	  UNWIND_GOES_ON },
	{ "the stack is found by another", "by_frame_pointer", REG_SP,
	  UNWIND_GOES_ON },
};

TEST_ROWS(a_register_may_be_unknown, unknown_rows)
{
	const struct unknown_row *row = &unknown_rows[_i];
	enum unwind_end how;

	begin(0);
	u.f.known &= ~(UINT32_C(1) << row->r);
	u.f.reg[row->r] = UINT64_MAX; /* nobody looks */
	how = step_in(row->function);
	ck_assert_msg(how == row->how, "%s: %d", row->why, how);
	if (how == UNWIND_GOES_ON) {
		ck_assert(u.f.known >> REG_SP & 1);
		ck_assert(!(u.f.known >> REG_S1 & 1) == (row->r == REG_S1));
	}
	end();
}

TEST(a_return_address_of_0_is_the_bottom)
{
	begin(0);
	u.f.reg[REG_RA] = 0;
	ck_assert_int_eq(step_in("leaf"), UNWIND_BOTTOM);
	end();
}

/* Recursion has frames; without them it would never end. */
TEST(the_same_place_again_needs_another_frame)
{
	uint64_t self;

	begin(0);
	self = address("leaf") + 4;
	u.f.reg[REG_RA] = self;
	ck_assert_int_eq(step_in("leaf"), UNWIND_BAD_RULE);
	self = address("saves") + 4;
	memcpy(u.bytes + 3 * 8, &self, 8);
	ck_assert_int_eq(step_in("saves"), UNWIND_GOES_ON);
	ck_assert_uint_eq(u.f.pc, self);
	end();
}

/* A call may be a function's last instruction. */
TEST(a_return_address_may_be_behind_its_function)
{
	begin(0);
	u.f.pc = address("leaf");
	ck_assert_int_eq(unwind_step(u.symbols, &u.stack, true, &u.f),
			 UNWIND_NO_TABLE);
	u.f.pc = address("behind_the_last");
	ck_assert_int_eq(unwind_step(u.symbols, &u.stack, false, &u.f),
			 UNWIND_NO_TABLE);
	ck_assert_int_eq(unwind_step(u.symbols, &u.stack, true, &u.f),
			 UNWIND_GOES_ON);
	ck_assert_uint_eq(u.f.pc, slot(1));
	end();
}

/* The rule of a place holds from there on. */
TEST(before_its_prologue_a_function_has_saved_nothing)
{
	begin(0);
	u.f.pc = address("saves");
	ck_assert_int_eq(unwind_step(u.symbols, &u.stack, false, &u.f),
			 UNWIND_GOES_ON);
	ck_assert_uint_eq(u.f.pc, 0x4000 + 0x100 * REG_RA);
	ck_assert_uint_eq(u.f.reg[REG_SP], SP);
	end();
}

/* A stack that is kept round the end of all addresses. */
TEST(addresses_of_32_bits_wrap)
{
	begin(1);
	u.stack.first = 0xfffffff8;
	u.f.reg[REG_SP] = 0xfffffff8;
	u.f.reg[REG_S0] = 0xfffffffc;
	ck_assert_int_eq(step_in("last_slot"), UNWIND_GOES_ON);
	ck_assert_uint_eq(u.f.pc, slot(15));
	u.f.reg[REG_SP] = 0;
	ck_assert_int_eq(step_in("by_frame_pointer"), UNWIND_GOES_ON);
	ck_assert_uint_eq(u.f.reg[REG_SP], 4);
	ck_assert_uint_eq(u.f.pc, slot(2));
	end();
}

TEST(without_a_file_there_is_no_table)
{
	static const char list[] = "0000000000010000 T all\n";
	const char *why;
	struct symbols *s = symbols_open_memory(list, strlen(list), &why);

	begin(0);
	u.f.pc = 0x10000;
	ck_assert_int_eq(unwind_step(NULL, &u.stack, false, &u.f),
			 UNWIND_NO_TABLE);
	ck_assert_int_eq(unwind_step(s, &u.stack, false, &u.f),
			 UNWIND_NO_TABLE);
	symbols_close(s);
	end();
}

static void arguments(int argc, char **argv)
{
	paths = argv + 1;
	n_paths = argc - 1;
}

SUITE("unwind", .begin = arguments);
