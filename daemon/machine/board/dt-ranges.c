/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a tree says of physical addresses: reg and ranges, taken through the
 * ranges of all buses above. Where a bus has none, nothing below it has an
 * address of the processor's, as harts have none.
 */
#include "dt-ranges.h"

#include <libfdt.h>
#include <stdio.h>
#include <string.h>

enum {
	DEPTHS = 9,    /* the root's and eight more: nodes that are looked at */
	PCI_CELLS = 3, /* the first of them is no part of the address */
};

struct finder {
	const void *fdt;
	struct vacant_range *ret;
	size_t n;
	int path[DEPTHS]; /* nodes from the root, at their depth */
};

/* A row of ranges: where children's addresses are in the parent's. */
struct dt_window {
	uint64_t child, parent, size;
};

uint64_t dt_number(const fdt32_t *p, int n)
{
	uint64_t value = 0;

	for (int i = 0; i < n; i++)
		value = value << 32 | fdt32_ld(p + i);
	return value;
}

static bool cells(const void *fdt, int node, int *ret_address, int *ret_size)
{
	*ret_address = fdt_address_cells(fdt, node);
	*ret_size = fdt_size_cells(fdt, node);
	return *ret_address >= 1 && *ret_address <= PCI_CELLS &&
	       *ret_size >= 1 && *ret_size <= 2;
}

/* Row @i of the node at @depth; false: there is none. */
static bool get_window(const struct finder *f, int depth, int i,
		       struct dt_window *ret)
{
	int len, na, ns, pa, ps;
	const fdt32_t *p = fdt_getprop(f->fdt, f->path[depth], "ranges", &len);

	if (!p || !cells(f->fdt, f->path[depth], &na, &ns) ||
	    !cells(f->fdt, f->path[depth - 1], &pa, &ps) ||
	    (i + 1) * 4 * (na + pa + ns) > len)
		return false;
	p += i * (na + pa + ns);
	*ret = (struct dt_window){ dt_number(p, na), dt_number(p + na, pa),
				   dt_number(p + na + pa, ns) };
	return true;
}

/* An address below the node at @depth as one above it. */
static bool through(const struct finder *f, int depth, uint64_t *base,
		    uint64_t size)
{
	struct dt_window w;
	int len;

	if (!fdt_getprop(f->fdt, f->path[depth], "ranges", &len))
		return false;
	if (len == 0)
		return true;
	for (int i = 0; get_window(f, depth, i, &w); i++) {
		if (*base < w.child || *base - w.child > w.size ||
		    size > w.size - (*base - w.child))
			continue;
		*base = w.parent + (*base - w.child);
		return true;
	}
	return false;
}

/* Takes a range of the bus at @depth. */
static void take(struct finder *f, int node, int depth, uint64_t base,
		 uint64_t size)
{
	const char *name = fdt_get_name(f->fdt, node, NULL);
	struct vacant_range *r;

	for (; depth > 0; depth--)
		if (!through(f, depth, &base, size))
			return;
	if (!size || size > UINT64_MAX - base || f->n++ >= VACANT_MAX)
		return;
	r = &f->ret[f->n - 1];
	*r = (struct vacant_range){ base, size, "" };
	snprintf(r->node, sizeof(r->node), "%s", name ? name : "");
}

static void take_reg(struct finder *f, int node, int depth)
{
	int len, na, ns;
	const fdt32_t *p = fdt_getprop(f->fdt, node, "reg", &len);

	if (!p || !cells(f->fdt, f->path[depth - 1], &na, &ns))
		return;
	for (; len >= 4 * (na + ns); len -= 4 * (na + ns), p += na + ns)
		take(f, node, depth - 1, dt_number(p, na),
		     dt_number(p + na, ns));
}

static void take_windows(struct finder *f, int node, int depth)
{
	struct dt_window w;

	for (int i = 0; get_window(f, depth, i, &w); i++)
		take(f, node, depth - 1, w.parent, w.size);
}

static bool is_memory(const void *fdt, int node)
{
	int len;
	const char *type = fdt_getprop(fdt, node, "device_type", &len);
	const char *name = fdt_get_name(fdt, node, NULL);

	return (type && len == sizeof("memory") && !strcmp(type, "memory")) ||
	       (name && !strcmp(name, "reserved-memory"));
}

size_t dt_ranges(const void *dtb, struct vacant_range *ret)
{
	struct finder f = { .fdt = dtb, .ret = ret };
	int depth = 0, end = DEPTHS; /* from there on nothing is looked at */

	for (int node = fdt_next_node(dtb, 0, &depth); node >= 0 && depth > 0;
	     node = fdt_next_node(dtb, node, &depth)) {
		if (depth <= end)
			end = is_memory(dtb, node) ? depth : DEPTHS;
		if (depth >= end)
			continue;
		f.path[depth] = node;
		take_reg(&f, node, depth);
		take_windows(&f, node, depth);
	}
	return f.n;
}
