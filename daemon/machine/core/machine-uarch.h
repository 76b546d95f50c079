/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The models of the harts' cores. Each hart has an instance for its guest, fed
 * from the first event of a model on that the guest chooses, for good, or
 * always where the hart waits for what it finds (timing=inorder); one for
 * totals, and one for samplers, fed while there is any. Neither knows of the
 * others.
 */
#ifndef CORE_MACHINE_UARCH_H
#define CORE_MACHINE_UARCH_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/uarch.h>

#include "machine-hart.h"
#include "state-bytes.h"

/* Sets machine.uarchs, NULL where settings ask for none. False: no memory. */
bool uarchs_make(struct machine *m);
void uarchs_free(struct uarchs *all); /* NULL is fine */

/*
 * @h runs next, or goes on: who is fed, and whose addresses are its own. Does
 * nothing without models. Returns what the engine has to tell of: PMU_LOOK_...
 * of what it executes, 0: nothing.
 */
unsigned uarch_enter(struct machine *m, const struct hart *h);
/* struct engine_host_ops */
bool uarch_executed(void *host, const struct pmu_uarch_insn *insn, bool over);
/* @h has executed @insn, which left the engine. */
void uarch_retired(struct machine *m, const struct hart *h, uint32_t insn);
/* Its translations are void by another hart's demand. */
void uarch_fence(struct machine *m, unsigned hart);
/* All cores are cold. */
void uarchs_reset(struct machine *m);
/* There are other samplers: what they see is cold. */
void uarchs_samplers_changed(struct machine *m);
/* Is @hart stepped when it runs, as a model is shown what it executes? */
bool uarch_steps(const struct machine *m, unsigned hart);

/* All of it (state-bytes.h). */
void uarchs_give(const struct machine *m, struct state *to);
void uarchs_take(struct machine *m, struct state *from);

#endif
