/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Breakpoints and watchpoints: GDB inserts them whenever the target goes on and
 * removes them when it has stopped, the machine gets them as one list, when it
 * goes on and only if they have changed.
 */
#include "gdb-target.h"

#include <stdlib.h>
#include <string.h>

#include "session/pmud.h"

static size_t find(const struct gdb_point *list, size_t n,
		   const struct gdb_point *p)
{
	size_t i = 0;

	while (i < n &&
	       (list[i].kind != p->kind || list[i].address != p->address ||
		list[i].bytes != p->bytes))
		i++;
	return i;
}

static bool insert(struct gdb_point *list, size_t *n, size_t max,
		   const struct gdb_point *p)
{
	if (find(list, *n, p) < *n)
		return true;
	if (*n == max)
		return false;
	list[(*n)++] = *p;
	return true;
}

bool gdb_point_insert(struct gdb_target *t, const struct gdb_point *p)
{
	if (p->bytes)
		return insert(t->watches, &t->n_watches, GDB_MAX_WATCHES, p);
	return insert(t->points, &t->n_points, GDB_MAX_POINTS, p);
}

static bool take_out(struct gdb_point *list, size_t *n,
		     const struct gdb_point *p)
{
	size_t i = find(list, *n, p);

	if (i == *n)
		return false;
	list[i] = list[--*n];
	return true;
}

void gdb_point_remove(struct gdb_target *t, const struct gdb_point *p)
{
	if (p->bytes)
		take_out(t->watches, &t->n_watches, p);
	else if (take_out(t->points, &t->n_points, p) &&
		 t->n_removed < GDB_MAX_POINTS)
		t->removed[t->n_removed++] = p->address;
}

bool gdb_watch_at(const struct gdb_target *t, uint64_t address, uint64_t bytes,
		  struct gdb_point *ret)
{
	for (size_t i = 0; i < t->n_watches; i++) {
		const struct gdb_point *p = &t->watches[i];

		if (address - p->address >= p->bytes &&
		    p->address - address >= bytes)
			continue;
		*ret = *p;
		if (address - p->address < p->bytes)
			ret->address = address;
		return true;
	}
	return false;
}

bool gdb_point_at(const struct gdb_target *t, uint64_t address,
		  enum gdb_kind *ret_kind)
{
	for (size_t i = 0; i < t->n_points; i++) {
		if (t->points[i].address != address)
			continue;
		*ret_kind = t->points[i].kind;
		return true;
	}
	return false;
}

static void add(uint64_t *list, size_t *n, uint64_t address)
{
	for (size_t i = 0; i < *n; i++)
		if (list[i] == address)
			return;
	if (*n < GDB_MAX_POINTS)
		list[(*n)++] = address;
}

static int compare(const void *a, const void *b)
{
	uint64_t x, y;

	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return (x > y) - (x < y);
}

static bool same_watches(const struct gdb_target *t)
{
	for (size_t i = 0; i < t->n_watches; i++)
		if (find(t->watches_set, t->n_watches_set, &t->watches[i]) ==
		    t->n_watches_set)
			return false;
	return t->n_watches == t->n_watches_set;
}

/* The watchpoints of the request, in @points. */
static void fill_watches(const struct gdb_target *t,
			 Pmu__V1__Watchpoint *points,
			 Pmu__V1__Watchpoint **list)
{
	for (size_t i = 0; i < t->n_watches; i++) {
		const struct gdb_point *p = &t->watches[i];

		list[i] = &points[i];
		pmu__v1__watchpoint__init(list[i]);
		list[i]->address = p->address;
		list[i]->bytes = p->bytes;
		list[i]->loads = p->kind != GDB_WRITE;
		list[i]->stores = p->kind != GDB_READ;
	}
}

static bool send(struct gdb_target *t, const uint64_t *pcs, size_t n)
{
	Pmu__V1__SetBreakpointsRequest req =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__SetBreakpointsResponse *r = NULL;
	Pmu__V1__Watchpoint points[GDB_MAX_WATCHES], *list[GDB_MAX_WATCHES];

	if (t->sent && n == t->n_set &&
	    memcmp(pcs, t->set, n * sizeof(*pcs)) == 0 && same_watches(t))
		return true;
	fill_watches(t, points, list);
	req.machine = (char *)t->machine;
	req.pcs = (uint64_t *)pcs;
	req.n_pcs = n;
	req.watchpoints = list;
	req.n_watchpoints = t->n_watches;
	if (!GDB_CALL(t, SetBreakpoints, &req, &r))
		return false;
	answer_free(r);
	memmove(t->set, pcs, n * sizeof(*pcs));
	t->n_set = n;
	t->sent = true;
	memcpy(t->watches_set, t->watches, sizeof(t->watches));
	t->n_watches_set = t->n_watches;
	return true;
}

bool gdb_points_send(struct gdb_target *t, bool all)
{
	uint64_t pcs[GDB_MAX_POINTS];
	size_t n = 0;

	for (size_t i = 0; i < t->n_points; i++)
		add(pcs, &n, t->points[i].address);
	for (size_t i = 0; all && i < t->n_removed; i++)
		add(pcs, &n, t->removed[i]);
	qsort(pcs, n, sizeof(*pcs), compare);
	if (!all)
		t->n_removed = 0;
	return send(t, pcs, n);
}

bool gdb_points_clear(struct gdb_target *t)
{
	t->n_points = t->n_removed = t->n_watches = 0;
	return send(t, t->set, 0);
}
