/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Device trees with a riscv,pmu node, made of its properties' cells.
 */
#ifndef TESTS_DT_FIXTURE_H
#define TESTS_DT_FIXTURE_H

#include <libfdt.h>

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

/* A tree in a buffer of its own, to be freed; no node when @props is NULL. */
static inline void *dt_make(const struct dt_prop *props, unsigned n)
{
	void *dtb = malloc(DT_SIZE);

	ck_assert(dtb && !fdt_create(dtb, DT_SIZE) &&
		  !fdt_finish_reservemap(dtb) && !fdt_begin_node(dtb, ""));
	if (props) {
		ck_assert(!fdt_begin_node(dtb, "pmu") &&
			  !fdt_property_string(dtb, "compatible", "riscv,pmu"));
		for (unsigned i = 0; i < n; i++) {
			fdt32_t cells[DT_MAX_CELLS];

			if (!props[i].name)
				continue;
			for (unsigned k = 0; k < props[i].n; k++)
				cells[k] = cpu_to_fdt32(props[i].cell[k]);
			ck_assert(!fdt_property(dtb, props[i].name, cells,
						(int)props[i].n * 4));
		}
		ck_assert(!fdt_end_node(dtb));
	}
	ck_assert(!fdt_end_node(dtb) && !fdt_finish(dtb));
	return dtb;
}

#endif
