/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Overflow: which counters anybody waits for, when the next of them overflows,
 * and how that is delivered: to software (OF, LCOFIP) as each counter's choice
 * has it, and as a record to the instruments. Only counting comes here, writes
 * never do, so writes never overflow (C108, C173).
 */
#include "counter-state.h"

#include <pmu/error.h>
#include <pmu/observer.h>

#include "observer-state.h"
#include "ticks.h"
#include "timing.h"

static void repeat_lcofi(struct pmu_hart *h, unsigned n)
{
	h->mip_soft |= IRQ_LCOFI;
	h->lcofi_by |= UINT32_C(1) << n;
	h->lcofi_for |= UINT32_C(1) << n;
}

/* Returns whether LCOFIP was 0. */
static bool deliver_lcofi(struct pmu_hart *h, struct counter *c)
{
	bool raised = !(h->mip_soft & IRQ_LCOFI);

	c->event |= PMU_EVENT_OF;
	c->hw_overflow = true;
	repeat_lcofi(h, (unsigned)(c - h->counters));
	return raised;
}

static bool deliver_held(struct pmu_hart *h, struct counter *c)
{
	c->event |= PMU_EVENT_OF;
	c->hw_overflow = true;
	return false;
}

static bool deliver_to_observer(struct pmu_hart *h, struct counter *c)
{
	return false;
}

static void repeat_nothing(struct pmu_hart *h, unsigned n)
{
}

static bool deliver_ebb(struct pmu_hart *h, struct counter *c)
{
	c->event |= PMU_EVENT_OF;
	c->hw_overflow = true;
	c->alerted = pmu_ebb_alert(&h->ebb.unit);
	c->froze = c->alerted && h->ebb.unit.control & PMU_EBBCTL_FA;
	/* Of this instruction the others still count their part. */
	h->ebb.unsettled = true;
	return false;
}

/*
 * Neither OF nor the alert goes by what the instruction has read before, and FC
 * is as FA was then, not as it is written.
 */
static void repeat_ebb(struct pmu_hart *h, unsigned n)
{
	struct counter *c = &h->counters[n];
	uint64_t *control = &h->ebb.unit.control;

	c->event |= PMU_EVENT_OF;
	c->hw_overflow = true;
	overflow_disarm(h, n);
	if (!c->alerted)
		return;
	*control &= ~(uint64_t)PMU_EBBCTL_AE;
	*control |= PMU_EBBCTL_AO | (c->froze ? PMU_EBBCTL_FC : 0);
	counter_claims_changed(h);
}

/* What each delivery is. */
static const struct delivery {
	/* By an overflow; whether it raised an interrupt. */
	bool (*deliver)(struct pmu_hart *h, struct counter *c);
	/* Again, after the instruction has written what that changed. */
	void (*repeat)(struct pmu_hart *h, unsigned n);
	unsigned effects;
	uint64_t ext; /* exists with all of these */
	bool once;    /* while OF is 0, and it sets OF */
} deliveries[PMU_N_DELIVERIES] = {
	[PMU_DELIVER_LCOFI] = { deliver_lcofi, repeat_lcofi,
				PMU_FX_COUNT | PMU_FX_IRQ, PMU_EXT_SSCOFPMF,
				true },
	[PMU_DELIVER_EBB] = { deliver_ebb, repeat_ebb,
			      PMU_FX_COUNT | PMU_FX_IRQ, PMU_EXT_XPMUEBB,
			      true },
	[PMU_DELIVER_OBSERVER] = { deliver_to_observer, repeat_nothing,
				   PMU_FX_COUNT, 0, false },
	[PMU_DELIVER_HELD] = { deliver_held, repeat_nothing, PMU_FX_COUNT,
			       PMU_EXT_SSCOFPMF, true },
};

/* A claim takes the interrupt from S-mode, and nothing from an observer. */
static enum pmu_delivery delivery_to(const struct pmu_hart *h, unsigned n)
{
	uint8_t chosen = h->counters[n].delivery;

	if (chosen == PMU_DELIVER_LCOFI && h->ebb.claimed >> n & 1)
		return PMU_DELIVER_EBB;
	return (enum pmu_delivery)chosen;
}

static const struct delivery *delivery_of(const struct pmu_hart *h, unsigned n)
{
	return &deliveries[delivery_to(h, n)];
}

