/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling, as it is asked for: whether there is such an event, and what else
 * has to know who samples now. What is sampled is machine-sample.c's.
 */
#include "sampler.h"

#include <pmu/observer.h>

#include "machine-event.h"
#include "machine-hart.h"
#include "machine-sample.h"
#include "machine-uarch.h"

bool machine_start_sampling(struct machine *m, uint32_t session,
			    const struct machine_sampler *list, size_t n,
			    struct error *e)
{
	bool models;

	for (size_t i = 0; i < n && i < PMU_MAX_OBSERVERS; i++)
		if (!event_is_there(m, list[i].event, PART_SAMPLERS, "samplers",
				    e))
			return false;
	models = samplers_have_models(m->samplers, session);
	if (!samplers_set(m, session, list, n, e))
		return false;
	if (models || samplers_have_models(m->samplers, session))
		uarchs_samplers_changed(m);
	return true;
}

uint64_t machine_stop_sampling(struct machine *m, uint32_t session)
{
	struct error e;
	uint64_t n;

	harts_settle(m, samplers_observers(m->samplers, session));
	n = samplers_recorded(m->samplers, session);

	(void)machine_start_sampling(m, session, NULL, 0, &e);
	return n;
}
