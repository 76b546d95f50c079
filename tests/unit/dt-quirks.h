/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trees that profiles read differently, and what each makes of them.
 */
#ifndef TESTS_DT_QUIRKS_H
#define TESTS_DT_QUIRKS_H

#include <string.h>

#include <fw/pmu-node.h>

#include "dt-fixture.h"

static inline void *no_node(void)
{
	return dt_make(NULL, 0);
}

static inline void *bad_row(void)
{
	const struct dt_prop props[] = { PROP(RANGES, 1, 1, 8, 2, 1, 8) };

	return dt_make(props, 1);
}

static inline void *disabled_node(void)
{
	const struct dt_prop props[] = { PROP(RANGES, 1, 1, 8) };
	void *dtb = dt_begin();

	dt_begin_pmu(dtb, "pmu");
	dt_props(dtb, props, 1);
	ck_assert(!fdt_property_string(dtb, "status", "disabled") &&
		  !fdt_end_node(dtb));
	return dt_end(dtb);
}

static inline void *two_nodes(void)
{
	const struct dt_cpu cpus[] = { { 0, "rv64i" }, { 1, "rv64i" } };
	const struct dt_prop a[] = { PROP(RANGES, 1, 1, 8),
				     PROP("interrupts-extended", DT_INTC, 13) };
	const struct dt_prop b2[] = { PROP(RANGES, 1, 1, 8),
				      PROP("interrupts-extended", DT_INTC + 1,
					   13) };
	void *dtb = dt_begin();

	dt_cpus(dtb, cpus, 2);
	dt_pmu(dtb, "pmu-a", a, 2);
	dt_pmu(dtb, "pmu-b", b2, 2);
	return dt_end(dtb);
}

static inline void *rows_256(void)
{
	static fdt32_t rows[256][5];
	void *dtb = dt_begin();

	for (unsigned i = 0; i < 256; i++) {
		rows[i][1] = cpu_to_fdt32(i + 1);
		rows[i][2] = rows[i][3] = ~0u;
		rows[i][4] = cpu_to_fdt32(8);
	}
	dt_begin_pmu(dtb, "pmu");
	ck_assert(!fdt_property(dtb, RAWS, rows, sizeof(rows)) &&
		  !fdt_end_node(dtb));
	return dt_end(dtb);
}

/* Reads the tree of @make and returns what @say makes of it, 0 of none. */
static inline int64_t read_tree(const struct fw_quirks *quirks,
				void *(*make)(void),
				int64_t (*say)(struct fw_dt *dt))
{
	void *dtb = make();
	struct fw_dt_source src = { .dtb = dtb, .quirks = *quirks };
	struct fw_dt *dt = NULL;
	int64_t ret;

	fw_dt_new(&dt, &src);
	ret = dt && say(dt);
	fw_dt_free(dt);
	free(dtb);
	return ret;
}

static inline int64_t has_hart_0(struct fw_dt *dt)
{
	return !!fw_dt_path(dt, 0);
}

static inline int64_t is_of_first(struct fw_dt *dt)
{
	return !strcmp(fw_dt_path(dt, 1), "/pmu-a");
}

static inline int64_t has_row_256(struct fw_dt *dt)
{
	struct fw_dt_way way;

	return fw_dt_raw(dt, 0, 255, &way);
}

#endif
