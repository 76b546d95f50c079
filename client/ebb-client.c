/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session of EbbService with its handler. Attributes are checked here, one by
 * one; who gets a counter, and when the handler is called, is the machine's.
 * What the handler asks for goes with its return, in one call.
 */
#include <pmuclient/ebb-client.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/v1/ebb.pb-c.h"
#include "record-batches.h"
#include "session.h"
#include "sized.h"

enum {
	MAX_EVENTS = 29,
	MAX_ACTS = 64,
	JUNK_BYTES = 8
};

struct pmuclient_ebb {
	struct pmuclient *client;
	char *machine;
	uint32_t session;
	bool reloads_alone; /* the machine arms and needs no return */
	struct pmuclient_stream *life;
	struct record_batches records;
	pmuclient_ebb_fn *fn;
	void *data;
	bool inside, masked, over;
	Pmu__V1__EbbInput act[MAX_ACTS]; /* of the handler, for its return */
	size_t n_acts;
};

static int check_alive(struct pmuclient_ebb *e)
{
	if (e->client->pid == getpid())
		return 0;
	return session_fail(e->client, PMUCLIENT_ESTATE,
			    "this EBB session is the parent's");
}

/* Attributes */

struct reason {
	bool wrong;
	const char *text;
};

static int check_attr(struct pmuclient *c, size_t i,
		      const struct pmuclient_ebb_attr *a)
{
	const struct reason reasons[] = {
		{ !(a->config & PMUCLIENT_EBB_EVENT),
		  "bit 63 of config: all events of a group ask for EBB" },
		{ i == 0 && !a->pinned, "pinned: the leader must be" },
		{ i == 0 && !a->exclusive, "exclusive: the leader must be" },
		{ i > 0 && a->pinned, "pinned: only the leader may be" },
		{ i > 0 && a->exclusive, "exclusive: only the leader may be" },
		{ a->counter < 3 || a->counter > 31,
		  "counter: one of 3 to 31 must be named" },
		{ a->inherit, "inherit: EBB events are not inherited" },
		{ a->freq, "freq: must not be set" },
		{ a->enable_on_exec, "enable_on_exec: must not be set" },
		{ a->sample_period, "sample_period: must not be set" },
		{ a->sample_type, "sample_type: must not be set" },
	};

	for (size_t r = 0; r < sizeof(reasons) / sizeof(*reasons); r++)
		if (reasons[r].wrong)
			return session_fail(c, PMUCLIENT_EINVAL,
					    "event %zu, %s", i,
					    reasons[r].text);
	return 0;
}

static int take_attrs(struct pmuclient *c,
		      const struct pmuclient_ebb_attr *const *attrs, size_t n,
		      struct pmuclient_ebb_attr *ret)
{
	int err = 0;

	if (n < 1 || n > MAX_EVENTS)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "%zu events: a group has 1 to %d", n,
				    MAX_EVENTS);
	for (size_t i = 0; !err && i < n; i++) {
		err = sized_take(c, "attr", attrs[i], sizeof(*ret), &ret[i]);
		if (!err)
			err = check_attr(c, i, &ret[i]);
	}
	return err;
}

/* Acts */

static int send_acts(struct pmuclient_ebb *e, const Pmu__V1__EbbInput *acts,
		     size_t n)
{
	Pmu__V1__ActOnEbbRequest req = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__Input input[MAX_ACTS], *inputs[MAX_ACTS];

	for (size_t i = 0; i < n; i++) {
		pmu__v1__input__init(&input[i]);
		input[i].kind_case = PMU__V1__INPUT__KIND_EBB;
		input[i].ebb = (Pmu__V1__EbbInput *)&acts[i];
		inputs[i] = &input[i];
	}
	req.machine = e->machine;
	req.inputs = inputs;
	req.n_inputs = n;
	return pmuclient_call(e->client, METHOD_PATH(ActOnEbb), &req.base,
			      METHOD_ANSWER(ActOnEbb), NULL);
}

static Pmu__V1__EbbInput new_act(const struct pmuclient_ebb *e,
				 Pmu__V1__EbbInput__What what)
{
	Pmu__V1__EbbInput act = PMU__V1__EBB_INPUT__INIT;

	act.what = what;
	act.session = e->session;
	return act;
}

static int simply(struct pmuclient_ebb *e, Pmu__V1__EbbInput__What what)
{
	Pmu__V1__EbbInput act = new_act(e, what);
	int err = check_alive(e);

	return err ? err : send_acts(e, &act, 1);
}

