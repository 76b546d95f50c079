/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How far the present hart may run: to a cycle and an instruction, to the next
 * overflow of one of its counters, to the next interrupt, to the end of the
 * host's slice. What changes one of these marks the plan; the engine's budget
 * is made from it and belongs to it.
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

/* What may have changed; several at once are ored. */
enum {
	PLAN_VOID = 1,	/* how far it goes at all: make another */
	PLAN_IRQ = 2,	/* whether there is an interrupt to take */
	PLAN_COUNT = 4, /* how far the next overflow is */
};
void plan_mark(struct plan *p, unsigned changes);
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

/* Sets the budget for @h. False: the plan allows no instruction. */
bool plan_set_budget(struct plan *p, const struct pmu_hart *h, uint64_t now);
/* One instruction at most. */
void plan_set_single(struct plan *p);
/* For engine_run(). */
struct engine_budget *plan_budget(struct plan *p);
/* Folds what the engine has done since the last time into @h. */
void plan_advance(struct plan *p, struct pmu_hart *h);
/* The host has done one such event for the hart; @changes are marked. */
void plan_count(struct plan *p, enum pmu_event event, unsigned changes);
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
