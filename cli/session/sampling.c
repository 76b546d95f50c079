/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop: a stream, signals, the clock of the machine. Whatever asks for the
 * end, the machine is told, and what it has sampled until then still comes; a
 * second signal does not wait for it.
 */
#include "sampling.h"

#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>

#include "cmd/guest-time.h"
#include "end-signals.h"
#include "pmud.h"
#include "text/exit-codes.h"
#include "text/now.h"
#include "text/report.h"
#include "wait.h"

enum {
	CLOCK_MS = 50, /* between two looks at the machine's clock */
};

struct sampling {
	const struct sampling_config *cfg;
	struct pmuclient_stream *stream; /* NULL: it has ended */
	struct end_signals signals;
	bool begun, ending;
	bool stands; /* it does not run, as the sampling begins */
	uint32_t session;
	uint64_t last; /* the last cycle that counts */
	int code;
};

/* No more from here on. */
static void ask_for_end(struct sampling *x)
{
	Pmu__V1__EndSamplingRequest req = PMU__V1__END_SAMPLING_REQUEST__INIT;
	Pmu__V1__EndSamplingResponse *answer = NULL;

	x->ending = true;
	req.machine = (char *)x->cfg->machine;
	req.session = x->session;
	/* what is not there any more has ended, and so says the stream */
	(void)PMUD_ASK(x->cfg->pmud, EndSampling, &req, &answer);
	answer_free(answer);
}

/* Drops what is behind the time that was asked for. */
static void cut(const struct sampling *x, Pmu__V1__RecordBatch *b)
{
	while (b->n_records && b->records[b->n_records - 1]->cycle > x->last)
		pmu__v1__record__free_unpacked(b->records[--b->n_records],
					       NULL);
}

static void begin(struct sampling *x, const Pmu__V1__SamplingBegun *begun)
{
	uint64_t hz = begun->header->clock_hz, cycles;

	x->begun = true;
	x->session = begun->session;
	x->last = UINT64_MAX;
	report_note("sampling from cycle %" PRIu64 " on; Ctrl-C ends it",
		    begun->cycle);
	if (begun->cold)
		report_note("caches, TLBs and predictors are cold there: what "
			    "ran before is not in them");
	if (x->stands)
		report_note("%s does not run now: samples come once it does",
			    x->cfg->machine);
	if (!x->cfg->time || !x->cfg->time->n)
		return;
	cycles = guest_time_cycles(x->cfg->time, hz);
	if (cycles < UINT64_MAX - begun->cycle)
		x->last = begun->cycle + cycles;
}

static void take(struct sampling *x, Pmu__V1__SampleEventsResponse *msg)
{
	if (msg->item_case == PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BEGUN &&
	    msg->begun->header)
		begin(x, msg->begun);
	else if (msg->item_case == PMU__V1__SAMPLE_EVENTS_RESPONSE__ITEM_BATCH)
		cut(x, msg->batch);
	else
		return;
	x->code = x->cfg->take(x->cfg->arg, msg);
}

static void drain(struct sampling *x)
{
	ProtobufCMessage *msg;
	int n = 0;

	while (!x->code && (n = pmuclient_take(x->stream, &msg)) == 1) {
		take(x, (Pmu__V1__SampleEventsResponse *)msg);
		answer_free(msg);
	}
	if (x->code || n == -PMUCLIENT_ETIMEOUT)
		return;
	if (n < 0)
		x->code = pmud_fail(x->cfg->pmud, n);
	pmuclient_close(x->stream);
	x->stream = NULL;
}

/* Has the machine got as far as was asked for? */
static void look_at_clock(struct sampling *x)
{
	Pmu__V1__GetMachineRequest req = PMU__V1__GET_MACHINE_REQUEST__INIT;
	Pmu__V1__GetMachineResponse *r = NULL;

	req.machine = (char *)x->cfg->machine;
	if (PMUD_ASK(x->cfg->pmud, GetMachine, &req, &r) &&
	    r->machine->cycle >= x->last)
		ask_for_end(x);
	answer_free(r);
}

static bool is_timed(const struct sampling *x)
{
	return x->begun && !x->ending && x->last != UINT64_MAX;
}

static void wait_once(struct sampling *x)
{
	struct pmuclient *c = pmud_client(x->cfg->pmud);
	struct pollfd fds[] = {
		{ .fd = pmuclient_fd(c), .events = pmuclient_events(c) },
		{ .fd = x->signals.fd, .events = POLLIN },
	};
	int timeout = timeout_sooner(x->cfg->timeout(x->cfg->arg),
				     is_timed(x) ? CLOCK_MS : -1);
	int err;

	if (poll(fds, 2, timeout) < 0)
		return;
	if (fds[0].revents) {
		err = pmuclient_pump(c, 0);
		if (err)
			x->code = pmud_fail(x->cfg->pmud, err);
	}
	if (fds[1].revents && !x->code) {
		int code = end_signals_take(&x->signals);

		if (x->ending || !x->begun)
			x->code = code;
		else if (code)
			ask_for_end(x);
	}
	if (is_timed(x) && !x->code)
		look_at_clock(x);
	if (!x->code)
		x->code = x->cfg->work(x->cfg->arg);
}

static int open_stream(struct sampling *x)
{
	Pmu__V1__SampleEventsRequest req = PMU__V1__SAMPLE_EVENTS_REQUEST__INIT;
	int err;

	req.machine = (char *)x->cfg->machine;
	req.samplers = x->cfg->samplers;
	req.n_samplers = x->cfg->n_samplers;
	err = pmuclient_open(pmud_client(x->cfg->pmud),
			     METHOD_PATH(SampleEvents), &req.base,
			     METHOD_ANSWER(SampleEvents), &x->stream);
	return err ? pmud_fail(x->cfg->pmud, err) : EXIT_OK;
}

int sampling_run(const struct sampling_config *cfg)
{
	struct sampling x = { .cfg = cfg };

	x.code = end_signals_open(&x.signals, false);
	if (!x.code)
		x.code = wait_look(cfg->pmud, cfg->machine, &x.stands);
	if (!x.code)
		x.code = open_stream(&x);
	while (x.stream && !x.code) {
		drain(&x);
		if (x.stream && !x.code)
			wait_once(&x);
	}
	pmuclient_close(x.stream);
	end_signals_close(&x.signals);
	return x.code == SAMPLING_ENOUGH ? EXIT_OK : x.code;
}
