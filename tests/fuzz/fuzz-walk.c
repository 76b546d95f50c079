/* SPDX-License-Identifier: BSD-2-Clause */
/* The invariants of fuzz-walk.h, one function for each kind. */
#include "fuzz-walk.h"

#include <string.h>

#include <pmu/error.h>
#include <pmu/trap.h>

uint64_t walk_random(struct walk *w)
{
	w->seed ^= w->seed << 13;
	w->seed ^= w->seed >> 7;
	w->seed ^= w->seed << 17;
	return w->seed;
}

uint64_t walk_below(struct walk *w, uint64_t n)
{
	return (walk_random(w) >> 11) % n;
}

uint64_t walk_value(struct walk *w)
{
	switch (walk_below(w, 4)) {
	case 0:
		return walk_below(w, 64);
	case 1:
		return -walk_below(w, 1000);
	case 2:
		return UINT64_C(1) << walk_below(w, 64);
	default:
		return walk_random(w);
	}
}

static void drop(struct walk *w, uint64_t ext)
{
	if (!walk_below(w, 5))
		w->cfg.ext &= ~ext;
}

/* Without an extension go those that need it. */
static void random_ext(struct walk *w)
{
	uint64_t all = PMU_EXT_SSTC | PMU_EXT_SVADU | PMU_EXT_SVADE;

	w->cfg.ext |= all & (uint32_t)walk_random(w);
	drop(w, PMU_EXT_C);
	drop(w, PMU_EXT_D);
	drop(w, PMU_EXT_D | PMU_EXT_F);
	drop(w, PMU_EXT_SSCOFPMF);
	drop(w, PMU_EXT_SMCNTRPMF);
	drop(w, PMU_EXT_SSCOFPMF | PMU_EXT_ZIHPM);
	drop(w, PMU_EXT_ZICNTR | PMU_EXT_SSTC);
	drop(w, PMU_EXT_S | all);
	if (!walk_has(w, PMU_EXT_S))
		drop(w, PMU_EXT_U);
	if (!walk_has(w, PMU_EXT_S))
		w->cfg.sv_modes = 0;
	if (walk_below(w, 2))
		w->cfg.ext |= walk_has(w, PMU_EXT_S)
				      ? PMU_EXT_SMAIA | PMU_EXT_SSAIA
				      : PMU_EXT_SMAIA;
	if (!walk_has(w, PMU_EXT_ZIHPM))
		w->cfg.hpm_mask = 0;
}

/* Three harts of four that can have guests have them. */
static void random_guests(struct walk *w)
{
	if (!walk_has(w, PMU_EXT_S) || !walk_below(w, 4))
		return;
	w->cfg.ext |= PMU_EXT_H;
	if (walk_below(w, 2))
		w->cfg.ext |= PMU_EXT_SHCOUNTERENW;
	if (walk_has(w, PMU_EXT_SSCOFPMF) && walk_below(w, 2))
		w->cfg.ext |= PMU_EXT_SHLCOFIDELEG;
	w->cfg.guest_irqs = (uint8_t)walk_below(w, w->cfg.xlen);
}

/* Each tick in one hart of two, at any frequency up to the clock's. */
static void random_ticks(struct walk *w)
{
	uint64_t ticks;

	for (unsigned t = 0; t < PMU_N_TICKS; t++)
		if (walk_below(w, 2))
			w->cfg.tick_hz[t] = 1 + walk_below(w, w->tb.clock_hz);
	ticks = pmu_event_set_of_ticks(w->cfg.tick_hz);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		w->cfg.hpm_events[n] |= ticks;
}

