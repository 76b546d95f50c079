/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a hart that retires nothing: they are answered all the same. */
#include "control-peer.h"

/* An illegal instruction that is its own handler. */
static const struct fake_op storm_ops[] = {
	{ FAKE_LI, 1, 0, 0, PC(3) },
	{ FAKE_INSN, 0, 0, 0, FAKE_CSRRW(0, 0x305, 1) }, /* mtvec */
	{ FAKE_NOP, 0, 0, 0, 0 },
	{ FAKE_INSN, 0, 0, 0, 0 },
};

static void storm(const char *settings, unsigned harts)
{
	static const uint8_t image[8];

	SCRIPT(storm_ops);
	peer_start(&p, NULL);
	ck_assert_uint_eq(peer_configure(&p, harts, true, settings), OK);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
}

static const Pmu__V1__MachineInfo *step(uint64_t n)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = n;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
	return peer_machine(&p);
}

static const struct row {
	const char *settings;
	unsigned harts;
	uint64_t insns, insn, cycle;
	const char *detail; /* how it begins; "": there is none */
} rows[] = {
	{ "", 1, 3, 3, 3, "" },
	{ "", 1, 4, 3, 3 + 1016, "executed 3 of 4 instructions: hart 0 takes" },
	{ "", 1, 1000, 3, 3 + 5000, "executed 3 of 1000 instructions" },
	{ "cpi=2 trap-cycles=7", 1, 4, 3, 6 + 7 * 1016, "executed 3 of 4 " },
	{ "quantum=16", 1, 100, 3, 3 + 1400, "executed 3 of 100 " },
	{ "quantum=2000", 2, 4, 3, 3 + 1016, "executed 3 of 4 " },
	{ "max-cycles=500", 1, 4, 3, 500, "" },
};

TEST_ROWS(a_step_that_only_traps_is_answered, rows)
{
	const struct row *row = &rows[_i];
	const Pmu__V1__MachineInfo *info;

	storm(row->settings, row->harts);
	info = step(row->insns);
	ck_assert_uint_eq(info->insn, row->insn);
	ck_assert_uint_eq(info->cycle, row->cycle);
	ck_assert_msg(!strncmp(info->detail, row->detail, strlen(row->detail)),
		      "%s", info->detail);
	ck_assert_msg(*row->detail || !*info->detail, "%s", info->detail);
}

TEST(the_next_step_begins_anew)
{
	storm("", 1);
	ck_assert_int_eq(step(4)->cause, CAUSE(STEP));
	ck_assert_uint_eq(step(1)->cycle, 3 + 1016 + 1004);
	ck_assert_str_eq(peer_machine(&p)->detail,
			 "executed 0 of 1 instructions: hart 0 takes trap "
			 "after trap");
}

/* Traps before the step are none of its own. */
TEST(another_hart_steps_by_its_own_count)
{
	storm("quantum=1100", 2);
	ck_assert_uint_eq(step(4)->cycle, 3 + 1016);
	ck_assert_uint_eq(peer_machine(&p)->hart, 0);
	ck_assert_uint_eq(step(1000)->cycle, 3 + 1016 + 5000 + 5 * 1100);
}

TEST(what_a_step_did_not_do_is_told_once)
{
	storm("", 1);
	ck_assert_str_ne(step(4)->detail, "");
	ck_assert_uint_eq(peer_simple(&p, CALL(ResumeMachine)), OK);
	ck_assert_uint_eq(peer_simple(&p, CALL(PauseMachine)), OK);
	ck_assert_str_eq(peer_machine(&p)->detail, "");
}

SUITE("control-step", .timeout = 60, .teardown = teardown);
