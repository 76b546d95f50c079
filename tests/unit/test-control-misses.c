/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asking a machine process why caches and TLBs missed: who is answered, and how
 * each question that has no answer is refused. What answers say of a run is
 * tests/machine/test-explained.c.
 */
#include "control-peer.h"

#define WITH_IT "uarch=tiny uarch-watch=on uarch-explain=5"
#define EVENT	"L1-dcache-load-misses"

static const struct asked_row {
	const char *why, *settings, *event;
	unsigned n_harts;
	uint32_t harts[2];
	unsigned n_privileges;
	Pmu__V1__Privilege privileges[2];
	uint32_t limit;
	unsigned code;
	const char *reason, *field, *text; /* of a refusal */
} asked_rows[] = {
	{ "all of it", WITH_IT, EVENT, 0, { 0 }, 0, { 0 }, 0, OK, "", "", "" },
	{ "some of it",
	  WITH_IT,
	  "LLC-load-misses",
	  2,
	  { 1, 0 },
	  2,
	  { PMU__V1__PRIVILEGE__PRIVILEGE_M, PMU__V1__PRIVILEGE__PRIVILEGE_VU },
	  1024,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  "LLC-load-misses" },
	{ "one hart twice",
	  WITH_IT,
	  EVENT,
	  2,
	  { 1, 1 },
	  1,
	  { PMU__V1__PRIVILEGE__PRIVILEGE_S },
	  1024,
	  OK,
	  "",
	  "",
	  "" },
	{ "no such hart",
	  WITH_IT,
	  EVENT,
	  2,
	  { 0, 2 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "NO_SUCH_HART",
	  "harts",
	  "harts: must be from 0 to 1, one is not" },
	{ "a hart beyond all",
	  WITH_IT,
	  EVENT,
	  1,
	  { 64 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "NO_SUCH_HART",
	  "harts",
	  "harts: must be from 0 to 1, one is not" },
	{ "no such event",
	  WITH_IT,
	  "bubbles",
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  NOT_FOUND,
	  "NO_SUCH_EVENT",
	  "event",
	  "event: must be the name of an event of harts" },
	{ "no event",
	  WITH_IT,
	  "",
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  NOT_FOUND,
	  "NO_SUCH_EVENT",
	  "event",
	  "event: must be the name of an event of harts" },
	{ "an event of the hart",
	  WITH_IT,
	  "cycles",
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  "event: 'cycles' counts no misses of a cache or TLB, which alone "
	  "have a reason" },
	{ "accesses",
	  WITH_IT,
	  "L1-dcache-loads",
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  "event: 'L1-dcache-loads' counts no misses of a cache or TLB, which "
	  "alone have a reason" },
	{ "a predictor's",
	  WITH_IT,
	  "branch-misses",
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  "event: 'branch-misses' counts no misses of a cache or TLB, which "
	  "alone have a reason" },
	{ "no such privilege",
	  WITH_IT,
	  EVENT,
	  0,
	  { 0 },
	  2,
	  { PMU__V1__PRIVILEGE__PRIVILEGE_M, (Pmu__V1__Privilege)6 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "privileges",
	  "privileges: must be M, S, U, VS or VU, one is not" },
	{ "no privilege",
	  WITH_IT,
	  EVENT,
	  0,
	  { 0 },
	  1,
	  { PMU__V1__PRIVILEGE__PRIVILEGE_UNSPECIFIED },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "privileges",
	  "privileges: must be M, S, U, VS or VU, one is not" },
	{ "more than can be kept",
	  WITH_IT,
	  EVENT,
	  0,
	  { 0 },
	  0,
	  { 0 },
	  1025,
	  INVALID,
	  "BAD_VALUE",
	  "limit",
	  "limit: must be at most 1024, not 1025" },
	{ "nothing is kept",
	  "uarch=tiny uarch-watch=on",
	  EVENT,
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  PRECONDITION,
	  "NOT_RECORDED",
	  "",
	  "the machine does not keep why it misses (setting uarch-explain)" },
	{ "no such part",
	  "l1i=128:64:1 uarch-watch=on uarch-explain=5",
	  EVENT,
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  EVENT },
	{ "no model",
	  "uarch-watch=on uarch-explain=5",
	  EVENT,
	  0,
	  { 0 },
	  0,
	  { 0 },
	  0,
	  INVALID,
	  "BAD_VALUE",
	  "event",
	  EVENT },
};

static const struct peer_reply *ask(const struct asked_row *row)
{
	Pmu__V1__ExplainMissesRequest q = PMU__V1__EXPLAIN_MISSES_REQUEST__INIT;

	q.event = (char *)row->event;
	q.harts = (uint32_t *)row->harts;
	q.n_harts = row->n_harts;
	q.privileges = (Pmu__V1__Privilege *)row->privileges;
	q.n_privileges = row->n_privileges;
	q.limit = row->limit;
	return peer_call(&p, CALL(ExplainMisses), &q.base);
}

TEST_ROWS(why_it_missed_is_answered_or_refused, asked_rows)
{
	const struct asked_row *row = &asked_rows[_i];
	const Pmu__V1__ExplainMissesResponse *answer;
	const struct peer_reply *r;

	paused(row->settings);
	r = ask(row);
	ck_assert_msg(r->code == row->code, "%s: %u %s", row->why, r->code,
		      r->text);
	if (row->code != OK) {
		ck_assert_str_eq(r->reason, row->reason);
		ck_assert_str_eq(r->field, row->field);
		ck_assert_msg(strstr(r->text, row->text), "%s: %s", row->why,
			      r->text);
		return;
	}
	answer = r->answer;
	ck_assert_uint_eq(answer->n_misses, 0);
	ck_assert_uint_eq(answer->n_sums, 0);
}

/* Of a machine that has not begun, too: so far there are none. */
TEST(the_answer_says_when_it_was_read)
{
	Pmu__V1__StepMachineRequest step = PMU__V1__STEP_MACHINE_REQUEST__INIT;
	const Pmu__V1__ExplainMissesResponse *answer;
	uint64_t cycle;

	SCRIPT(spin_ops);
	loaded(WITH_IT);
	answer = ask(&asked_rows[0])->answer;
	ck_assert_uint_eq(answer->cycle, 0);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	step.insns = 9;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &step.base)->code,
			  OK);
	cycle = peer_machine(&p)->cycle;
	ck_assert_uint_gt(cycle, 0);
	answer = ask(&asked_rows[0])->answer;
	ck_assert_uint_eq(answer->cycle, cycle);
}

static void setup(void)
{
}

SUITE("control-misses", .setup = setup, .teardown = teardown);
