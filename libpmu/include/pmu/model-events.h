/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The events of models (uarch.h) and a hart. What the guest's own instance of
 * a core has found moves its counters and the totals; what another instance
 * has found is seen by observers alone, so that these change nothing.
 */
#ifndef PMU_MODEL_EVENTS_H
#define PMU_MODEL_EVENTS_H

#include <pmu/event.h>
#include <pmu/miss.h>
#include <pmu/uarch.h>

#pragma GCC visibility push(default)

struct pmu_hart;

/* The event of which @found tells. */
static inline enum pmu_event pmu_event_of_model(enum pmu_uarch_event found)
{
	return (enum pmu_event)(PMU_EV_UARCH + (int)found);
}
static inline bool pmu_event_is_model(enum pmu_event event)
{
	return event >= PMU_EV_UARCH && event <= PMU_EV_UARCH_LAST;
}
/* And back: what is found where @event is one of a model. */
static inline enum pmu_uarch_event pmu_model_of_event(enum pmu_event event)
{
	return (enum pmu_uarch_event)(event - PMU_EV_UARCH);
}
/* Does it count misses that have a reason (miss.h)? */
static inline bool pmu_event_is_miss(enum pmu_event event)
{
	return pmu_event_is_model(event) &&
	       pmu_uarch_is_miss(pmu_model_of_event(event));
}

/*
 * Was such an event chosen for a counter since the last reset? From then on the
 * guest's instance is to be fed.
 */
bool pmu_hart_chose_model(const struct pmu_hart *h);
/* The same for an observer, which there is. */
bool pmu_hart_observes_model(const struct pmu_hart *h);

/* The address space of what @mode, one of the hart's, accesses now. */
struct pmu_space pmu_hart_space(const struct pmu_hart *h, enum pmu_mode mode);

/*
 * An instruction that pmu_exec() executes, or that traps, has been fetched.
 * What happens until then is its own: an overflow by that is delivered with
 * those of its retirement, as it may write what they set (C161).
 */
void pmu_hart_fetched(struct pmu_hart *h);
/*
 * What the guest's instance found has happened, in the current mode. True: a
 * counter has overflown, and whoever runs the hart is to stop here.
 */
bool pmu_hart_happened(struct pmu_hart *h, const struct pmu_uarch_found *f);
/*
 * The hart waits for what the guest's instance found, in the current mode: the
 * events of stalls; the cycles themselves are progress. True: as above, or a
 * sample is to be taken.
 */
bool pmu_hart_stalled(struct pmu_hart *h, const struct pmu_uarch_found *f);
/* What the instance of the observers' totals found. */
void pmu_hart_observed(struct pmu_hart *h, const struct pmu_uarch_found *f);
/* What the samplers' instance found. True: a sample is to be taken. */
bool pmu_hart_sampled(struct pmu_hart *h, const struct pmu_uarch_found *f);
/* How often @event, one of a model, was observed. */
uint64_t pmu_hart_observed_total(const struct pmu_hart *h, enum pmu_event event,
				 enum pmu_mode mode);

#pragma GCC visibility pop

#endif
