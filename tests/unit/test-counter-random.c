/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The counters against a model that is as simple as can be: it looks at every
 * counter for every instruction. Both get the same random configuration,
 * writes, mode changes and instructions, and must agree after every step, and
 * on which instruction is the first to overflow. Seeds are fixed.
 */
#include <string.h>

#include <pmu/error.h>

#include "counter-state.h"
#include "unit.h"

enum {
	N_SEEDS = 30,
	N_STEPS = 150,
	MAX_INSNS = 40,
};

/* Every counter as a register of its own. */
struct naive {
	uint64_t value[PMU_N_COUNTERS];
	uint64_t event[PMU_N_COUNTERS];
	uint32_t inhibit;
	uint32_t of, requests; /* OF, and overflows not yet looked at */
	enum pmu_mode mode;
};

struct pair {
	struct pmu_hart_config cfg;
	struct pmu_hart *h;
	struct naive n;
	uint64_t seed;
	uint64_t phase[PMU_N_TICKS]; /* of the clock's frequency */
};

static const struct pmu_timebase tb = { 10, 1, 0 };

static uint64_t rnd(struct pair *p)
{
	p->seed ^= p->seed << 13;
	p->seed ^= p->seed >> 7;
	p->seed ^= p->seed << 17;
	return p->seed;
}

static uint64_t below(struct pair *p, uint64_t n)
{
	return (rnd(p) >> 11) % n;
}

static bool ovf(const struct pair *p)
{
	return p->cfg.ext & PMU_EXT_SSCOFPMF;
}

static uint64_t top(const struct pair *p, unsigned n)
{
	return n < 3 ? UINT64_MAX : UINT64_MAX >> (64 - p->cfg.hpm_width[n]);
}

/* Does counter @n count @event in the current mode? */
static bool naive_counts(const struct pair *p, unsigned n, unsigned event)
{
	static const uint64_t selectors[] = { 2, 5,	   0x100000, 0x100001,
					      1, 0x100002, 0x100003, 8,
					      9, 0xa,	   7 };
	uint64_t cfg = p->n.event[n];
	bool filters = n < 3 ? p->cfg.ext & PMU_EXT_SMCNTRPMF : ovf(p);

	if (p->n.inhibit >> n & 1)
		return false;
	if (filters && (cfg & PMU_EVENT_MINH >> p->n.mode))
		return false;
	if (n == 0)
		return event == PMU_EV_CYCLES;
	if (n == 2)
		return event == PMU_EV_INSNS;
	if (ovf(p))
		cfg &= UINT64_MAX >> 8;
	return cfg == selectors[event] && p->cfg.hpm_events[n] >> event & 1;
}

/* @event happens, @times counted one by one. */
static void naive_count(struct pair *p, unsigned event, uint64_t times)
{
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		bool exists = n == 0 || n == 2 || p->cfg.hpm_mask >> n & 1;

		if (!exists || !naive_counts(p, n, event))
			continue;
		for (uint64_t i = 0; i < times; i++) {
			if (p->n.value[n] != top(p, n)) {
				p->n.value[n]++;
				continue;
			}
			p->n.value[n] = 0;
			if (n < 3 || !ovf(p) || (p->n.event[n] & PMU_EVENT_OF))
				continue;
			p->n.event[n] |= PMU_EVENT_OF;
			p->n.requests |= UINT32_C(1) << n;
		}
	}
}

/* A cycle passes, in which each clock ticks once or not at all. */
static void naive_cycles(struct pair *p, uint64_t cycles, bool halted)
{
	if (!halted)
		naive_count(p, PMU_EV_CYCLES, cycles);
	while (cycles--) {
		for (unsigned t = 0; t < PMU_N_TICKS; t++) {
			if (halted && t != PMU_TICK_BUS)
				continue;
			p->phase[t] += p->cfg.tick_hz[t];
			if (p->phase[t] < tb.clock_hz)
				continue;
			p->phase[t] -= tb.clock_hz;
			naive_count(p, PMU_EV_REF_CYCLES + t, 1);
		}
	}
}

static void agree(struct pair *p, const char *when)
{
	struct pmu_overflow taken[PMU_N_COUNTERS];
	uint32_t requests = 0;
	unsigned n_taken = pmu_hart_take_overflows(p->h, taken);

	for (unsigned i = 0; i < n_taken; i++)
		requests |= UINT32_C(1) << taken[i].counter;
	ck_assert_msg(requests == p->n.requests, "%s: requests", when);
	ck_assert_msg(!requests == !p->h->mip_soft, "%s: LCOFIP", when);
	p->n.requests = 0;
	p->h->mip_soft = 0;
	for (unsigned n = 0; n < PMU_N_COUNTERS; n++) {
		ck_assert_msg(pmu_counter_get(p->h, n) == p->n.value[n],
			      "%s: counter %u", when, n);
		ck_assert_msg(pmu_counter_event(p->h, n) == p->n.event[n],
			      "%s: event %u", when, n);
	}
}

/*
 * One run of instructions in one mode, up to the limit that the library gives:
 * exactly the instruction that reaches it must be the first to overflow.
 */
