/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samplers: observers of all harts that leave a record of each period, with
 * the callers and registers at that point where they are asked for. They are
 * given before the start and change nothing of the run.
 */
#ifndef CORE_MACHINE_SAMPLE_H
#define CORE_MACHINE_SAMPLE_H

#include "machine-hart.h"
#include "sampler.h"

struct samplers;

struct samplers *samplers_new(void); /* NULL without memory */
void samplers_free(struct samplers *all);
/* Keeps a copy of @list. False: there cannot be such. */
bool samplers_set(struct samplers *all, const struct machine_sampler *list,
		  size_t n, struct error *e);
/* From here on they count on @h. */
void samplers_observe(const struct samplers *all, struct pmu_hart *h);
/*
 * Records what the samplers of @h found since the last time. @at: where it
 * goes on; @last_pc: who did it. True: something was, so limits are void.
 */
bool samplers_record(struct machine *m, const struct hart *h,
		     struct record_at *at, uint64_t last_pc);
/* Has samplers_record() anything to do? */
bool samplers_any(const struct samplers *all);

/* All of it (state-bytes.h). */
void samplers_give(const struct samplers *all, struct state *to);
void samplers_take(struct samplers *all, struct state *from);

#endif
