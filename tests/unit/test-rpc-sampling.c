/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * daemon/server/rpc-sampling.c: whose samples a call tells, how many, and that
 * the machine hears of its end whichever way it comes.
 */
#include "hosted-fixture.h"

#include <string.h>

#include "unit.h"
#include "wire/record.h"

#define ITEM(name) PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_##name

#define STACK (16 << 10)

static struct hosted *m;

static void setup(void)
{
	fixture_begin();
	m = fixture_machine(&alice, false);
}

static struct rpc_call *sample(void)
{
	struct rpc_call *call = fixture_call(&alice, METHOD_SampleEvents);
	Pmu__V1__SampleEventsRequest req = PMU__V1__SAMPLE_EVENTS_REQUEST__INIT;
	Pmu__V1__Sampler one = PMU__V1__SAMPLER__INIT, *list[] = { &one };

	one.period = 1234;
	req.machine = m->id;
	req.n_samplers = ARRAY_SIZE(list);
	req.samplers = list;
	serve_sample_events(call, &req);
	return call;
}

/* The machine samples since @cycle; of models, if that is odd. */
static void begin(uint64_t cycle)
{
	Pmu__Internal__StartSamplingResponse answer =
		PMU__INTERNAL__START_SAMPLING_RESPONSE__INIT;

	answer.cycle = cycle;
	answer.cold = cycle & 1;
	fixture_answer(&answer.base);
}

static struct rpc_call *sampling(void)
{
	struct rpc_call *call = sample();

	begin(1);
	return call;
}

static const Pmu__V1__SampleEventsResponse *told(const struct rpc_call *call)
{
	return (const void *)call->got;
}

static const Pmu__Internal__StartSamplingRequest *asked_to_start(void)
{
	ck_assert_int_eq(child->asked, METHOD_StartSampling);
	return (const void *)child->request;
}

static void asked_to_stop(uint32_t session)
{
	const Pmu__Internal__StopSamplingRequest *q =
		(const void *)child->request;

	ck_assert_int_eq(child->asked, METHOD_StopSampling);
	ck_assert_uint_eq(q->session, session);
}

/* The machine has stopped after so many. */
static void stopped(uint64_t samples)
{
	Pmu__Internal__StopSamplingResponse answer =
		PMU__INTERNAL__STOP_SAMPLING_RESPONSE__INIT;

	answer.samples = samples;
	fixture_answer(&answer.base);
}

/* A sample with so much of a stack. */
static size_t pack(uint64_t cycle, uint32_t session, size_t stack, uint8_t *ret)
{
	static uint8_t zeros[STACK];
	Pmu__V1__Sample s = PMU__V1__SAMPLE__INIT;
	Pmu__V1__Record r = PMU__V1__RECORD__INIT;

	r.cycle = cycle;
	r.kind_case = PMU__V1__RECORD__KIND_SAMPLE;
	r.sample = &s;
	s.session = session;
	s.stack = (ProtobufCBinaryData){ stack, zeros };
	return record_pack(RECORD_TAG_RECORD, &r.base, ret);
}

/* The machine records a sample. Returns whether it must wait. */
static bool record(uint64_t cycle, uint32_t session)
{
	uint8_t b[64];
	bool full = false;

	child->cfg.ops->records(m, b, pack(cycle, session, 0, b), &full);
	return full;
}

static void batch(const struct rpc_call *call, size_t n, uint64_t cycle)
{
	ck_assert_int_eq(told(call)->item_case, ITEM(BATCH));
	ck_assert_uint_eq(told(call)->batch->n_records, n);
	ck_assert_uint_eq(told(call)->batch->records[0]->cycle, cycle);
	for (size_t i = 0; i < n; i++)
		ck_assert_uint_eq(
			told(call)->batch->records[i]->sample->session, 0);
}

static struct rpc_call *end_sampling(uint32_t session)
{
	Pmu__V1__EndSamplingRequest req = PMU__V1__END_SAMPLING_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_EndSampling);

	req.machine = m->id;
	req.session = session;
	serve_end_sampling(call, &req);
	ck_assert(call->over);
	return call;
}

static void nothing_is_left(void)
{
	ck_assert_ptr_null(SLIST_FIRST(&m->samplings));
	ck_assert_ptr_null(m->live);
	ck_assert_uint_eq(m->n_live, 0);
	ck_assert_uint_eq(m->n_readers, 0);
}

