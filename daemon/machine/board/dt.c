/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Builds the machine's device tree: one function per node, written in order
 * with libfdt. Which events a counter can count comes from the harts'
 * configurations, names and selectors from libpmu's catalogue.
 */
#include "dt.h"

#include <assert.h>
#include <libfdt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmu/counter.h>
#include <pmu/trap.h>

#include "board.h"
#include "dev-finisher.h"

/* Handles of nodes that others name; hart n's controller is INTC + n. */
enum {
	PHANDLE_FINISHER = 1,
	PHANDLE_INTC = 16
};

#define RAW_EVENTS 0x20000u /* smaller: SBI event_idx */

/* The tree being written; the first error sticks, later steps do nothing. */
struct writer {
	void *fdt;
	int err;
	const struct dt_config *cfg;
};

static void check(struct writer *w, int err)
{
	if (!w->err)
		w->err = err;
}

static void begin(struct writer *w, const char *name)
{
	check(w, w->err ? 0 : fdt_begin_node(w->fdt, name));
}

/* A node whose name has a unit address. */
static void begin_at(struct writer *w, const char *name, uint64_t addr)
{
	char full[64];

	snprintf(full, sizeof(full), "%s@%llx", name, (unsigned long long)addr);
	begin(w, full);
}

static void end(struct writer *w)
{
	check(w, w->err ? 0 : fdt_end_node(w->fdt));
}

static void bytes(struct writer *w, const char *name, const void *data,
		  size_t len)
{
	check(w, w->err ? 0 : fdt_property(w->fdt, name, data, (int)len));
}

static void string(struct writer *w, const char *name, const char *value)
{
	bytes(w, name, value, strlen(value) + 1);
}

static void flag(struct writer *w, const char *name)
{
	bytes(w, name, NULL, 0);
}

static void cell(struct writer *w, const char *name, uint32_t value)
{
	check(w, w->err ? 0 : fdt_property_u32(w->fdt, name, value));
}

/* A list of cells under construction, host byte order until cells(). */
struct cells {
	uint32_t v[256];
	size_t n;
};

static void add(struct cells *c, uint32_t value)
{
	assert(c->n < sizeof(c->v) / sizeof(c->v[0]));
	c->v[c->n++] = value;
}

static void add64(struct cells *c, uint64_t value)
{
	add(c, (uint32_t)(value >> 32));
	add(c, (uint32_t)value);
}

static void cells(struct writer *w, const char *name, struct cells *c)
{
	for (size_t i = 0; i < c->n; i++)
		c->v[i] = cpu_to_fdt32(c->v[i]);
	bytes(w, name, c->v, c->n * sizeof(c->v[0]));
}

static void reg(struct writer *w, uint64_t base, uint64_t size)
{
	struct cells c = { .n = 0 };

	add64(&c, base);
	add64(&c, size);
	cells(w, "reg", &c);
}

static void address_cells(struct writer *w, uint32_t addr, uint32_t size)
{
	cell(w, "#address-cells", addr);
	cell(w, "#size-cells", size);
}

/* A hart's controller and an interrupt of it. */
static void add_line(struct cells *c, unsigned index, enum pmu_irq irq)
{
	add(c, PHANDLE_INTC + index);
	add(c, irq);
}

static void chosen(struct writer *w)
{
	begin(w, "chosen");
	string(w, "stdout-path", "/soc/serial@10000000");
	if (w->cfg->bootargs && w->cfg->bootargs[0])
		string(w, "bootargs", w->cfg->bootargs);
	if (w->cfg->initrd_start != w->cfg->initrd_end) {
		struct cells c = { .n = 0 };

		add64(&c, w->cfg->initrd_start);
		cells(w, "linux,initrd-start", &c);
		c.n = 0;
		add64(&c, w->cfg->initrd_end);
		cells(w, "linux,initrd-end", &c);
	}
	end(w);
}

static void memory(struct writer *w)
{
	begin_at(w, "memory", BOARD_RAM_BASE);
	string(w, "device_type", "memory");
	reg(w, BOARD_RAM_BASE, w->cfg->ram_size);
	end(w);
}

static const char *mmu_type(const struct pmu_hart_config *hart)
{
	if (hart->sv_modes & PMU_SV57)
		return "riscv,sv57";
	if (hart->sv_modes & PMU_SV48)
		return "riscv,sv48";
	if (hart->sv_modes & PMU_SV39)
		return "riscv,sv39";
	if (hart->sv_modes & PMU_SV32)
		return "riscv,sv32";
	return "riscv,none";
}

