/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counters as functions of event totals: a value is computed when somebody
 * asks, and a change of configuration only moves the base (C123). What is
 * decided here: which totals a counter sees. What an overflow does is decided
 * in overflow.c.
 */
#include "counter-state.h"

#include <pmu/error.h>
#include <pmu/model-events.h>

#include "observer-state.h"
#include "ticks.h"
#include "timing.h"

/* The totals that counter @c has seen so far, if it had always counted so. */
static uint64_t gain(const struct pmu_hart *h, const struct counter *c)
{
	uint64_t sum = 0;

	if (c->source == PMU_N_EVENTS)
		return 0;
	for (unsigned modes = c->modes; modes; modes &= modes - 1)
		sum += h->totals[c->source][__builtin_ctz(modes)];
	return sum;
}

uint64_t counter_value(const struct pmu_hart *h, const struct counter *c)
{
	return (c->base + gain(h, c)) & c->mask;
}

static void set_value(struct pmu_hart *h, struct counter *c, uint64_t value)
{
	c->base = value - gain(h, c);
	overflow_moved(h, c);
}

/* The filters that exist: those of implemented modes (C106, C125). */
static uint64_t filters(const struct pmu_hart *h)
{
	uint64_t mask = 0;

	for (unsigned modes = hart_modes(h); modes; modes &= modes - 1)
		mask |= PMU_EVENT_MINH >> __builtin_ctz(modes);
	return mask;
}

/* The writable bits of mhpmevent n, mcyclecfg, minstretcfg. */
static uint64_t event_mask(const struct pmu_hart *h, unsigned n)
{
	if (!h->counters[n].mask)
		return 0;
	if (n < 3)
		return counter_has_filters(h, n) ? filters(h) : 0;
	if (counter_has_filters(h, n))
		return PMU_EVENT_OF | filters(h) | PMU_EVENT_SELECTOR;
	/* Without mhpmeventh the upper half is out of reach (C106). */
	return h->cfg.xlen == 32 ? UINT32_MAX : UINT64_MAX;
}

struct counter_choice counter_choice(const struct pmu_hart *h, unsigned n)
{
	struct counter_choice ret = { 0 };

	if (n == 0 || n == 2) {
		ret.event = pmu_event_desc(n ? PMU_EV_INSNS : PMU_EV_CYCLES);
	} else if (n >= 3) {
		ret.selector = h->counters[n].event;
		if (has(h, PMU_EXT_SSCOFPMF))
			ret.selector &= PMU_EVENT_SELECTOR;
		ret.event = pmu_event_by_selector(ret.selector);
	}
	ret.can = ret.event && pmu_counter_can(h, n, ret.event->event);
	return ret;
}

/* The event that counter @n counts, PMU_N_EVENTS for none (C178). */
static uint8_t source(const struct pmu_hart *h, unsigned n)
{
	struct counter_choice choice = counter_choice(h, n);

	return choice.can ? choice.event->event : PMU_N_EVENTS;
}

bool counter_has_filters(const struct pmu_hart *h, unsigned n)
{
	return has(h, n < 3 ? PMU_EXT_SMCNTRPMF : PMU_EXT_SSCOFPMF);
}

bool counter_filtered(const struct pmu_hart *h, unsigned n, enum pmu_mode mode)
{
	return counter_has_filters(h, n) &&
	       h->counters[n].event & PMU_EVENT_MINH >> mode;
}

uint16_t counter_frozen_by(const struct pmu_hart *h, unsigned n)
{
	const struct ebb_state *e = &h->ebb;

	if (!(e->claimed >> n & 1))
		return 0;
	if (e->unit.control & PMU_EBBCTL_FC)
		return PMU_CSR_EBBCTL;
	if (e->s_control & PMU_SEBBCS_FZ)
		return PMU_CSR_SEBBCS;
	return e->user_freeze >> n & 1 ? PMU_CSR_EBBFRZ : 0;
}

/* The modes in which counter @n counts: uninhibited and not filtered (C177). */
static uint8_t modes(const struct pmu_hart *h, unsigned n)
{
	unsigned ret = hart_modes(h);

	if (h->mcountinhibit >> n & 1 || counter_frozen_by(h, n))
		return 0;
	for (unsigned m = 0; m < PMU_N_MODES; m++)
		if (counter_filtered(h, n, (enum pmu_mode)m))
			ret &= ~(1u << m);
	return (uint8_t)ret;
}

void counter_update(struct pmu_hart *h, unsigned n)
{
	struct counter *c = &h->counters[n];
	uint64_t value = counter_value(h, c);

	overflow_disarm(h, n);
	c->source = source(h, n);
	if (pmu_event_is_model((enum pmu_event)c->source))
		h->chose_model = true;
	c->modes = modes(h, n);
	set_value(h, c, value);
	overflow_arm(h, n);
}

void counter_update_all(struct pmu_hart *h, uint32_t set)
{
	for (; set; set &= set - 1)
		counter_update(h, (unsigned)__builtin_ctz(set));
}

void counter_claims_changed(struct pmu_hart *h)
{
	h->ebb.unsettled = false;
	counter_update_all(h, h->ebb.claimed);
}

uint32_t counter_count(struct pmu_hart *h, enum pmu_event event, uint64_t n)
{
	struct slack *slack = &h->slack[event];

	h->totals[event][h->mode] += n;
	if (!h->armed[event][h->mode])
		return 0;
	if (slack->known != 1 + (unsigned)h->mode || n > slack->left)
		return overflow_check(h, event, n);
	slack->left -= n;
	return 0;
}

