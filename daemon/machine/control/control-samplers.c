/* SPDX-License-Identifier: BSD-2-Clause */
/* The samplers of a Recording: names of events and privileges to the core's. */
#include <string.h>

#include <pmu/observer.h>

#include "control-inside.h"
#include "core/sampler.h"

/* In which modes a sampler counts; 0: one that there is not. */
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

bool control_set_samplers(struct machine *m, const Pmu__V1__Recording *r,
			  struct error *e)
{
	struct machine_sampler list[PMU_MAX_OBSERVERS] = { 0 };
	size_t n = r ? r->n_samplers : 0;

	for (size_t i = 0; i < n && i < PMU_MAX_OBSERVERS; i++) {
		const Pmu__V1__Sampler *s = r->samplers[i];
		const struct pmu_event_desc *d = pmu_event_by_name(s->event);

		if (!d || strlen(s->name) >= sizeof(list[i].name))
			return error_set(e, ERROR_INVALID,
					 AT(PART_SAMPLERS, "BAD_VALUE"),
					 "samplers: harts count no event '%s', "
					 "or its name is too long",
					 s->event);
		list[i].event = d->event;
		list[i].modes = sampler_modes(s);
		list[i].period = s->period;
		list[i].callers = s->callers;
		list[i].registers = s->registers;
		strcpy(list[i].name, *s->name ? s->name : d->name);
	}
	return machine_set_samplers(m, list, n, e);
}
