/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Watchpoints are by the address that an instruction has, whatever it is
 * translated to; fetches and page-table walks are no accesses. The engine tells
 * of those to a page in which something is watched, here it is looked which.
 */
#include "machine-watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/page.h>
#include <pmu/translate.h>

#include "engine/engine.h"
#include "machine-hart.h"
#include "plan.h"
#include "turn.h"

struct watches {
	struct machine_watchpoint points[MACHINE_MAX_WATCHPOINTS];
	size_t n;
	struct machine_access seen;
};

struct watches *watches_new(void)
{
	return calloc(1, sizeof(struct watches));
}

void watches_free(struct watches *w)
{
	free(w);
}

/* Have the two ranges, of which neither wraps, a byte in common? */
static bool meets(const struct machine_watchpoint *p, uint64_t at, uint64_t len)
{
	return at - p->address < p->bytes || p->address - at < len;
}

uint8_t watches_page(const struct machine *m, uint64_t vaddr)
{
	const struct watches *w = m->watches;
	uint64_t page = vaddr - vaddr % PMU_PAGE;
	uint8_t perms = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (!meets(&w->points[i], page, PMU_PAGE))
			continue;
		perms |= w->points[i].loads ? PMU_PERM_R : 0;
		perms |= w->points[i].stores ? PMU_PERM_W : 0;
	}
	return perms;
}

/* The first of an instruction's parts is the one that is told. */
void watches_see(struct machine *m, const struct engine_access *access)
{
	struct watches *w = m->watches;

	for (size_t i = 0; i < w->n && !w->seen.size; i++) {
		const struct machine_watchpoint *p = &w->points[i];

		if (!((p->loads && access->load) ||
		      (p->stores && access->store)) ||
		    !meets(p, access->vaddr, access->size))
			continue;
		w->seen = (struct machine_access){
			.hart = (unsigned)turn_hart(m->turn),
			.point = *p,
			.address = access->vaddr,
			.size = access->size,
			.store = access->store,
		};
		plan_stop_wanted(m->plan);
		plan_cut(m->plan);
	}
}

bool watches_due(const struct machine *m)
{
	return m->watches->seen.size;
}

void watches_forget(struct machine *m)
{
	m->watches->seen.size = 0;
}

const struct machine_access *watches_seen(const struct machine *m)
{
	return &m->watches->seen;
}

static bool check(const struct machine *m, const struct machine_watchpoint *p,
		  struct error *e)
{
	uint64_t last = p->address + p->bytes - 1;
	bool rv32 = m->cfg->settings.xlen == 32;

	if (!p->loads && !p->stores)
		return error_set(e, ERROR_INVALID,
				 AT(PART_WATCHPOINTS, "FIELD_MISSING"),
				 "watchpoints: neither loads nor stores at "
				 "0x%" PRIx64,
				 p->address);
	if (!p->bytes || last < p->address || (rv32 && last > UINT32_MAX))
		return error_set(e, ERROR_INVALID,
				 AT(PART_WATCHPOINTS, "BAD_SIZE"),
				 "watchpoints: %" PRIu64 " bytes at 0x%" PRIx64
				 ": must be 1 or more, within the addresses",
				 p->bytes, p->address);
	return true;
}

bool machine_set_watchpoints(struct machine *m,
			     const struct machine_watchpoint *points, size_t n,
			     struct error *e)
{
	struct watches *w = m->watches;

	if (n > MACHINE_MAX_WATCHPOINTS)
		return error_set(e, ERROR_NO_ROOM,
				 AT(PART_WATCHPOINTS, "TOO_MANY"),
				 "watchpoints: must be at most %d, not %zu",
				 MACHINE_MAX_WATCHPOINTS, n);
	for (size_t i = 0; i < n; i++)
		if (!check(m, &points[i], e))
			return false;
	if (n) /* no list at all is NULL */
		memcpy(w->points, points, n * sizeof(*points));
	/* what the engine holds of pages may say too little */
	if (n || w->n)
		engine_watched_changed(m->engine);
	w->n = n;
	return true;
}

void watches_give(const struct watches *w, struct state *to)
{
	state_put(to, "watches", w, sizeof(*w));
}

void watches_take(struct watches *w, struct state *from)
{
	state_get(from, "watches", w, sizeof(*w));
}
