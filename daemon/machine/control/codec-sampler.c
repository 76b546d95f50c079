/* SPDX-License-Identifier: BSD-2-Clause */
/* A sampler of a Recording: names of events and privileges to the core's. */
#include "codec-request.h"

#include "codec.h"

#include <string.h>

#include <pmu/event.h>

#include "core/sampler.h"

bool decode_sampler(const Pmu__V1__Sampler *s, struct machine_sampler *ret,
		    struct error *e)
{
	const struct pmu_event_desc *d = pmu_event_by_name(s->event);

	if (!d || strlen(s->name) >= sizeof(ret->name))
		return error_set(e, ERROR_INVALID,
				 AT(PART_SAMPLERS, "BAD_VALUE"),
				 "samplers: harts count no event '%s', "
				 "or its name is too long",
				 s->event);
	ret->event = d->event;
	ret->modes = decode_modes(s->privileges, s->n_privileges);
	ret->period = s->period;
	ret->callers = s->callers;
	ret->registers = s->registers || s->stack_bytes;
	ret->stack = s->stack_bytes;
	ret->summed = s->summed;
	strcpy(ret->name, *s->name ? s->name : d->name);
	return true;
}
