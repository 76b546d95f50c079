/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Callbacks over the lossless stream of overflow records. What is held stays in
 * the stream: its window closes, the daemon stores, the machine waits; so
 * nothing is buffered here but the batch being delivered.
 */
#include <pmuclient/overflows.h>

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "pmu/v1/traces.pb-c.h"
#include "session.h"

struct pmuclient_overflows {
	struct pmuclient *client;
	struct pmuclient_stream *stream;
	pmuclient_overflows_fn *fn;
	void *data;
	bool enabled, inside;
	Pmu__V1__StreamRecordsResponse *batch; /* being delivered, or NULL */
	size_t next;			       /* record of it */
};

/* The stream begins with the header once it is established. */
static int await_header(struct pmuclient_overflows *e)
{
	ProtobufCMessage *msg;
	int n = pmuclient_next(e->stream, e->client->timeout_ms, &msg);

	if (n == 1)
		pmuclient_free_message(msg);
	if (n == 0)
		return session_fail(e->client, PMUCLIENT_EPROTO,
				    "the stream ended before it began");
	return n < 0 ? n : 0;
}

static int subscribe(struct pmuclient_overflows *e, const char *id,
		     uint32_t hart, uint32_t counter)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;
	int err;

	filter.overflows = true;
	filter.harts = &hart;
	filter.counters = &counter;
	filter.n_harts = filter.n_counters = 1;
	req.machine = (char *)id;
	req.filter = &filter;
	err = pmuclient_open(e->client, "TraceService/StreamRecords", &req.base,
			     &pmu__v1__stream_records_response__descriptor,
			     &e->stream);
	if (!err)
		err = await_header(e);
	return err;
}

int pmuclient_overflows_open(struct pmuclient *c, const char *id, unsigned hart,
			     unsigned counter, struct pmuclient_overflows **ret)
{
	struct pmuclient_overflows *e;
	int err;

	if (counter < 3 || counter > 31)
		return session_fail(c, PMUCLIENT_EINVAL,
				    "counter %u cannot overflow: 3 to 31 can",
				    counter);
	e = calloc(1, sizeof(*e));
	if (!e)
		return session_fail(c, PMUCLIENT_ENOMEM, "out of memory");
	e->client = c;
	err = subscribe(e, id, hart, counter);
	if (err)
		pmuclient_overflows_close(e);
	else
		*ret = e;
	return err;
}

void pmuclient_overflows_set_callback(struct pmuclient_overflows *e,
				      pmuclient_overflows_fn *fn, void *data)
{
	e->fn = fn;
	e->data = data;
}

static void drop_batch(struct pmuclient_overflows *e)
{
	if (e->batch)
		pmuclient_free_message(&e->batch->base);
	e->batch = NULL;
	e->next = 0;
}

int pmuclient_overflows_close(struct pmuclient_overflows *e)
{
	if (!e)
		return 0;
	if (e->inside)
		return session_fail(
			e->client, PMUCLIENT_ESTATE,
			"overflows cannot be closed by their callback");
	drop_batch(e);
	pmuclient_close(e->stream);
	free(e);
	return 0;
}

void pmuclient_overflows_enable(struct pmuclient_overflows *e)
{
	e->enabled = true;
}

void pmuclient_overflows_disable(struct pmuclient_overflows *e)
{
	e->enabled = false;
}

static char privilege_of(const Pmu__V1__Record *r)
{
	static const char letters[] = "?MSUSU";

	return (unsigned)r->privilege < sizeof(letters) - 1
		       ? letters[r->privilege]
		       : '?';
}

static void deliver(struct pmuclient_overflows *e, const Pmu__V1__Record *r)
{
	const Pmu__V1__Overflow *o = r->overflow;
	const struct pmuclient_overflow overflow = {
		.size = sizeof(overflow),
		.hart = r->hart,
		.counter = o->counter,
		.event = o->event,
		.privilege = privilege_of(r),
		.last_pc = o->last_pc,
		.pc = r->pc,
		.value = o->value,
		.config = o->config,
		.insn = r->insn,
		.cycle = r->cycle,
		.time = o->time,
		.pending = o->pending,
	};

	e->inside = true;
	if (e->fn)
		e->fn(e->data, &overflow);
	e->inside = false;
}

/* Delivers what the present batch still has. Returns how many. */
static int deliver_batch(struct pmuclient_overflows *e)
{
	Pmu__V1__RecordBatch *batch = e->batch->batch;
	int n = 0;

	while (e->enabled && e->next < batch->n_records) {
		const Pmu__V1__Record *r = batch->records[e->next++];

		if (r->kind_case != PMU__V1__RECORD__KIND_OVERFLOW)
			continue;
		deliver(e, r);
		n++;
	}
	if (e->next == batch->n_records)
		drop_batch(e);
	return n;
}

/* The next batch: 1, 0 when none is there, or an error. */
static int fetch(struct pmuclient_overflows *e, int timeout_ms)
{
	ProtobufCMessage *msg;
	int n = pmuclient_next(e->stream, timeout_ms, &msg);

	if (n == -PMUCLIENT_ETIMEOUT)
		return 0;
	if (n == 0)
		return session_fail(e->client, PMUCLIENT_ELOST,
				    "the machine is gone");
	if (n < 0)
		return n;
	e->batch = (Pmu__V1__StreamRecordsResponse *)msg;
	if (e->batch->item_case != PMU__V1__STREAM_RECORDS_RESPONSE__ITEM_BATCH)
		drop_batch(e);
	return 1;
}

int pmuclient_overflows_dispatch(struct pmuclient_overflows *e, int timeout_ms)
{
	int n = 0, got = 1;

	if (e->client->pid != getpid() || e->inside)
		return session_fail(
			e->client, PMUCLIENT_ESTATE,
			e->inside ? "callbacks do not nest"
				  : "these overflows are the parent's");
	while (e->enabled && got == 1) {
		if (e->batch)
			n += deliver_batch(e);
		else
			got = fetch(e, n ? 0 : timeout_ms);
	}
	return n || got > 0 ? n : got;
}
