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
#include "dt-write.h"

#define RAW_EVENTS 0x20000u /* smaller: SBI event_idx */

static void chosen(struct dt_writer *w)
{
	dt_begin(w, "chosen");
	dt_string(w, "stdout-path", "/soc/serial@10000000");
	if (w->cfg->bootargs && w->cfg->bootargs[0])
		dt_string(w, "bootargs", w->cfg->bootargs);
	if (w->cfg->rng_seed_size)
		dt_bytes(w, "rng-seed", w->cfg->rng_seed,
			 w->cfg->rng_seed_size);
	if (w->cfg->initrd_start != w->cfg->initrd_end) {
		struct dt_list c = { .n = 0 };

		dt_add64(&c, w->cfg->initrd_start);
		dt_cells(w, "linux,initrd-start", &c);
		c.n = 0;
		dt_add64(&c, w->cfg->initrd_end);
		dt_cells(w, "linux,initrd-end", &c);
	}
	dt_end(w);
}

/* Which serial port is the first one. */
static void aliases(struct dt_writer *w)
{
	if (w->cfg->board != BOARD_VIRT)
		return;
	dt_begin(w, "aliases");
	dt_string(w, "serial0", "/soc/serial@10000000");
	if (w->cfg->serial)
		dt_string(w, "serial1", "/soc/serial@10001000");
	dt_end(w);
}

static void memory(struct dt_writer *w)
{
	dt_begin_at(w, "memory", BOARD_RAM_BASE);
	dt_string(w, "device_type", "memory");
	dt_reg(w, BOARD_RAM_BASE, w->cfg->ram_size);
	dt_end(w);
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

static void interrupt_controller(struct dt_writer *w, unsigned index)
{
	dt_begin(w, "interrupt-controller");
	dt_cell(w, "#interrupt-cells", 1);
	dt_flag(w, "interrupt-controller");
	dt_string(w, "compatible", "riscv,cpu-intc");
	dt_cell(w, "phandle", DT_PHANDLE_INTC + index);
	dt_end(w);
}

static void cpu(struct dt_writer *w, unsigned index)
{
	const struct pmu_hart_config *hart = w->cfg->harts[index];
	char isa[DT_MAX_ISA], list[DT_MAX_ISA];

	dt_isa_string(hart, isa);
	dt_begin_at(w, "cpu", hart->hartid);
	dt_string(w, "device_type", "cpu");
	dt_cell(w, "reg", hart->hartid);
	dt_string(w, "status", "okay");
	dt_string(w, "compatible", "riscv");
	dt_string(w, "riscv,isa", isa);
	dt_string(w, "riscv,isa-base", hart->xlen == 32 ? "rv32i" : "rv64i");
	dt_bytes(w, "riscv,isa-extensions", list, dt_isa_list(hart, list));
	dt_string(w, "mmu-type", mmu_type(hart));
	interrupt_controller(w, index);
	dt_end(w);
}

static void cpus(struct dt_writer *w)
{
	dt_begin(w, "cpus");
	dt_address_cells(w, 1, 0);
	dt_cell(w, "timebase-frequency", (uint32_t)w->cfg->time_hz);
	for (unsigned i = 0; i < w->cfg->n_harts; i++)
		cpu(w, i);
	dt_end(w);
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
		       struct dt_list *select, struct dt_list *idx,
		       struct dt_list *raw)
{
	const struct pmu_event_desc *d = pmu_event_desc(event);
	uint32_t mask = counters_of(hart, event);

	if (mask && d->selector < RAW_EVENTS) {
		dt_add(select, d->selector);
		dt_add64(select, d->selector);
		dt_add(idx, d->selector);
		dt_add(idx, d->selector);
		dt_add(idx, mask);
	}
	if (mask & ~7u) {
		dt_add64(raw, d->selector);
		dt_add64(raw, PMU_EVENT_SELECTOR);
		dt_add(raw, mask & ~7u);
	}
}

static void pmu_tables(struct dt_writer *w, const struct pmu_hart_config *hart)
{
	struct dt_list select = { .n = 0 }, idx = { .n = 0 }, raw = { .n = 0 };

	for (int e = 0; e < PMU_N_EVENTS; e++)
		event_rows(hart, (enum pmu_event)e, &select, &idx, &raw);
	dt_cells(w, "riscv,event-to-mhpmevent", &select);
	dt_cells(w, "riscv,event-to-mhpmcounters", &idx);
	if (raw.n)
		dt_cells(w, "riscv,raw-event-to-mhpmcounters", &raw);
}

/* The node of the harts that have hart @first's PMU. */
static void pmu(struct dt_writer *w, unsigned first, const char *name,
		bool alone)
{
	const struct pmu_hart_config *hart = w->cfg->harts[first];
	struct dt_list lines = { .n = 0 };

	dt_begin(w, name);
	dt_string(w, "compatible", "riscv,pmu");
	for (unsigned i = first; i < w->cfg->n_harts; i++)
		if (leader(w->cfg, i) == first)
			dt_add_line(&lines, i, PMU_IRQ_LCOFI);
	/*
	 * Of several nodes each names its harts, also where they have no such
	 * interrupt: the firmware reads it, the guest's copy does not have it.
	 */
	if (!alone || hart->ext & PMU_EXT_SSCOFPMF)
		dt_cells(w, "interrupts-extended", &lines);
	pmu_tables(w, hart);
	dt_end(w);
}

static void pmus(struct dt_writer *w)
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

/* What a kernel without SBI system reset stores to the finisher. */
static void syscon(struct dt_writer *w, const char *name,
		   const char *compatible, uint32_t value)
{
	dt_begin(w, name);
	dt_string(w, "compatible", compatible);
	dt_cell(w, "regmap", DT_PHANDLE_FINISHER);
	dt_cell(w, "offset", 0);
	dt_cell(w, "value", value);
	dt_end(w);
}

static void root(struct dt_writer *w)
{
	dt_begin(w, "");
	dt_address_cells(w, 2, 2);
	dt_string(w, "compatible", "pmud,bench");
	dt_string(w, "model", "pmud bench");
	aliases(w);
	chosen(w);
	memory(w);
	cpus(w);
	pmus(w);
	dt_soc(w);
	syscon(w, "poweroff", "syscon-poweroff", FINISHER_PASS);
	syscon(w, "reboot", "syscon-reboot", FINISHER_RESET);
	dt_end(w);
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
	struct dt_writer w = { .cfg = cfg };

	if (!config_is_valid(cfg))
		return -DT_EINVAL;
	w.fdt = malloc((size_t)room);
	if (!w.fdt)
		return -DT_ENOMEM;
	dt_keep_error(&w, fdt_create(w.fdt, room));
	dt_keep_error(&w, w.err ? 0 : fdt_finish_reservemap(w.fdt));
	root(&w);
	dt_keep_error(&w, w.err ? 0 : fdt_finish(w.fdt));
	if (w.err) {
		free(w.fdt);
		return -DT_ENOMEM;
	}
	*ret = w.fdt;
	*ret_size = fdt_totalsize(w.fdt);
	return 0;
}
