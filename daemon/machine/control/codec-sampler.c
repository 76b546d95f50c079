/* SPDX-License-Identifier: BSD-2-Clause */
/* A sampler of a Recording: names of events and privileges to the core's. */
#include "codec-request.h"

#include <string.h>

#include <pmu/event.h>

#include "core/sampler.h"

/* In which modes a sampler counts; 0: one of them does not exist. */
static unsigned sampler_modes(const Pmu__V1__Sampler *s)
{
	unsigned modes = 0;

	for (size_t i = 0; i < s->n_privileges; i++) {
		unsigned mode = (unsigned)s->privileges[i] -
				PMU__V1__PRIVILEGE__PRIVILEGE_M;

		if (mode >= PMU_N_MODES)
			return 0;
		modes |= 1u << mode;
	}
	return s->n_privileges ? modes : (1u << PMU_N_MODES) - 1;
}

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
	ret->modes = sampler_modes(s);
	ret->period = s->period;
	ret->callers = s->callers;
	ret->registers = s->registers || s->stack_bytes;
	ret->stack = s->stack_bytes;
	ret->summed = s->summed;
	strcpy(ret->name, *s->name ? s->name : d->name);
	return true;
}
