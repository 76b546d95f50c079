/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside of reading riscv,pmu nodes: whom they are for, and the faults there
 * can be. dt-nodes.c puts the nodes together, dt-rows.c reads tables,
 * dt-harts.c says whom a node is for, dt-fault.c has the facts on faults.
 */
#ifndef FIRMWARE_DT_DT_READER_H
#define FIRMWARE_DT_DT_READER_H

#include <fw/event-name.h>

#include "dt-map.h"

#define DT_COMPATIBLE "riscv,pmu"
#define DT_PROP_HARTS "interrupts-extended"

enum {
	/* The reference keeps ranges and raw rows in one array. */
	DT_REFERENCE_ROWS = 255,
};

/* A hart of the tree's cpus node. */
struct dt_hart {
	uint32_t hartid;
	int node;
	uint32_t phandle; /* of its interrupt controller, 0: none */
	bool sscofpmf, smcntrpmf;
	const struct dt_map *map; /* NULL: no node is for it */
};

struct fw_dt {
	unsigned n_harts, n_maps;
	struct dt_hart hart[FW_DT_MAX_HARTS];
	/* for harts that no node names, also those the tree does not have */
	const struct dt_map *others;
	struct dt_map map[];
};

/* Those of @counters that may count @event_idx at all (C27, C102). */
uint32_t dt_usable(uint32_t counters, uint32_t event_idx);

enum dt_fault {
	DT_NO_NODE,
	DT_NODES_MANY,
	DT_NODE_SECOND,
	DT_NODE_DISABLED,
	DT_NODE_EMPTY,
	DT_NODE_UNUSABLE,
	DT_PROP_UNKNOWN,
	DT_TABLE_EMPTY,
	DT_TABLE_TAIL,
	DT_TABLE_LONG,
	DT_NEEDS_RANGES,
	DT_SELECT_RAW,
	DT_SELECT_UNKNOWN,
	DT_SELECT_REPEATED,
	DT_SELECT_FILTERS,
	DT_SELECT_LOST,
	DT_RANGE_ORDER,
	DT_RANGE_RAW,
	DT_RANGE_OVERLAP,
	DT_RANGE_FIXED,
	DT_RANGE_ZERO,
	DT_RANGE_UNKNOWN,
	DT_RANGE_NONE,
	DT_RANGE_FIXED_ONLY,
	DT_RAW_REPEATED,
	DT_RAW_FIXED,
	DT_RAW_ALL,
	DT_RAW_OUTSIDE,
	DT_RAW_NONE,
	DT_RAW_SHARED,
	DT_HARTS_MANY,
	DT_HART_FOREIGN,
	DT_HART_LINE,
	DT_HART_TWICE,
	DT_HART_UNNAMED,
	DT_REST_TWICE,
	DT_N_FAULTS,
};

/* Reading under way. */
struct dt_reader {
	const struct fw_dt_source *src;
	struct fw_dt *dt;
	struct dt_map *map; /* of the node being read */
	int node;
	const char *path;
	bool sscofpmf_alone; /* a hart of the node has no Smcntrpmf with it */
	bool stop;	     /* as the reference does */
	unsigned errors;
};

/*
 * Reports @fault of @prop (NULL: the node), @row from 1 (0: no row). True: what
 * it is about is to be left out, as the profile at hand does.
 */
bool dt_report(struct dt_reader *r, enum dt_fault fault, const char *prop,
	       unsigned row);

/* dt-rows.c: the node's tables into @r->map. */
void dt_read_tables(struct dt_reader *r);
/* dt-harts.c: the cpus node into @r->dt. */
void dt_read_cpus(struct dt_reader *r);
/* The harts that the node at hand names get its map. False: it names none. */
bool dt_name_harts(struct dt_reader *r);

#endif
