/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading the riscv,pmu bindings: what a row may be, and where an error is.
 * What the rows mean for a counter is decided by ctr-map.c; the counters'
 * bitmaps are kept as they are, since harts differ.
 */
#include "dt.h"

#include <libfdt.h>
#include <string.h>

#define COMPATIBLE   "riscv,pmu"
#define PROP_SELECTS "riscv,event-to-mhpmevent"
#define PROP_RANGES  "riscv,event-to-mhpmcounters"
#define PROP_RAWS    "riscv,raw-event-to-mhpmcounters"

enum {
	RAW_FIRST = 0x20000,
	CACHE_FIRST = 0x10000,
	FIXED_BITS = 7
};

struct reader {
	const struct dt_source *src;
	struct dt_map *map;
	int node;
	bool stop; /* opensbi: nothing after a bad row is read */
};

struct table {
	const char *name;
	unsigned cells; /* of a row */
	/* Takes row @n; the reason why it is bad, or NULL. */
	const char *(*row)(struct reader *r, const fdt32_t *cell, unsigned n);
};

static uint64_t cells64(const fdt32_t *cell)
{
	return (uint64_t)fdt32_to_cpu(cell[0]) << 32 | fdt32_to_cpu(cell[1]);
}

static void where(struct text *t, const char *prop, unsigned row)
{
	text_str(t, COMPATIBLE ": ");
	text_str(t, prop);
	if (row) {
		text_str(t, " row ");
		text_dec(t, row);
	}
	text_str(t, ": ");
}

static void warn(const struct reader *r, const char *prop, unsigned row,
		 const char *what)
{
	where(r->src->warnings, prop, row);
	text_str(r->src->warnings, what);
	text_str(r->src->warnings, "\n");
}

static bool opensbi(const struct reader *r)
{
	return r->src->profile == FW_PROFILE_OPENSBI;
}

/* Is this a general or cache event that SBI defines? */
static bool known_event(uint32_t idx)
{
	uint32_t code = idx & 0xffff;

	if (idx < CACHE_FIRST)
		return code >= 1 && code <= 10;
	return code >> 3 <= 6 && (code >> 1 & 3) <= 2;
}

static const char *select_row(struct reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_select *s = &r->map->selects[r->map->n_selects];

	s->event_idx = fdt32_to_cpu(cell[0]);
	s->select = cells64(cell + 1);
	if (s->event_idx >= RAW_FIRST && !opensbi(r))
		return "a raw event has no place here";
	if (!known_event(s->event_idx))
		warn(r, PROP_SELECTS, n, "SBI defines no such event");
	for (unsigned i = 0; i < r->map->n_selects; i++)
		if (r->map->selects[i].event_idx == s->event_idx) {
			warn(r, PROP_SELECTS, n,
			     "the event has an earlier row, which stands");
			return NULL;
		}
	r->map->n_selects++;
	return NULL;
}

static const char *range_row(struct reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_range *g = &r->map->ranges[r->map->n_ranges];

	g->first = fdt32_to_cpu(cell[0]);
	g->last = fdt32_to_cpu(cell[1]);
	g->counters = fdt32_to_cpu(cell[2]);
	if (g->first > g->last)
		return "the first event is above the last";
	if (g->last >= RAW_FIRST)
		return "a raw event has no place here";
	for (unsigned i = 0; i < r->map->n_ranges; i++)
		if (g->first <= r->map->ranges[i].last &&
		    g->last >= r->map->ranges[i].first)
			return "the events overlap those of an earlier row";
	if (g->first > 2 && g->counters & FIXED_BITS) {
		if (opensbi(r))
			return "these events cannot use counters 0-2";
		warn(r, PROP_RANGES, n,
		     "counters 0-2 count cycles and instructions only");
	}
	r->map->n_ranges++;
	return NULL;
}