TEST(it_begins_where_the_machine_says_and_tells_its_own_samples)
{
	struct rpc_call *call = sample();

	ck_assert_uint_eq(asked_to_start()->session, 1);
	ck_assert_uint_eq(asked_to_start()->n_samplers, 1);
	ck_assert_uint_eq(asked_to_start()->samplers[0]->period, 1234);
	ck_assert(!record(5, 1)); /* before its answer comes */
	ck_assert(!call->later);
	ck_assert_uint_eq(call->sent, 0);
	begin(5);
	ck_assert_uint_eq(call->sent, 1);
	ck_assert_int_eq(told(call)->item_case, ITEM(BEGUN));
	ck_assert_uint_eq(told(call)->begun->session, 1);
	ck_assert_uint_eq(told(call)->begun->cycle, 5);
	fixture_turns(call);
	batch(call, 1, 5);
	record(6, 2); /* another's */
	record(7, 0); /* the machine's own */
	record(8, 1);
	record(9, 1);
	fixture_turns(call);
	batch(call, 2, 8);
	ck_assert_uint_eq(store_items(m->trace), 1); /* its own */
	fixture_die(child, "killed");
	fixture_turns(call);
	ck_assert(call->over && call->status == GRPC_OK);
	nothing_is_left();
}

/* A trace of samples cannot be repeated, and has no inputs. */
TEST(its_header_is_of_a_trace_of_samples)
{
	Pmu__Internal__SetRecordingResponse answer =
		PMU__INTERNAL__SET_RECORDING_RESPONSE__INIT;
	const struct child_reply failed = { .code = GRPC_INTERNAL };
	Pmu__V1__Header h = PMU__V1__HEADER__INIT;
	struct rpc_call *call = sample();

	h.xlen = 32;
	h.first_record = h.kept_inputs = 8;
	answer.header = &h;
	child->before(child->arg_before,
		      &(struct child_reply){ .answer = &answer.base });
	child->before(child->arg_before, &failed);
	begin(1);
	ck_assert_uint_eq(told(call)->begun->header->xlen, 32);
	ck_assert(told(call)->begun->header->samples_only);
	ck_assert(told(call)->begun->cold);
	ck_assert(!(told(call)->begun->header->first_record |
		    told(call)->begun->header->kept_inputs));
	ck_assert(!m->header->samples_only); /* that of the trace is another */
	fixture_cancel(call);
}

/* None is left out, and none of those behind is waited for. */
TEST_TIMES(it_ends_with_the_last_sample, 3)
{
	struct rpc_call *call = sampling();
	unsigned asked;

	record(2, 1);
	fixture_turns(call);
	ck_assert_int_eq(end_sampling(1)->status, GRPC_OK);
	asked_to_stop(1);
	asked = child->n_asked;
	ck_assert_int_eq(end_sampling(1)->status, GRPC_OK);
	ck_assert_uint_eq(child->n_asked, asked);
	stopped(1 + (uint64_t)_i);
	for (int i = 0; i < _i; i++) {
		fixture_turns(call);
		ck_assert(!call->over);
		record(3, 1);
	}
	fixture_turns(call);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(call->sent, 2 + (unsigned)_i);
	ck_assert_uint_eq(child->n_asked, asked);
	nothing_is_left();
}

/* Its samples go on, and so does the machine. */
TEST(a_machine_that_does_not_stop_goes_on_until_its_client_leaves)
{
	struct rpc_call *call = sampling();

	(void)end_sampling(1);
	fixture_error(GRPC_INTERNAL, "no");
	record(2, 1);
	fixture_turns(call);
	ck_assert(!call->over);
	batch(call, 1, 2);
	child->asked = 0;
	fixture_cancel(call);
	asked_to_stop(1);
	nothing_is_left();
}

static void unknown(uint32_t session)
{
	const struct rpc_call *call = end_sampling(session);
	char want[64];

	snprintf(want, sizeof(want),
		 "machine m1 is not sampled under the number %u", session);
	ck_assert_int_eq(call->status, GRPC_NOT_FOUND);
	ck_assert_str_eq(call->field, "session");
	ck_assert_str_eq(call->reason, "NO_SUCH_SESSION");
	ck_assert_str_eq(call->text, want);
}

