/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests for events from outside, and what waits of them. */
#include "control-inside.h"
#include "core/inject.h"

static Pmu__V1__Injection *new_injection(struct control *c,
					 const struct machine_injection *what)
{
	Pmu__V1__Injection *m =
		control_message(c, &pmu__v1__injection__descriptor);

	m->number = what->number;
	m->hart = what->hart;
	m->event = (char *)pmu_event_desc(what->event)->name;
	m->count = what->n;
	m->repeat = what->repeat;
	m->times = what->times;
	switch (what->when) {
	case INJECT_NOW:
		break;
	case INJECT_BEHIND_INSN:
		m->behind_case = PMU__V1__INJECTION__BEHIND_INSN;
		m->insn = what->at;
		break;
	case INJECT_BEHIND_PC:
		m->behind_case = PMU__V1__INJECTION__BEHIND_PC;
		m->pc = what->at;
		break;
	}
	return m;
}

static void decode_place(const Pmu__V1__InjectEventsRequest *q,
			 struct machine_injection *ret)
{
	switch (q->behind_case) {
	case PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_INSN:
		ret->when = INJECT_BEHIND_INSN;
		ret->at = q->insn;
		break;
	case PMU__V1__INJECT_EVENTS_REQUEST__BEHIND_PC:
		ret->when = INJECT_BEHIND_PC;
		ret->at = q->pc;
		break;
	case PMU__V1__INJECT_EVENTS_REQUEST__BEHIND__NOT_SET:
	case _PMU__V1__INJECT_EVENTS_REQUEST__BEHIND__CASE_IS_INT_SIZE:
		break;
	}
}

enum handled control_inject_events(struct control *c,
				   const Pmu__V1__InjectEventsRequest *q,
				   Pmu__V1__InjectEventsResponse *answer,
				   struct error *e)
{
	struct machine_injection want = {
		.hart = q->hart,
		.event = decode_event(q->event),
		.n = q->count,
		.repeat = q->repeat,
	};

	decode_place(q, &want);
	if (!machine_inject(c->machine, &want, &want.number, e))
		return HANDLED_FAILED;
	want.times = !want.number;
	answer->injection = new_injection(c, &want);
	answer->no_code_now = want.when == INJECT_BEHIND_PC &&
			      !machine_is_code(c->machine, q->hart, want.at);
	return HANDLED_DONE;
}

enum handled control_list_injections(struct control *c,
				     const Pmu__V1__ListInjectionsRequest *q,
				     Pmu__V1__ListInjectionsResponse *answer,
				     struct error *e)
{
	const struct machine_injection *what;

	answer->injections = control_alloc(
		c, INJECT_MAX_WAITING * sizeof(*answer->injections));
	for (uint32_t next = 1; (what = machine_injection(c->machine, next));
	     next = what->number + 1)
		answer->injections[answer->n_injections++] =
			new_injection(c, what);
	return HANDLED_DONE;
}

enum handled control_cancel_injection(struct control *c,
				      const Pmu__V1__CancelInjectionRequest *q,
				      Pmu__V1__CancelInjectionResponse *answer,
				      struct error *e)
{
	return control_good(
		machine_cancel_injection(c->machine, q->injection, e));
}
