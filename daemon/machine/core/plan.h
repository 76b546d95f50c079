/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far the present hart may run: to a cycle and an instruction, to the next
 * overflow of one of its counters, to the next interrupt, to the end of the
 * host's slice. It is told what happens and knows what of that changes one of
 * these; the engine's budget is made from it and belongs to it.
 */
#ifndef CORE_PLAN_H
#define CORE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "state-bytes.h"

struct plan;

/* NULL without memory. */
struct plan *plan_new(void);
void plan_free(struct plan *p); /* NULL is fine */

/*
 * What has happened. The plan knows what is to be asked again because of it:
 * how far it goes at all, whether there is an interrupt to take, how far the
 * next overflow is.
 */
void plan_left(struct plan *p); /* between two runs: another is to be made */
void plan_turn_changed(struct plan *p);	 /* a hart came, went or is called */
void plan_timer_changed(struct plan *p); /* a comparator or its enable */
void plan_goal_changed(struct plan *p);	 /* a step, run-until, an injection */
void plan_input_came(struct plan *p);
void plan_moment_passed(struct plan *p); /* at one cycle, turn_next_moment() */
/* Something is to be done behind this instruction: an end, a stop, a client. */
void plan_stop_wanted(struct plan *p);
void plan_interrupts_changed(struct plan *p);
void plan_wait_ended(struct plan *p); /* a WFI retires */
void plan_trapped(struct plan *p);
void plan_overflowed(struct plan *p);
void plan_counts_changed(struct plan *p);    /* a sampler is armed again */
void plan_observers_changed(struct plan *p); /* there are others */
/* Every instruction is looked at first: breakpoints. */
void plan_watch(struct plan *p, bool watch);

/* The host lets it do so much work, about as of so many instructions. */
void plan_begin_slice(struct plan *p, uint64_t soft);
void plan_spend(struct plan *p, uint64_t work);
void plan_end_slice(struct plan *p);
bool plan_has_slice(const struct plan *p);

/* A new plan: up to cycle @clock, or until its hart has retired @insns. */
void plan_make(struct plan *p, uint64_t clock, uint64_t insns);
/* Does it reach no further, at this clock? */
bool plan_is_over(const struct plan *p, uint64_t now, const struct pmu_hart *h);
/* Must it be asked for interrupts? plan_no_irq(): there was none. */
bool plan_has_irq(const struct plan *p);
void plan_no_irq(struct plan *p);

/* May the hart go on without anybody being asked? */
enum plan_next {
	PLAN_STOP,
	PLAN_ASK, /* if no interrupt is to be taken */
	PLAN_GO,
};
enum plan_next plan_next(const struct plan *p);

/* Sets the budget for @h. False: no instruction is left, the plan is over. */
bool plan_set_budget(struct plan *p, const struct pmu_hart *h, uint64_t now);
/* One instruction at most. */
void plan_set_single(struct plan *p);
/* For engine_run(). */
struct engine_budget *plan_budget(struct plan *p);
/* Folds what the engine has done since the last time into @h. */
void plan_advance(struct plan *p, struct pmu_hart *h);
/* The host has done one such event for the hart. */
void plan_count(struct plan *p, enum pmu_event event);
/* The host has executed an instruction, with these effects (PMU_FX_...). */
void plan_executed(struct plan *p, unsigned effects);
/* Cycles of the run under way of @h that are not folded yet. */
uint64_t plan_under_way(const struct plan *p, const struct pmu_hart *h);
/* With so many instructions more, of which the budget does not know yet. */
uint64_t plan_inside(const struct plan *p, const struct pmu_hart *h,
		     uint64_t insns);
/*
 * Inside a run, the hart waits for so many cycles in the instruction under way:
 * the budget's limit is as much nearer.
 */
void plan_stall(struct plan *p, const struct pmu_hart *h, uint64_t cycles);
/* Run no further than the instruction under way. */
void plan_cut(struct plan *p);

/* All of it (state-bytes.h). */
void plan_give(const struct plan *p, struct state *to);
void plan_take(struct plan *p, struct state *from);

#endif