/* What ticked in the cycles that have passed. */
static uint32_t count_ticks(struct pmu_hart *h)
{
	uint32_t found = 0;

	for (enum pmu_tick t = PMU_TICK_REF; t < PMU_N_TICKS; t++) {
		uint64_t n = ticks_take(h, t);

		if (n)
			found |= counter_count(h, ticks_event(t), n);
	}
	return found;
}

uint32_t counter_spend(struct pmu_hart *h, uint64_t cycles)
{
	uint32_t found = counter_count(h, PMU_EV_CYCLES, cycles);

	h->cycles += cycles;
	return ticks_any(h) ? found | count_ticks(h) : found;
}

uint32_t counter_step(struct pmu_hart *h)
{
	uint32_t found = h->fetched ? overflow_fetched(h) : 0;

	found |= counter_count(h, PMU_EV_INSNS, 1);
	h->retired++;
	return found | counter_spend(h, timing_of_insn(h));
}

unsigned counter_retire(struct pmu_hart *h)
{
	uint32_t found = counter_step(h);

	counter_settle(h);
	return found ? overflow_effects(h, found) : 0;
}

/* It retires for the counters that do not count M-mode; totals stay (C126). */
unsigned pmu_exec_emulated(struct pmu_hart *h)
{
	uint32_t found = 0;

	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		struct counter *c = &h->counters[n];

		if (c->source != PMU_EV_INSNS || !(c->modes >> h->mode & 1) ||
		    (c->modes >> PMU_MODE_M & 1))
			continue;
		c->base++;
		overflow_moved(h, c);
		if (h->armed[PMU_EV_INSNS][h->mode] >> n & 1)
			found |= overflow_check_one(h, n, 1);
	}
	counter_settle(h);
	observer_count_emulated(h);
	return overflow_effects(h, found);
}

void pmu_hart_advance(struct pmu_hart *h, const struct pmu_progress *p)
{
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		if (p->n[e])
			counter_count(h, (enum pmu_event)e, p->n[e]);
	h->retired += p->n[PMU_EV_INSNS];
	counter_spend(h, pmu_hart_cost(h, p));
	counter_settle(h);
}

void pmu_hart_idle(struct pmu_hart *h, uint64_t cycles)
{
	counter_spend(h, cycles);
	counter_settle(h);
}

void pmu_hart_halt(struct pmu_hart *h, uint64_t cycles)
{
	h->halted += cycles;
	count_ticks(h);
	counter_settle(h);
}

int pmu_hart_inject(struct pmu_hart *h, enum pmu_event event, uint64_t n)
{
	if ((unsigned)event >= PMU_N_EVENTS)
		return -PMU_EINVAL;
	counter_count(h, event, n);
	counter_settle(h);
	return 0;
}

/* Remembers who it was. */
static void note(struct pmu_hart *h, unsigned n, enum pmu_change change)
{
	h->origin[n][change] = h->author;
}

uint32_t pmu_counters(const struct pmu_hart *h)
{
	return h->cfg.hpm_mask | 1u << 0 | 1u << 2;
}

unsigned pmu_counter_width(const struct pmu_hart *h, unsigned n)
{
	if (n >= PMU_N_COUNTERS)
		return 0;
	return (unsigned)__builtin_popcountll(h->counters[n].mask);
}

bool pmu_counter_can(const struct pmu_hart *h, unsigned n, enum pmu_event event)
{
	if (n >= PMU_N_COUNTERS || !h->counters[n].mask ||
	    (unsigned)event >= PMU_N_EVENTS)
		return false;
	if (n < 3)
		return event == (n == 0 ? PMU_EV_CYCLES : PMU_EV_INSNS);
	return h->cfg.hpm_events[n] >> event & 1;
}

uint64_t pmu_counter_get(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS ? counter_value(h, &h->counters[n]) : 0;
}

void pmu_counter_set(struct pmu_hart *h, unsigned n, uint64_t value)
{
	if (n >= PMU_N_COUNTERS)
		return;
	note(h, n, PMU_CHANGE_VALUE);
	set_value(h, &h->counters[n], value);
}

uint64_t pmu_counter_event(const struct pmu_hart *h, unsigned n)
{
	return n < PMU_N_COUNTERS ? h->counters[n].event : 0;
}

void pmu_counter_set_event(struct pmu_hart *h, unsigned n, uint64_t event)
{
	if (n >= PMU_N_COUNTERS)
		return;
	note(h, n, PMU_CHANGE_EVENT);
	h->counters[n].event = event & event_mask(h, n);
	if (!counter_of(h, n))
		h->counters[n].hw_overflow = false;
	counter_update(h, n);
}

void counter_set_of(struct pmu_hart *h, unsigned n, bool of)
{
	struct counter *c = &h->counters[n];

	if (counter_of(h, n) == of)
		return;
	c->event ^= PMU_EVENT_OF;
	c->hw_overflow = false;
	counter_update(h, n);
}

uint32_t pmu_counter_inhibit(const struct pmu_hart *h)
{
	return h->mcountinhibit;
}

void pmu_counter_set_inhibit(struct pmu_hart *h, uint32_t inhibit)
{
	uint32_t changed;

	inhibit &= pmu_counters(h);
	changed = inhibit ^ h->mcountinhibit;
	h->mcountinhibit = inhibit;
	for (; changed; changed &= changed - 1) {
		unsigned n = (unsigned)__builtin_ctz(changed);

		note(h, n, PMU_CHANGE_INHIBIT);
		counter_update(h, n);
	}
}
