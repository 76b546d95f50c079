/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samplers: observers of all harts that leave a record of each period, with
 * the callers and registers at that point where they are asked for. Those of
 * the machine itself are given before the start, those of a session at any
 * time. They change nothing of the run.
 */
#ifndef CORE_MACHINE_SAMPLE_H
#define CORE_MACHINE_SAMPLE_H

#include "machine-hart.h"
#include "sampler.h"

struct samplers;

struct samplers *samplers_new(void); /* NULL without memory */
void samplers_free(struct samplers *all);
/*
 * From here on @list, of which a copy is kept, counts on all harts for @session
 * (0: the machine's own), and nothing else does for it. False: there cannot be
 * such, and all is as before.
 */
bool samplers_set(struct machine *m, uint32_t session,
		  const struct machine_sampler *list, size_t n,
		  struct error *e);
/* Are events of models among those of @session? */
bool samplers_have_models(const struct samplers *all, uint32_t session);
/* How many records those of @session have left. */
uint64_t samplers_recorded(const struct samplers *all, uint32_t session);
/* Which observers of a hart those of @session are, a bit for each. */
uint32_t samplers_observers(const struct samplers *all, uint32_t session);
/*
 * Records what those of @observers, bits, found at @h since the last time. @at:
 * where it goes on; @last_pc: the instruction. True: there was something, so
 * limits are void.
 */
bool samplers_record(struct machine *m, const struct hart *h,
		     uint32_t observers, struct record_at *at,
		     uint64_t last_pc);
/*
 * Records the sums that wait, of all samplers and harts: what came since the
 * last time.
 */
void samplers_write_sums(struct machine *m);
/* Has samplers_record() anything to do? */
bool samplers_any(const struct samplers *all);

/* All of it (state-bytes.h). */
void samplers_give(const struct samplers *all, struct state *to);
void samplers_take(struct samplers *all, struct state *from);

#endif
