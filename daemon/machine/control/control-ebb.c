/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests of event-based branches: each act becomes one stamped input. Whose
 * session it is was decided when pmud found the machine to be the caller's.
 */
#include "control-inside.h"

#include <inttypes.h>
#include <string.h>

#include "codec.h"
#include "core/ebb-query.h"

enum {
	MAX_ACTS = 256,
	WISHES_TURN = 64, /* of one session, before others have theirs */
	AWAKE_NS = 20000  /* about what sleeping and waking costs */
};

/* Rings of sessions that are no more. */
static void drop_ended(struct control *c)
{
	uint32_t number = 0;

	while ((number = ebb_rings_after(c->rings, number)))
		if (!machine_ebb_session(c->machine, number))
			ebb_rings_detach(c->rings, number);
}

/* Its client is gone, or does not speak the protocol. */
static void end_session(struct control *c, uint32_t number)
{
	const struct ebb_session *s = machine_ebb_session(c->machine, number);
	const struct input in = {
		.kind = INPUT_EBB,
		.hart = s ? s->hart : 0,
		.ebb = { .what = EBB_DEATH, .session = number },
	};
	struct error e;

	(void)machine_input(c->machine, &in, NULL, &e);
	drop_ended(c);
}

enum handled control_open_ebb(struct control *c,
			      const Pmu__V1__OpenEbbRequest *q,
			      Pmu__V1__OpenEbbResponse *answer, struct error *e)
{
	const struct input in = {
		.kind = INPUT_EBB,
		.hart = q->hart,
		.ebb = { .what = EBB_OPEN,
			 .freezes = q->freezes,
			 .reloads = q->reloads },
	};

	if (!machine_input(c->machine, &in, NULL, e))
		return HANDLED_FAILED;
	answer->session = machine_ebb_newest(c->machine);
	return HANDLED_DONE;
}

/* Only pmud knows that a client is gone, or that one is there. */
static bool is_clients(const struct input *in)
{
	return in->kind == INPUT_EBB && in->ebb.what != EBB_OPEN &&
	       in->ebb.what != EBB_DEATH;
}

static bool do_act(struct control *c, const Pmu__V1__Input *q, struct error *e)
{
	const struct ebb_session *s;
	struct input in;

	decode_input(q, &in);
	if (!is_clients(&in))
		return error_set(e, ERROR_INVALID,
				 AT(PART_INPUT_KIND, "UNKNOWN_VALUE"),
				 "input: must be an act of an EBB session that "
				 "clients can ask for");
	s = machine_ebb_session(c->machine, in.ebb.session);
	in.hart = s ? s->hart : 0;
	return machine_input(c->machine, &in, NULL, e);
}

enum handled control_act_on_ebb(struct control *c,
				const Pmu__V1__ActOnEbbRequest *q,
				Pmu__V1__ActOnEbbResponse *answer,
				struct error *e)
{
	struct machine_status s;

	bool good = true;

	if (q->n_inputs > MAX_ACTS)
		return control_good(error_set(
			e, ERROR_INVALID, AT(PART_EBB_ACTS, "TOO_MANY"),
			"inputs: must be at most %d, not %zu", MAX_ACTS,
			q->n_inputs));
	for (size_t i = 0; good && i < q->n_inputs; i++) {
		good = do_act(c, q->inputs[i], e);
		if (!good)
			error_within(e, i);
	}
	drop_ended(c);
	if (!good)
		return HANDLED_FAILED;
	machine_status(c->machine, &s);
	answer->cycle = s.cycle;
	return HANDLED_DONE;
}

enum handled control_read_ebb(struct control *c,
			      const Pmu__V1__ReadEbbRequest *q,
			      Pmu__V1__ReadEbbResponse *answer, struct error *e)
{
	const struct ebb_session *s =
		machine_ebb_session(c->machine, q->session);

	if (!s)
		return control_good(machine_ebb_none(q->session, e));
	answer->scheduled = s->scheduled;
	answer->unmasked = s->unmasked;
	answer->inside = s->inside;
	answer->alerts = s->alerts;
	answer->counters =
		control_alloc(c, PMU_N_COUNTERS * sizeof(*answer->counters));
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		Pmu__V1__EbbCounter *to;

		if (!(s->counters >> n & 1))
			continue;
		to = control_message(c, &pmu__v1__ebb_counter__descriptor);
		to->counter = n;
		to->value = machine_ebb_value(c->machine, s, n);
		answer->counters[answer->n_counters++] = to;
	}
	return HANDLED_DONE;
}