static void run(struct pair *p)
{
	struct pmu_progress limits, done = { .n = { 0 } };
	uint64_t insns = below(p, MAX_INSNS) + 1;
	bool reached = false;

	pmu_hart_limits(p->h, &limits);
	while (insns-- && !reached) {
		uint64_t kind = rnd(p);

		for (unsigned e = 0; e < PMU_N_ENGINE_EVENTS; e++) {
			if (e != PMU_EV_INSNS && (kind >> e & 3))
				continue;
			naive_count(p, e, 1);
			if (++done.n[e] == limits.n[e])
				reached = true;
		}
		naive_cycles(p, p->cfg.cpi, false);
		ck_assert_msg(!reached == !p->n.requests, "limit");
	}
	pmu_hart_advance(p->h, &done);
	agree(p, "run");
}

static void idle(struct pair *p)
{
	uint64_t cycles = below(p, 100) + 1, limit = pmu_hart_idle_limit(p->h);

	if (cycles > limit)
		cycles = limit;
	naive_cycles(p, cycles, false);
	ck_assert_msg((cycles == limit) == !!p->n.requests, "idle limit");
	pmu_hart_idle(p->h, cycles);
	agree(p, "idle");
}

static void halt(struct pair *p)
{
	uint64_t cycles = below(p, 100) + 1, limit = pmu_hart_halt_limit(p->h);

	if (cycles > limit)
		cycles = limit;
	naive_cycles(p, cycles, true);
	ck_assert_msg((cycles == limit) == !!p->n.requests, "halt limit");
	pmu_hart_halt(p->h, cycles);
	agree(p, "halt");
}

static void trap(struct pair *p)
{
	naive_count(p, PMU_EV_EXCEPTIONS, 1);
	naive_cycles(p, 3, false);
	counter_count(p->h, PMU_EV_EXCEPTIONS, 1);
	counter_spend(p->h, 3);
	agree(p, "trap");
}

static unsigned some_counter(struct pair *p)
{
	for (;;) {
		unsigned n = (unsigned)below(p, PMU_N_COUNTERS);

		if (pmu_counter_width(p->h, n))
			return n;
	}
}

/* A value near the end more often than not. */
static void write_value(struct pair *p)
{
	unsigned n = some_counter(p);
	uint64_t value = below(p, 4) ? -below(p, 3 * MAX_INSNS) : rnd(p);

	pmu_counter_set(p->h, n, value);
	p->n.value[n] = value & top(p, n);
	agree(p, "value");
}

static void write_event(struct pair *p)
{
	static const uint64_t selectors[] = { 0,	2, 5,	     0x100000,
					      0x100001, 1, 0x100002, 7,
					      0xa,	3 };
	unsigned n = some_counter(p);
	uint64_t event = selectors[below(p, ARRAY_SIZE(selectors))] |
			 (rnd(p) & rnd(p)) >> 58 << 58;
	uint64_t filters = PMU_EVENT_MINH | PMU_EVENT_SINH | PMU_EVENT_UINH;
	uint64_t mask = filters | PMU_EVENT_OF | UINT64_MAX >> 8;

	if (n < 3)
		mask = p->cfg.ext & PMU_EXT_SMCNTRPMF ? filters : 0;
	else if (!ovf(p))
		mask = p->cfg.xlen == 32 ? UINT32_MAX : UINT64_MAX;
	pmu_counter_set_event(p->h, n, event);
	p->n.event[n] = event & mask;
	agree(p, "event");
}

static void write_inhibit(struct pair *p)
{
	uint32_t inhibit = (uint32_t)(rnd(p) & rnd(p));

	pmu_counter_set_inhibit(p->h, inhibit);
	p->n.inhibit = inhibit & pmu_counters(p->h);
	agree(p, "inhibit");
}

static void change_mode(struct pair *p)
{
	p->n.mode = (enum pmu_mode)below(p, 3);
	pmu_hart_set_mode(p->h, p->n.mode);
}

static void random_config(struct pair *p)
{
	pmu_hart_config_init(&p->cfg, below(p, 2) ? 64 : 32);
	if (!below(p, 4))
		p->cfg.ext &= ~(uint32_t)PMU_EXT_SSCOFPMF;
	if (!below(p, 4))
		p->cfg.ext &= ~(uint32_t)PMU_EXT_SMCNTRPMF;
	p->cfg.hpm_mask &= (uint32_t)(rnd(p) | rnd(p));
	p->cfg.cpi = below(p, 2) ? 1 : (uint32_t)below(p, 7) + 1;
	for (unsigned t = 0; t < PMU_N_TICKS; t++)
		p->cfg.tick_hz[t] = below(p, tb.clock_hz + 1);
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++) {
		p->cfg.hpm_events[n] |= pmu_event_set_of_ticks(p->cfg.tick_hz);
		if (below(p, 2))
			p->cfg.hpm_width[n] = (uint8_t)(below(p, 64) + 1);
		if (!below(p, 4))
			p->cfg.hpm_events[n] &= rnd(p);
	}
}

TEST_TIMES(counters_agree_with_counting_one_by_one, N_SEEDS)
{
	static void (*const steps[])(struct pair * p) = {
		run,	     run,	  run,	       idle,
		halt,	     trap,	  write_value, write_value,
		write_event, write_event, change_mode, write_inhibit,
	};
	struct pair p = { .seed = (uint64_t)_i * 0x9e3779b97f4a7c15 + 1 };

	for (unsigned i = 0; i < 8; i++)
		(void)rnd(&p);
	random_config(&p);
	ck_assert_int_eq(pmu_hart_new(&p.h, &p.cfg, &tb), 0);
	for (unsigned i = 0; i < N_STEPS; i++)
		steps[below(&p, ARRAY_SIZE(steps))](&p);
	pmu_hart_free(p.h);
}

SUITE("counter-random");
