/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calling the handler of what a session is told, by its ring or by the stream
 * of its records, and sending what it asked for with its return.
 */
#include "ebb-inside.h"

#include <errno.h>

#include "session.h"

/* What a ring's error is for the program. */
static int lost(struct pmuclient_ebb *e, int err)
{
	if (err == -EPROTO)
		return session_fail(e->client, PMUCLIENT_EPROTO,
				    "the session's ring is corrupt");
	return session_fail(e->client, PMUCLIENT_ELOST, "the machine is gone");
}

/* By the ring: what is refused is told later. */
static int wish_acts(struct pmuclient_ebb *e)
{
	struct ebb_wish wishes[EBB_MAX_ACTS];
	int err;

	for (size_t i = 0; i < e->n_acts; i++)
		wishes[i] = (struct ebb_wish){
			.what = (uint32_t)e->act[i].what,
			.counter = e->act[i].counter,
			.period = e->act[i].period,
			.masked = e->act[i].masked,
			.more = i + 1 < e->n_acts,
		};
	err = ebb_direct_wish(&e->direct, wishes, e->n_acts);
	return err ? lost(e, err) : 0;
}

/* The handler, and what it asked for. 0 or an error. */
static int handle(struct pmuclient_ebb *e,
		  const struct pmuclient_ebb_call *call)
{
	size_t n;

	e->inside = true;
	e->n_acts = 0;
	if (e->fn)
		e->fn(e->data, e, call);
	e->inside = false;
	if (e->reloads_alone)
		return 0;
	n = e->n_acts++;
	e->act[n] = ebb_new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_RETURN);
	e->act[n].masked = e->masked;
	return e->direct.wake < 0 ? ebb_send_acts(e, e->act, e->n_acts)
				  : wish_acts(e);
}

static int handle_record(struct pmuclient_ebb *e, const Pmu__V1__Record *r)
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

	return handle(e, &call);
}

static int handle_said(struct pmuclient_ebb *e, const struct ebb_said *said)
{
	const struct pmuclient_ebb_call call = {
		.size = sizeof(call),
		.hart = said->hart,
		.counters = said->counters,
		.pc = said->pc,
		.insn = said->insn,
		.cycle = said->cycle,
		.since = said->since,
	};

	return handle(e, &call);
}

static int refused(struct pmuclient_ebb *e, const struct ebb_said *said)
{
	int err = session_fail(e->client, PMUCLIENT_ERPC, "%.*s", EBB_TEXT,
			       said->text);

	e->client->status = said->code;
	return err;
}

static bool is_end(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_INPUT && r->input->ebb &&
	       (r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE ||
		r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_DEATH);
}

static int over(struct pmuclient_ebb *e)
{
	e->over = true;
	return session_fail(e->client, PMUCLIENT_ELOST, "the session is over");
}

/* 1: the next record was taken, and counted in @n if it was a delivery. */
static int take_record(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	const Pmu__V1__Record *r;
	int got = record_batches_next(&e->records, timeout_ms, &r);

	if (got != 1)
		return got;
	if (is_end(r))
		return over(e);
	if (r->kind_case != PMU__V1__RECORD__KIND_EBB_DELIVERY)
		return 1;
	(*n)++;
	got = handle_record(e, r);
	return got ? got : 1;
}

/* The same of what the ring has. */
static int take_said(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	struct ebb_said said;
	int got;

	if (*n && ebb_direct_arm(&e->direct))
		return 0;
	got = ebb_direct_next(&e->direct, timeout_ms, &said);
	if (got != 1)
		return got ? lost(e, got) : 0;
	if (said.kind == EBB_SAID_OVER)
		return over(e);
	if (said.kind == EBB_SAID_REFUSED)
		return refused(e, &said);
	if (said.kind != EBB_SAID_TOLD)
		return 1; /* of a newer machine */
	(*n)++;
	got = handle_said(e, &said);
	return got ? got : 1;
}

static int take_next(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	if (e->over)
		return over(e);
	return e->direct.wake < 0 ? take_record(e, timeout_ms, n)
				  : take_said(e, timeout_ms, n);
}

int pmuclient_ebb_dispatch(struct pmuclient_ebb *e, int timeout_ms)
{
	int n = 0, got, err = ebb_check_alive(e);

	if (err)
		return err;
	if (e->inside)
		return session_fail(e->client, PMUCLIENT_ESTATE,
				    "handlers do not nest");
	do
		got = take_next(e, n ? 0 : timeout_ms, &n);
	while (got == 1);
	/* an end is told when nothing else is */
	return n && (!got || got == -PMUCLIENT_ELOST) ? n : got;
}

int pmuclient_ebb_fd(const struct pmuclient_ebb *e)
{
	return e->direct.wake < 0 ? pmuclient_fd(e->client) : e->direct.wake;
}