static const char *raw_row(struct reader *r, const fdt32_t *cell, unsigned n)
{
	struct dt_raw *w = &r->map->raws[r->map->n_raws];

	w->select = cells64(cell);
	w->mask = cells64(cell + 2);
	w->counters = fdt32_to_cpu(cell[4]);
	for (unsigned i = 0; i < r->map->n_raws; i++)
		if (w->select == r->map->raws[i].select &&
		    w->mask == r->map->raws[i].mask)
			return "select and mask are those of an earlier row";
	/* The reference keeps ranges as rows of select and mask 0. */
	if (opensbi(r) && !w->select && !w->mask && r->map->n_ranges)
		return "select and mask are those of an earlier row";
	if (w->select & ~w->mask)
		warn(r, PROP_RAWS, n,
		     "select has bits outside its mask, nothing matches");
	r->map->n_raws++;
	return NULL;
}

static int bad(struct reader *r, const char *prop, unsigned row,
	       const char *why)
{
	if (opensbi(r)) {
		r->stop = true;
		return 0;
	}
	where(r->src->error, prop, row);
	text_str(r->src->error, why);
	return -FW_EDT;
}

static int read_table(struct reader *r, const struct table *t)
{
	int len;
	const fdt32_t *cell = fdt_getprop(r->src->dtb, r->node, t->name, &len);
	unsigned rows, size = t->cells * (unsigned)sizeof(fdt32_t);

	if (!cell || r->stop)
		return 0;
	rows = (unsigned)len / size;
	if ((unsigned)len % size)
		warn(r, t->name, 0, "the cells after the last row are dropped");
	for (unsigned n = 0; n < rows; n++, cell += t->cells) {
		const char *why = n < DT_MAX_ROWS ? t->row(r, cell, n + 1)
						  : "too many rows";

		if (why)
			return bad(r, t->name, n + 1, why);
	}
	return 0;
}

static const struct table tables[] = {
	{ PROP_SELECTS, 3, select_row },
	{ PROP_RANGES, 3, range_row },
	{ PROP_RAWS, 5, raw_row },
};
enum {
	N_TABLES = sizeof(tables) / sizeof(*tables)
};

static void warn_unknown(const struct reader *r)
{
	static const char *const known[] = {
		PROP_SELECTS,
		PROP_RANGES,
		PROP_RAWS,
		"compatible",
		"interrupts-extended",
		"interrupts",
		"interrupt-parent",
		"phandle",
	};
	int prop;

	fdt_for_each_property_offset(prop, r->src->dtb, r->node)
	{
		const char *name;
		bool found = false;

		if (!fdt_getprop_by_offset(r->src->dtb, prop, &name, NULL))
			continue;
		for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
			found = found || !strcmp(name, known[i]);
		if (!found)
			warn(r, name, 0, "not a property of this node");
	}
}

static int read_node(struct reader *r)
{
	int err = 0;

	warn_unknown(r);
	for (unsigned i = 0; !err && i < N_TABLES; i++)
		err = read_table(r, &tables[i]);
	if (err || fdt_getprop(r->src->dtb, r->node, PROP_RANGES, NULL))
		return err;
	if (opensbi(r)) {
		r->map->n_selects = 0;
		return 0;
	}
	if (fdt_getprop(r->src->dtb, r->node, PROP_SELECTS, NULL))
		return bad(r, PROP_SELECTS, 0, "needs " PROP_RANGES);
	return 0;
}

int dt_parse(const struct dt_source *src, struct dt_map *ret, bool *ret_found)
{
	struct reader r = { .src = src, .map = ret };
	size_t size = src->size;

	memset(ret, 0, sizeof(*ret));
	if (size && size < sizeof(struct fdt_header))
		goto broken;
	if (fdt_check_header(src->dtb))
		goto broken;
	if (!size)
		size = fdt_totalsize(src->dtb);
	if (fdt_check_full(src->dtb, size))
		goto broken;
	r.node = fdt_node_offset_by_compatible(src->dtb, -1, COMPATIBLE);
	*ret_found = r.node >= 0;
	return *ret_found ? read_node(&r) : 0;
broken:
	text_str(src->error, "not a valid flattened device tree");
	return -FW_EDT;
}
