/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Feeding: the host is told of instructions with their addresses, for models
 * that need them (pmu/uarch.h). Each instruction then runs on its own, so that
 * the host can have the run end behind any of them; without feeding none of
 * this costs anything.
 */
#ifndef ENGINE_ENGINE_FEED_H
#define ENGINE_ENGINE_FEED_H

#include <stdbool.h>
#include <stdint.h>

struct engine;

/*
 * Between runs: engine_host_ops.executed is called from now on, for
 * instructions that have something of @looks (PMU_LOOK_...), or with 0 no more.
 * Returns 0 or -ENGINE_ENOMEM: it is as before.
 */
int engine_feed(struct engine *e, unsigned looks);
/*
 * Inside engine_host_ops.executed: how many instructions have been executed
 * that budget->done does not have yet, the one that is told of among them.
 */
uint64_t engine_fed(const struct engine *e);

#endif
