/* SPDX-License-Identifier: BSD-2-Clause */
/* Trap loops: noted once, with the likely cause, or the run's end. */
#include "engine/engine.h"
#include "machine-script.h"

/* Nothing is at 0, so that a hart without a handler stays there. */
TEST(a_trap_loop_is_noted_once)
{
	script(NULL, 0);
	play("max-cycles=999 trap-cycles=1");
	ck_assert_uint_eq(fixture_status(&f).n_notes, 0);
	ck_assert_str_eq(machine_note(f.m, 0), "");
	fixture_fini(&f);
	play("max-cycles=5001 trap-cycles=1");
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	ck_assert_str_eq(machine_note(f.m, 0),
			 "hart 0 takes trap 1 (instruction access fault) at "
			 "0x0 again and again (1000 times): after trap 1 "
			 "(instruction access fault) at 0x80000000, mtvec is "
			 "0, no handler was set; a guest for S-mode must not "
			 "start in M-mode");
}

/* Where no handler is set, or the handler is what traps. */
enum {
	FETCH_FAULT = 1,
	MPP_S = 1 << 11,
};
#define MPV (UINT64_C(1) << 39)
#define TO_S(mode)                                                             \
	LI(1, 1 << FETCH_FAULT), CSRW(MEDELEG, 1), LI(1, mode), CSRW(MSTATUS, 1)
#define LEAVE_FOR(pc) LI(1, pc), CSRW(MEPC, 1), INSN(FAKE_MRET)

static const struct fake_op s_none[] = { TO_S(MPP_S), LEAVE_FOR(PC(99)) };
static const struct fake_op s_bad[] = { TO_S(MPP_S), LI(1, PC(50)),
					CSRW(STVEC, 1), LEAVE_FOR(PC(99)) };
static const struct fake_op vs_none[] = { LI(1, 1 << FETCH_FAULT),
					  CSRW(HEDELEG, 1), TO_S(MPP_S | MPV),
					  LEAVE_FOR(PC(99)) };
static const struct fake_op vs_bad[] = {
	LI(1, 1 << FETCH_FAULT), CSRW(HEDELEG, 1),  LI(1, PC(50)),
	CSRW(VSTVEC, 1),	 TO_S(MPP_S | MPV), LEAVE_FOR(PC(99))
};
/* Bit 0 of the vector says how interrupts are taken, and no address. */
static const struct fake_op m_bad[] = { LI(1, PC(50) | 1), CSRW(MTVEC, 1),
					JUMP(99) };

static const struct loop_row {
	const char *why;
	const struct fake_op *ops;
	size_t n;
	const char *text;
} loop_rows[] = {
	{ "S-mode without a handler", s_none, ARRAY_SIZE(s_none),
	  "at 0x0 again and again (1000 times): after trap 1 (instruction "
	  "access fault) at 0x8000018c, stvec is 0, no handler was set" },
	{ "S-mode whose handler traps", s_bad, ARRAY_SIZE(s_bad),
	  "at 0x800000c8 again and again (1000 times): after trap 1 "
	  "(instruction access fault) at 0x8000018c, the handler at "
	  "0x800000c8 (stvec) traps" },
	{ "VS-mode without a handler", vs_none, ARRAY_SIZE(vs_none),
	  "at 0x0 again and again (1000 times): after trap 1 (instruction "
	  "access fault) at 0x8000018c, vstvec is 0, no handler was set" },
	{ "VS-mode whose handler traps", vs_bad, ARRAY_SIZE(vs_bad),
	  "at 0x800000c8 again and again (1000 times): after trap 1 "
	  "(instruction access fault) at 0x8000018c, the handler at "
	  "0x800000c8 (vstvec) traps" },
	{ "M-mode whose handler traps", m_bad, ARRAY_SIZE(m_bad),
	  "at 0x800000c8 again and again (1000 times): after trap 1 "
	  "(instruction access fault) at 0x8000018c, the handler at "
	  "0x800000c8 (mtvec) traps" },
};

TEST_ROWS(the_likely_cause_is_named, loop_rows)
{
	const struct loop_row *row = &loop_rows[_i];
	const char *text;

	script(row->ops, row->n);
	play("max-cycles=5000 trap-cycles=1 h=on");
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
	text = strstr(machine_note(f.m, 0), "at 0x");
	ck_assert_msg(!strcmp(text, row->text), "%s: %s", row->why, text);
}

/* It faults at its own handler for ever; then moved, at another place. */
TEST(a_second_loop_of_a_hart_is_not_noted)
{
	static const struct fake_op ops[] = { { FAKE_FAULT, 0, 0, 4, 0 } };
	const struct input in = {
		.kind = INPUT_REGISTER_WRITE,
		.cycle = 4000,
		.register_write = { ENGINE_PC, PC(100) },
	};
	struct error e;

	SCRIPT(ops);
	fixture_init(&f,
		     &(struct fixture_config){ .m_mode = true,
					       .settings = "max-cycles=9000" });
	ck_assert_msg(machine_queue(f.m, &in, &e), "%s", e.text);
	fixture_start(&f);
	fixture_run(&f, 1000000, UINT32_MAX);
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 1);
}

TEST(a_trap_loop_ends_the_run_where_that_is_wanted)
{
	script(NULL, 0);
	play("max-cycles=5000 trap-cycles=1 trap-loop=stop");
	ended(CAUSE_TRAP_LOOP, EXIT_DEADLOCK);
	/* the first trap came from elsewhere */
	ck_assert_uint_eq(fixture_status(&f).cycle, 1001);
	ck_assert_str_eq(fixture_status(&f).detail, machine_note(f.m, 0));
}

/* Traps with instructions in between are no loop, however many. */
TEST(a_handler_that_runs_is_no_trap_loop)
{
	static const struct fake_op ops[] = {
		LI(1, PC(3)),
		CSRW(MTVEC, 1),
		{ FAKE_FAULT, 0, 0, 4, 0 },
		NOP,
		{ FAKE_JUMP, 0, 0, 0, PC(2) },
	};

	SCRIPT(ops);
	play("max-cycles=20000 trap-loop=stop");
	ended(CAUSE_MAX_CYCLES, EXIT_LIMIT);
	ck_assert_uint_eq(fixture_status(&f).n_notes, 0);
}

SUITE("machine-loop", .teardown = teardown);