/* Does the next overflow of counter @n mean anything to anybody? */
static bool wants(const struct pmu_hart *h, unsigned n)
{
	const struct delivery *d = delivery_of(h, n);

	return has(h, d->ext) && !(d->once && counter_of(h, n));
}

void overflow_arm(struct pmu_hart *h, unsigned n)
{
	const struct counter *c = &h->counters[n];

	if (n < 3 || c->source == PMU_N_EVENTS || !wants(h, n))
		return;
	overflow_moved(h, c);
	for (unsigned modes = c->modes; modes; modes &= modes - 1)
		h->armed[c->source][__builtin_ctz(modes)] |= UINT32_C(1) << n;
}

void overflow_disarm(struct pmu_hart *h, unsigned n)
{
	const struct counter *c = &h->counters[n];

	if (c->source == PMU_N_EVENTS)
		return;
	overflow_moved(h, c);
	for (unsigned m = 0; m < PMU_N_MODES; m++)
		h->armed[c->source][m] &= ~(UINT32_C(1) << n);
}

bool overflow_raises(const struct pmu_hart *h, unsigned n)
{
	const struct counter *c = &h->counters[n];

	return c->source != PMU_N_EVENTS &&
	       h->armed[c->source][h->mode] >> n & 1 &&
	       delivery_to(h, n) == PMU_DELIVER_LCOFI;
}

bool pmu_delivery_offered(enum pmu_delivery delivery)
{
	/* Who claims a counter chooses EBB, nobody else. */
	return (unsigned)delivery < PMU_N_DELIVERIES &&
	       delivery != PMU_DELIVER_EBB;
}

enum pmu_delivery pmu_counter_delivery(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS ? delivery_to(h, n) : PMU_DELIVER_LCOFI;
}

int pmu_counter_set_delivery(struct pmu_hart *h, unsigned n,
			     enum pmu_delivery delivery)
{
	if (!pmu_counter_width(h, n) || !pmu_delivery_offered(delivery))
		return -PMU_EINVAL;
	overflow_disarm(h, n);
	h->counters[n].delivery = (uint8_t)delivery;
	overflow_arm(h, n);
	return 0;
}

/* A hardware overflow: tells whom it is for, and the instruments. */
static void overflow(struct pmu_hart *h, unsigned n)
{
	struct counter *c = &h->counters[n];
	const struct delivery *d = delivery_of(h, n);
	bool again = h->lcofi_for >> n & 1, raised;

	c->alerted = false;
	if (d->once)
		overflow_disarm(h, n);
	raised = d->deliver(h, c);
	c->overflows++;
	h->overflows |= UINT32_C(1) << n;
	h->overflow[n] = (struct pmu_overflow){
		.counter = (uint8_t)n,
		.mode = h->mode,
		.value = counter_value(h, c),
		.event = c->event,
		.raised = raised,
		.delivery = delivery_to(h, n),
		.alerted = c->alerted,
		.again = again && delivery_to(h, n) == PMU_DELIVER_LCOFI,
	};
}

uint32_t overflow_check_one(struct pmu_hart *h, unsigned i, uint64_t n)
{
	/* After adding n modulo 2^width the value is below n: it wrapped. */
	if (counter_value(h, &h->counters[i]) >= n)
		return 0;
	if (h->fetched)
		h->fetch_overflows |= UINT32_C(1) << i;
	else
		overflow(h, i);
	return UINT32_C(1) << i;
}

uint32_t overflow_fetched(struct pmu_hart *h)
{
	uint32_t found = h->fetch_overflows;

	h->fetched = false;
	h->fetch_overflows = 0;
	for (uint32_t left = found; left; left &= left - 1)
		overflow(h, (unsigned)__builtin_ctz(left));
	return found;
}

/*
 * How often @event can happen in the current mode and the first armed counter
 * has not yet overflowed; UINT64_MAX also if there is none.
 */
static uint64_t counters_room(const struct pmu_hart *h, enum pmu_event event)
{
	uint32_t armed = h->armed[event][h->mode] & ~(uint32_t)ARMED_OBSERVERS;
	uint64_t ret = UINT64_MAX;

	if (armed && h->slack[event].known == 1 + (unsigned)h->mode)
		return h->slack[event].left;
	for (; armed; armed &= armed - 1) {
		const struct counter *c = &h->counters[__builtin_ctz(armed)];
		uint64_t left = c->mask - counter_value(h, c);

		if (left < ret)
			ret = left;
	}
	return ret;
}

