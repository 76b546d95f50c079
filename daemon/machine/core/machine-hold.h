/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What holds a machine still, for the core; what may be asked for from outside
 * is in machine-stop.h. Nothing here moves what the guest sees.
 */
#ifndef CORE_MACHINE_HOLD_H
#define CORE_MACHINE_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "machine-hart.h"

struct hold *hold_new(void); /* NULL without memory */
void hold_free(struct hold *hold);

/* Holds it for @cause; what it was to run until is forgotten. */
void hold_still(struct machine *m, enum machine_cause cause);
/* Is what it was to run until reached? Then it is held. */
bool hold_if_due(struct machine *m);
/* Held before the next instruction of @h if there is a reason. */
bool hold_before(struct machine *m, const struct hart *h);

/* A turn of @h begins, which may be the one that steps. */
void hold_turn(struct machine *m, const struct hart *h);
/* @h has been moved by a trap, or a call, from where it was held. */
void hold_moved(struct machine *m, const struct hart *h);
/* All harts are elsewhere. */
void hold_reset(struct machine *m);
/* It takes a trap or a software event, which may end its step. */
void hold_trapped(struct machine *m, const struct hart *h);
/* Only input can wake a hart: a step says how far it came until then. */
void hold_waits(struct machine *m);
/* The clock up to which a machine without anything to do may jump. */
uint64_t hold_clock(const struct machine *m);
/* Lowers how far @h, whose turn it is, may run: clock and instructions. */
void hold_limit(const struct machine *m, const struct hart *h, uint64_t *clock,
		uint64_t *insns);

/* How many more pcs can be stopped at. */
size_t hold_room(const struct machine *m);

/*
 * Around a run of @h in the engine. True: of one instruction only, before which
 * it has been held already.
 */
bool hold_begin_run(struct machine *m, const struct hart *h);
void hold_end_run(struct machine *m, const struct hart *h);

/* All of it (state-bytes.h). */
void hold_give(const struct hold *hold, struct state *to);
void hold_take(struct machine *m, struct state *from);

#endif
