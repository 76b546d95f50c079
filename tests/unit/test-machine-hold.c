/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/machine/core/machine-hold.c: a breakpoint holds its hart once before
 * the instruction there is executed, whoever else runs in between.
 */
#include "core/inject.h"
#include "core/input.h"
#include "core/machine-hart.h"
#include "core/machine-hold.h"
#include "view/inspect.h"
#include "machine-script.h"

enum {
	SSIE = 2,
	HSM = 0x48534d,
	IPI = 0x735049,
	LOOP_AT = 8,
	WAIT_AT = 14,
	A0 = 10,
	A1 = 11,
	A6 = 16,
	A7 = 17,
};
#define S_PC(i) (BOARD_S_ENTRY + 4 * (i))

/* Hart 0 turns round four instructions, hart 1 waits until it is called. */
static const struct fake_op two_ops[] = {
	LI(A0, 1),
	LI(A1, S_PC(12)),
	LI(A6, 0),
	LI(A7, HSM),
	INSN(FAKE_ECALL),
	NOP,
	NOP,
	NOP,
	NOP, /* 8 */
	NOP,
	NOP,
	{ FAKE_JUMP, 0, 0, 0, S_PC(LOOP_AT) },
	LI(1, SSIE), /* 12 */
	CSRW(SIE, 1),
	WFI, /* 14 */
	{ FAKE_JUMP, 0, 0, 0, S_PC(WAIT_AT) },
};

static struct inspect_hart hart(unsigned n)
{
	struct inspect_hart h = { 0 };

	ck_assert(inspect_hart(f.m, n, &h, NULL));
	return h;
}

static void begin(const uint64_t *pcs, size_t n)
{
	const struct fixture_config cfg = {
		.harts = 2,
		.settings = "quantum=10",
		.address = BOARD_S_ENTRY,
		.image = two_ops,
		.image_size = 64,
	};

	SCRIPT(two_ops);
	fake.base = BOARD_S_ENTRY;
	fixture_init(&f, &cfg);
	fixture_start(&f);
	fixture_run(&f, 100, 200);
	ck_assert(machine_pause(f.m, NULL));
	ck_assert(machine_set_breakpoints(f.m, pcs, n, NULL));
	ck_assert(machine_resume(f.m, NULL));
}

static void run_to_breakpoint(void)
{
	fixture_run(&f, 1000, 1000);
	ck_assert_int_eq(fixture_state(&f), MACHINE_PAUSED);
	ck_assert_int_eq(fixture_status(&f).cause, CAUSE_BREAKPOINT);
}

/* An IPI from outside: hart 1 is to run at once. */
static void call(void)
{
	struct input in = { .kind = INPUT_SBI_CALL };

	in.sbi_call.n_args = INPUT_SBI_ARGS;
	in.sbi_call.args[0] = 2;
	in.sbi_call.args[7] = IPI;
	ck_assert(machine_input(f.m, &in, NULL, NULL));
}

TEST(a_hart_that_is_held_is_not_held_again_behind_anothers_turn)
{
	const uint64_t pc = S_PC(LOOP_AT);
	uint64_t insns;

	begin(&pc, 1);
	run_to_breakpoint();
	for (unsigned i = 0; i < 20; i++) {
		insns = hart(0).insn;
		ck_assert_uint_eq(hart(0).pc, pc);
		call();
		ck_assert(machine_resume(f.m, NULL));
		run_to_breakpoint();
		ck_assert_uint_eq(hart(0).insn, insns + 4);
	}
}

TEST(harts_that_are_held_do_not_make_each_other_be_held_again)
{
	const uint64_t pcs[] = { S_PC(LOOP_AT), S_PC(WAIT_AT + 1) };
	uint64_t insns[2] = { 0 };
	unsigned held[2] = { 0 };

	begin(pcs, 2);
	for (unsigned i = 0; i < 400; i++) {
		unsigned n;

		run_to_breakpoint();
		n = hart_present(f.m)->index;
		ck_assert_uint_eq(hart(n).pc, pcs[n]);
		ck_assert_uint_gt(hart(n).insn, insns[n]);
		insns[n] = hart(n).insn;
		held[n]++;
		call();
		ck_assert(machine_resume(f.m, NULL));
	}
	ck_assert_uint_gt(held[0], 10);
	ck_assert_uint_gt(held[1], 10);
}

/* Its timer has rung; what waits for MIE returns to where it was. */
static const struct fake_op rung_ops[] = {
	LI(1, PC(12)),
	CSRW(MTVEC, 1),
	LI(1, 1 << 7),
	CSRW(MIE, 1),
	LI(1, 0),
	WRITE(1, 8, MTIMECMP(0)),
	NOP, /* 6 */
	NOP,
	JUMP(6),
	NOP,
	NOP,
	NOP,
	LI(1, UINT64_MAX), /* 12 */
	WRITE(1, 8, MTIMECMP(0)),
	INSN(FAKE_MRET),
};