/* Nothing is to be looked at before that. */
static void remember(struct pmu_hart *h, enum pmu_event event)
{
	h->slack[event].left = counters_room(h, event);
	h->slack[event].known = 1 + (unsigned)h->mode;
}

uint32_t overflow_check(struct pmu_hart *h, enum pmu_event event, uint64_t n)
{
	uint32_t armed = h->armed[event][h->mode], found = 0;
	bool observed = armed & ARMED_OBSERVERS;

	h->slack[event].known = 0;
	if (observed)
		observer_count(h, event, n);
	armed &= ~(uint32_t)ARMED_OBSERVERS;
	for (; armed; armed &= armed - 1)
		found |= overflow_check_one(h, (unsigned)__builtin_ctz(armed),
					    n);
	if (!observed)
		remember(h, event);
	return found;
}

unsigned overflow_effects(const struct pmu_hart *h, uint32_t found)
{
	unsigned effects = 0;

	for (; found; found &= found - 1)
		effects |=
			delivery_of(h, (unsigned)__builtin_ctz(found))->effects;
	return effects;
}

void overflow_repeat(struct pmu_hart *h, uint32_t found)
{
	for (; found; found &= found - 1) {
		unsigned n = (unsigned)__builtin_ctz(found);

		deliveries[h->overflow[n].delivery].repeat(h, n);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The same, and no observer is due. */
static uint64_t room(const struct pmu_hart *h, enum pmu_event event)
{
	uint64_t ret = counters_room(h, event);

	if (h->armed[event][h->mode] & ARMED_OBSERVERS)
		ret = least(ret, observer_room(h, event));
	return ret;
}

/* In cycles, how often @tick can: see room(), counters_room(). */
static uint64_t ticks_room(const struct pmu_hart *h, enum pmu_tick tick,
			   uint64_t (*room_of)(const struct pmu_hart *,
					       enum pmu_event))
{
	uint64_t ticks = room_of(h, ticks_event(tick));

	return ticks == UINT64_MAX ? ticks : ticks_cycles(h, tick, ticks);
}

/* How many cycles can pass, by themselves and by what ticks in them. */
static uint64_t cycles_room(const struct pmu_hart *h,
			    uint64_t (*room_of)(const struct pmu_hart *,
						enum pmu_event))
{
	uint64_t ret = room_of(h, PMU_EV_CYCLES);

	if (!ticks_any(h))
		return ret;
	for (enum pmu_tick t = PMU_TICK_REF; t < PMU_N_TICKS; t++)
		ret = least(ret, ticks_room(h, t, room_of));
	return ret;
}

/* The one after @n, which is too many; UINT64_MAX: there is none. */
static uint64_t after(uint64_t n)
{
	return n == UINT64_MAX ? UINT64_MAX : n + 1;
}

void pmu_hart_limits(const struct pmu_hart *h, struct pmu_progress *ret)
{
	uint64_t cycles = cycles_room(h, room);

	ret->stalled = UINT64_MAX;
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		ret->n[e] = after(room(h, (enum pmu_event)e));
	/*
	 * UINT64_MAX cycles are no limit, unless a counter is armed: then they
	 * are its room, which fewer instructions can fill.
	 */
	if (cycles != UINT64_MAX || h->armed[PMU_EV_CYCLES][h->mode])
		ret->n[PMU_EV_INSNS] =
			least(ret->n[PMU_EV_INSNS],
			      after(timing_insns_within(h, cycles)));
}

uint64_t pmu_hart_idle_limit(const struct pmu_hart *h)
{
	return after(cycles_room(h, room));
}

uint64_t pmu_hart_wait_limit(const struct pmu_hart *h)
{
	return after(cycles_room(h, counters_room));
}

uint64_t pmu_hart_halt_limit(const struct pmu_hart *h)
{
	return after(ticks_room(h, PMU_TICK_BUS, counters_room));
}

bool pmu_counter_overflowed(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS && h->counters[n].hw_overflow;
}

uint64_t pmu_counter_overflows(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS ? h->counters[n].overflows : 0;
}

unsigned pmu_hart_take_overflows(struct pmu_hart *h, struct pmu_overflow *ret)
{
	unsigned n = 0;

	for (; h->overflows; h->overflows &= h->overflows - 1)
		ret[n++] = h->overflow[__builtin_ctz(h->overflows)];
	return n;
}
