/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device that changes what may run next ends the slice behind the accessing
 * instruction, exactly.
 */
#include "machine-mem.h"

#include <pmu/page.h>

#include "engine/engine.h"
#include "machine-address.h"
#include "machine-console.h"
#include "machine-hart.h"
#include "machine-note.h"
#include "machine-watch.h"
#include "plan.h"

static bool pte_write(void *mem, uint64_t paddr, unsigned size, uint64_t value)
{
	return bus_write(board_bus(mem), paddr, &value, size);
}

struct pmu_pte_ops mem_ptes(struct machine *m)
{
	return (struct pmu_pte_ops){ address_read_pte, pte_write, m->board };
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
		walk->watched |= PMU_PERM_W;
		return true;
	case BOARD_PAGE_NONE:
		break;
	}
	return false;
}

bool mem_translate(void *host, struct engine_walk *walk)
{
	struct machine *m = host;
	const struct pmu_pte_ops ops = mem_ptes(m);
	const struct pmu_walk in = {
		.vaddr = walk->vaddr,
		.access = walk->access,
		.executes = walk->executes,
	};
	struct pmu_fault fault;
	struct pmu_mapping map;

	if (!pmu_translate(hart_present(m)->pmu, &in, &ops, &map, &fault)) {
		walk->cause = fault.cause;
		return false;
	}
	walk->paddr = map.paddr & PMU_PAGE_MASK;
	walk->perms = map.perms;
	walk->leaf_bits = map.leaf_bits;
	walk->by_sum = map.by_sum;
	walk->device = false;
	walk->watched = 0;
	if (place(m, walk))
		return true;
	walk->cause = access_fault(walk->access);
	return false;
}

uint8_t mem_watched(void *host, uint64_t vaddr)
{
	return watches_page(host, vaddr);
}

bool mem_access_device(void *host, struct engine_mmio *access)
{
	struct machine *m = host;
	struct bus_access a = {
		.now = machine_now(m) +
		       plan_under_way(m->plan, hart_present(m)->pmu),
		.value = access->value,
		.size = access->size,
		.write = access->write,
	};

	struct engine_access seen = {
		.vaddr = access->vaddr,
		.size = access->size,
		.load = !access->write,
		.store = access->write,
	};

	if (!board_access(m->board, access->paddr, &a))
		return false;
	watches_see(m, &seen);
	if (!a.write)
		access->value = a.value;
	return true;
}

void mem_accessed(void *host, const struct engine_access *access)
{
	struct machine *m = host;

	if (access->store)
		board_stored(m->board, access->paddr, access->size);
	watches_see(m, access);
}

/*
 * Another hart's IPI, or the end of a wait. A timer or clock that raises one
 * for a hart that does not wait may be told late, so it ends no turn.
 */
static bool is_call(const struct machine *m, unsigned hart, enum pmu_irq irq)
{
	return irq == PMU_IRQ_MSI || turn_status(m->turn, hart) == HART_WAITING;
}

static void on_irq(void *host, unsigned hart, enum pmu_irq irq, bool level)
{
	struct machine *m = host;

	pmu_irq_set(hart_of(m, hart)->pmu, irq, level);
	if ((int)hart == turn_hart(m->turn)) {
		plan_interrupts_changed(m->plan);
		plan_cut(m->plan);
	} else if (level && is_call(m, hart, irq)) {
		hart_called(m, hart);
		plan_cut(m->plan);
	}
}

static void on_timer_changed(void *host)
{
	struct machine *m = host;

	plan_timer_changed(m->plan);
	plan_cut(m->plan);
}

static void on_console_out(void *host, enum board_port port,
			   const uint8_t *bytes, size_t len)
{
	struct machine *m = host;

	console_add(m->console, port, bytes, len);
	plan_cut(m->plan);
}

static void on_finish(void *host, enum board_end end, uint64_t code)
{
	static const enum machine_cause causes[] = {
		[BOARD_END_PASS] = CAUSE_FINISHER_PASS,
		[BOARD_END_FAIL] = CAUSE_FINISHER_FAIL,
		[BOARD_END_RESET] = CAUSE_REBOOT,
		[BOARD_END_HTIF] = CAUSE_HTIF,
	};
	struct machine *m = host;

	plan_cut(m->plan);
	plan_stop_wanted(m->plan);
	if (end == BOARD_END_RESET)
		code = REBOOT_DEVICE;
	life_end_soon(m->life, causes[end],
		      code > INT32_MAX ? INT32_MAX : (int)code);
}

static void on_ram_written(void *host, uint64_t paddr, uint64_t size)
{
	struct machine *m = host;

	if (m->engine)
		engine_ram_written(m->engine, paddr, size);
}

static void on_vacant(void *host, unsigned index)
{
	struct machine *m = host;

	notes_vacant(m->notes, index);
	plan_cut(m->plan);
}

enum board_kind mem_board_kind(const struct machine_config *cfg)
{
	switch ((enum settings_board)cfg->settings.board) {
	case SETTINGS_BOARD_VIRT:
		return BOARD_VIRT;
	case SETTINGS_BOARD_PLAIN:
		break;
	}
	return BOARD_PLAIN;
}

const struct board_ops mem_board_ops = {
	.irq = on_irq,
	.timer_changed = on_timer_changed,
	.console_out = on_console_out,
	.finish = on_finish,
	.ram_written = on_ram_written,
	.vacant = on_vacant,
};