static void interrupt_controller(struct writer *w, unsigned index)
{
	begin(w, "interrupt-controller");
	cell(w, "#interrupt-cells", 1);
	flag(w, "interrupt-controller");
	string(w, "compatible", "riscv,cpu-intc");
	cell(w, "phandle", PHANDLE_INTC + index);
	end(w);
}

static void cpu(struct writer *w, unsigned index)
{
	const struct pmu_hart_config *hart = w->cfg->harts[index];
	char isa[DT_MAX_ISA], list[DT_MAX_ISA];

	dt_isa_string(hart, isa);
	begin_at(w, "cpu", hart->hartid);
	string(w, "device_type", "cpu");
	cell(w, "reg", hart->hartid);
	string(w, "status", "okay");
	string(w, "compatible", "riscv");
	string(w, "riscv,isa", isa);
	string(w, "riscv,isa-base", hart->xlen == 32 ? "rv32i" : "rv64i");
	bytes(w, "riscv,isa-extensions", list, dt_isa_list(hart, list));
	string(w, "mmu-type", mmu_type(hart));
	interrupt_controller(w, index);
	end(w);
}

static void cpus(struct writer *w)
{
	begin(w, "cpus");
	address_cells(w, 1, 0);
	cell(w, "timebase-frequency", (uint32_t)w->cfg->time_hz);
	for (unsigned i = 0; i < w->cfg->n_harts; i++)
		cpu(w, i);
	end(w);
}

/* Do both count the same, with the same interrupts? */
static bool same_pmu(const struct pmu_hart_config *a,
		     const struct pmu_hart_config *b)
{
	if (a->hpm_mask != b->hpm_mask || (a->ext ^ b->ext) & PMU_EXT_SSCOFPMF)
		return false;
	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (a->hpm_mask >> n & 1 &&
		    a->hpm_events[n] != b->hpm_events[n])
			return false;
	return true;
}

/* The first hart whose PMU is that of hart @index. */
static unsigned leader(const struct dt_config *cfg, unsigned index)
{
	unsigned i = 0;

	while (!same_pmu(cfg->harts[i], cfg->harts[index]))
		i++;
	return i;
}

static uint32_t counters_of(const struct pmu_hart_config *hart,
			    enum pmu_event event)
{
	uint32_t mask = 0;

	for (unsigned n = 3; n < PMU_N_COUNTERS; n++)
		if (hart->hpm_mask & 1u << n &&
		    hart->hpm_events[n] >> event & 1)
			mask |= 1u << n;
	if (event == PMU_EV_CYCLES)
		mask |= 1u << 0;
	if (event == PMU_EV_INSNS)
		mask |= 1u << 2;
	return mask;
}

/*
 * The rows of one event. A standard event has an event_idx, and every event
 * is a raw event under its selector.
 */
static void event_rows(const struct pmu_hart_config *hart, enum pmu_event event,
		       struct cells *select, struct cells *idx,
		       struct cells *raw)
{
	const struct pmu_event_desc *d = pmu_event_desc(event);
	uint32_t mask = counters_of(hart, event);

	if (d->selector < RAW_EVENTS && mask) {
		add(select, d->selector);
		add64(select, d->selector);
		add(idx, d->selector);
		add(idx, d->selector);
		add(idx, mask);
	}
	if (mask & ~7u) {
		add64(raw, d->selector);
		add64(raw, PMU_EVENT_SELECTOR);
		add(raw, mask & ~7u);
	}
}

static void pmu_tables(struct writer *w, const struct pmu_hart_config *hart)
{
	struct cells select = { .n = 0 }, idx = { .n = 0 }, raw = { .n = 0 };

	for (int e = 0; e < PMU_N_EVENTS; e++)
		event_rows(hart, (enum pmu_event)e, &select, &idx, &raw);
	cells(w, "riscv,event-to-mhpmevent", &select);
	cells(w, "riscv,event-to-mhpmcounters", &idx);
	if (raw.n)
		cells(w, "riscv,raw-event-to-mhpmcounters", &raw);
}

/* The node of the harts that have hart @first's PMU. */
static void pmu(struct writer *w, unsigned first, const char *name, bool alone)
{
	const struct pmu_hart_config *hart = w->cfg->harts[first];
	struct cells lines = { .n = 0 };

	begin(w, name);
	string(w, "compatible", "riscv,pmu");
	for (unsigned i = first; i < w->cfg->n_harts; i++)
		if (leader(w->cfg, i) == first)
			add_line(&lines, i, PMU_IRQ_LCOFI);
	/*
	 * Of several nodes each names its harts, also where they have no such
	 * interrupt: the firmware reads it, the guest's copy does not have it.
	 */
	if (!alone || hart->ext & PMU_EXT_SSCOFPMF)
		cells(w, "interrupts-extended", &lines);
	pmu_tables(w, hart);
	end(w);
}

