/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is kept of misses, with setting uarch-explain: of each hart, event and
 * mode the last ones, and how many there were for each reason.
 */
#ifndef CORE_MACHINE_MISSES_H
#define CORE_MACHINE_MISSES_H

#include "machine-hart.h"
#include "miss-query.h"

struct misses;

/* Sets machine.misses, NULL where nobody asked. False: no memory. */
bool misses_make(struct machine *m);
void misses_free(struct misses *all); /* NULL is fine */
/* What @hart's instance remembers for it; NULL: nobody asks. */
struct pmu_misses *misses_of(const struct misses *all, unsigned hart);
/* Keeps those of the instruction at @pc, which @h's instance was shown. */
void misses_keep(struct machine *m, const struct hart *h, uint64_t pc);

/* All of it (state-bytes.h). */
void misses_give(const struct misses *all, struct state *to);
void misses_take(struct misses *all, struct state *from);

#endif
