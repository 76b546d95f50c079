/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal protocol over the scripted engine: sessions of event-based
 * branches, their acts, what they have, and their rings.
 */
#include "control-ebb.h"
#include "core/ebb-session.h"

static unsigned read_session(uint32_t session)
{
	Pmu__V1__ReadEbbRequest q = PMU__V1__READ_EBB_REQUEST__INIT;

	q.session = session;
	return peer_call(&p, CALL(ReadEbb), &q.base)->code;
}

static const Pmu__V1__ReadEbbResponse *reading(uint32_t session)
{
	ck_assert_uint_eq(read_session(session), OK);
	return p.last.answer;
}

static void end(uint32_t session)
{
	Pmu__Internal__EndEbbRequest q = PMU__INTERNAL__END_EBB_REQUEST__INIT;

	q.session = session;
	ck_assert_uint_eq(peer_call(&p, CALL(EndEbb), &q.base)->code, OK);
}

static void run_for(uint64_t insns)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
}

/* Of a hart, with two counters that count from now on. */
static uint32_t session(uint32_t hart)
{
	uint32_t ret = opened(hart);

	ck_assert_msg(add(ret, 3, 100) == OK, "%s", p.last.text);
	ck_assert_uint_eq(add(ret, 9, 4), OK);
	ck_assert_msg(act(ret, WHAT(ENABLE)) == OK, "%s", p.last.text);
	return ret;
}

static void no_session(const char *field, uint32_t number)
{
	char text[64];

	snprintf(text, sizeof(text), "EBB session %u: there is none", number);
	ck_assert_uint_eq(p.last.code, NOT_FOUND);
	ck_assert_str_eq(p.last.reason, "NO_SUCH_SESSION");
	ck_assert_str_eq(p.last.field, field);
	ck_assert_str_eq(p.last.text, text);
}

TEST(a_session_is_read_as_it_is)
{
	const Pmu__V1__ReadEbbResponse *got;
	uint32_t one;

	paused("");
	one = opened(0);
	ck_assert_uint_eq(one, 1);
	got = reading(one);
	ck_assert(!got->scheduled && !got->unmasked && !got->inside);
	ck_assert_uint_eq(got->n_counters, 0);
	ck_assert_uint_eq(add(one, 3, 100), OK);
	ck_assert_uint_eq(add(one, 9, 4), OK);
	ck_assert(!reading(one)->scheduled);
	ck_assert_uint_eq(act(one, WHAT(ENABLE)), OK);
	got = reading(one);
	ck_assert(got->scheduled && !got->unmasked);
	ck_assert_uint_eq(got->alerts, 0);
	ck_assert_uint_eq(got->n_counters, 2);
	ck_assert_uint_eq(got->counters[0]->counter, 3);
	ck_assert_uint_eq(got->counters[1]->counter, 9);
	run_for(6); /* counter 9 overflows, and nobody is told */
	ck_assert_uint_eq(reading(one)->alerts, 1 << 9);
	ck_assert_uint_eq(reading(one)->counters[0]->value, (uint64_t)-100 + 6);
	ck_assert_uint_eq(act(one, WHAT(UNMASK)), OK);
	got = reading(one);
	ck_assert(got->unmasked && got->inside);
	ck_assert_uint_eq(got->alerts, 0);
	ck_assert_uint_eq(opened(1), 2);
}

TEST(what_has_ended_is_none)
{
	uint32_t one;

	paused("");
	one = session(1);
	end(one);
	(void)read_session(one);
	no_session("session", one);
	end(one); /* it has ended already */
	end(99);
	ck_assert_uint_eq(session(1), one + 1); /* its counters are free */
	ck_assert_uint_eq(act(one + 1, WHAT(CLOSE)), OK);
	(void)read_session(one + 1);
	no_session("session", one + 1);
}

