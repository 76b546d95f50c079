/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device tree under construction: nodes and properties in order, by libfdt.
 * The first error sticks, later steps do nothing.
 */
#ifndef BOARD_DT_WRITE_H
#define BOARD_DT_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include <pmu/trap.h>

#include "dt.h"

/* Handles of nodes that others name; hart n's controller is INTC + n. */
enum {
	DT_PHANDLE_FINISHER = 1,
	DT_PHANDLE_PLIC = 2,
	DT_PHANDLE_INTC = 16
};

struct dt_writer {
	void *fdt;
	int err; /* of libfdt */
	const struct dt_config *cfg;
};

void dt_keep_error(struct dt_writer *w, int err);
void dt_begin(struct dt_writer *w, const char *name);
/* A node whose name has a unit address. */
void dt_begin_at(struct dt_writer *w, const char *name, uint64_t addr);
void dt_end(struct dt_writer *w);

void dt_bytes(struct dt_writer *w, const char *name, const void *data,
	      size_t len);
void dt_string(struct dt_writer *w, const char *name, const char *value);
void dt_flag(struct dt_writer *w, const char *name);
void dt_cell(struct dt_writer *w, const char *name, uint32_t value);
void dt_reg(struct dt_writer *w, uint64_t base, uint64_t size);
void dt_address_cells(struct dt_writer *w, uint32_t addr, uint32_t size);

/* A list of cells under construction, host byte order until dt_cells(). */
struct dt_list {
	uint32_t v[256];
	size_t n;
};
void dt_add(struct dt_list *c, uint32_t value);
void dt_add64(struct dt_list *c, uint64_t value);
/* A hart's controller and an interrupt of it. */
void dt_add_line(struct dt_list *c, unsigned index, enum pmu_irq irq);
void dt_cells(struct dt_writer *w, const char *name, struct dt_list *c);

/* The node of the bus with all devices. */
void dt_soc(struct dt_writer *w);

#endif