int pmuclient_ebb_enable(struct pmuclient_ebb *e)
{
	return simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_ENABLE);
}

int pmuclient_ebb_disable(struct pmuclient_ebb *e)
{
	return simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_DISABLE);
}

int pmuclient_ebb_mask(struct pmuclient_ebb *e, bool masked)
{
	int err = check_alive(e);

	if (err)
		return err;
	e->masked = masked;
	if (e->inside && !e->reloads_alone)
		return 0; /* its return says it */
	return simply(e, masked ? PMU__V1__EBB_INPUT__WHAT__WHAT_MASK
				: PMU__V1__EBB_INPUT__WHAT__WHAT_UNMASK);
}

int pmuclient_ebb_rearm(struct pmuclient_ebb *e, unsigned counter,
			uint64_t period)
{
	Pmu__V1__EbbInput act =
		new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_REARM);
	int err = check_alive(e);

	act.counter = counter;
	act.period = period;
	if (err || !e->inside || e->reloads_alone)
		return err ? err : send_acts(e, &act, 1);
	if (e->n_acts == MAX_ACTS - 1)
		return session_fail(e->client, PMUCLIENT_EINVAL,
				    "a handler arms at most %d times",
				    MAX_ACTS - 1);
	e->act[e->n_acts++] = act;
	return 0;
}

/* Opening and closing */

static int open_life(struct pmuclient_ebb *e,
		     const struct pmuclient_ebb_config *cfg)
{
	Pmu__V1__OpenEbbRequest req = PMU__V1__OPEN_EBB_REQUEST__INIT;
	ProtobufCMessage *msg;
	int n;

	req.machine = e->machine;
	req.hart = cfg->hart;
	req.freezes = cfg->freezes;
	req.reloads = cfg->reloads;
	n = pmuclient_open(e->client, METHOD_PATH(OpenEbb), &req.base,
			   METHOD_ANSWER(OpenEbb), &e->life);
	if (n)
		return n;
	n = pmuclient_next(e->life, e->client->timeout_ms, &msg);
	if (n < 0)
		return n;
	if (n == 0)
		return session_fail(e->client, PMUCLIENT_EPROTO,
				    "the session ended before it began");
	e->session = ((Pmu__V1__OpenEbbResponse *)msg)->session;
	pmuclient_free_message(msg);
	return 0;
}

/* Before anything can be told: the stream's first message says so. */
static int open_records(struct pmuclient_ebb *e)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;

	filter.inputs = filter.ebb_deliveries = true;
	filter.ebb_session = e->session;
	req.machine = e->machine;
	req.filter = &filter;
	return record_batches_open(&e->records, e->client, &req);
}

static int add_all(struct pmuclient_ebb *e,
		   const struct pmuclient_ebb_attr *attrs, size_t n)
{
	Pmu__V1__EbbInput acts[MAX_EVENTS];

	for (size_t i = 0; i < n; i++) {
		acts[i] = new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_ADD);
		acts[i].counter = attrs[i].counter;
		acts[i].event = attrs[i].config & ~PMUCLIENT_EBB_EVENT;
		acts[i].period = attrs[i].period;
	}
	return send_acts(e, acts, n);
}

static void release(struct pmuclient_ebb *e)
{
	record_batches_close(&e->records);
	pmuclient_close(e->life);
	free(e->machine);
	free(e);
}

int pmuclient_ebb_open(struct pmuclient *c,
		       const struct pmuclient_ebb_config *config,
		       const struct pmuclient_ebb_attr *const *attrs, size_t n,
		       struct pmuclient_ebb **ret)
{
	struct pmuclient_ebb_attr known[MAX_EVENTS] = { { 0 } };
	struct pmuclient_ebb_config cfg;
	struct pmuclient_ebb *e;
	int err = sized_take(c, "config", config, sizeof(cfg), &cfg);

	if (err)
		return err;
	if (!cfg.machine)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "config: no machine is named");
	err = take_attrs(c, attrs, n, known);
	if (err)
		return err;
	e = calloc(1, sizeof(*e));
	if (!e)
		return session_fail(c, PMUCLIENT_ENOMEM, "out of memory");
	e->client = c;
	e->masked = true;
	e->reloads_alone = cfg.reloads && !cfg.freezes;
	e->machine = strdup(cfg.machine);
	if (!e->machine)
		err = session_fail(c, PMUCLIENT_ENOMEM, "out of memory");
	if (!err)
		err = open_life(e, &cfg);
	if (!err)
		err = open_records(e);
	if (!err)
		err = add_all(e, known, n);
	if (err)
		release(e);
	else
		*ret = e;
	return err;
}

