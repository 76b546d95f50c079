/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's own device tree: refused when malformed, or when it promises an
 * extension that its hart has not (dt-promise.c), and compared with the machine
 * where a difference would surprise the guest. Other differences only warn,
 * because an unusual tree may be the experiment.
 */
#include "dt.h"
#include "dt-ranges.h"

#include <libfdt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <fw/pmu-node.h>
#include <pmu/event.h>

#include "board.h"
#include "dt-promise.h"

struct checker {
	const void *fdt;
	const struct dt_config *cfg;
	struct dt_report *report;
	struct promises promises; /* that no hart keeps */
};

static void __attribute__((format(printf, 2, 3)))
warn(const struct checker *c, const char *format, ...)
{
	struct dt_report *r = c->report;
	char text[256];
	va_list args;

	if (r->warnings++ >= DT_MAX_WARNINGS || !r->warn)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	r->warn(r->arg, text);
}

/* A property of one cell; false if absent or of another size. */
static bool get_cell(const struct checker *c, int node, const char *name,
		     uint32_t *ret)
{
	int len;
	const fdt32_t *p = fdt_getprop(c->fdt, node, name, &len);

	if (!p || len != sizeof(*p))
		return false;
	*ret = fdt32_ld(p);
	return true;
}

/* A string property, NUL inside its length; NULL if it is none. */
static const char *get_string(const struct checker *c, int node,
			      const char *name)
{
	int len;
	const char *p = fdt_getprop(c->fdt, node, name, &len);

	return p && len > 0 && memchr(p, 0, (size_t)len) ? p : NULL;
}

static bool has_type(const struct checker *c, int node, const char *type)
{
	const char *p = get_string(c, node, "device_type");

	return p && !strcmp(p, type);
}

static bool inside_ram(const struct checker *c, uint64_t base, uint64_t size)
{
	uint64_t offset = base - BOARD_RAM_BASE;

	return base >= BOARD_RAM_BASE && offset <= c->cfg->ram_size &&
	       size <= c->cfg->ram_size - offset;
}

static void check_memory(const struct checker *c, int node)
{
	int na = fdt_address_cells(c->fdt, 0), ns = fdt_size_cells(c->fdt, 0);
	int len;
	const fdt32_t *p = fdt_getprop(c->fdt, node, "reg", &len);

	if (!p || na < 1 || na > 2 || ns < 1 || ns > 2 ||
	    len % (4 * (na + ns)) != 0) {
		warn(c, "the memory node has no usable reg");
		return;
	}
	for (; len > 0; len -= 4 * (na + ns), p += na + ns) {
		uint64_t base = dt_number(p, na);
		uint64_t size = dt_number(p + na, ns);

		if (!inside_ram(c, base, size))
			warn(c,
			     "the memory node has 0x%llx bytes at 0x%llx; RAM "
			     "is 0x%llx bytes at 0x%llx",
			     (unsigned long long)size, (unsigned long long)base,
			     (unsigned long long)c->cfg->ram_size,
			     BOARD_RAM_BASE);
	}
}

static void check_root(const struct checker *c)
{
	int node, n = 0;

	fdt_for_each_subnode(node, c->fdt, 0)
	{
		if (!has_type(c, node, "memory"))
			continue;
		n++;
		check_memory(c, node);
	}
	if (!n)
		warn(c, "there is no memory node (device_type \"memory\")");
}

static int find_hart(const struct checker *c, uint32_t hartid)
{
	for (unsigned i = 0; i < c->cfg->n_harts; i++)
		if (c->cfg->harts[i]->hartid == hartid)
			return (int)i;
	return -1;
}

static void check_cpu(struct checker *c, int node, uint64_t *seen)
{
	const char *isa = get_string(c, node, "riscv,isa");
	uint32_t hartid;
	int index, len;
	const char *list;

	if (!get_cell(c, node, "reg", &hartid)) {
		warn(c, "a cpu node has no usable reg");
		return;
	}
	index = find_hart(c, hartid);
	if (index < 0) {
		warn(c, "the tree has a cpu %u, the machine has no such hart",
		     hartid);
		return;
	}
	*seen |= 1ull << index;
	list = fdt_getprop(c->fdt, node, "riscv,isa-extensions", &len);
	if (!isa && !list)
		warn(c, "cpu %u has neither riscv,isa nor riscv,isa-extensions",
		     hartid);
	if (isa)
		promises_string(&c->promises, c->cfg->harts[index], isa);
	if (list)
		promises_list(&c->promises, c->cfg->harts[index], list,
			      (size_t)len);
}

