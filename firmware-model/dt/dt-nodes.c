/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device tree's riscv,pmu nodes together: which are read, in which order, and
 * what the tree then says of a hart. In the opensbi profile that is the first
 * node for all harts (C100), whatever is wrong with it.
 */
#include "dt-reader.h"

#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

/* Nodes that are to be read, by their offsets. */
struct nodes {
	int at[FW_DT_MAX_NODES];
	unsigned n;
	bool more;
};

static bool is_tree(const struct fw_dt_source *src)
{
	size_t size = src->size;

	if (size && size < sizeof(struct fdt_header))
		return false;
	if (fdt_check_header(src->dtb))
		return false;
	if (!size)
		size = fdt_totalsize(src->dtb);
	return !fdt_check_full(src->dtb, size);
}

static void find_nodes(const void *fdt, struct nodes *ret)
{
	int node = -1;

	while ((node = fdt_node_offset_by_compatible(fdt, node,
						     DT_COMPATIBLE)) >= 0) {
		ret->more = ret->n == FW_DT_MAX_NODES;
		if (ret->more)
			return;
		ret->at[ret->n++] = node;
	}
}

static bool disabled(const void *fdt, int node)
{
	int len;
	const char *p = fdt_getprop(fdt, node, "status", &len);

	return p && !(len == 5 && !memcmp(p, "okay", 5)) &&
	       !(len == 3 && !memcmp(p, "ok", 3));
}

static const char *path_of(const void *fdt, int node, char *buf)
{
	if (fdt_get_path(fdt, node, buf, DT_PATH))
		strcpy(buf, "(a path too long)");
	return buf;
}

/* Which of @nodes count, each with its map, and what there is to say. */
static void choose(struct dt_reader *r, const struct nodes *nodes, int *ret_at)
{
	struct fw_dt *dt = r->dt;

	for (unsigned i = 0; i < nodes->n; i++) {
		struct dt_map *map = &dt->map[dt->n_maps];

		r->node = nodes->at[i];
		r->path = path_of(r->src->dtb, r->node, map->path);
		if (disabled(r->src->dtb, r->node)) {
			dt_report(r, DT_NODE_DISABLED, "status", 0);
			if (!r->src->quirks.dt_disabled)
				continue;
		}
		if (i > 0)
			dt_report(r, DT_NODE_SECOND, NULL, 0);
		if (dt->n_maps && r->src->quirks.dt_first_node)
			continue;
		ret_at[dt->n_maps++] = r->node;
	}
	r->path = "/";
	if (nodes->more)
		dt_report(r, DT_NODES_MANY, NULL, 0);
	else if (!nodes->n)
		dt_report(r, DT_NO_NODE, NULL, 0);
}

static void name_harts(struct dt_reader *r, const int *at)
{
	struct fw_dt *dt = r->dt;

	for (unsigned i = 0; i < dt->n_maps; i++) {
		r->map = &dt->map[i];
		r->path = r->map->path;
		r->node = at[i];
		if (dt_name_harts(r) && !r->src->quirks.dt_first_node)
			continue;
		if (dt->others)
			dt_report(r, DT_REST_TWICE, NULL, 0);
		else
			dt->others = r->map;
	}
}

static bool sscofpmf_alone(const struct fw_dt *dt, const struct dt_map *map)
{
	for (unsigned i = 0; i < dt->n_harts; i++)
		if (dt->hart[i].sscofpmf && !dt->hart[i].smcntrpmf &&
		    dt_map_of(dt, dt->hart[i].hartid) == map)
			return true;
	return false;
}

static void read_tables(struct dt_reader *r, const int *at)
{
	struct fw_dt *dt = r->dt;

	for (unsigned i = 0; i < dt->n_maps; i++) {
		r->map = &dt->map[i];
		r->path = r->map->path;
		r->node = at[i];
		r->sscofpmf_alone = sscofpmf_alone(dt, r->map);
		dt_read_tables(r);
	}
}

static void find_unnamed(struct dt_reader *r)
{
	struct fw_dt *dt = r->dt;
	char path[DT_PATH];

	for (unsigned i = 0; dt->n_maps && i < dt->n_harts; i++)
		if (!dt->hart[i].map && !dt->others) {
			r->path = path_of(r->src->dtb, dt->hart[i].node, path);
			dt_report(r, DT_HART_UNNAMED, NULL, 0);
		}
}

int fw_dt_new(struct fw_dt **ret, const struct fw_dt_source *src)
{
	struct dt_reader r = { .src = src };
	struct nodes nodes = { .n = 0 };
	int at[FW_DT_MAX_NODES] = { 0 };

	if (!is_tree(src))
		return -FW_EDT;
	find_nodes(src->dtb, &nodes);
	/* One more, for the path of a node that is left out. */
	r.dt = calloc(1, sizeof(*r.dt) + (nodes.n + 1) * sizeof(r.dt->map[0]));
	if (!r.dt)
		return -FW_ENOMEM;
	choose(&r, &nodes, at);
	dt_read_cpus(&r);
	name_harts(&r, at);
	read_tables(&r, at);
	find_unnamed(&r);
	if (r.errors || !r.dt->n_maps) {
		free(r.dt);
		r.dt = NULL;
	}
	if (r.errors)
		return -FW_EDT;
	*ret = r.dt;
	return 0;
}

void fw_dt_free(struct fw_dt *dt)
{
	free(dt);
}

unsigned fw_dt_n_harts(const struct fw_dt *dt)
{
	return dt->n_harts;
}

uint32_t fw_dt_hartid(const struct fw_dt *dt, unsigned i)
{
	return dt->hart[i].hartid;
}

const char *fw_dt_path(const struct fw_dt *dt, uint32_t hartid)
{
	const struct dt_map *map = dt_map_of(dt, hartid);

	return map ? map->path : NULL;
}

bool fw_dt_event(const struct fw_dt *dt, uint32_t hartid, uint32_t event_idx,
		 struct fw_dt_way *ret)
{
	const struct dt_map *map = dt_map_of(dt, hartid);

	for (unsigned i = 0; map && i < map->n_ranges; i++) {
		const struct dt_range *g = &map->ranges[i];
		uint32_t counters = dt_usable(g->counters, event_idx);

		if (event_idx < g->first || event_idx > g->last || !counters)
			continue;
		*ret = (struct fw_dt_way){ .select =
						   dt_select_of(map, event_idx),
					   .counters = counters };
		return true;
	}
	return false;
}

bool fw_dt_raw(const struct fw_dt *dt, uint32_t hartid, unsigned row,
	       struct fw_dt_way *ret)
{
	const struct dt_map *map = dt_map_of(dt, hartid);

	if (!map || row >= map->n_raws)
		return false;
	*ret = (struct fw_dt_way){
		.select = map->raws[row].select,
		.mask = map->raws[row].mask,
		.counters = dt_usable(map->raws[row].counters, FW_EVENT_RAW),
	};
	return true;
}
