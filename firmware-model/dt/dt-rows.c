/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The three tables of a riscv,pmu node: what a row may be. They are read in the
 * reference's order, since it stops at the first row that it does not like.
 * What rows mean for a counter is decided by ctr-map.c; the counters' bitmaps
 * are kept as they are, since harts differ.
 */
#include <libfdt.h>
#include <string.h>

#include <pmu/counter.h>

#include "dt-reader.h"

enum {
	FIXED_BITS = 7
};
struct row_table {
	const char *name;
	unsigned cells; /* of a row */
	/* Takes row @n, from 1. */
	void (*row)(struct dt_reader *r, const fdt32_t *cell, unsigned n);
};

static uint64_t cells64(const fdt32_t *cell)
{
	return (uint64_t)fdt32_ld(cell) << 32 | fdt32_ld(cell + 1);
}

uint32_t dt_usable(uint32_t counters, uint32_t event_idx)
{
	uint32_t usable = ~(uint32_t)FIXED_BITS;

	if (event_idx == FW_EVENT_CYCLES)
		usable |= 1u << 0;
	if (event_idx == FW_EVENT_INSTRUCTIONS)
		usable |= 1u << 2;
	return counters & usable;
}

/* Rows of riscv,event-to-mhpmcounters */

static bool covers(const struct dt_range *g, uint32_t event_idx)
{
	return g->first <= event_idx && event_idx <= g->last;
}

static bool overlaps(const struct dt_map *map, const struct dt_range *g)
{
	for (unsigned i = 0; i < map->n_ranges; i++)
		if (g->first <= map->ranges[i].last &&
		    g->last >= map->ranges[i].first)
			return true;
	return false;
}

static bool any_known(const struct dt_range *g)
{
	for (uint32_t e = g->first; e <= g->last; e++)
		if (fw_event_is_defined(e))
			return true;
	return false;
}

/* Has some event of the row a counter? */
static bool range_counts(const struct dt_range *g)
{
	return g->counters & ~(uint32_t)FIXED_BITS ||
	       (covers(g, FW_EVENT_CYCLES) && dt_usable(g->counters, 1)) ||
	       (covers(g, FW_EVENT_INSTRUCTIONS) && dt_usable(g->counters, 2));
}

/* What is odd about a good row. */
static void check_range(struct dt_reader *r, const struct dt_range *g,
			unsigned n)
{
	if (covers(g, 0))
		dt_report(r, DT_RANGE_ZERO, DT_PROP_RANGES, n);
	else if (!any_known(g))
		dt_report(r, DT_RANGE_UNKNOWN, DT_PROP_RANGES, n);
	if (!range_counts(g))
		dt_report(r, DT_RANGE_NONE, DT_PROP_RANGES, n);
	else if (!(g->counters & ~(uint32_t)FIXED_BITS) && r->sscofpmf_alone)
		dt_report(r, DT_RANGE_FIXED_ONLY, DT_PROP_RANGES, n);
}

static void range_row(struct dt_reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_range g = { fdt32_ld(cell), fdt32_ld(cell + 1),
			      fdt32_ld(cell + 2) };
	bool drop = false;

	if (g.first > g.last)
		drop = dt_report(r, DT_RANGE_ORDER, DT_PROP_RANGES, n);
	else if (g.last >= FW_EVENT_RAW)
		drop = dt_report(r, DT_RANGE_RAW, DT_PROP_RANGES, n);
	else if (overlaps(r->map, &g))
		drop = dt_report(r, DT_RANGE_OVERLAP, DT_PROP_RANGES, n);
	else if (g.first > FW_EVENT_INSTRUCTIONS && g.counters & FIXED_BITS)
		drop = dt_report(r, DT_RANGE_FIXED, DT_PROP_RANGES, n);
	if (drop)
		return;
	check_range(r, &g, n);
	r->map->ranges[r->map->n_ranges++] = g;
}

/* Rows of riscv,event-to-mhpmevent */

static bool in_a_range(const struct dt_map *map, uint32_t event_idx)
{
	for (unsigned i = 0; i < map->n_ranges; i++)
		if (covers(&map->ranges[i], event_idx))
			return true;
	return false;
}

static bool has_select(const struct dt_map *map, uint32_t event_idx)
{
	for (unsigned i = 0; i < map->n_selects; i++)
		if (map->selects[i].event_idx == event_idx)
			return true;
	return false;
}

static void select_row(struct dt_reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_select s = { fdt32_ld(cell), cells64(cell + 1) };

	if (s.event_idx >= FW_EVENT_RAW) {
		if (dt_report(r, DT_SELECT_RAW, DT_PROP_SELECTS, n))
			return;
	} else if (!fw_event_is_defined(s.event_idx)) {
		dt_report(r, DT_SELECT_UNKNOWN, DT_PROP_SELECTS, n);
	} else if (r->map->n_ranges && !in_a_range(r->map, s.event_idx)) {
		dt_report(r, DT_SELECT_LOST, DT_PROP_SELECTS, n);
	}
	if (s.select & ~PMU_EVENT_SELECTOR)
		dt_report(r, DT_SELECT_FILTERS, DT_PROP_SELECTS, n);
	if (has_select(r->map, s.event_idx))
		dt_report(r, DT_SELECT_REPEATED, DT_PROP_SELECTS, n);
	else
		r->map->selects[r->map->n_selects++] = s;
}

uint64_t dt_select_of(const struct dt_map *map, uint32_t event_idx)
{
	for (unsigned i = 0; i < map->n_selects; i++)
		if (map->selects[i].event_idx == event_idx &&
		    map->selects[i].select)
			return map->selects[i].select;
	return event_idx;
}

/* Rows of riscv,raw-event-to-mhpmcounters */

