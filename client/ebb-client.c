/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A session of EbbService with its handler. Who gets a counter, and when the
 * handler is called, is the machine's. What the handler asks for goes with its
 * return, in one call, or by the ring, by which it was told then.
 */
#include <pmuclient/ebb-client.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ebb-attrs.h"
#include "ebb-inside.h"
#include "session.h"
#include "sized.h"

enum {
	JUNK_BYTES = 8
};

/* Opening and closing */

/* 0, or an errno: what it is that there is no ring by @r. */
static int take_ring(struct pmuclient_ebb *e, const Pmu__V1__OpenEbbResponse *r)
{
	int err;

	if (r->ticket.len != EBB_TICKET)
		return ENOENT;
	err = -ebb_direct_open(&e->direct, r->socket, r->ticket.data);
	if (err || forks_add(&e->forked, &e->direct.wake))
		return err;
	ebb_direct_close(&e->direct);
	return ENOMEM;
}

/* @ret_no_ring: why there is none, in spite of a ticket; 0: all is well. */
static int open_life(struct pmuclient_ebb *e,
		     const struct pmuclient_ebb_config *cfg, bool ring,
		     int *ret_no_ring)
{
	Pmu__V1__OpenEbbRequest req = PMU__V1__OPEN_EBB_REQUEST__INIT;
	const Pmu__V1__OpenEbbResponse *r;
	ProtobufCMessage *msg;
	int n;

	req.machine = e->machine;
	req.hart = cfg->hart;
	req.freezes = cfg->freezes;
	req.reloads = cfg->reloads;
	req.ring = ring;
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
	r = (const Pmu__V1__OpenEbbResponse *)msg;
	e->session = r->session;
	*ret_no_ring = ring && r->ticket.len ? take_ring(e, r) : 0;
	pmuclient_free_message(msg);
	return 0;
}

/*
 * A ring that cannot be had is no error, unless it must be. The machine has its
 * side of it then, and would wait for that to be read: another session has
 * none.
 */
static int open_session(struct pmuclient_ebb *e,
			const struct pmuclient_ebb_config *cfg)
{
	bool ring = cfg->transport != PMUCLIENT_EBB_CALLS;
	int no_ring = 0, err = open_life(e, cfg, ring, &no_ring);

	if (err || e->direct.wake >= 0)
		return err;
	if (cfg->transport == PMUCLIENT_EBB_RING)
		return session_fail(
			e->client, PMUCLIENT_ECONNECT,
			"no ring for EBB session %u: %s", e->session,
			no_ring ? strerror(no_ring) : "pmud offers none here");
	if (!no_ring)
		return 0;
	pmuclient_close(e->life);
	e->life = NULL;
	return open_life(e, cfg, false, &no_ring);
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
	Pmu__V1__EbbInput acts[EBB_MAX_EVENTS];

	for (size_t i = 0; i < n; i++) {
		acts[i] = ebb_new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_ADD);
		acts[i].counter = attrs[i].counter;
		acts[i].event = attrs[i].config & ~PMUCLIENT_EBB_EVENT;
		acts[i].period = attrs[i].period;
	}
	return ebb_send_acts(e, acts, n);
}

static void release(struct pmuclient_ebb *e)
{
	forks_remove(&e->forked);
	ebb_direct_close(&e->direct);
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
	struct pmuclient_ebb_attr known[EBB_MAX_EVENTS] = { { 0 } };
	struct pmuclient_ebb_config cfg;
	struct pmuclient_ebb *e;
	int err = sized_take(c, "config", config, sizeof(cfg), &cfg);

	if (err)
		return err;
	if (!cfg.machine)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "config: no machine is named");
	if (cfg.transport > PMUCLIENT_EBB_RING)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "config: there is no transport %u",
				    cfg.transport);
	if (config->size <= offsetof(struct pmuclient_ebb_config, transport))
		cfg.transport = PMUCLIENT_EBB_CALLS; /* it polls their fd */
	err = ebb_attrs_take(c, attrs, n, known);
	if (err)
		return err;
	e = calloc(1, sizeof(*e));
	if (!e)
		return session_no_memory(c, "session of event-based branches");
	e->client = c;
	e->direct = ebb_direct_none();
	e->masked = true;
	e->reloads_alone = cfg.reloads && !cfg.freezes;
	e->machine = strdup(cfg.machine);
	if (!e->machine)
		err = session_no_memory(c, "session of event-based branches");
	if (!err)
		err = open_session(e, &cfg);
	if (!err && e->direct.wake < 0)
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
	if (ebb_in_handler(e))
		return session_fail(e->client, PMUCLIENT_ESTATE,
				    "a session is not closed by its handler");
	if (e->client->pid == getpid())
		(void)pmuclient_ebb_stop(e); /* says what nobody asks now */
	if (!e->over && e->client->pid == getpid())
		err = ebb_simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE);
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
	int err = ebb_check_alive(e);

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
