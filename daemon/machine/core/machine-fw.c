/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the firmware model may ask of the machine: memory, console, fences,
 * harts, timers, the end. All of it happens at an instruction boundary.
 */
#include <string.h>

#include "machine-inside.h"

static bool mem_read(void *host, uint64_t paddr, void *buf, size_t len)
{
	struct machine *m = host;

	return bus_read(board_bus(m->board), paddr, buf, len);
}

static bool mem_write(void *host, uint64_t paddr, const void *buf, size_t len)
{
	struct machine *m = host;

	return bus_write(board_bus(m->board), paddr, buf, len);
}

static bool mem_is_ram(void *host, uint64_t paddr, uint64_t len)
{
	struct machine *m = host;

	return bus_is_ram(board_bus(m->board), paddr, len);
}

static void console_write(void *host, const uint8_t *bytes, size_t len)
{
	struct machine *m = host;
	struct hart *h = &m->harts[m->sched.cur >= 0 ? m->sched.cur
						     : (int)m->sched.last];
	struct record_at at = machine_at(m, h, m->here);

	record_console(m->recorder, &at, bytes, len);
}

static size_t console_read(void *host, uint8_t *buf, size_t len)
{
	struct machine *m = host;

	return board_console_read(m->board, buf, len);
}

/* Another hart's translations are dropped when it gets its turn. */
static void fence(void *host, unsigned hart, enum fw_fence_kind kind)
{
	struct machine *m = host;

	switch (kind) {
	case FW_FENCE_I:
		engine_fence_i(m->engine);
		break;
	case FW_SFENCE_VMA:
	case FW_SFENCE_VMA_ASID:
	case FW_HFENCE_GVMA:
	case FW_HFENCE_GVMA_VMID:
	case FW_HFENCE_VVMA:
	case FW_HFENCE_VVMA_ASID:
		if ((int)hart == m->sched.cur)
			engine_flush_tlb(m->engine);
		break;
	}
}

static void hart_start(void *host, unsigned hart, uint64_t pc, uint64_t opaque)
{
	struct machine *m = host;

	machine_start_hart(m, &m->harts[hart], pc, opaque);
	m->plan.stale = true;
}

static void hart_stop(void *host, unsigned hart)
{
	struct machine *m = host;

	machine_stop_hart(m, &m->harts[hart]);
}

static void hart_suspend(void *host, unsigned hart, bool retentive, uint64_t pc,
			 uint64_t opaque)
{
	struct machine *m = host;
	struct hart *h = &m->harts[hart];

	if (!retentive) {
		machine_set_pc(m, h, pc);
		engine_set(m->engine, h->ctx, 10, hart);
		engine_set(m->engine, h->ctx, 11, opaque);
		if ((int)hart == m->sched.cur)
			engine_flush_tlb(m->engine);
	}
	machine_wait_hart(m, h, WAIT_SUSPEND, 0);
}

static void timer_changed(void *host, unsigned hart)
{
	struct machine *m = host;

	m->plan.stale = true;
}

static void reset(void *host, const struct fw_reset *reset)
{
	struct machine *m = host;

	m->plan.stale = true;
	if (m->ending)
		return;
	m->ending = true;
	if (reset->reason == 1) {
		m->cause = CAUSE_SYSTEM_FAILURE;
		m->exit_code = EXIT_SYSTEM_FAILURE;
	} else if (reset->type != 0) {
		m->cause = CAUSE_REBOOT;
		m->exit_code = EXIT_DEADLOCK;
	} else {
		m->cause = CAUSE_SHUTDOWN;
		m->exit_code = 0;
	}
}

const struct fw_host_ops machine_fw_ops = {
	.mem_read = mem_read,
	.mem_write = mem_write,
	.mem_is_ram = mem_is_ram,
	.console_write = console_write,
	.console_read = console_read,
	.fence = fence,
	.hart_start = hart_start,
	.hart_stop = hart_stop,
	.hart_suspend = hart_suspend,
	.timer_changed = timer_changed,
	.reset = reset,
};
