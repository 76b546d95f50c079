/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device trees with a riscv,pmu node, made of its properties' cells.
 */
#ifndef TESTS_DT_FIXTURE_H
#define TESTS_DT_FIXTURE_H

#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit.h"

enum {
	DT_SIZE = 16384,
	DT_MAX_CELLS = 40
};

#define SELECTS "riscv,event-to-mhpmevent"
#define RANGES	"riscv,event-to-mhpmcounters"
#define RAWS	"riscv,raw-event-to-mhpmcounters"

struct dt_prop {
	const char *name; /* NULL: none */
	unsigned n;	  /* cells */
	uint32_t cell[DT_MAX_CELLS];
};

/* A property of a row; the number of cells counts itself. */
#define CELLS(...)                                                             \
	sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t),          \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

#define PROP(prop, ...)                                                        \
	{                                                                      \
		prop, CELLS(__VA_ARGS__)                                       \
	}
#define NO_PROP                                                                \
	{                                                                      \
		NULL, 0,                                                       \
		{                                                              \
			0                                                      \
		}                                                              \
	}
#define PROPS(...)                                                             \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

/* A hart of the tree; its controller has the phandle 16 + id. */
struct dt_cpu {
	uint32_t id;
	const char *isa;
};

#define DT_INTC 16

static inline void dt_props(void *dtb, const struct dt_prop *props, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		fdt32_t cells[DT_MAX_CELLS];

		if (!props[i].name)
			continue;
		for (unsigned k = 0; k < props[i].n; k++)
			cells[k] = cpu_to_fdt32(props[i].cell[k]);
		ck_assert(!fdt_property(dtb, props[i].name, cells,
					(int)props[i].n * 4));
	}
}

static inline void *dt_begin(void)
{
	void *dtb = malloc(DT_SIZE);

	ck_assert(dtb && !fdt_create(dtb, DT_SIZE) &&
		  !fdt_finish_reservemap(dtb) && !fdt_begin_node(dtb, ""));
	return dtb;
}

static inline void *dt_end(void *dtb)
{
	ck_assert(!fdt_end_node(dtb) && !fdt_finish(dtb));
	return dtb;
}

static inline void dt_begin_pmu(void *dtb, const char *name)
{
	ck_assert(!fdt_begin_node(dtb, name) &&
		  !fdt_property_string(dtb, "compatible", "riscv,pmu"));
}

static inline void dt_pmu(void *dtb, const char *name,
			  const struct dt_prop *props, unsigned n)
{
	dt_begin_pmu(dtb, name);
	dt_props(dtb, props, n);
	ck_assert(!fdt_end_node(dtb));
}

/* @cells: of a hart's id, 1 or 2. */
static inline void dt_cpus_of(void *dtb, const struct dt_cpu *cpus, unsigned n,
			      unsigned cells)
{
	char name[32];

	ck_assert(!fdt_begin_node(dtb, "cpus") &&
		  !fdt_property_u32(dtb, "#address-cells", cells) &&
		  !fdt_property_u32(dtb, "#size-cells", 0));
	for (unsigned i = 0; i < n; i++) {
		fdt32_t reg[2] = { 0 };

		fdt32_st(&reg[cells - 1], cpus[i].id);
		snprintf(name, sizeof(name), "cpu@%x", cpus[i].id);
		ck_assert(!fdt_begin_node(dtb, name) &&
			  !fdt_property_string(dtb, "device_type", "cpu") &&
			  !fdt_property(dtb, "reg", reg,
					(int)(cells * sizeof(*reg))) &&
			  !fdt_property_string(dtb, "riscv,isa", cpus[i].isa) &&
			  !fdt_begin_node(dtb, "interrupt-controller") &&
			  !fdt_property(dtb, "interrupt-controller", NULL, 0) &&
			  !fdt_property_u32(dtb, "phandle",
					    DT_INTC + cpus[i].id) &&
			  !fdt_end_node(dtb) && !fdt_end_node(dtb));
	}
	ck_assert(!fdt_end_node(dtb));
}

static inline void dt_cpus(void *dtb, const struct dt_cpu *cpus, unsigned n)
{
	dt_cpus_of(dtb, cpus, n, 1);
}

/* A tree in a buffer of its own, to be freed; no node when @props is NULL. */
static inline void *dt_make(const struct dt_prop *props, unsigned n)
{
	void *dtb = dt_begin();

	if (props)
		dt_pmu(dtb, "pmu", props, n);
	return dt_end(dtb);
}

#endif