/* What is not there any more has ended already. */
enum handled control_end_ebb(struct control *c,
			     const Pmu__Internal__EndEbbRequest *q,
			     Pmu__Internal__EndEbbResponse *answer,
			     struct error *e)
{
	end_session(c, q->session);
	return HANDLED_DONE;
}

/* Rings */

enum handled control_attach_ebb_ring(
	struct control *c, const Pmu__Internal__AttachEbbRingRequest *q,
	Pmu__Internal__AttachEbbRingResponse *answer, struct error *e)
{
	int err;

	if (!machine_ebb_session(c->machine, q->session))
		return control_good(machine_ebb_none(q->session, e));
	err = ebb_rings_attach(c->rings, c->cfg->channels, q->session);
	if (err)
		return control_good(error_set(e, ERROR_HOST,
					      AT(PART_NONE, "HOST_FAILED"),
					      "EBB session %u: no ring: %s",
					      q->session, strerror(-err)));
	return HANDLED_DONE;
}

bool control_ebb_tell(void *control, const struct record_at *at,
		      const struct ebb_told *told)
{
	struct control *c = control;

	return ebb_rings_tell(c->rings, at, told);
}

static bool has_room(const struct control *c)
{
	return trace_backlog(&c->trace) < TRACE_HIGH_WATER;
}

static void do_wish(struct control *c, const struct ebb_act *act)
{
	const struct input in = {
		.kind = INPUT_EBB,
		.hart = machine_ebb_session(c->machine, act->session)->hart,
		.ebb = *act,
	};
	struct error e = { 0 };

	if (act->what == EBB_UNKNOWN)
		error_set(&e, ERROR_INVALID, AT(PART_NONE, "UNKNOWN_VALUE"),
			  "EBB session %" PRIu32 ": its ring asks for an act "
			  "that rings do not take",
			  act->session);
	else if (machine_input(c->machine, &in, NULL, &e))
		return;
	ebb_rings_refuse(c->rings, act->session, refusal_status(e.kind),
			 e.text);
}

/* A recorded act may end the session, also while these are done. */
static void take_wishes(struct control *c, uint32_t session)
{
	struct ebb_act act;
	unsigned n = 0;

	while (has_room(c) && n++ < WISHES_TURN &&
	       machine_ebb_session(c->machine, session)) {
		switch (ebb_rings_take(c->rings, session, &act)) {
		case EBB_WISHES_ONE:
			do_wish(c, &act);
			break;
		case EBB_WISHES_SKIPPED:
			break;
		case EBB_WISHES_BROKEN:
			end_session(c, session);
			ebb_rings_detach(c->rings, session);
			return;
		case EBB_WISHES_NONE:
			return;
		}
	}
}

void control_ebb_act(struct control *c)
{
	uint32_t number = 0;

	if (!ebb_rings_flush(c->rings))
		trace_go_on(&c->trace);
	while ((number = ebb_rings_after(c->rings, number)))
		take_wishes(c, number);
	drop_ended(c);
}

bool control_ebb_waits(const struct control *c)
{
	uint32_t number = 0;

	while (has_room(c) && (number = ebb_rings_after(c->rings, number)))
		if (ebb_rings_wait(c->rings, number))
			return true;
	return false;
}

/* A client that is awake answers sooner than this process could sleep. */
static bool await_wish(const struct control *c, uint32_t session,
		       uint64_t until)
{
	const uint64_t awake = host_now() + AWAKE_NS;

	while (host_now() < (until < awake ? until : awake))
		if (ebb_rings_wait(c->rings, session))
			return true;
	return false;
}

bool control_ebb_released(struct control *c, uint64_t until)
{
	struct machine_status s;

	machine_status(c->machine, &s);
	if (!s.ebb || !ebb_rings_has(c->rings, s.ebb->number) || !has_room(c) ||
	    !await_wish(c, s.ebb->number, until))
		return false;
	control_ebb_act(c);
	machine_status(c->machine, &s);
	return !s.ebb; /* whether it may run otherwise machine_run() knows */
}
