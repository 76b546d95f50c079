/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory as the engine and the board see it: what a virtual address leads to,
 * accesses to devices, and what devices cause. A device that changes what may
 * run next ends the slice behind the accessing instruction, exactly.
 */
#include <stdlib.h>
#include <string.h>

#include <pmu/translate.h>

#include "machine-inside.h"

#define PAGE_MASK (~UINT64_C(4095))

static bool pte_read(void *mem, uint64_t paddr, unsigned size, uint64_t *ret)
{
	*ret = 0;
	return bus_read(board_bus(mem), paddr, ret, size);
}

static bool pte_write(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	return bus_write(board_bus(mem), paddr, &value, size);
}

struct pmu_pte_ops machine_ptes(struct machine *m)
{
	return (struct pmu_pte_ops){ pte_read, pte_write, m->board };
}

/* The access fault of an access. */
static uint8_t access_fault(enum pmu_access access)
{
	switch (access) {
	case PMU_ACCESS_FETCH:
		return PMU_CAUSE_FETCH_ACCESS;
	case PMU_ACCESS_LOAD:
		return PMU_CAUSE_LOAD_ACCESS;
	case PMU_ACCESS_STORE:
		break;
	}
	return PMU_CAUSE_STORE_ACCESS;
}

/* Nothing is fetched from a device. */
static bool place_device(struct engine_walk *walk)
{
	walk->device = true;
	walk->perms &= (uint8_t)~PMU_PERM_X;
	return walk->access != PMU_ACCESS_FETCH;
}

static bool place(struct machine *m, struct engine_walk *walk)
{
	switch (board_page(m->board, walk->paddr)) {
	case BOARD_PAGE_RAM:
		return true;
	case BOARD_PAGE_DEVICE:
		return place_device(walk);
	case BOARD_PAGE_HTIF:
		walk->watched = true;
		return true;
	case BOARD_PAGE_NONE:
		break;
	}
	return false;
}

bool machine_translate(void *host, struct engine_walk *walk)
{
	struct machine *m = host;
	const struct pmu_pte_ops ops = machine_ptes(m);
	const struct pmu_walk in = {
		.vaddr = walk->vaddr,
		.access = walk->access,
		.executes = walk->executes,
	};
	struct pmu_fault fault;
	struct pmu_mapping map;

	if (!pmu_translate(machine_current(m)->pmu, &in, &ops, &map, &fault)) {
		walk->cause = fault.cause;
		return false;
	}
	walk->paddr = map.paddr & PAGE_MASK;
	walk->perms = map.perms;
	walk->device = walk->watched = false;
	if (place(m, walk))
		return true;
	walk->cause = access_fault(walk->access);
	return false;
}

/* Run no further than the instruction under way. */
static void cut(struct machine *m)
{
	m->budget.limit.n[PMU_EV_INSNS] = m->budget.done.n[PMU_EV_INSNS] + 1;
}

bool machine_mmio(void *host, struct engine_mmio *access)
{
	struct machine *m = host;
	struct bus_access a = {
		.now = machine_now(m) +
		       m->budget.done.n[PMU_EV_INSNS] * m->cfg.settings.cpi,
		.value = access->value,
		.size = access->size,
		.write = access->write,
	};

	if (!board_access(m->board, access->paddr, &a))
		return false;
	if (!a.write)
		access->value = a.value;
	return true;
}

void machine_stored(void *host, uint64_t paddr, uint64_t size)
{
	struct machine *m = host;

	board_stored(m->board, paddr, size);
}

static void on_irq(void *host, unsigned hart, enum pmu_irq irq, bool level)
{
	struct machine *m = host;

	pmu_irq_set(m->harts[hart].pmu, irq, level);
	if ((int)hart == m->sched.cur) {
		m->plan.irq = true;
		cut(m);
	}
}

static void on_timer_changed(void *host)
{
	struct machine *m = host;

	m->plan.stale = true;
	cut(m);
}

static void on_console_out(void *host, const uint8_t *bytes, size_t len)
{
	struct machine *m = host;

	if (m->out_cap - m->n_out < len) {
		size_t cap = 2 * m->out_cap + len + 64;
		uint8_t *grown = realloc(m->out, cap);

		if (!grown)
			abort();
		m->out = grown;
		m->out_cap = cap;
	}
	memcpy(m->out + m->n_out, bytes, len);
	m->n_out += len;
	cut(m);
}

void machine_flush_console(struct machine *m)
{
	struct hart *h;
	struct record_at at;

	if (!m->n_out)
		return;
	h = &m->harts[m->sched.cur >= 0 ? m->sched.cur : (int)m->sched.last];
	at = machine_at(m, h, machine_pc(m, h));
	record_console(m->recorder, &at, m->out, m->n_out);
	m->n_out = 0;
}

static void on_finish(void *host, enum board_end end, uint64_t code)
{
	struct machine *m = host;

	cut(m);
	m->plan.stale = true;
	if (m->ending)
		return;
	m->ending = true;
	m->exit_code = code > INT32_MAX ? INT32_MAX : (int)code;
	switch (end) {
	case BOARD_END_PASS:
		m->cause = CAUSE_FINISHER_PASS;
		break;
	case BOARD_END_FAIL:
		m->cause = CAUSE_FINISHER_FAIL;
		break;
	case BOARD_END_RESET:
		m->cause = CAUSE_REBOOT;
		m->exit_code = EXIT_DEADLOCK;
		break;
	case BOARD_END_HTIF:
		m->cause = CAUSE_HTIF;
		break;
	}
}

static void on_ram_written(void *host, uint64_t paddr, uint64_t size)
{
	struct machine *m = host;

	if (m->engine)
		engine_ram_written(m->engine, paddr, size);
}

const struct board_ops machine_board_ops = {
	.irq = on_irq,
	.timer_changed = on_timer_changed,
	.console_out = on_console_out,
	.finish = on_finish,
	.ram_written = on_ram_written,
};
