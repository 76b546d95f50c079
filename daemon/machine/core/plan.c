/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plan and budget. Everything here is asked at each exit of the engine: what is
 * unchanged since the last one is not computed again.
 */
#include "plan.h"

#include <stdlib.h>

#include <pmu/csr.h>

/* What may have changed; several at once are ored. */
enum {
	PLAN_VOID = 1,	/* how far it goes at all: make another */
	PLAN_IRQ = 2,	/* whether there is an interrupt to take */
	PLAN_COUNT = 4, /* how far the next overflow is */
};

struct plan {
	unsigned changed; /* PLAN_... */
	bool watched;
	uint64_t clock;		  /* stop here */
	uint64_t insns;		  /* stop when the hart has retired so many */
	uint64_t cycles;	  /* that the present budget stands for */
	uint64_t host_left;	  /* host work until this slice ends */
	struct pmu_progress room; /* until the next overflow */
	struct engine_budget budget;
};

struct plan *plan_new(void)
{
	return calloc(1, sizeof(struct plan));
}

void plan_free(struct plan *p)
{
	free(p);
}

#define EVENT(name, changes)                                                   \
	void plan_##name(struct plan *p)                                       \
	{                                                                      \
		p->changed |= (changes);                                       \
	}

EVENT(left, PLAN_VOID)
EVENT(turn_changed, PLAN_VOID)
EVENT(timer_changed, PLAN_VOID)
EVENT(goal_changed, PLAN_VOID)
EVENT(input_came, PLAN_VOID)
EVENT(moment_passed, PLAN_VOID)
EVENT(stop_wanted, PLAN_VOID)
EVENT(interrupts_changed, PLAN_IRQ)
EVENT(wait_ended, PLAN_IRQ | PLAN_COUNT)
EVENT(trapped, PLAN_IRQ | PLAN_COUNT)
EVENT(overflowed, PLAN_IRQ | PLAN_COUNT)
EVENT(counts_changed, PLAN_COUNT)
EVENT(observers_changed, PLAN_VOID | PLAN_COUNT)

void plan_watch(struct plan *p, bool watch)
{
	p->watched = watch;
}

void plan_begin_slice(struct plan *p, uint64_t soft)
{
	p->host_left = soft ? soft : 1;
}

void plan_spend(struct plan *p, uint64_t work)
{
	p->host_left -= p->host_left < work ? p->host_left : work;
}

void plan_end_slice(struct plan *p)
{
	p->host_left = 0;
}

bool plan_has_slice(const struct plan *p)
{
	return p->host_left;
}

void plan_make(struct plan *p, uint64_t clock, uint64_t insns)
{
	p->clock = clock;
	p->insns = insns;
	p->changed = PLAN_IRQ | PLAN_COUNT;
}

bool plan_is_over(const struct plan *p, uint64_t now, const struct pmu_hart *h)
{
	return p->changed & PLAN_VOID || now >= p->clock ||
	       pmu_hart_insns(h) >= p->insns;
}

bool plan_has_irq(const struct plan *p)
{
	return p->changed & PLAN_IRQ;
}

void plan_no_irq(struct plan *p)
{
	p->changed &= ~(unsigned)PLAN_IRQ;
}

enum plan_next plan_next(const struct plan *p)
{
	if (p->changed & PLAN_VOID || !p->host_left || p->watched)
		return PLAN_STOP;
	return p->changed & PLAN_IRQ ? PLAN_ASK : PLAN_GO;
}

bool plan_set_budget(struct plan *p, const struct pmu_hart *h, uint64_t now)
{
	uint64_t own = pmu_hart_insns(h), n;

	if (now >= p->clock || own >= p->insns) {
		p->changed |= PLAN_VOID;
		return false;
	}
	if (p->changed & PLAN_COUNT)
		pmu_hart_limits(h, &p->room);
	p->changed &= ~(unsigned)PLAN_COUNT;
	/* one by one, as they were computed */
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++)
		p->budget.limit.n[i] = p->room.n[i];
	p->budget.limit.stalled = p->room.stalled;
	p->cycles = p->clock - now;
	n = pmu_hart_insns_until(h, p->cycles);
	if (p->insns - own < n)
		n = p->insns - own;
	if (n < p->budget.limit.n[PMU_EV_INSNS])
		p->budget.limit.n[PMU_EV_INSNS] = n;
	p->budget.soft = p->host_left;
	return true;
}

void plan_set_single(struct plan *p)
{
	p->budget.limit.n[PMU_EV_INSNS] = 1;
}

struct engine_budget *plan_budget(struct plan *p)
{
	return &p->budget;
}

void plan_advance(struct plan *p, struct pmu_hart *h)
{
	struct engine_budget *b = &p->budget;

	pmu_hart_advance(h, &b->done);
	if (b->done.stalled)
		p->changed |= PLAN_COUNT;
	b->done.stalled = 0;
	plan_spend(p, b->done.n[PMU_EV_INSNS]);
	for (unsigned i = 0; i < PMU_N_ENGINE_EVENTS; i++) {
		p->room.n[i] -= b->done.n[i];
		b->done.n[i] = 0;
	}
}

void plan_count(struct plan *p, enum pmu_event event)
{
	p->room.n[event]--;
}

void plan_executed(struct plan *p, unsigned effects)
{
	p->room.n[PMU_EV_INSNS]--;
	if (!effects)
		return;
	if (effects & (PMU_FX_MODE | PMU_FX_COUNT))
		p->changed |= PLAN_COUNT;
	if (effects & (PMU_FX_MODE | PMU_FX_IRQ))
		p->changed |= PLAN_IRQ;
	if (effects & PMU_FX_TIMER)
		p->changed |= PLAN_VOID;
}

uint64_t plan_under_way(const struct plan *p, const struct pmu_hart *h)
{
	return plan_inside(p, h, 0);
}

uint64_t plan_inside(const struct plan *p, const struct pmu_hart *h,
		     uint64_t insns)
{
	struct pmu_progress done = p->budget.done;

	done.n[PMU_EV_INSNS] += insns;
	return pmu_hart_cost(h, &done);
}

void plan_stall(struct plan *p, const struct pmu_hart *h, uint64_t cycles)
{
	struct engine_budget *b = &p->budget;
	uint64_t end = pmu_hart_idle_limit(h), n = 0;

	/* What is done since the last one does not count in it yet, either. */
	if (p->cycles < end)
		end = p->cycles;
	b->done.stalled += cycles;
	if (b->done.stalled < end)
		n = pmu_hart_insns_until(h, end - b->done.stalled);
	if (n < b->limit.n[PMU_EV_INSNS])
		b->limit.n[PMU_EV_INSNS] = n;
}

void plan_cut(struct plan *p)
{
	p->budget.limit.n[PMU_EV_INSNS] = p->budget.done.n[PMU_EV_INSNS] + 1;
}

void plan_give(const struct plan *p, struct state *to)
{
	state_put(to, "plan", p, sizeof(*p));
}

void plan_take(struct plan *p, struct state *from)
{
	state_get(from, "plan", p, sizeof(*p));
}
