/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the firmware model may ask of the machine: memory, console, fences,
 * harts, timers, the end. All of it happens at an instruction boundary.
 */
#include "machine-fw.h"

#include "board/board.h"
#include "call-memory.h"
#include "machine-console.h"
#include "machine-ebb.h"
#include "machine-hart.h"
#include "machine-note.h"
#include "machine-uarch.h"
#include "plan.h"

enum { /* host work of an access, in instructions */
	ACCESS_COST = 16,
	BYTES_AS_ONE = 16,
};

/* A call is one exit, however long it is: a slice ends by what it touches. */
static void spend_access(struct machine *m, size_t len)
{
	plan_spend(m->plan, ACCESS_COST + len / BYTES_AS_ONE);
}

static bool mem_read(void *host, uint64_t paddr, void *buf, size_t len)
{
	struct machine *m = host;

	spend_access(m, len);
	if (!bus_read(board_bus(m->board), paddr, buf, len))
		return false;
	if (m->recorder->sbi_memory)
		call_memory_read(m->call_memory, paddr, buf, len);
	return true;
}

static bool mem_write(void *host, uint64_t paddr, const void *buf, size_t len)
{
	struct machine *m = host;

	spend_access(m, len);
	if (!bus_write(board_bus(m->board), paddr, buf, len))
		return false;
	if (m->recorder->sbi_memory)
		call_memory_written(m->call_memory, paddr, buf, len);
	return true;
}

static bool mem_is_ram(void *host, uint64_t paddr, uint64_t len)
{
	struct machine *m = host;

	return bus_is_ram(board_bus(m->board), paddr, len);
}

static void console_write(void *host, const uint8_t *bytes, size_t len)
{
	console_record(host, bytes, len);
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
		if ((int)hart == turn_hart(m->turn))
			engine_flush_tlb(m->engine);
		uarch_fence(m, hart);
		break;
	}
	hart_called(m, hart);
}

static void ipi_sent(void *host, unsigned hart)
{
	hart_called(host, hart);
}

/* A start is a reset, also of counters that a session has. */
static void start_hart(void *host, unsigned hart, uint64_t pc, uint64_t opaque)
{
	struct machine *m = host;

	machine_ebb_hart_reset(m, hart);
	hart_start(m, hart_of(m, hart), pc, opaque);
	plan_turn_changed(m->plan);
}

static void stop_hart(void *host, unsigned hart)
{
	struct machine *m = host;

	hart_stop(m, hart_of(m, hart));
}

static void suspend_hart(void *host, unsigned hart, bool retentive, uint64_t pc,
			 uint64_t opaque)
{
	struct machine *m = host;
	const struct hart *h = hart_of(m, hart);

	if (!retentive) {
		hart_set_pc(m, h, pc);
		engine_set(m->engine, h->ctx, 10, hart);
		engine_set(m->engine, h->ctx, 11, opaque);
		if ((int)hart == turn_hart(m->turn))
			engine_flush_tlb(m->engine);
	}
	hart_begin_wait(m, h, WAIT_SUSPEND, 0);
}

static void timer_changed(void *host, unsigned hart)
{
	struct machine *m = host;

	plan_timer_changed(m->plan);
}

static void reset(void *host, const struct fw_reset *reset)
{
	struct machine *m = host;

	plan_stop_wanted(m->plan);
	if (reset->reason == 1)
		life_end_soon(m->life, CAUSE_SYSTEM_FAILURE, 0);
	else
		life_end_soon(m->life,
			      reset->type ? CAUSE_REBOOT : CAUSE_SHUTDOWN,
			      (int)reset->type);
}

static void snapshot_mistake(void *host, unsigned hart)
{
	struct machine *m = host;

	notes_snapshot_mistake(m->notes, hart);
}

const struct fw_host_ops fw_ops = {
	.mem_read = mem_read,
	.mem_write = mem_write,
	.mem_is_ram = mem_is_ram,
	.console_write = console_write,
	.console_read = console_read,
	.fence = fence,
	.ipi_sent = ipi_sent,
	.hart_start = start_hart,
	.hart_stop = stop_hart,
	.hart_suspend = suspend_hart,
	.timer_changed = timer_changed,
	.reset = reset,
	.snapshot_mistake = snapshot_mistake,
};