TEST_TIMES(a_hart_that_left_before_it_went_on_is_held_where_it_comes_back, 2)
{
	const struct input enable = { .kind = INPUT_CSR_WRITE,
				      .csr_write = { MSTATUS, 1 << 3 } };
	const uint64_t pcs[] = { PC(7), PC(12) };
	uint64_t insns;

	SCRIPT(rung_ops);
	fixture_init(&f, &(struct fixture_config){ .m_mode = true });
	ck_assert(machine_set_breakpoints(f.m, pcs, _i ? 2 : 1, NULL));
	fixture_start(&f);
	run_to_breakpoint();
	insns = hart(0).insn;
	ck_assert(machine_input(f.m, &enable, NULL, NULL));
	ck_assert(machine_resume(f.m, NULL));
	run_to_breakpoint();
	if (_i) { /* at its handler's first instruction */
		ck_assert_uint_eq(hart(0).pc, PC(12));
		ck_assert_uint_eq(hart(0).insn, insns);
		ck_assert(machine_resume(f.m, NULL));
		run_to_breakpoint();
	}
	ck_assert_uint_eq(hart(0).pc, PC(7));
	ck_assert_uint_eq(hart(0).insn, insns + 3); /* the handler's */
	ck_assert(machine_resume(f.m, NULL));
	run_to_breakpoint();
	ck_assert_uint_eq(hart(0).insn, insns + 6); /* once round */
}

/* Injections that wait for a pc have room of the same; one is for run-until. */
TEST(breakpoints_are_asked_about_before_any_is_set)
{
	static uint64_t pcs[MACHINE_MAX_BREAKPOINTS];
	const struct machine_injection at_pc = { .n = 1,
						 .when = INJECT_BEHIND_PC,
						 .at = S_PC(500) };
	const size_t most = MACHINE_MAX_BREAKPOINTS - 1;
	uint32_t number;
	struct error e;

	begin(pcs, 0);
	ck_assert(machine_takes_breakpoints(f.m, pcs, 0, &e) &&
		  machine_takes_breakpoints(f.m, pcs, most, &e));
	ck_assert(!machine_takes_breakpoints(f.m, pcs, most + 1, &e));
	ck_assert_str_eq(e.text, "breakpoints: must be at most 1023, not 1024");
	ck_assert(machine_inject(f.m, &at_pc, &number, &e));
	ck_assert(!machine_takes_breakpoints(f.m, pcs, most, &e));
	ck_assert_str_eq(e.text, "breakpoints: must be at most 1022, not 1023");
	for (size_t i = 0; i < most; i++)
		pcs[i] = S_PC(1000 + i);
	ck_assert(!machine_set_breakpoints(f.m, pcs, most, &e));
	ck_assert_uint_eq(hold_room(f.m), most - 1);
	ck_assert(machine_set_breakpoints(f.m, pcs, most - 1, &e));
	ck_assert_uint_eq(hold_room(f.m), 0);
	/* those that there are make room for the others */
	ck_assert(machine_takes_breakpoints(f.m, pcs, most - 1, &e));
	ck_assert(!machine_takes_breakpoints(f.m, pcs, most, &e));
}

/* Though something else has the engine stop there. */
TEST(a_breakpoint_that_was_taken_away_holds_nobody)
{
	const uint64_t pcs[] = { S_PC(LOOP_AT), S_PC(LOOP_AT + 1) };
	const struct machine_injection there = { .n = 1,
						 .event = PMU_EV_BRANCHES,
						 .when = INJECT_BEHIND_PC,
						 .repeat = true,
						 .at = pcs[1] };
	uint32_t number;

	begin(pcs, 2);
	run_to_breakpoint();
	ck_assert(machine_set_breakpoints(f.m, pcs, 1, NULL));
	ck_assert(machine_inject(f.m, &there, &number, NULL));
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(machine_resume(f.m, NULL));
		run_to_breakpoint();
		ck_assert_uint_eq(hart(0).pc, pcs[0]);
	}
}

/* Where no instruction can be; what was set before stays. */
TEST(an_odd_pc_is_refused)
{
	uint64_t pcs[] = { S_PC(1000), S_PC(1001), S_PC(1002) | 1 };
	const struct machine_until until = { .kind = UNTIL_PC,
					     .value = S_PC(1000) | 1 };
	struct error e;

	begin(pcs, 2);
	ck_assert(!machine_set_breakpoints(f.m, pcs, 3, &e));
	ck_assert_int_eq(e.kind, ERROR_INVALID);
	ck_assert_ptr_ne(strstr(e.text, "is odd: no instruction is there"),
			 NULL);
	ck_assert_uint_eq(hold_room(f.m), MACHINE_MAX_BREAKPOINTS - 1 - 2);
	ck_assert(!machine_run_until(f.m, &until, &e));
	ck_assert_int_eq(e.kind, ERROR_INVALID);
	ck_assert_ptr_ne(strstr(e.text, "until: 0x"), NULL);
}

SUITE("machine-hold", .teardown = teardown);
