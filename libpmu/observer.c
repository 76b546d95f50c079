/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Observers count down, so that neither writes nor filters of the guest's
 * counters move them; where the next is due limits how far the hart may run,
 * as the next overflow does.
 */
#include "observer-state.h"

#include <string.h>

#include <pmu/error.h>
#include <pmu/observer.h>

static bool watches(const struct observer *o, enum pmu_event event,
		    enum pmu_mode mode)
{
	return o->period && o->event == event && o->modes >> mode & 1;
}

static void advance(struct observer *o, enum pmu_mode mode, uint64_t n)
{
	uint64_t beyond;

	if (n < o->left) {
		o->left -= n;
		return;
	}
	beyond = n - o->left;
	o->found += 1 + beyond / o->period;
	o->left = o->period - beyond % o->period;
	o->mode = (uint8_t)mode;
}

void observer_count(struct pmu_hart *h, enum pmu_event event, uint64_t n)
{
	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
		if (watches(&h->observers[i], event, h->mode))
			advance(&h->observers[i], h->mode, n);
}

void observer_count_emulated(struct pmu_hart *h)
{
	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++) {
		struct observer *o = &h->observers[i];

		if (watches(o, PMU_EV_INSNS, h->mode) &&
		    !(o->modes >> PMU_MODE_M & 1))
			advance(o, h->mode, 1);
	}
}

uint64_t observer_room(const struct pmu_hart *h, enum pmu_event event)
{
	uint64_t room = UINT64_MAX;

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++) {
		const struct observer *o = &h->observers[i];

		if (watches(o, event, h->mode) && o->left - 1 < room)
			room = o->left - 1;
	}
	return room;
}

/* Which events are watched in which modes, by any of them. */
static void arm(struct pmu_hart *h)
{
	memset(h->slack, 0, sizeof(h->slack)); /* of counters only */
	for (unsigned e = 0; e < PMU_N_EVENTS; e++) {
		for (unsigned m = 0; m < PMU_N_MODES; m++) {
			uint32_t *armed = &h->armed[e][m];

			*armed &= ~(uint32_t)ARMED_OBSERVERS;
			for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++)
				if (watches(&h->observers[i], (enum pmu_event)e,
					    (enum pmu_mode)m))
					*armed |= ARMED_OBSERVERS;
		}
	}
}

int pmu_hart_observe(struct pmu_hart *h, unsigned observer,
		     const struct pmu_observer *o)
{
	if (observer >= PMU_MAX_OBSERVERS ||
	    (unsigned)o->event >= PMU_N_EVENTS || o->modes >> PMU_N_MODES)
		return -PMU_EINVAL;
	h->observers[observer] = (struct observer){
		.period = o->period,
		.left = o->period,
		.event = (uint8_t)o->event,
		.modes = (uint8_t)o->modes,
	};
	arm(h);
	return 0;
}

unsigned pmu_hart_take_samples(struct pmu_hart *h, uint32_t observers,
			       struct pmu_sample *ret)
{
	unsigned n = 0;

	for (unsigned i = 0; i < PMU_MAX_OBSERVERS; i++) {
		struct observer *o = &h->observers[i];

		if (!o->found || !(observers >> i & 1))
			continue;
		ret[n++] = (struct pmu_sample){ i, (enum pmu_mode)o->mode,
						o->found };
		o->found = 0;
	}
	return n;
}