int pmuclient_ebb_close(struct pmuclient_ebb *e)
{
	int err = 0;

	if (!e)
		return 0;
	if (e->inside)
		return session_fail(e->client, PMUCLIENT_ESTATE,
				    "a session is not closed by its handler");
	if (!e->over && e->client->pid == getpid())
		err = simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE);
	release(e);
	return err == -PMUCLIENT_ERPC ? 0 : err; /* it is closed already */
}

void pmuclient_ebb_set_callback(struct pmuclient_ebb *e, pmuclient_ebb_fn *fn,
				void *data)
{
	e->fn = fn;
	e->data = data;
}

/* Reading */

static int read_session(struct pmuclient_ebb *e, Pmu__V1__ReadEbbResponse **ret)
{
	Pmu__V1__ReadEbbRequest req = PMU__V1__READ_EBB_REQUEST__INIT;
	int err = check_alive(e);

	req.machine = e->machine;
	req.session = e->session;
	return err ? err
		   : pmuclient_call(e->client, METHOD_PATH(ReadEbb), &req.base,
				    METHOD_ANSWER(ReadEbb),
				    (ProtobufCMessage **)ret);
}

int pmuclient_ebb_read(struct pmuclient_ebb *e, uint64_t *ret)
{
	Pmu__V1__ReadEbbResponse *answer;
	int err = read_session(e, &answer);
	bool scheduled;

	if (err)
		return err;
	scheduled = answer->scheduled;
	pmuclient_free_message(&answer->base);
	if (!scheduled)
		return 0;
	*ret = 0;
	return JUNK_BYTES;
}

int pmuclient_ebb_value(struct pmuclient_ebb *e, unsigned counter,
			uint64_t *ret)
{
	Pmu__V1__ReadEbbResponse *answer;
	int err = read_session(e, &answer);
	bool found = false;

	if (err)
		return err;
	for (size_t i = 0; i < answer->n_counters; i++) {
		if (answer->counters[i]->counter != counter)
			continue;
		*ret = answer->counters[i]->value;
		found = true;
	}
	pmuclient_free_message(&answer->base);
	return found ? 0
		     : session_fail(e->client, PMUCLIENT_EINVAL,
				    "counter %u is not of the group", counter);
}

/* Delivery */

/* The handler, and what it asked for. 0 or an error. */
static int deliver(struct pmuclient_ebb *e, const Pmu__V1__Record *r)
{
	const struct pmuclient_ebb_call call = {
		.size = sizeof(call),
		.hart = r->hart,
		.counters = r->ebb_delivery->counters,
		.pc = r->pc,
		.insn = r->insn,
		.cycle = r->cycle,
		.since = r->ebb_delivery->cycle,
	};
	size_t n;

	e->inside = true;
	e->n_acts = 0;
	if (e->fn)
		e->fn(e->data, e, &call);
	e->inside = false;
	if (e->reloads_alone)
		return 0;
	n = e->n_acts++;
	e->act[n] = new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_RETURN);
	e->act[n].masked = e->masked;
	return send_acts(e, e->act, e->n_acts);
}

static bool is_end(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_INPUT && r->input->ebb &&
	       (r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE ||
		r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_DEATH);
}

/* 1: the next record was taken, and counted in @n if it was a delivery. */
static int take_record(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	const Pmu__V1__Record *r;
	int got;

	if (e->over)
		return session_fail(e->client, PMUCLIENT_ELOST,
				    "the session is over");
	got = record_batches_next(&e->records, timeout_ms, &r);
	if (got != 1)
		return got;
	e->over = is_end(r);
	if (r->kind_case != PMU__V1__RECORD__KIND_EBB_DELIVERY)
		return 1;
	(*n)++;
	got = deliver(e, r);
	return got ? got : 1;
}

int pmuclient_ebb_dispatch(struct pmuclient_ebb *e, int timeout_ms)
{
	int n = 0, got, err = check_alive(e);

	if (err)
		return err;
	if (e->inside)
		return session_fail(e->client, PMUCLIENT_ESTATE,
				    "handlers do not nest");
	do
		got = take_record(e, n ? 0 : timeout_ms, &n);
	while (got == 1);
	/* an end is told when nothing else is */
	return n && (!got || got == -PMUCLIENT_ELOST) ? n : got;
}
