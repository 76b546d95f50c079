/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hart is, but for its wait: libpmu's part, and of the engine's its
 * registers, its reservation and the translations that it still goes by, which
 * a guest that owes a fence can see.
 */
#include "machine-hart-state.h"

#include "machine-hart.h"

void hart_give(const struct machine *m, const struct hart *h, struct state *to)
{
	void *room = state_room(to, "hart", pmu_hart_state_size());
	struct engine_reservation r;
	struct engine_leaf leaf;
	struct hart_state regs;
	size_t at = 0;

	if (room)
		pmu_hart_give(h->pmu, room);
	engine_ctx_save(m->engine, h->ctx, &regs);
	state_put(to, "registers", &regs, sizeof(regs));
	if (engine_give_reservation(m->engine, h->ctx, &r))
		state_put(to, "reservation", &r, sizeof(r));
	while (engine_give_leaf(m->engine, h->ctx, &at, &leaf))
		state_put(to, "leaf", &leaf, sizeof(leaf));
}

void hart_take(struct machine *m, const struct hart *h, struct state *from)
{
	const void *state = state_take(from, "hart", pmu_hart_state_size());
	struct engine_reservation r;
	struct hart_state regs = { 0 };

	if (state && pmu_hart_take(h->pmu, state) < 0)
		from->failed = "hart";
	state_get(from, "registers", &regs, sizeof(regs));
	engine_ctx_load(m->engine, h->ctx, &regs);
	if (state_is_next(from, "reservation")) {
		state_get(from, "reservation", &r, sizeof(r));
		engine_take_reservation(m->engine, h->ctx, &r);
	}
	while (state_is_next(from, "leaf")) {
		struct engine_leaf leaf = { { 0 } };

		state_get(from, "leaf", &leaf, sizeof(leaf));
		engine_take_leaf(m->engine, h->ctx, &leaf);
	}
}
