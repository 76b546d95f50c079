/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Breakpoints: GDB inserts them whenever the target goes on and removes them
 * when it has stopped, the machine gets them as one list, when it goes on and
 * only if they have changed.
 */
#include "gdb-target.h"

#include <stdlib.h>
#include <string.h>

#include "session/pmud.h"

static size_t find(const struct gdb_target *t, const struct gdb_point *p)
{
	size_t i = 0;

	while (i < t->n_points && (t->points[i].kind != p->kind ||
				   t->points[i].address != p->address))
		i++;
	return i;
}

bool gdb_point_insert(struct gdb_target *t, const struct gdb_point *p)
{
	if (find(t, p) < t->n_points)
		return true;
	if (t->n_points == GDB_MAX_POINTS)
		return false;
	t->points[t->n_points++] = *p;
	return true;
}

void gdb_point_remove(struct gdb_target *t, const struct gdb_point *p)
{
	size_t i = find(t, p);

	if (i == t->n_points)
		return;
	t->points[i] = t->points[--t->n_points];
	if (t->n_removed < GDB_MAX_POINTS)
		t->removed[t->n_removed++] = p->address;
}

bool gdb_point_at(const struct gdb_target *t, uint64_t address,
		  unsigned *ret_kind)
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

static bool send(struct gdb_target *t, const uint64_t *pcs, size_t n)
{
	Pmu__V1__SetBreakpointsRequest req =
		PMU__V1__SET_BREAKPOINTS_REQUEST__INIT;
	Pmu__V1__SetBreakpointsResponse *r = NULL;
	bool good;

	if (n == t->n_set && memcmp(pcs, t->set, n * sizeof(*pcs)) == 0)
		return true;
	req.machine = (char *)t->machine;
	req.pcs = (uint64_t *)pcs;
	req.n_pcs = n;
	good = GDB_CALL(t, MachineService, SetBreakpoints, set_breakpoints,
			&req, &r);
	answer_free(r);
	if (good) {
		memcpy(t->set, pcs, n * sizeof(*pcs));
		t->n_set = n;
	}
	return good;
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
	t->n_points = t->n_removed = 0;
	return send(t, t->set, 0);
}