TEST(only_what_has_begun_and_goes_on_can_be_ended)
{
	struct rpc_call *call;

	unknown(1);
	call = sample();
	unknown(1);
	begin(1);
	unknown(0);
	ck_assert_int_eq(end_sampling(1)->status, GRPC_OK);
	stopped(0);
	fixture_turns(call);
	ck_assert(call->over);
	unknown(1);
}

/* It is not ended then, and can be tried again. */
TEST(who_cannot_be_told_to_end_says_so)
{
	(void)sampling();
	child->busy = true;
	ck_assert_str_eq(end_sampling(1)->reason, "MACHINE_UNAVAILABLE");
	child->busy = false;
	ck_assert_int_eq(end_sampling(1)->status, GRPC_OK);
	asked_to_stop(1);
}

/* Each has a number of its own, in whichever order they end. */
TEST_TIMES(several_sample_one_machine, 6)
{
	struct rpc_call *call[3];

	for (uint32_t i = 0; i < 3; i++) {
		call[i] = sample();
		ck_assert_uint_eq(asked_to_start()->session, i + 1);
		begin(1);
	}
	for (int k = 0; k < 3; k++) {
		int step = 1 + _i / 3, i = (_i + k * step) % 3;

		ck_assert_uint_eq(m->n_live, 3 - (unsigned)k);
		record(2, (uint32_t)i + 1);
		fixture_turns(call[i]);
		batch(call[i], 1, 2);
		fixture_cancel(call[i]);
		asked_to_stop((uint32_t)i + 1);
	}
	nothing_is_left();
}

static const struct number_row {
	uint32_t last, want;
} number_rows[] = {
	{ UINT32_MAX - 2, UINT32_MAX - 1 },
	{ UINT32_MAX - 1, 2 }, /* of all, of the machine, of another */
	{ 0, 2 },
};

TEST_ROWS(a_number_is_nobody_elses, number_rows)
{
	struct rpc_call *call = sampling(), *other;

	m->last_sampling = number_rows[_i].last;
	other = sample();
	ck_assert_uint_eq(asked_to_start()->session, number_rows[_i].want);
	fixture_cancel(call);
	fixture_cancel(other);
	nothing_is_left();
}

/* When it leaves, and how often the machine is told then. */
static const struct leave_row {
	bool begun, ending, dead;
	unsigned told;
} leave_rows[] = {
	{ .told = 1 },
	{ .begun = true, .told = 1 },
	{ .begun = true, .ending = true },
	{ .begun = true, .dead = true },
};

TEST_ROWS(the_machine_hears_that_a_client_left, leave_rows)
{
	const struct leave_row *row = &leave_rows[_i];
	struct rpc_call *call = sample();
	unsigned asked;

	if (row->begun)
		begin(1);
	if (row->ending)
		(void)end_sampling(1);
	asked = child->n_asked;
	child->dead = row->dead;
	fixture_cancel(call);
	ck_assert_uint_eq(child->n_asked, asked + row->told);
	if (row->told)
		asked_to_stop(1);
	nothing_is_left();
}

TEST(a_machine_that_is_deleted_ends_it_and_is_told_nothing)
{
	struct rpc_call *call = sampling();

	child->busy = true;
	hosted_delete(m, NULL);
	ck_assert(call->over && call->status == GRPC_OK);
	ck_assert_uint_eq(child->refused, 0);
	ck_assert(!ev_run(pmud.loop, EVRUN_NOWAIT)); /* nor later */
}

/* A client has left a machine that takes no requests. */
static void leave_busy(void)
{
	struct rpc_call *call = sampling();

	child->busy = true;
	fixture_cancel(call);
	ck_assert_uint_eq(child->refused, 1);
	ck_assert_uint_eq(m->n_readers, 1);
	unknown(1); /* and nobody else gets its number */
}

TEST(a_machine_that_takes_no_requests_is_told_later)
{
	leave_busy();
	ev_run(pmud.loop, EVRUN_ONCE);
	ck_assert_uint_eq(child->refused, 2);
	hosted_tell(m);
	child->busy = false;
	ev_run(pmud.loop, EVRUN_ONCE);
	asked_to_stop(1);
	nothing_is_left();
	ck_assert(!ev_run(pmud.loop, EVRUN_NOWAIT)); /* nothing to wait for */
}

