/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whom a riscv,pmu node is for: the cpus node's harts, and those of them whose
 * interrupt controllers a node's interrupts-extended names. The bindings have
 * one node for a machine; several are ours, for harts that differ.
 */
#include <libfdt.h>
#include <string.h>

#include <pmu/hart.h>
#include <pmu/trap.h>

#include "dt-reader.h"

_Static_assert(FW_DT_MAX_HARTS == (int)PMU_MAX_HARTS,
	       "a tree may describe every hart of a machine");

/* Is @name among the parts of an ISA string, "rv64imac_zicsr_sscofpmf"? */
static bool in_isa(const char *isa, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = strchr(isa, '_'); p; p = strchr(p, '_')) {
		p++;
		if (!strncmp(p, name, len) && (!p[len] || p[len] == '_'))
			return true;
	}
	return false;
}

static bool has_extension(const void *fdt, int cpu, const char *name)
{
	const char *isa;

	if (fdt_getprop(fdt, cpu, "riscv,isa-extensions", NULL))
		return fdt_stringlist_search(fdt, cpu, "riscv,isa-extensions",
					     name) >= 0;
	/* NULL also of one that is empty or does not end. */
	isa = fdt_stringlist_get(fdt, cpu, "riscv,isa", 0, NULL);
	return isa && in_isa(isa, name);
}

static bool is_cpu(const void *fdt, int node)
{
	int len;
	const char *p = fdt_getprop(fdt, node, "device_type", &len);

	return p && len == sizeof("cpu") && !memcmp(p, "cpu", sizeof("cpu"));
}

/* One cell, or the lower of two. */
static bool get_hartid(const void *fdt, int cpu, uint32_t *ret)
{
	int len;
	const fdt32_t *p = fdt_getprop(fdt, cpu, "reg", &len);

	if (!p || (len != 4 && len != 8))
		return false;
	*ret = fdt32_ld(p + len / 4 - 1);
	return true;
}

static uint32_t controller(const void *fdt, int cpu)
{
	int node;

	fdt_for_each_subnode(node, fdt, cpu)
	{
		if (fdt_getprop(fdt, node, "interrupt-controller", NULL))
			return fdt_get_phandle(fdt, node);
	}
	return 0;
}

void dt_read_cpus(struct dt_reader *r)
{
	const void *fdt = r->src->dtb;
	int cpus = fdt_path_offset(fdt, "/cpus"), cpu;

	if (cpus < 0)
		return;
	fdt_for_each_subnode(cpu, fdt, cpus)
	{
		struct dt_hart h = { .node = cpu };

		if (!is_cpu(fdt, cpu) || !get_hartid(fdt, cpu, &h.hartid))
			continue;
		if (r->dt->n_harts == FW_DT_MAX_HARTS) {
			r->path = "/cpus";
			dt_report(r, DT_HARTS_MANY, NULL, 0);
			return;
		}
		h.phandle = controller(fdt, cpu);
		h.sscofpmf = has_extension(fdt, cpu, "sscofpmf");
		h.smcntrpmf = has_extension(fdt, cpu, "smcntrpmf");
		r->dt->hart[r->dt->n_harts++] = h;
	}
}

static struct dt_hart *hart_by_phandle(struct fw_dt *dt, uint32_t phandle)
{
	for (unsigned i = 0; phandle && i < dt->n_harts; i++)
		if (dt->hart[i].phandle == phandle)
			return &dt->hart[i];
	return NULL;
}

bool dt_name_harts(struct dt_reader *r)
{
	int len;
	const fdt32_t *cell =
		fdt_getprop(r->src->dtb, r->node, DT_PROP_HARTS, &len);
	bool any = false;

	for (unsigned n = 1; cell && len >= 8; n++, cell += 2, len -= 8) {
		struct dt_hart *h = hart_by_phandle(r->dt, fdt32_ld(cell));

		if (!h) {
			dt_report(r, DT_HART_FOREIGN, DT_PROP_HARTS, n);
			return any;
		}
		if (fdt32_ld(cell + 1) != PMU_IRQ_LCOFI)
			dt_report(r, DT_HART_LINE, DT_PROP_HARTS, n);
		if (h->map && h->map != r->map)
			dt_report(r, DT_HART_TWICE, DT_PROP_HARTS, n);
		h->map = r->map;
		any = true;
	}
	return any;
}

const struct dt_map *dt_map_of(const struct fw_dt *dt, uint32_t hartid)
{
	for (unsigned i = 0; i < dt->n_harts; i++)
		if (dt->hart[i].hartid == hartid && dt->hart[i].map)
			return dt->hart[i].map;
	return dt->others;
}
