/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests of event-based branches: each act becomes one stamped input. Whose
 * session it is was decided when pmud found the machine to be the caller's.
 */
#include "control-inside.h"

#include "codec.h"
#include "core/machine-ebb.h"

enum {
	MAX_ACTS = 256
};

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
				 "input: no act of an EBB session's client");
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

	if (q->n_inputs > MAX_ACTS)
		return control_good(error_set(
			e, ERROR_INVALID, AT(PART_EBB_ACTS, "TOO_MANY"),
			"inputs: %zu, at most %d are accepted", q->n_inputs,
			MAX_ACTS));
	for (size_t i = 0; i < q->n_inputs; i++)
		if (!do_act(c, q->inputs[i], e))
			return control_good(error_within(e, i));
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
		return control_good(
			error_set(e, ERROR_NOT_FOUND,
				  AT(PART_EBB_SESSION, "NO_SUCH_SESSION"),
				  "EBB session %u: there is none", q->session));
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
	const struct ebb_session *s =
		machine_ebb_session(c->machine, q->session);
	const struct input in = {
		.kind = INPUT_EBB,
		.hart = s ? s->hart : 0,
		.ebb = { .what = EBB_DEATH, .session = q->session },
	};

	(void)machine_input(c->machine, &in, NULL, e);
	return HANDLED_DONE;
}
