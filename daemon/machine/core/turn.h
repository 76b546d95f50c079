/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whose turn it is and what time it is: the clock moves by what the hart does
 * whose turn it is, so both are one thing. Three things take no time and yet
 * change something: a turn that begins, a hart that begins to wait, a software
 * event that is delivered without a trap. They are counted as moments of their
 * cycle, and the count is the second half of a stamp.
 */
#ifndef CORE_TURN_H
#define CORE_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"
#include "sched.h"
#include "state-bytes.h"

struct turn;

/* Nobody's turn, all harts stopped, the clock at 0. NULL without memory. */
struct turn *turn_new(unsigned harts, uint64_t quantum);
void turn_free(struct turn *t); /* NULL is fine */

/* As when it was new, but for the clock, and a moment later. */
void turn_reset(struct turn *t);

/* To be read with clock_now(). */
const struct clock *turn_clock(const struct turn *t);
/* While nobody runs: forward to @cycle. */
void turn_jump(struct turn *t, uint64_t cycle);

enum hart_status turn_status(const struct turn *t, unsigned hart);
void turn_set_status(struct turn *t, unsigned hart, enum hart_status status);

/* The hart whose turn it is, -1: nobody's. */
int turn_hart(const struct turn *t);
/* It, or who had the last one. */
unsigned turn_present(const struct turn *t);
/* It, or who is next in the order. */
unsigned turn_upcoming(const struct turn *t);

/* Is the next turn to be given, be it to the same hart again? */
bool turn_is_over(const struct turn *t);
/* The clock at which it is. */
uint64_t turn_end(const struct turn *t);
/* sched_urge(), sched_urge_at() */
void turn_urge(struct turn *t);
void turn_urge_at(struct turn *t, uint64_t clock);
/* Who gets it: the next running hart, or -1. Then turn_begin() it. */
int turn_next(struct turn *t);
void turn_begin(struct turn *t, const struct pmu_hart *h);
/* @h runs no more: its cycles move the clock no more. */
void turn_leave(struct turn *t, const struct pmu_hart *h);

/* Turns and waits begun, and software events come, at the present clock. */
uint32_t turn_moment(const struct turn *t);
/* One more. */
void turn_next_moment(struct turn *t);

/* All of it (state-bytes.h); @harts by their indexes. */
void turn_give(const struct turn *t, const struct pmu_hart *const *harts,
	       struct state *to);
void turn_take(struct turn *t, const struct pmu_hart *const *harts,
	       struct state *from);

#endif