static bool repeats(const struct dt_map *map, const struct dt_raw *w)
{
	for (unsigned i = 0; i < map->n_raws; i++)
		if (w->select == map->raws[i].select &&
		    w->mask == map->raws[i].mask)
			return true;
	return false;
}

static bool matches_nothing(const struct dt_raw *w)
{
	return w->select & ~w->mask;
}

/* Is there an event that both rows match? */
static bool shares(const struct dt_map *map, const struct dt_raw *w)
{
	for (unsigned i = 0; i < map->n_raws; i++) {
		const struct dt_raw *o = &map->raws[i];

		if (!matches_nothing(o) &&
		    !((w->select ^ o->select) & w->mask & o->mask))
			return true;
	}
	return false;
}

static void check_raw(struct dt_reader *r, const struct dt_raw *w, unsigned n)
{
	if (matches_nothing(w))
		dt_report(r, DT_RAW_OUTSIDE, DT_PROP_RAWS, n);
	else if (shares(r->map, w))
		dt_report(r, DT_RAW_SHARED, DT_PROP_RAWS, n);
	if (!(w->counters & ~(uint32_t)FIXED_BITS))
		dt_report(r, DT_RAW_NONE, DT_PROP_RAWS, n);
}

static void raw_row(struct dt_reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_raw w = { cells64(cell), cells64(cell + 2),
			    fdt32_ld(cell + 4) };
	bool drop = false;

	if (repeats(r->map, &w))
		drop = dt_report(r, DT_RAW_REPEATED, DT_PROP_RAWS, n);
	else if (w.counters & FIXED_BITS)
		drop = dt_report(r, DT_RAW_FIXED, DT_PROP_RAWS, n);
	/* The reference keeps ranges as rows of select and mask 0. */
	else if (!w.select && !w.mask && r->map->n_ranges)
		drop = dt_report(r, DT_RAW_ALL, DT_PROP_RAWS, n);
	if (drop)
		return;
	check_raw(r, &w, n);
	r->map->raws[r->map->n_raws++] = w;
}

/* Tables */

static const struct row_table tables[] = {
	{ DT_PROP_RANGES, 3, range_row },
	{ DT_PROP_SELECTS, 3, select_row },
	{ DT_PROP_RAWS, 5, raw_row },
};
enum {
	N_TABLES = sizeof(tables) / sizeof(*tables)
};

static bool is_full(const struct dt_reader *r, const struct row_table *t,
		    unsigned n)
{
	if (n > FW_DT_MAX_ROWS)
		return true;
	return r->src->quirks.dt_255_rows && t->row != select_row &&
	       r->map->n_ranges + r->map->n_raws >= DT_REFERENCE_ROWS;
}

static void read_table(struct dt_reader *r, const struct row_table *t)
{
	int len;
	const fdt32_t *cell = fdt_getprop(r->src->dtb, r->node, t->name, &len);
	unsigned rows, size = t->cells * (unsigned)sizeof(fdt32_t);

	if (!cell || r->stop)
		return;
	rows = (unsigned)len / size;
	if (!rows)
		dt_report(r, DT_TABLE_EMPTY, t->name, 0);
	else if ((unsigned)len % size)
		dt_report(r, DT_TABLE_TAIL, t->name, 0);
	for (unsigned n = 1; n <= rows && !r->stop; n++, cell += t->cells) {
		if (is_full(r, t, n)) {
			dt_report(r, DT_TABLE_LONG, t->name, n);
			return;
		}
		t->row(r, cell, n);
	}
}

static const char *const other_props[] = {
	"compatible",	    "status",  DT_PROP_HARTS,	"interrupts",
	"interrupt-parent", "phandle", "linux,phandle",
};

static bool is_table(const char *name)
{
	for (unsigned i = 0; i < N_TABLES; i++)
		if (!strcmp(tables[i].name, name))
			return true;
	return false;
}

static void check_props(struct dt_reader *r)
{
	bool table = false;
	int prop;

	fdt_for_each_property_offset(prop, r->src->dtb, r->node)
	{
		const char *name;
		bool known;

		if (!fdt_getprop_by_offset(r->src->dtb, prop, &name, NULL))
			continue;
		known = is_table(name);
		table = table || known;
		for (size_t i = 0;
		     i < sizeof(other_props) / sizeof(*other_props); i++)
			known = known || !strcmp(name, other_props[i]);
		if (!known)
			dt_report(r, DT_PROP_UNKNOWN, name, 0);
	}
	if (!table)
		dt_report(r, DT_NODE_EMPTY, NULL, 0);
}

static bool map_counts(const struct dt_map *map)
{
	for (unsigned i = 0; i < map->n_ranges; i++)
		if (range_counts(&map->ranges[i]))
			return true;
	for (unsigned i = 0; i < map->n_raws; i++)
		if (map->raws[i].counters & ~(uint32_t)FIXED_BITS)
			return true;
	return false;
}

void dt_read_tables(struct dt_reader *r)
{
	const void *fdt = r->src->dtb;
	bool ranges = fdt_getprop(fdt, r->node, DT_PROP_RANGES, NULL);
	bool selects = fdt_getprop(fdt, r->node, DT_PROP_SELECTS, NULL);
	unsigned errors = r->errors;

	check_props(r);
	for (unsigned i = 0; i < N_TABLES; i++)
		read_table(r, &tables[i]);
	if (selects && !ranges) {
		dt_report(r, DT_NEEDS_RANGES, DT_PROP_SELECTS, 0);
		r->map->n_selects = 0;
	}
	/* Of a node with errors it says nothing. */
	if ((ranges || fdt_getprop(fdt, r->node, DT_PROP_RAWS, NULL)) &&
	    r->errors == errors && !map_counts(r->map))
		dt_report(r, DT_NODE_UNUSABLE, NULL, 0);
}
