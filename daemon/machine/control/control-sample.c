/* SPDX-License-Identifier: BSD-2-Clause */
/* Samplers: those that a machine is made with, and those that come and go. */
#include "control-inside.h"

#include <pmu/model-events.h>
#include <pmu/observer.h>

#include "codec-request.h"

/* As many of @from as there can be into @ret, the rest is only counted. */
static bool decode(Pmu__V1__Sampler *const *from, size_t n,
		   struct machine_sampler *ret, struct error *e)
{
	for (size_t i = 0; i < n && i < PMU_MAX_OBSERVERS; i++)
		if (!decode_sampler(from[i], &ret[i], e))
			return false;
	return true;
}

bool control_set_samplers(struct control *c, const Pmu__V1__Recording *r,
			  struct error *e)
{
	struct machine_sampler list[PMU_MAX_OBSERVERS] = { 0 };
	size_t n = r ? r->n_samplers : 0;

	return !n || (decode(r->samplers, n, list, e) &&
		      machine_set_samplers(c->machine, list, n, e));
}

/* Under 0 are the machine's own: they come with it and go with it. */
static bool is_of_visitor(uint32_t session, struct error *e)
{
	return session ||
	       error_set(e, ERROR_INVALID, AT(PART_NONE, "BAD_VALUE"),
			 "session: must be 1 or more, not 0, which holds the "
			 "samplers that the machine's own trace is made with");
}

static bool any_of_models(const struct machine_sampler *list, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= pmu_event_is_model(list[i].event);
	return any;
}

enum handled control_start_sampling(
	struct control *c, const Pmu__Internal__StartSamplingRequest *q,
	Pmu__Internal__StartSamplingResponse *answer, struct error *e)
{
	struct machine_sampler list[PMU_MAX_OBSERVERS] = { 0 };
	struct machine_status s;

	if (!is_of_visitor(q->session, e) ||
	    !decode(q->samplers, q->n_samplers, list, e) ||
	    !machine_start_sampling(c->machine, q->session, list, q->n_samplers,
				    e))
		return HANDLED_FAILED;
	machine_status(c->machine, &s);
	answer->cycle = s.cycle;
	answer->cold = any_of_models(list, q->n_samplers);
	return HANDLED_DONE;
}

/* What is not there any more has left no records. */
enum handled control_stop_sampling(struct control *c,
				   const Pmu__Internal__StopSamplingRequest *q,
				   Pmu__Internal__StopSamplingResponse *answer,
				   struct error *e)
{
	if (!is_of_visitor(q->session, e))
		return HANDLED_FAILED;
	answer->samples = machine_stop_sampling(c->machine, q->session);
	return HANDLED_DONE;
}
