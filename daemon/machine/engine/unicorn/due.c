/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is due between two instructions, before the one that comes next: a limit
 * reached, code that is void, the host's turn, a breakpoint.
 */
#include "adapter.h"

bool breakpoint_in(const struct engine *e, uint64_t lo, uint64_t hi)
{
	size_t from = 0, to = e->n_breakpoints;

	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (e->breakpoints[mid] < lo)
			from = mid + 1;
		else
			to = mid;
	}
	return from < e->n_breakpoints && e->breakpoints[from] < hi;
}

enum outcome slot_due(struct slot *s, uint64_t addr)
{
	struct engine *e = s->e;
	const struct engine_budget *budget = e->budget;

	if (budget_reached(budget))
		return OUT_LIMIT;
	if (e->fence_seen) {
		e->fence_seen = false;
		e->fence_due = e->n_dirty != 0;
	}
	if (e->fence_due || s->tb_bytes > s->tb_limit)
		return OUT_AGAIN;
	if (e->progressed && (!s->is_step || steps_all(e)) &&
	    budget->done.n[PMU_EV_INSNS] >= budget->soft)
		return OUT_SOFT;
	if (breakpoint_in(e, addr, addr + 1) &&
	    !(e->live->passing && e->live->pass_pc == addr))
		return OUT_BREAK;
	return OUT_NONE;
}