void walk_init(struct walk *w, unsigned seed)
{
	memset(w, 0, sizeof(*w));
	w->seed_nr = seed;
	w->seed = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	for (unsigned i = 0; i < 8; i++)
		(void)walk_random(w);
	w->tb = (struct pmu_timebase){ 100, 1 + walk_below(w, 100), 0 };
	pmu_hart_config_init(&w->cfg, walk_below(w, 2) ? 64 : 32);
	random_ext(w);
	random_guests(w);
	w->cfg.hpm_mask &= (uint32_t)(walk_random(w) | walk_random(w));
	w->cfg.cpi = (uint32_t)walk_below(w, 3) + 1;
	w->cfg.trap_cycles = (uint32_t)walk_below(w, 5) + 1;
	random_ticks(w);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		if (walk_below(w, 2))
			w->cfg.hpm_width[n] = (uint8_t)(1 + walk_below(w, 64));
		if (!walk_below(w, 4))
			w->cfg.hpm_events[n] &= walk_random(w);
	}
	ck_assert_int_eq(pmu_hart_new(&w->h, &w->cfg, &w->tb), 0);
}

void walk_fini(struct walk *w)
{
	pmu_hart_free(w->h);
}

bool walk_has(const struct walk *w, uint64_t ext)
{
	return (w->cfg.ext & ext) == ext;
}

uint64_t walk_mask(const struct walk *w, unsigned n)
{
	if (n == 0 || n == 2)
		return UINT64_MAX;
	if (!(w->cfg.hpm_mask >> n & 1))
		return 0;
	return UINT64_MAX >> (64 - w->cfg.hpm_width[n]);
}

static bool lcofip(const struct walk *w)
{
	return pmu_irq_pending(w->h, w->now) >> PMU_IRQ_LCOFI & 1;
}

void walk_begin(struct walk *w)
{
	w->values_written = w->events_written = w->records = 0;
	w->mip_written = w->emulated = w->halted = false;
	w->cycles_spent = 0;
	w->cycles = pmu_hart_cycles(w->h);
	w->lcofip = lcofip(w);
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		w->value[n] = pmu_counter_get(w->h, n);
		w->event[n] = pmu_counter_event(w->h, n);
	}
	for (unsigned e = 0; e < PMU_N_EVENTS; e++)
		for (unsigned m = 0; m < PMU_N_MODES; m++)
			w->totals[e][m] = pmu_hart_total(
				w->h, (enum pmu_event)e, (enum pmu_mode)m);
}

/* How often @event happened in this step. */
static uint64_t gained(const struct walk *w, enum pmu_event event)
{
	uint64_t sum = 0;

	for (unsigned m = 0; m < PMU_N_MODES; m++)
		sum += pmu_hart_total(w->h, event, (enum pmu_mode)m) -
		       w->totals[event][m];
	return sum;
}

/* How much counter @n may have counted in this step, if it did. */
static uint64_t counted(const struct walk *w, unsigned n)
{
	uint64_t selector = w->event[n];
	const struct pmu_event_desc *d;

	if (walk_has(w, PMU_EXT_SSCOFPMF))
		selector &= UINT64_MAX >> 8;
	d = n < 3 ? pmu_event_desc(n ? PMU_EV_INSNS : PMU_EV_CYCLES)
		  : pmu_event_by_selector(selector);
	if (!d || !pmu_counter_can(w->h, n, d->event))
		return 0;
	if (w->emulated)
		return d->event == PMU_EV_INSNS;
	return gained(w, d->event);
}

/* Counter @n has counted up to @value: must it have overflowed with OF = 0? */
static bool overflows(const struct walk *w, unsigned n, uint64_t value)
{
	return n >= 3 && walk_has(w, PMU_EXT_SSCOFPMF) &&
	       !(w->event[n] & PMU_EVENT_OF) && value < counted(w, n);
}

/* A value changes by a write or by what was counted, and by nothing else. */
static void check_values(struct walk *w)
{
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		uint64_t value = pmu_counter_get(w->h, n);
		uint64_t grown = (value - w->value[n]) & walk_mask(w, n);

		HOLDS(w, (value & ~walk_mask(w, n)) == 0);
		if (w->values_written >> n & 1)
			continue;
		HOLDS(w,
		      grown == 0 || grown == (counted(w, n) & walk_mask(w, n)));
		if (grown && !(w->events_written >> n & 1))
			HOLDS(w,
			      overflows(w, n, value) == (w->records >> n & 1));
	}
}

