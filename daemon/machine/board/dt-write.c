/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes and properties in libfdt's terms. What a tree says is dt.c's.
 */
#include "dt-write.h"

#include <assert.h>
#include <libfdt.h>
#include <stdio.h>
#include <string.h>

void dt_keep_error(struct dt_writer *w, int err)
{
	if (!w->err)
		w->err = err;
}

void dt_begin(struct dt_writer *w, const char *name)
{
	dt_keep_error(w, w->err ? 0 : fdt_begin_node(w->fdt, name));
}

void dt_begin_at(struct dt_writer *w, const char *name, uint64_t addr)
{
	char full[64];

	snprintf(full, sizeof(full), "%s@%llx", name, (unsigned long long)addr);
	dt_begin(w, full);
}

void dt_end(struct dt_writer *w)
{
	dt_keep_error(w, w->err ? 0 : fdt_end_node(w->fdt));
}

void dt_bytes(struct dt_writer *w, const char *name, const void *data,
	      size_t len)
{
	dt_keep_error(w,
		      w->err ? 0 : fdt_property(w->fdt, name, data, (int)len));
}

void dt_string(struct dt_writer *w, const char *name, const char *value)
{
	dt_bytes(w, name, value, strlen(value) + 1);
}

void dt_flag(struct dt_writer *w, const char *name)
{
	dt_bytes(w, name, NULL, 0);
}

void dt_cell(struct dt_writer *w, const char *name, uint32_t value)
{
	dt_keep_error(w, w->err ? 0 : fdt_property_u32(w->fdt, name, value));
}

void dt_add(struct dt_list *c, uint32_t value)
{
	assert(c->n < sizeof(c->v) / sizeof(c->v[0]));
	c->v[c->n++] = value;
}

void dt_add64(struct dt_list *c, uint64_t value)
{
	dt_add(c, (uint32_t)(value >> 32));
	dt_add(c, (uint32_t)value);
}

void dt_cells(struct dt_writer *w, const char *name, struct dt_list *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->v[i] = cpu_to_fdt32(c->v[i]);
	dt_bytes(w, name, c->v, c->n * sizeof(c->v[0]));
}

void dt_reg(struct dt_writer *w, uint64_t base, uint64_t size)
{
	struct dt_list c = { .n = 0 };

	dt_add64(&c, base);
	dt_add64(&c, size);
	dt_cells(w, "reg", &c);
}

void dt_address_cells(struct dt_writer *w, uint32_t addr, uint32_t size)
{
	dt_cell(w, "#address-cells", addr);
	dt_cell(w, "#size-cells", size);
}

void dt_add_line(struct dt_list *c, unsigned index, enum pmu_irq irq)
{
	dt_add(c, DT_PHANDLE_INTC + index);
	dt_add(c, irq);
}
