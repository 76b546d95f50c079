/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a session does: at once by a call, or, of a handler, with its return, by
 * a call or the ring.
 */
#include <unistd.h>

#include "ebb-inside.h"
#include "session.h"

/* Whose handler this thread is in, or NULL. */
static _Thread_local const struct pmuclient_ebb *handled;

const struct pmuclient_ebb *ebb_enter(struct pmuclient_ebb *e)
{
	const struct pmuclient_ebb *outer = handled;

	e->n_acts = 0;
	handled = e;
	return outer;
}

void ebb_leave(const struct pmuclient_ebb *outer)
{
	handled = outer;
}

bool ebb_in_handler(const struct pmuclient_ebb *e)
{
	return handled == e;
}

int ebb_check_alive(struct pmuclient_ebb *e)
{
	if (e->client->pid == getpid())
		return 0;
	return session_fail(e->client, PMUCLIENT_ESTATE,
			    "this EBB session is the parent's");
}

int ebb_send_acts(struct pmuclient_ebb *e, const Pmu__V1__EbbInput *acts,
		  size_t n)
{
	Pmu__V1__ActOnEbbRequest req = PMU__V1__ACT_ON_EBB_REQUEST__INIT;
	Pmu__V1__Input input[EBB_MAX_ACTS], *inputs[EBB_MAX_ACTS];

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

Pmu__V1__EbbInput ebb_new_act(const struct pmuclient_ebb *e,
			      Pmu__V1__EbbInput__What what)
{
	Pmu__V1__EbbInput act = PMU__V1__EBB_INPUT__INIT;

	act.what = what;
	act.session = e->session;
	return act;
}

int ebb_simply(struct pmuclient_ebb *e, Pmu__V1__EbbInput__What what)
{
	Pmu__V1__EbbInput act = ebb_new_act(e, what);
	int err = ebb_check_alive(e);

	return err ? err : ebb_send_acts(e, &act, 1);
}

int pmuclient_ebb_enable(struct pmuclient_ebb *e)
{
	return ebb_simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_ENABLE);
}

int pmuclient_ebb_disable(struct pmuclient_ebb *e)
{
	return ebb_simply(e, PMU__V1__EBB_INPUT__WHAT__WHAT_DISABLE);
}

/* By the ring: what is refused is told later. */
int ebb_wish_acts(struct pmuclient_ebb *e)
{
	struct ebb_wish wishes[EBB_MAX_ACTS];

	for (size_t i = 0; i < e->n_acts; i++)
		wishes[i] = (struct ebb_wish){
			.what = (uint32_t)e->act[i].what,
			.counter = e->act[i].counter,
			.period = e->act[i].period,
			.masked = e->act[i].masked,
			.more = i + 1 < e->n_acts,
		};
	return ebb_direct_wish(&e->direct, wishes, e->n_acts);
}

/* A thread's handler has the ring alone. */
static int do_now(struct pmuclient_ebb *e, const Pmu__V1__EbbInput *act)
{
	if (!e->threaded || !ebb_in_handler(e))
		return ebb_send_acts(e, act, 1);
	e->act[0] = *act;
	e->n_acts = 1;
	return ebb_wish_acts(e) ? -PMUCLIENT_ELOST : 0;
}

int pmuclient_ebb_mask(struct pmuclient_ebb *e, bool masked)
{
	Pmu__V1__EbbInput act;
	int err = ebb_check_alive(e);

	if (err)
		return err;
	e->masked = masked;
	if (ebb_in_handler(e) && !e->reloads_alone)
		return 0; /* its return says it */
	act = ebb_new_act(e, masked ? PMU__V1__EBB_INPUT__WHAT__WHAT_MASK
				    : PMU__V1__EBB_INPUT__WHAT__WHAT_UNMASK);
	return do_now(e, &act);
}

int pmuclient_ebb_rearm(struct pmuclient_ebb *e, unsigned counter,
			uint64_t period)
{
	Pmu__V1__EbbInput act =
		ebb_new_act(e, PMU__V1__EBB_INPUT__WHAT__WHAT_REARM);
	int err = ebb_check_alive(e);

	act.counter = counter;
	act.period = period;
	if (err)
		return err;
	if (!ebb_in_handler(e) || e->reloads_alone)
		return do_now(e, &act);
	if (e->n_acts == EBB_MAX_ACTS - 1 && e->threaded)
		return -PMUCLIENT_EINVAL;
	if (e->n_acts == EBB_MAX_ACTS - 1)
		return session_fail(e->client, PMUCLIENT_EINVAL,
				    "rearm: must be at most %d times in one "
				    "call of the handler, not %d",
				    EBB_MAX_ACTS - 1, EBB_MAX_ACTS);
	e->act[e->n_acts++] = act;
	return 0;
}