/* Which costs pmud next to nothing. */
TEST(it_is_asked_ten_times_a_second)
{
	ev_tstamp begin;

	leave_busy();
	ev_run(pmud.loop, EVRUN_ONCE);
	begin = ev_now(pmud.loop);
	for (int i = 0; i < 1000; i++)
		ev_run(pmud.loop, EVRUN_NOWAIT);
	ck_assert_double_le(child->refused - 2,
			    (ev_now(pmud.loop) - begin) / 0.1 + 1);
	child->busy = false;
	ev_run(pmud.loop, EVRUN_ONCE);
	asked_to_stop(1);
}

TEST(a_machine_that_has_died_or_is_deleted_is_told_nothing)
{
	leave_busy();
	child->dead = true;
	ev_run(pmud.loop, EVRUN_ONCE);
	nothing_is_left();
	child->dead = false;
	m->last_sampling = 0;
	child->busy = false;
	child->refused = 0;
	leave_busy();
	hosted_delete(m, NULL);
	ck_assert_uint_eq(child->refused, 1);
	ck_assert(!ev_run(pmud.loop, EVRUN_NOWAIT));
}

static const struct refusal_row {
	const char *field, *want;
} refusal_rows[] = {
	{ "recording.samplers", "samplers" },
	{ "recorded.samplers", "recorded.samplers" },
	{ "samplers", "samplers" },
	{ NULL, "" },
};

/* By the names of this request: the machine has those of its recording. */
TEST_ROWS(what_the_machine_refuses_is_said_of_the_request, refusal_rows)
{
	const struct child_reply no = { .code = GRPC_INVALID_ARGUMENT,
					.text = "no such event",
					.field = refusal_rows[_i].field,
					.reason = "BAD_VALUE" };
	struct rpc_call *call = sample();

	child->reply(child->arg, &no);
	ck_assert(call->over);
	ck_assert_int_eq(call->status, GRPC_INVALID_ARGUMENT);
	ck_assert_str_eq(call->field, refusal_rows[_i].want);
	ck_assert_str_eq(call->reason, "BAD_VALUE");
	ck_assert_str_eq(call->text, "no such event");
	ck_assert_uint_eq(call->sent, 0);
	nothing_is_left();
}

TEST(what_cannot_be_sampled_is_refused)
{
	Pmu__V1__SampleEventsRequest none =
		PMU__V1__SAMPLE_EVENTS_REQUEST__INIT;
	struct rpc_call *call = fixture_call(&alice, METHOD_SampleEvents);

	none.machine = m->id;
	serve_sample_events(call, &none);
	ck_assert_int_eq(call->status, GRPC_INVALID_ARGUMENT);
	ck_assert_str_eq(call->field, "samplers");
	ck_assert_str_eq(call->reason, "FIELD_MISSING");
	config.state_dir = "/nonexistent";
	call = sample();
	ck_assert_int_eq(call->status, GRPC_RESOURCE_EXHAUSTED);
	ck_assert_str_eq(call->reason, "STORE_LIMIT");
	nothing_is_left();
	config.state_dir = "/tmp";
	child->busy = true;
	call = sample();
	ck_assert_int_eq(call->status, GRPC_UNAVAILABLE);
	ck_assert_str_eq(call->reason, "MACHINE_UNAVAILABLE");
	nothing_is_left();
}

/* The machine waits for it: no sample is lost. */
TEST(a_slow_reader_holds_the_machine)
{
	struct rpc_call *call = sampling();
	static uint8_t bytes[STACK + 64];
	size_t n = pack(2, 1, STACK, bytes);
	bool full = false;

	for (int i = 0; !full && i < 1 << 20; i++)
		child->cfg.ops->records(m, bytes, n, &full);
	ck_assert(full);
	call->slow = 1;
	fixture_turns(call);
	call->slow = 0;
	ck_assert(!call->over);
	call->ops->on_writable(call, call->data);
	fixture_turns(call);
	ck_assert_int_eq(told(call)->item_case, ITEM(BATCH));
	full = false;
	child->cfg.ops->records(m, bytes, n, &full);
	ck_assert(!full);
	fixture_cancel(call);
}

SUITE("rpc-sampling", .setup = setup, .teardown = fixture_end);
