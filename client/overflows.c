/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Callbacks over the lossless stream of overflow records. What is held stays in
 * the stream (record-batches.h).
 */
#include <pmuclient/overflows.h>

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "record-batches.h"
#include "session.h"

struct pmuclient_overflows {
	struct pmuclient *client;
	struct record_batches records;
	pmuclient_overflows_fn *fn;
	void *data;
	bool enabled, inside;
};

static int subscribe(struct pmuclient_overflows *e, const char *id,
		     uint32_t hart, uint32_t counter)
{
	Pmu__V1__StreamRecordsRequest req =
		PMU__V1__STREAM_RECORDS_REQUEST__INIT;
	Pmu__V1__RecordFilter filter = PMU__V1__RECORD_FILTER__INIT;

	filter.overflows = true;
	filter.harts = &hart;
	filter.counters = &counter;
	filter.n_harts = filter.n_counters = 1;
	req.machine = (char *)id;
	req.filter = &filter;
	return record_batches_open(&e->records, e->client, &req);
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
		return session_no_memory(c, "callbacks of overflows");
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

int pmuclient_overflows_close(struct pmuclient_overflows *e)
{
	if (!e)
		return 0;
	if (e->inside)
		return session_fail(
			e->client, PMUCLIENT_ESTATE,
			"overflows cannot be closed by their callback");
	record_batches_close(&e->records);
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

int pmuclient_overflows_dispatch(struct pmuclient_overflows *e, int timeout_ms)
{
	const Pmu__V1__Record *r;
	int n = 0, got = 1;

	if (e->client->pid != getpid() || e->inside)
		return session_fail(
			e->client, PMUCLIENT_ESTATE,
			e->inside ? "callbacks do not nest"
				  : "these overflows are the parent's");
	while (e->enabled && got == 1) {
		got = record_batches_next(&e->records, n ? 0 : timeout_ms, &r);
		if (got == 1 &&
		    r->kind_case == PMU__V1__RECORD__KIND_OVERFLOW) {
			deliver(e, r);
			n++;
		}
	}
	return n || got > 0 ? n : got;
}