TEST(a_session_is_of_a_hart_of_a_machine_that_has_started)
{
	SCRIPT(spin_ops);
	loaded("");
	ck_assert_uint_eq(open_session(0), PRECONDITION);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	ck_assert_uint_eq(open_session(2), INVALID);
	ck_assert_uint_eq(opened(1), 1);
}

/* Only pmud opens one, and says that its client is gone. */
static const struct what_row {
	Pmu__V1__EbbInput__What what;
	unsigned code;
} what_rows[] = {
	{ WHAT(UNSPECIFIED), INVALID },
	{ WHAT(OPEN), INVALID },
	{ WHAT(DEATH), INVALID },
	{ (Pmu__V1__EbbInput__What)11, INVALID },
	{ WHAT(DISABLE), OK },
	{ WHAT(MASK), OK },
	{ WHAT(CLOSE), OK },
};

TEST_ROWS(a_client_does_what_clients_do, what_rows)
{
	uint32_t one;

	paused("");
	one = session(0);
	ck_assert_msg(act(one, what_rows[_i].what) == what_rows[_i].code,
		      "%u: %s", p.last.code, p.last.text);
	if (what_rows[_i].code == OK)
		return;
	ck_assert_str_ne(p.last.text, "");
	ck_assert(reading(one)->scheduled);
}

TEST(an_input_that_is_no_act_is_refused)
{
	Pmu__V1__ActOnEbbRequest q = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__Input in = PMU__V1__INPUT__INIT, *list[] = { &in };

	paused("");
	in.kind_case = PMU__V1__INPUT__KIND_CONSOLE;
	in.console = (ProtobufCBinaryData){ 1, (uint8_t *)"x" };
	q.n_inputs = 1;
	q.inputs = list;
	ck_assert_uint_eq(peer_call(&p, CALL(ActOnEbb), &q.base)->code,
			  INVALID);
	ck_assert_str_eq(p.last.reason, "UNKNOWN_VALUE");
	ck_assert_str_eq(p.last.text, "input: must be an act of an EBB session "
				      "that clients can ask for");
}

/* Which of them it was, and those before it are done. */
TEST(acts_are_done_up_to_the_first_that_is_refused)
{
	Pmu__V1__ActOnEbbRequest q = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__EbbInput what[3];
	Pmu__V1__Input in[3], *list[3];

	paused("");
	ck_assert_uint_eq(session(0), 1);
	for (int i = 0; i < 3; i++) {
		pmu__v1__ebb_input__init(&what[i]);
		pmu__v1__input__init(&in[i]);
		what[i].session = i == 1 ? 5 : 1;
		what[i].what = i == 2 ? WHAT(CLOSE) : WHAT(UNMASK);
		in[i].kind_case = PMU__V1__INPUT__KIND_EBB;
		in[i].ebb = &what[i];
		list[i] = &in[i];
	}
	q.n_inputs = 3;
	q.inputs = list;
	(void)peer_call(&p, CALL(ActOnEbb), &q.base);
	no_session("inputs[1].ebb.session", 5);
	ck_assert(reading(1)->unmasked);
	q.n_inputs = 1;
	ck_assert_uint_eq(peer_call(&p, CALL(ActOnEbb), &q.base)->code, OK);
}

TEST(there_are_so_many_acts_in_one_request)
{
	Pmu__V1__EbbInput mask = PMU__V1__EBB_INPUT__INIT;

	paused("");
	run_for(3);
	mask.session = session(0);
	mask.what = WHAT(MASK);
	ck_assert_uint_eq(acts(mask, MAX_ACTS), OK);
	ck_assert_uint_eq(
		((const Pmu__V1__ActOnEbbResponse *)p.last.answer)->cycle, 3);
	ck_assert_uint_eq(acts(mask, MAX_ACTS + 1), INVALID);
	ck_assert_str_eq(p.last.field, "inputs");
	ck_assert_str_eq(p.last.reason, "TOO_MANY");
	ck_assert_str_eq(p.last.text, "inputs: must be at most 256, not 257");
	ck_assert_uint_eq(acts(mask, 0), OK);
}

