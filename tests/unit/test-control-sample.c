/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/machine/control/control-sample.c over the scripted engine: samplers
 * come and go under the number of who wants them, and never the machine's own.
 */
#include <pmu/observer.h>

#include "control-peer.h"

/* Of every instruction, for @session. */
static const struct peer_reply *begin(uint32_t session, size_t n,
				      const char *event)
{
	Pmu__Internal__StartSamplingRequest q =
		PMU__INTERNAL__START_SAMPLING_REQUEST__INIT;
	Pmu__V1__Sampler one = PMU__V1__SAMPLER__INIT;
	Pmu__V1__Sampler *list[PMU_MAX_OBSERVERS + 1];

	one.event = (char *)event;
	one.period = 1;
	for (size_t i = 0; i < n; i++)
		list[i] = &one;
	q.session = session;
	q.n_samplers = n;
	q.samplers = list;
	return peer_call(&p, CALL(StartSampling), &q.base);
}

static const struct peer_reply *end(uint32_t session)
{
	Pmu__Internal__StopSamplingRequest q =
		PMU__INTERNAL__STOP_SAMPLING_REQUEST__INIT;

	q.session = session;
	return peer_call(&p, CALL(StopSampling), &q.base);
}

/* How many samples there were. */
static uint64_t ended(uint32_t session)
{
	const struct peer_reply *r = end(session);

	ck_assert_uint_eq(r->code, OK);
	return ((const Pmu__Internal__StopSamplingResponse *)r->answer)
		->samples;
}

static void run_for(uint64_t insns)
{
	Pmu__V1__StepMachineRequest q = PMU__V1__STEP_MACHINE_REQUEST__INIT;

	q.insns = insns;
	ck_assert_uint_eq(peer_call(&p, CALL(StepMachine), &q.base)->code, OK);
}

TEST(samplers_count_from_where_the_answer_says_until_they_end)
{
	const struct peer_reply *r;
	uint64_t cycle;

	paused("");
	run_for(5);
	cycle = peer_machine(&p)->cycle;
	ck_assert_uint_gt(cycle, 0);
	r = begin(7, 1, "instructions");
	ck_assert_uint_eq(r->code, OK);
	ck_assert_uint_eq(
		((const Pmu__Internal__StartSamplingResponse *)r->answer)
			->cycle,
		cycle);
	run_for(3);
	ck_assert_uint_eq(begin(8, 2, "instructions")->code, OK);
	run_for(4);
	ck_assert_uint_eq(ended(7), 3 + 4);
	run_for(2);
	ck_assert_uint_eq(ended(8), 2 * (4 + 2));
	ck_assert_uint_eq(ended(8), 0);
	ck_assert_uint_eq(ended(9), 0);
}

static const struct cold_row {
	const char *why;
	const char *event;
	bool cold;
} cold_rows[] = {
	{ "an event of a model", "L1-dcache-load-misses", true },
	{ "of no model", "instructions", false },
};

TEST_ROWS(events_of_models_begin_cold, cold_rows)
{
	const struct cold_row *row = &cold_rows[_i];
	const struct peer_reply *r;

	paused("uarch=tiny");
	r = begin(7, 1, row->event);
	ck_assert_msg(r->code == OK, "%s: %s", row->why, r->text);
	ck_assert_int_eq(
		((const Pmu__Internal__StartSamplingResponse *)r->answer)->cold,
		row->cold);
}

/* Nobody who comes and goes takes them away. */
TEST(session_0_is_the_machines_own)
{
	Pmu__Internal__ConfigureRequest configure =
		PMU__INTERNAL__CONFIGURE_REQUEST__INIT;
	Pmu__V1__MachineConfig cfg = PMU__V1__MACHINE_CONFIG__INIT;
	Pmu__V1__Recording recording = PMU__V1__RECORDING__INIT;
	Pmu__V1__Sampler one = PMU__V1__SAMPLER__INIT, *list[] = { &one };
	static const uint8_t image[8];
	size_t before;

	SCRIPT(spin_ops);
	peer_start(&p, NULL);
	one.event = (char *)"instructions";
	one.period = 1;
	recording.n_samplers = ARRAY_SIZE(list);
	recording.samplers = list;
	cfg.harts = 1;
	cfg.memory_bytes = 4 << 20;
	cfg.start_mode = PMU__V1__START_MODE__START_MODE_M;
	configure.config = &cfg;
	configure.recording = &recording;
	ck_assert_uint_eq(peer_call(&p, CALL(Configure), &configure.base)->code,
			  OK);
	ck_assert_uint_eq(peer_load(&p, image, sizeof(image), BASE), OK);
	ck_assert_uint_eq(peer_start_machine(&p, true), OK);
	for (int stops = 0; stops < 2; stops++) {
		const struct peer_reply *r =
			stops ? end(0) : begin(0, 1, "loads");

		ck_assert_uint_eq(r->code, INVALID);
		ck_assert_str_eq(r->reason, "BAD_VALUE");
		ck_assert_str_eq(r->text,
				 "session: must be 1 or more, not 0, which "
				 "holds the samplers that the machine's own "
				 "trace is made with");
	}
	peer_drain(&p);
	before = buf_len(&p.trace);
	run_for(3);
	peer_drain(&p);
	ck_assert_uint_gt(buf_len(&p.trace), before);
}

static const struct refused_row {
	const char *why;
	size_t n;
	const char *event;
	unsigned code;
	const char *reason;
} refused_rows[] = {
	{ "all there are", PMU_MAX_OBSERVERS, "cycles", OK, "" },
	{ "one more", PMU_MAX_OBSERVERS + 1, "cycles", EXHAUSTED, "TOO_MANY" },
	{ "no such event", 1, "bubbles", INVALID, "BAD_VALUE" },
};

TEST_ROWS(what_cannot_be_sampled_is_refused, refused_rows)
{
	const struct refused_row *row = &refused_rows[_i];
	const struct peer_reply *r;

	paused("");
	r = begin(1, row->n, row->event);
	ck_assert_msg(r->code == row->code, "%s: %u %s", row->why, r->code,
		      r->text);
	if (row->code == OK)
		return;
	ck_assert_str_eq(r->reason, row->reason);
	ck_assert_str_eq(r->field, "recording.samplers");
	ck_assert_uint_eq(begin(1, PMU_MAX_OBSERVERS, "cycles")->code, OK);
}

SUITE("control-sample", .teardown = teardown);
