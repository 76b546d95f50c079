/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Harts that take the same trap again and again. Only traps are counted, so
 * that it is the same in every run, and no guest sees it.
 */
#ifndef CORE_MACHINE_LOOP_H
#define CORE_MACHINE_LOOP_H

#include <pmu/trap.h>

#include "machine-hart.h"

struct loops *loops_new(void); /* NULL without memory */
void loops_free(struct loops *l);
/* @h has taken @trap. */
void loops_watch(struct machine *m, const struct hart *h,
		 const struct pmu_trap *trap);

/* All of it (state-bytes.h). */
void loops_give(const struct loops *l, struct state *to);
void loops_take(struct loops *l, struct state *from);

#endif
