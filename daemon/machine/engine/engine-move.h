/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a context has beside its registers, for one of another engine that goes
 * on where it stands: engine.h says the rest.
 */
#ifndef ENGINE_ENGINE_MOVE_H
#define ENGINE_ENGINE_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;
struct engine_ctx; /* one hart's registers, as this engine keeps them */

/*
 * The LR reservation that the next run of @ctx still has, for a context of
 * another engine. False: none, or one that the next run drops.
 */
struct engine_reservation {
	uint64_t addr, value; /* where LR read, and what */
};
bool engine_give_reservation(const struct engine *e, struct engine_ctx *ctx,
			     struct engine_reservation *ret);
/* Between runs: @ctx is the one that ran last, and holds it. */
void engine_take_reservation(struct engine *e, struct engine_ctx *ctx,
			     const struct engine_reservation *r);

/*
 * The translations that the next run of @ctx still goes by, one by one, for a
 * context of another engine: *@at is 0 before the first. False: no more.
 */
struct engine_leaf {
	uint64_t word[3]; /* the engine's */
};
bool engine_give_leaf(const struct engine *e, const struct engine_ctx *ctx,
		      size_t *at, struct engine_leaf *ret);
/* Between runs: @ctx is the one that ran last, and goes by it. */
void engine_take_leaf(struct engine *e, struct engine_ctx *ctx,
		      const struct engine_leaf *leaf);

#endif
