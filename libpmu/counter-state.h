/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What counter.c shares with overflow.c, counter-explain.c and the event models
 * (uarch/uarch-hart.c): a counter's event and value, and which counters are
 * armed, that is, whose next overflow is to be delivered.
 */
#ifndef LIBPMU_COUNTER_STATE_H
#define LIBPMU_COUNTER_STATE_H

#include "hart-state.h"

/* The modes that this hart has, a bit each. */
static inline uint8_t hart_modes(const struct pmu_hart *h)
{
	unsigned ret = 1u << PMU_MODE_M;

	if (has(h, PMU_EXT_S))
		ret |= 1u << PMU_MODE_S;
	if (has(h, PMU_EXT_U))
		ret |= 1u << PMU_MODE_U;
	if (has(h, PMU_EXT_H))
		ret |= 1u << PMU_MODE_VS | 1u << PMU_MODE_VU;
	return (uint8_t)ret;
}

/* counter.c: what counter @n is told to count, and whether it can. */
struct counter_choice {
	uint64_t selector;		    /* 0: of cycle, instret */
	const struct pmu_event_desc *event; /* NULL: the selector names none */
	bool can;			    /* this counter can count it */
};
struct counter_choice counter_choice(const struct pmu_hart *h, unsigned n);
/* Is counter @n filtered by mode on this hart? */
bool counter_has_filters(const struct pmu_hart *h, unsigned n);
/* Does its filter keep it from counting in @mode? */
bool counter_filtered(const struct pmu_hart *h, unsigned n, enum pmu_mode mode);
/* The CSR that makes claimed counter @n stand, the first; 0: it may count. */
uint16_t counter_frozen_by(const struct pmu_hart *h, unsigned n);
uint64_t counter_value(const struct pmu_hart *h, const struct counter *c);

/*
 * counter.c: adds @n to a total in the current mode and lets the counters of
 * that event overflow. Everything that counts goes through here. Returns those
 * that did, a bit each.
 */
uint32_t counter_count(struct pmu_hart *h, enum pmu_event event, uint64_t n);
/* The same of cycles, which the hart spends, and of what ticks in them. */
uint32_t counter_spend(struct pmu_hart *h, uint64_t cycles);
/*
 * One instruction retires in the current mode: the instruction, its cycles.
 * Returns the counters that overflow by it.
 */
uint32_t counter_step(struct pmu_hart *h);
/* The same; returns what that changed, of enum pmu_effect. */
unsigned counter_retire(struct pmu_hart *h);
/* Derives what counter @n counts anew; its value stays. */
void counter_update(struct pmu_hart *h, unsigned n);
/* By software, and OF alone: what the counter counts stays whose it was. */
void counter_set_of(struct pmu_hart *h, unsigned n, bool of);

void counter_update_all(struct pmu_hart *h, uint32_t set);
/* What ebb-unit.h says of claimed counters has changed. */
void counter_claims_changed(struct pmu_hart *h);
/*
 * A freeze by an alert acts from the next instruction on: whoever has counted
 * all of an instruction calls this.
 */
static inline void counter_settle(struct pmu_hart *h)
{
	if (h->ebb.unsettled)
		counter_claims_changed(h);
}

/* Is OF of counter @n set? Only Sscofpmf makes bit 63 an OF. */
static inline bool counter_of(const struct pmu_hart *h, unsigned n)
{
	return n >= 3 && has(h, PMU_EXT_SSCOFPMF) &&
	       (h->counters[n].event & PMU_EVENT_OF);
}

/* Arms counter @n if its next overflow is to be delivered. */
void overflow_arm(struct pmu_hart *h, unsigned n);
void overflow_disarm(struct pmu_hart *h, unsigned n);
/* Would an overflow of counter @n in the present mode request LCOFI? */
bool overflow_raises(const struct pmu_hart *h, unsigned n);
/* Counter @c has another value, or is armed otherwise, than by counting. */
static inline void overflow_moved(struct pmu_hart *h, const struct counter *c)
{
	if (c->source != PMU_N_EVENTS)
		h->slack[c->source].known = 0;
}

/*
 * @n of @event, of which somebody is armed, have been added to the current
 * mode's total. Returns the armed counters that overflow by it, which has been
 * delivered.
 */
uint32_t overflow_check(struct pmu_hart *h, enum pmu_event event, uint64_t n);
/* The same for counter @i alone, which must be armed. */
uint32_t overflow_check_one(struct pmu_hart *h, unsigned i, uint64_t n);
/*
 * The instruction that was fetched is over but for its own count: delivers what
 * has overflowed since. Returns those counters.
 */
uint32_t overflow_fetched(struct pmu_hart *h);
/* What the overflows of the counters @found have made out of date. */
unsigned overflow_effects(const struct pmu_hart *h, uint32_t found);
/* What they requested outlives what the instruction has written since (C161).
 */
void overflow_repeat(struct pmu_hart *h, uint32_t found);

#endif