static void pmus(struct writer *w)
{
	bool alone = true;
	char name[16] = "pmu";
	unsigned n = 0;

	for (unsigned i = 1; i < w->cfg->n_harts; i++)
		alone = alone && leader(w->cfg, i) == 0;
	for (unsigned i = 0; i < w->cfg->n_harts; i++) {
		if (leader(w->cfg, i) != i)
			continue;
		if (!alone)
			snprintf(name, sizeof(name), "pmu-%u", n++);
		pmu(w, i, name, alone);
	}
}

static void serial(struct writer *w)
{
	begin_at(w, "serial", BOARD_UART_BASE);
	string(w, "compatible", "ns16550a");
	reg(w, BOARD_UART_BASE, BOARD_UART_SIZE);
	cell(w, "clock-frequency", BOARD_UART_CLOCK);
	end(w);
}

static void clint(struct writer *w)
{
	static const char compatible[] = "sifive,clint0\0riscv,clint0";
	struct cells lines = { .n = 0 };

	for (unsigned i = 0; i < w->cfg->n_harts; i++) {
		add_line(&lines, i, PMU_IRQ_MSI);
		add_line(&lines, i, PMU_IRQ_MTI);
	}
	begin_at(w, "clint", BOARD_CLINT_BASE);
	bytes(w, "compatible", compatible, sizeof(compatible));
	reg(w, BOARD_CLINT_BASE, BOARD_CLINT_SIZE);
	cells(w, "interrupts-extended", &lines);
	end(w);
}

static void finisher(struct writer *w)
{
	static const char compatible[] = "sifive,test1\0sifive,test0\0syscon";

	begin_at(w, "test", BOARD_FINISHER_BASE);
	bytes(w, "compatible", compatible, sizeof(compatible));
	reg(w, BOARD_FINISHER_BASE, BOARD_FINISHER_SIZE);
	cell(w, "phandle", PHANDLE_FINISHER);
	end(w);
}

static void soc(struct writer *w)
{
	begin(w, "soc");
	string(w, "compatible", "simple-bus");
	address_cells(w, 2, 2);
	flag(w, "ranges");
	finisher(w);
	if (w->cfg->clint)
		clint(w);
	serial(w);
	end(w);
}

/* What a kernel without SBI system reset stores to the finisher. */
static void syscon(struct writer *w, const char *name, const char *compatible,
		   uint32_t value)
{
	begin(w, name);
	string(w, "compatible", compatible);
	cell(w, "regmap", PHANDLE_FINISHER);
	cell(w, "offset", 0);
	cell(w, "value", value);
	end(w);
}

static void root(struct writer *w)
{
	begin(w, "");
	address_cells(w, 2, 2);
	string(w, "compatible", "pmud,bench");
	string(w, "model", "pmud bench");
	chosen(w);
	memory(w);
	cpus(w);
	pmus(w);
	soc(w);
	syscon(w, "poweroff", "syscon-poweroff", FINISHER_PASS);
	syscon(w, "reboot", "syscon-reboot", FINISHER_RESET);
	end(w);
}

static bool config_is_valid(const struct dt_config *cfg)
{
	if (cfg->n_harts < 1 || cfg->n_harts > PMU_MAX_HARTS || !cfg->time_hz ||
	    cfg->time_hz > UINT32_MAX || cfg->initrd_start > cfg->initrd_end)
		return false;
	for (unsigned i = 1; i < cfg->n_harts; i++)
		if (cfg->harts[i]->xlen != cfg->harts[0]->xlen)
			return false;
	return !cfg->bootargs ||
	       strnlen(cfg->bootargs, DT_MAX_BOOTARGS + 1) <= DT_MAX_BOOTARGS;
}

int dt_build(void **ret, size_t *ret_size, const struct dt_config *cfg)
{
	/* Enough for 64 harts, all different, and the longest command line. */
	const int room = 256 << 10;
	struct writer w = { .cfg = cfg };

	if (!config_is_valid(cfg))
		return -DT_EINVAL;
	w.fdt = malloc((size_t)room);
	if (!w.fdt)
		return -DT_ENOMEM;
	check(&w, fdt_create(w.fdt, room));
	check(&w, w.err ? 0 : fdt_finish_reservemap(w.fdt));
	root(&w);
	check(&w, w.err ? 0 : fdt_finish(w.fdt));
	if (w.err) {
		free(w.fdt);
		return -DT_ENOMEM;
	}
	*ret = w.fdt;
	*ret_size = fdt_totalsize(w.fdt);
	return 0;
}