static void check_cpus(struct checker *c)
{
	int cpus = fdt_path_offset(c->fdt, "/cpus"), node;
	uint64_t seen = 0;
	uint32_t hz;

	if (cpus < 0) {
		warn(c, "there is no /cpus node");
		return;
	}
	if (!get_cell(c, cpus, "timebase-frequency", &hz))
		warn(c, "/cpus has no timebase-frequency");
	else if (hz != c->cfg->time_hz)
		warn(c,
		     "timebase-frequency is %u, the machine's time base has "
		     "%llu Hz",
		     hz, (unsigned long long)c->cfg->time_hz);
	fdt_for_each_subnode(node, c->fdt, cpus) if (has_type(c, node, "cpu"))
		check_cpu(c, node, &seen);
	for (unsigned i = 0; i < c->cfg->n_harts; i++)
		if (!(seen >> i & 1))
			warn(c, "hart %u has no cpu node",
			     c->cfg->harts[i]->hartid);
}

static bool can_count(const struct pmu_hart_config *hart, uint32_t counters,
		      enum pmu_event event)
{
	/* Where the tree names a fixed counter it means what that counts. */
	if (counters & 7)
		return true;
	counters &= hart->hpm_mask;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (counters >> n & 1 && hart->hpm_events[n] >> event & 1)
			return true;
	return false;
}

static void check_event(const struct checker *c, const struct fw_dt *pmu,
			const struct pmu_hart_config *hart,
			const struct pmu_event_desc *event)
{
	const struct pmu_event_desc *selected;
	struct fw_dt_way way;

	if (!fw_dt_event(pmu, hart->hartid, event->selector, &way))
		return;
	selected = pmu_event_by_selector(way.select);
	if (!selected)
		warn(c,
		     "%s has selector 0x%llx for %s, which selects nothing on "
		     "hart %u",
		     fw_dt_path(pmu, hart->hartid),
		     (unsigned long long)way.select, event->name, hart->hartid);
	else if (!can_count(hart, way.counters, selected->event))
		warn(c,
		     "%s has counters 0x%x for %s, none of which hart %u has "
		     "for it",
		     fw_dt_path(pmu, hart->hartid), way.counters, event->name,
		     hart->hartid);
}

/*
 * What riscv,pmu nodes say against what the harts can. Faults of the nodes
 * themselves are the firmware's to tell.
 */
static void check_pmu(const struct checker *c)
{
	struct fw_dt_source src = { .dtb = c->fdt };
	struct fw_dt *pmu = NULL;

	if (fw_dt_new(&pmu, &src) || !pmu)
		return;
	for (unsigned i = 0; i < c->cfg->n_harts; i++)
		for (int e = 0; e < PMU_N_EVENTS; e++)
			check_event(c, pmu, c->cfg->harts[i],
				    pmu_event_desc((enum pmu_event)e));
	fw_dt_free(pmu);
}

int dt_check(const void *dtb, size_t size, const struct dt_config *cfg,
	     struct dt_report *report)
{
	struct checker c = { .fdt = dtb, .cfg = cfg, .report = report };
	int err;

	if (size > DT_MAX_SIZE) {
		report->error = "the device tree is larger than 2 MiB";
		return -DT_EFORMAT;
	}
	if (size < sizeof(struct fdt_header)) {
		report->error = "the device tree is too short for a header";
		return -DT_EFORMAT;
	}
	/* Each property is looked up in there: bounds the work. */
	if (fdt_magic(dtb) == FDT_MAGIC &&
	    fdt_size_dt_strings(dtb) > DT_MAX_STRINGS) {
		report->error = "the device tree's strings exceed 256 KiB";
		return -DT_EFORMAT;
	}
	err = fdt_check_full(dtb, size);
	if (err) {
		report->error = fdt_strerror(err);
		return -DT_EFORMAT;
	}
	check_root(&c);
	check_cpus(&c);
	check_pmu(&c);
	if (!promises_broken(&c.promises, report->text, sizeof(report->text)))
		return 0;
	report->error = report->text;
	return -DT_EFORMAT;
}
