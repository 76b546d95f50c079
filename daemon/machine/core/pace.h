/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast the clock of an idle machine goes: at once to where something can
 * happen, or, with a pacer, there as its time passes. Looking at it on the way
 * changes nothing: what happens, happens at the same cycles.
 */
#ifndef CORE_PACE_H
#define CORE_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "pacer.h"
#include "turn.h"

struct pace;

/* @pacer: the caller's, or NULL: no time is waited for. NULL without memory. */
struct pace *pace_new(struct pacer *pacer);
void pace_free(struct pace *p); /* NULL is fine */

/*
 * Nobody runs and nothing happens before cycle @until: the clock goes there.
 * False: it has not come so far yet, the machine sleeps.
 */
bool pace_idle(struct pace *p, struct turn *t, uint64_t until);
/*
 * Nothing will happen but from outside, and the clock stands until then: what
 * comes acts where it has come to, at most at @limit.
 */
void pace_wait(struct pace *p, const struct turn *t, uint64_t limit);
/* Somebody runs again, or the machine is held: the stretch is over. */
void pace_end(struct pace *p);

/* The clock comes to where it is by now, if the machine sleeps. */
void pace_look(struct pace *p, struct turn *t);
/* The same for an input, which ends waiting for one, too. */
void pace_act(struct pace *p, struct turn *t);
/* Does it sleep? *@ret: until which cycle. */
bool pace_sleeps(const struct pace *p, uint64_t *ret);

#endif
