/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calling the handler of what a session is told, by its ring or by the stream
 * of its records, and sending what it asked for with its return.
 */
#include "ebb-inside.h"

#include <errno.h>
#include <unistd.h>

#include "session.h"

int ebb_explain(struct pmuclient_ebb *e, int err)
{
	struct pmuclient *c = e->client;

	if (err >= 0)
		return err;
	if (err == -ECHILD)
		return ebb_check_alive(e);
	if (err == -EREMOTEIO) {
		err = session_fail(c, PMUCLIENT_ERPC, "%.*s", EBB_TEXT,
				   e->refusal.text);
		c->status = e->refusal.code;
		return err;
	}
	e->over = err == -ESHUTDOWN;
	if (err == -EPROTO)
		return session_fail(c, PMUCLIENT_EPROTO,
				    "the session's ring is corrupt");
	return session_fail(c, PMUCLIENT_ELOST,
			    err == -ESHUTDOWN ? "the session is over"
					      : "the machine is gone");
}

/*
 * The handler: 1, or 0 where its return needs no saying; -ECHILD: it has
 * forked, and the child came back, whose return is not the parent's.
 */
static int handle(struct pmuclient_ebb *e,
		  const struct pmuclient_ebb_call *call)
{
	const struct pmuclient_ebb *outer = ebb_enter(e);
	size_t n;

	if (e->fn)
		e->fn(e->data, e, call);
	ebb_leave(outer);
	if (e->client->pid != getpid())
		return -ECHILD;
	if (e->reloads_alone)
		return 0;
	n = e->n_acts++;
	e->act[n] = ebb_new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_RETURN);
	e->act[n].masked = e->masked;
	return 1;
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
	int got = handle(e, &call);

	return got == 1 ? ebb_send_acts(e, e->act, e->n_acts)
			: ebb_explain(e, got);
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
	int got = handle(e, &call);

	return got == 1 ? ebb_wish_acts(e) : got;
}

static bool is_end(const Pmu__V1__Record *r)
{
	return r->kind_case == PMU__V1__RECORD__KIND_INPUT &&
	       r->input->kind_case == PMU__V1__INPUT__KIND_EBB &&
	       (r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_CLOSE ||
		r->input->ebb->what == PMU__V1__EBB_INPUT__WHAT__WHAT_DEATH);
}

/* 1: the next record was taken, and counted in @n if it was a delivery. */
static int take_record(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	const Pmu__V1__Record *r;
	int got = record_batches_next(&e->records, timeout_ms, &r);

	if (got != 1)
		return got;
	if (is_end(r))
		return ebb_explain(e, -ESHUTDOWN);
	if (r->kind_case != PMU__V1__RECORD__KIND_EBB_DELIVERY)
		return 1;
	(*n)++;
	got = handle_record(e, r);
	return got ? got : 1;
}

int ebb_take_said(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	struct ebb_said said;
	int got = ebb_direct_next(&e->direct, timeout_ms, &said);

	if (got != 1)
		return got;
	if (said.kind == EBB_SAID_OVER)
		return -ESHUTDOWN;
	if (said.kind == EBB_SAID_REFUSED) {
		e->refusal = said;
		return -EREMOTEIO;
	}
	if (said.kind != EBB_SAID_TOLD)
		return 1; /* of a newer machine */
	(*n)++;
	got = handle_said(e, &said);
	return got ? got : 1;
}

static int take_next(struct pmuclient_ebb *e, int timeout_ms, int *n)
{
	if (e->over)
		return ebb_explain(e, -ESHUTDOWN);
	if (e->direct.wake < 0)
		return take_record(e, timeout_ms, n);
	if (*n && ebb_direct_arm(&e->direct))
		return 0;
	return ebb_explain(e, ebb_take_said(e, timeout_ms, n));
}

int pmuclient_ebb_dispatch(struct pmuclient_ebb *e, int timeout_ms)
{
	int n = 0, got, err = ebb_check_alive(e);

	if (err)
		return err;
	if (ebb_in_handler(e) || e->threaded)
		return session_fail(e->client, PMUCLIENT_ESTATE,
				    e->threaded ? "a thread dispatches"
						: "handlers do not nest");
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