/* Totals only grow, and cycles are spent where the step says so. */
static void check_totals(struct walk *w)
{
	uint64_t cycles = 0, insns = 0;

	for (unsigned m = 0; m < PMU_N_MODES; m++) {
		for (unsigned e = 0; e < PMU_N_EVENTS; e++)
			HOLDS(w, pmu_hart_total(w->h, (enum pmu_event)e,
						(enum pmu_mode)m) >=
					 w->totals[e][m]);
		cycles += pmu_hart_total(w->h, PMU_EV_CYCLES, (enum pmu_mode)m);
		insns += pmu_hart_total(w->h, PMU_EV_INSNS, (enum pmu_mode)m);
	}
	HOLDS(w, pmu_hart_cycles(w->h) == cycles);
	HOLDS(w, pmu_hart_insns(w->h) == insns);
	HOLDS(w, cycles - w->cycles == w->cycles_spent);
	HOLDS(w, w->cycles_spent || !gained(w, PMU_EV_REF_CYCLES));
	HOLDS(w, w->cycles_spent || w->halted || !gained(w, PMU_EV_BUS_CYCLES));
}

static void take_records(struct walk *w)
{
	struct pmu_overflow ovf[PMU_N_COUNTERS];
	unsigned n = pmu_hart_take_overflows(w->h, ovf);

	for (unsigned i = 0; i < n; i++) {
		HOLDS(w, i == 0 || ovf[i].counter > ovf[i - 1].counter);
		HOLDS(w, ovf[i].counter >= 3 && walk_mask(w, ovf[i].counter));
		HOLDS(w, !(w->event[ovf[i].counter] & PMU_EVENT_OF));
		HOLDS(w, ovf[i].event & PMU_EVENT_OF);
		HOLDS(w, counted(w, ovf[i].counter) > ovf[i].value);
		w->records |= UINT32_C(1) << ovf[i].counter;
	}
	HOLDS(w, !n || walk_has(w, PMU_EXT_SSCOFPMF));
	HOLDS(w, !(w->records & (w->values_written | w->events_written)));
}

/* OF and LCOFIP come by an overflow or by a write, and stay until a write. */
static void check_overflow(struct walk *w)
{
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		uint64_t want = w->event[n];
		uint64_t got = pmu_counter_event(w->h, n);

		if (w->records >> n & 1)
			want |= PMU_EVENT_OF;
		HOLDS(w, got == want || w->events_written >> n & 1);
		HOLDS(w,
		      !pmu_counter_overflowed(w->h, n) || got & PMU_EVENT_OF);
		HOLDS(w, !(w->records >> n & 1) ||
				 pmu_counter_overflowed(w->h, n));
	}
	if (w->records)
		HOLDS(w, lcofip(w));
	else if (!w->mip_written)
		HOLDS(w, lcofip(w) == w->lcofip);
}

static void check_limits(struct walk *w)
{
	struct pmu_progress limits;

	pmu_hart_limits(w->h, &limits);
	for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++)
		HOLDS(w, limits.n[e] > 0);
	HOLDS(w, pmu_hart_idle_limit(w->h) > 0);
	HOLDS(w, pmu_hart_halt_limit(w->h) > 0);
	HOLDS(w, w->cfg.tick_hz[PMU_TICK_BUS] ||
			 pmu_hart_halt_limit(w->h) == UINT64_MAX);
}

void walk_end(struct walk *w)
{
	enum pmu_mode mode = pmu_hart_mode(w->h);

	HOLDS(w,
	      mode == PMU_MODE_M ||
		      walk_has(w, mode == PMU_MODE_S ? PMU_EXT_S : PMU_EXT_U));
	take_records(w);
	check_values(w);
	check_totals(w);
	check_overflow(w);
	check_limits(w);
}
