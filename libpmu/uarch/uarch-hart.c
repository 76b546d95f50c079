/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where what models find is counted: once per instruction, at its place, so
 * that an overflow needs no limit to be planned for.
 */
#include <pmu/model-events.h>

#include "../counter-state.h"
#include "../observer-state.h"
#include "../walk.h"

bool pmu_hart_chose_model(const struct pmu_hart *h)
{
	return h->chose_model;
}

bool pmu_hart_observes_model(const struct pmu_hart *h)
{
	for (unsigned e = PMU_EV_UARCH; e <= PMU_EV_UARCH_LAST; e++)
		for (unsigned m = 0; m < PMU_N_MODES; m++)
			if (h->armed[e][m] & ARMED_OBSERVERS)
				return true;
	return false;
}

static bool translates(const struct pmu_hart *h, uint64_t atp)
{
	uint64_t root;

	return walk_scheme(h, atp, &root);
}

struct pmu_space pmu_hart_space(const struct pmu_hart *h, enum pmu_mode mode)
{
	/* both stages in one number; odd, so that nothing of it is lost */
	const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
	bool narrow = h->cfg.xlen == 32;

	switch (mode) {
	case PMU_MODE_M:
		break;
	case PMU_MODE_S:
	case PMU_MODE_U:
		return (struct pmu_space){ h->satp, translates(h, h->satp),
					   narrow };
	case PMU_MODE_VS:
	case PMU_MODE_VU:
		return (struct pmu_space){
			(h->vsatp ^ ~h->hgatp * mix) * mix,
			translates(h, h->vsatp) || translates(h, h->hgatp),
			narrow,
		};
	case PMU_N_MODES:
		break;
	}
	return (struct pmu_space){ .narrow = narrow };
}

void pmu_hart_fetched(struct pmu_hart *h)
{
	h->fetched = true;
}

bool pmu_hart_happened(struct pmu_hart *h, const struct pmu_uarch_found *f)
{
	bool stop = false;

	for (unsigned i = 0; i < f->n; i++) {
		unsigned e = PMU_EV_UARCH + f->event[i];
		uint32_t armed = h->armed[e][h->mode];

		h->totals[e][h->mode]++;
		h->slack[e].known = 0;
		armed &= ~(uint32_t)ARMED_OBSERVERS;
		for (; armed; armed &= armed - 1)
			stop |= overflow_check_one(
				h, (unsigned)__builtin_ctz(armed), 1);
	}
	return stop;
}

static bool sample_is_due(const struct pmu_hart *h)
{
	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		if (h->observers[i].found)
			return true;
	return false;
}

bool pmu_hart_stalled(struct pmu_hart *h, const struct pmu_uarch_found *f)
{
	static const enum pmu_event events[PMU_N_STALLS] = {
		[PMU_STALL_FRONTEND] = PMU_EV_STALLED_FRONTEND,
		[PMU_STALL_BACKEND] = PMU_EV_STALLED_BACKEND,
	};
	uint32_t found = 0;

	for (unsigned i = 0; i < PMU_N_STALLS; i++)
		if (f->stalled[i])
			found |= counter_count(h, events[i], f->stalled[i]);
	return found || sample_is_due(h);
}

void pmu_hart_observed(struct pmu_hart *h, const struct pmu_uarch_found *f)
{
	for (unsigned i = 0; i < f->n; i++)
		h->observed[f->event[i]][h->mode]++;
}

bool pmu_hart_sampled(struct pmu_hart *h, const struct pmu_uarch_found *f)
{
	bool counted = false;

	for (unsigned i = 0; i < f->n; i++) {
		enum pmu_event e = (enum pmu_event)(PMU_EV_UARCH + f->event[i]);

		if (!(h->armed[e][h->mode] & ARMED_OBSERVERS))
			continue;
		observer_count(h, e, 1);
		counted = true;
	}
	return counted && sample_is_due(h);
}

uint64_t pmu_hart_observed_total(const struct pmu_hart *h, enum pmu_event event,
				 enum pmu_mode mode)
{
	return h->observed[event - PMU_EV_UARCH][mode];
}
