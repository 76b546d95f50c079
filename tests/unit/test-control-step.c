/* SPDX-License-Identifier: BSD-2-Clause */
/* Steps of a hart that retires nothing: they are answered all the same. */
#include <inttypes.h>

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

#define LARGEST (UINT64_MAX / 2)

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
	{ "max-cycles=2000", 1, LARGEST, 3, 2000, "" },
	{ "max-cycles=4000 trap-cycles=7", 1, LARGEST, 3, 4000, "" },
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

TEST(a_step_beyond_the_largest_is_refused)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	storm("max-cycles=3000", 1);
	q.insns = LARGEST + 1;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.text,
			 "insns: must be at most 9223372036854775807, not "
			 "9223372036854775808");
	ck_assert_str_eq(p.last.reason, "TOO_MANY");
	ck_assert_str_eq(p.last.field, "insns");
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

TEST(the_largest_step_does_not_end_early_behind_another)
{
	storm("max-cycles=3000", 1);
	ck_assert_uint_eq(step(4)->cycle, 3 + 1016);
	ck_assert_uint_eq(step(LARGEST)->cycle, 3000);
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

/* Steps @hart once. */
static const Pmu__V1__MachineInfo *step_hart(uint32_t hart, bool trap_ends)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.which_case = PMU__V1__STEP_MACHINE_REQUEST__WHICH_HART;
	q.hart = hart;
	q.trap_ends = trap_ends;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
	return peer_machine(&p);
}

/* Both execute three instructions, then trap for ever. */
static const struct hart_row {
	const char *why, *settings;
	unsigned n;
	uint32_t hart[4]; /* one step each */
	uint64_t insn, cycle;
} hart_rows[] = {
	{ "the one that is next steps alone",
	  "quantum=100",
	  3,
	  { 0, 0, 0 },
	  3,
	  3 },
	{ "another one waits for its turn", "quantum=100", 1, { 1 }, 4, 101 },
	{ "which then goes on", "quantum=100", 3, { 1, 1, 1 }, 6, 103 },
	{ "the first has its turn again", "quantum=100", 2, { 1, 0 }, 6, 201 },
	{ "the next is taken as ever", "quantum=1", 4, { 0, 1, 0, 1 }, 4, 4 },
};

TEST_ROWS(a_hart_is_stepped, hart_rows)
{
	const struct hart_row *row = &hart_rows[_i];
	const Pmu__V1__MachineInfo *info = NULL;

	storm(row->settings, 2);
	for (unsigned i = 0; i < row->n; i++) {
		info = step_hart(row->hart[i], true);
		ck_assert_int_eq(info->cause, CAUSE(STEP));
		ck_assert_msg(info->hart == row->hart[i], "%s", row->why);
	}
	ck_assert_ptr_nonnull(info);
	ck_assert_msg(info->insn == row->insn && info->cycle == row->cycle,
		      "%s: insn %" PRIu64 ", cycle %" PRIu64, row->why,
		      info->insn, info->cycle);
}

TEST(a_trap_ends_a_step_if_it_shall)
{
	storm("trap-cycles=7", 1);
	step(3);
	ck_assert_uint_eq(step_hart(0, true)->cycle, 3 + 7);
	ck_assert_str_eq(peer_machine(&p)->detail, "");
	ck_assert_uint_eq(peer_machine(&p)->insn, 3);
	ck_assert_uint_eq(step_hart(0, true)->cycle, 3 + 14);
	ck_assert_uint_eq(step_hart(0, false)->cycle, 3 + 14 + 7 * 1004);
}

TEST(no_other_hart_can_step)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	storm("", 2);
	q.which_case = PMU__V1__STEP_MACHINE_REQUEST__WHICH_HART;
	q.hart = 2;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code,
			  INVALID);
	q.hart = UINT32_MAX;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code,
			  INVALID);
}

SUITE("control-step", .timeout = 60, .teardown = teardown);
