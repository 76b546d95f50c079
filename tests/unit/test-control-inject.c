/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: events from outside, those
 * that wait for their instruction, and inputs that act later.
 */
#include "control-peer.h"

enum {
	MOST = 64 /* that wait at once */
};

static const Pmu__V1__InjectEventsRequest plain = {
	.base = PROTOBUF_C_MESSAGE_INIT(
		&pmu__v1__inject_events_request__descriptor),
	.machine = (char *)"",
	.event = (char *)"instructions",
	.count = 7,
};

static unsigned inject(const Pmu__V1__InjectEventsRequest *q)
{
	return peer_call(&p, CALL(InjectEvents), &q->base)->code;
}

static const Pmu__V1__InjectEventsResponse *
injected(const Pmu__V1__InjectEventsRequest *q)
{
	ck_assert_msg(inject(q) == OK, "%s", p.last.text);
	return p.last.answer;
}

static uint32_t behind_insn(uint64_t insn, bool repeat)
{
	Pmu__V1__InjectEventsRequest q = plain;

	q.behind_case = PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_INSN;
	q.insn = insn;
	q.repeat = repeat;
	return injected(&q)->injection->number;
}

static const Pmu__V1__ListInjectionsResponse *waiting(void)
{
	ck_assert_uint_eq(peer_simple(&p, CALL(ListInjections)), OK);
	return p.last.answer;
}

static unsigned cancel(uint32_t number)
{
	Pmu__V1__CancelInjectionRequest q =
		PMU__V1__CANCEL_INJECTION_REQUEST__INIT;

	q.injection = number;
	return peer_call(&p, CALL(CancelInjection), &q.base)->code;
}

static void run_for(uint64_t insns)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
}

TEST(what_is_for_now_is_done_when_it_is_answered)
{
	const Pmu__V1__InjectEventsResponse *got;
	Pmu__V1__InjectEventsRequest q = plain;

	paused("");
	q.hart = 1;
	q.event = (char *)"cycles";
	got = injected(&q);
	ck_assert_uint_eq(got->injection->number, 0);
	ck_assert_uint_eq(got->injection->hart, 1);
	ck_assert_str_eq(got->injection->event, "cycles");
	ck_assert_uint_eq(got->injection->count, 7);
	ck_assert_uint_eq(got->injection->times, 1);
	ck_assert(!got->injection->repeat);
	ck_assert_int_eq(got->injection->behind_case,
			 PMU__V1__INJECTION__BEHIND__NOT_SET);
	ck_assert(!got->no_code_now);
	ck_assert_uint_eq(waiting()->n_injections, 0);
}

TEST(what_waits_for_an_instruction_is_listed_until_it_is_done)
{
	const Pmu__V1__Injection *one;

	paused("");
	ck_assert_uint_eq(behind_insn(3, false), 1);
	ck_assert_uint_eq(behind_insn(2, true), 2);
	ck_assert_uint_eq(waiting()->n_injections, 2);
	one = waiting()->injections[0];
	ck_assert_uint_eq(one->number, 1);
	ck_assert_uint_eq(one->times, 0);
	ck_assert_int_eq(one->behind_case, PMU__V1__INJECTION__BEHIND_INSN);
	ck_assert_uint_eq(one->insn, 3);
	ck_assert(!one->repeat);
	one = waiting()->injections[1];
	ck_assert_uint_eq(one->number, 2);
	ck_assert(one->repeat);
	run_for(6); /* of hart 0 */
	ck_assert_uint_eq(waiting()->n_injections, 1);
	one = waiting()->injections[0];
	ck_assert_uint_eq(one->number, 2);
	ck_assert_uint_ge(one->times, 2);
	ck_assert_str_eq(one->event, "instructions");
	ck_assert_uint_eq(one->count, 7);
}

static const struct pc_row {
	const char *settings;
	uint64_t pc;
	bool no_code;
} pc_rows[] = {
	{ "", PC(1), false },
	{ "", BASE - 4096, true },
	/* physical addresses have 56 bits, virtual ones are sign-extended */
	{ "sv=sv39", (UINT64_C(1) << 56) - 2, true },
	{ "sv=sv39", 0 - (UINT64_C(1) << 38), true },
};

TEST_ROWS(whether_there_is_code_at_its_pc_is_said, pc_rows)
{
	Pmu__V1__InjectEventsRequest q = plain;
	const Pmu__V1__InjectEventsResponse *got;

	paused(pc_rows[_i].settings);
	q.behind_case = PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_PC;
	q.pc = pc_rows[_i].pc;
	got = injected(&q);
	ck_assert(got->no_code_now == pc_rows[_i].no_code);
	ck_assert_int_eq(got->injection->behind_case,
			 PMU__V1__INJECTION__BEHIND_PC);
	ck_assert_uint_eq(got->injection->pc, pc_rows[_i].pc);
	ck_assert_uint_eq(got->injection->number, 1);
	ck_assert_uint_eq(got->injection->times, 0);
}

TEST(what_is_cancelled_is_none_any_more)
{
	paused("");
	for (uint32_t i = 1; i <= MOST; i++)
		ck_assert_uint_eq(behind_insn(100 + i, false), i);
	ck_assert_uint_eq(waiting()->n_injections, MOST);
	ck_assert_uint_eq(cancel(2), OK);
	ck_assert_uint_eq(cancel(2), NOT_FOUND);
	ck_assert_str_eq(p.last.field, "injection");
	ck_assert_uint_eq(waiting()->n_injections, MOST - 1);
	for (unsigned i = 0; i < MOST - 1; i++)
		ck_assert_uint_eq(waiting()->injections[i]->number,
				  i ? i + 2 : 1);
	ck_assert_uint_eq(behind_insn(99, false), MOST + 1);
}

static const struct bad_row {
	const char *why, *event;
	uint32_t hart;
	uint64_t count;
	const char *field;
} bad_rows[] = {
	{ "no such event", "bubbles", 0, 1, "event" },
	{ "of the firmware", "fw-illegal-instructions", 0, 1, "event" },
	{ "no such hart", "instructions", 2, 1, "hart" },
	{ "none", "instructions", 0, 0, "count" },
};

static const uint64_t no_pcs[] = {
	UINT64_C(1) << 56,
	0 - (UINT64_C(1) << 38) - 2,
	PC(1) + 1,
};

TEST_ROWS(no_code_can_be_where_no_address_is, no_pcs)
{
	Pmu__V1__InjectEventsRequest q = plain;

	paused("sv=sv39");
	q.behind_case = PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_PC;
	q.pc = no_pcs[_i];
	ck_assert_uint_eq(inject(&q), INVALID);
	ck_assert_str_eq(p.last.reason, "BAD_VALUE");
	ck_assert_str_eq(p.last.field, "pc");
}

TEST_ROWS(what_cannot_be_injected_is_refused, bad_rows)
{
	const struct bad_row *row = &bad_rows[_i];
	Pmu__V1__InjectEventsRequest q = plain;

	paused("");
	q.event = (char *)row->event;
	q.hart = row->hart;
	q.count = row->count;
	ck_assert_msg(inject(&q) == INVALID, "%s: %u", row->why, p.last.code);
	ck_assert_msg(strcmp(p.last.field, row->field) == 0, "%s: %s", row->why,
		      p.last.field);
	ck_assert_uint_eq(waiting()->n_injections, 0);
}

SUITE("control-inject", .teardown = teardown);