/* By a ring */

enum {
	HOST = 13 /* a status */
};

TEST(acts_and_what_is_told_go_by_a_ring)
{
	struct ebb_said got;
	uint32_t one;

	paused("");
	one = session(0);
	attach(one);
	wish(EBB_UNMASK, 0, false);
	while (!reading(one)->unmasked)
		continue;
	run_for(6);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_TOLD);
	ck_assert_uint_eq(got.hart, 0);
	ck_assert_uint_eq(got.counters, 1 << 9);
	ck_assert_uint_eq(got.insn, 4);
	ck_assert(reading(one)->inside);
	wish(EBB_REARM, 9, true);
	wish(EBB_RETURN, 0, false);
	while (reading(one)->inside)
		continue;
	ck_assert_uint_eq(reading(one)->counters[1]->value, (uint64_t)-50);
	end(one);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_OVER);
	detach();
}

static const struct wish_row {
	const char *why;
	uint32_t what, counter;
	unsigned code;
	const char *text; /* how it begins */
} wish_rows[] = {
	{ "none", 0, 0, INVALID,
	  "EBB session 1: its ring asks for an act that rings do not take" },
	{ "not by a ring", EBB_CLOSE, 0, INVALID,
	  "EBB session 1: its ring asks for an act that rings do not take" },
	{ "another's counter", EBB_REARM, 5, PRECONDITION,
	  "EBB session 1 does not have counter 5" },
};

/* And so is what depends on it; what follows is not. */
TEST_ROWS(a_wish_that_cannot_be_is_refused, wish_rows)
{
	const struct wish_row *row = &wish_rows[_i];
	struct ebb_said got;
	uint32_t one;

	paused("");
	one = session(0);
	attach(one);
	wish(row->what, row->counter, true);
	wish(EBB_REARM, 3, false);
	wish(EBB_UNMASK, 0, false);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_REFUSED);
	ck_assert_msg(got.code == row->code, "%s: %u %s", row->why, got.code,
		      got.text);
	ck_assert(!strncmp(got.text, row->text, strlen(row->text)));
	while (!reading(one)->unmasked)
		continue;
	ck_assert_uint_eq(reading(one)->counters[0]->value, (uint64_t)-100);
	ck_assert_int_eq(ring_waiting(&said), 0);
	detach();
}

/* Its process is woken once, and takes so many of one session at a time. */
TEST(wishes_beyond_those_of_a_turn_are_taken)
{
	const struct ebb_wish mask = { .what = EBB_MASK };
	struct ebb_said got;

	paused("");
	attach(session(0));
	for (unsigned i = 0; i < 4 * 64; i++)
		ck_assert_int_eq(ring_put(&wishes, &mask, sizeof(mask)), 0);
	wish(0, 0, false);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_REFUSED);
	detach();
}

/* Its counters are free at once. */
TEST(who_is_no_client_is_taken_for_dead)
{
	struct ebb_said got;
	uint32_t one;

	paused("");
	one = session(0);
	attach(one);
	put("half an act", 11);
	hear(&got);
	ck_assert_uint_eq(got.kind, EBB_SAID_OVER);
	ck_assert_uint_eq(read_session(one), NOT_FOUND);
	ck_assert_uint_eq(session(0), one + 1);
	detach();
}

TEST(a_ring_is_of_a_session_that_is_there_and_was_sent)
{
	paused("");
	ck_assert_uint_eq(ask_to_attach(1), NOT_FOUND);
	no_session("session", 1);
	ck_assert_uint_eq(opened(0), 1);
	ck_assert_uint_eq(ask_to_attach(1), HOST);
	ck_assert_str_eq(p.last.reason, "HOST_FAILED");
	ck_assert_str_eq(p.last.text, "EBB session 1: no ring: Resource "
				      "temporarily unavailable");
	attach(1); /* it may come later */
	detach();
}

SUITE("control-ebb", .teardown = teardown);
