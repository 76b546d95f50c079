/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reading a machine. Waiting harts are accounted for up to now first, which is
 * nothing the guest could see: a wait that overflows a counter ends a slice.
 */
#include "inspect.h"

#include <inttypes.h>
#include <string.h>

#include "board/dt.h"
#include "core/machine-inside.h"

enum {
	CSR_FFLAGS = 1,
	CSR_FRM = 2,
	CSR_FCSR = 3,
	PAGE = 4096,
};

_Static_assert((int)DT_MAX_ISA <= 512, "struct inspect_hart has room");

static bool check_hart(struct machine *m, unsigned hart, struct error *e)
{
	if (hart >= m->cfg.harts)
		return error_set(
			e, STATUS_INVALID_ARGUMENT, AT("hart", "NO_SUCH_HART"),
			"hart: %u, 0 to %u are there", hart, m->cfg.harts - 1);
	if (m->state == MACHINE_NEW)
		return error_set(e, STATUS_FAILED_PRECONDITION,
				 AT(NULL, "NOT_STARTED"),
				 "the machine has not started");
	if (m->sched.status[hart] == HART_WAITING)
		machine_account_wait(m, &m->harts[hart]);
	return true;
}

bool inspect_hart(struct machine *m, unsigned hart, struct inspect_hart *ret,
		  struct error *e)
{
	const struct hart *h = &m->harts[hart];

	if (!check_hart(m, hart, e))
		return false;
	*ret = (struct inspect_hart){
		.status = m->sched.status[hart],
		.mode = pmu_hart_mode(h->pmu),
		.pc = machine_pc(m, h),
		.cycle = pmu_hart_cycles(h->pmu),
		.insn = pmu_hart_insns(h->pmu),
	};
	dt_isa_string(pmu_hart_config(h->pmu), ret->isa);
	return true;
}

bool inspect_registers(struct machine *m, unsigned hart, struct hart_state *ret,
		       struct error *e)
{
	if (!check_hart(m, hart, e))
		return false;
	engine_ctx_save(m->engine, m->harts[hart].ctx, ret);
	if (m->cfg.settings.xlen == 32) {
		ret->pc = (uint32_t)ret->pc;
		for (unsigned i = 0; i < 32; i++)
			ret->x[i] = (uint32_t)ret->x[i];
	}
	return true;
}

bool inspect_csr_number(struct machine *m, unsigned hart, const char *name,
			uint32_t *number, struct error *e)
{
	int n;

	if (!check_hart(m, hart, e))
		return false;
	if (!name)
		return true;
	n = pmu_csr_by_name(m->harts[hart].pmu, name);
	if (n < 0)
		return error_set(e, STATUS_NOT_FOUND, AT("csr", "NO_SUCH_CSR"),
				 "CSR '%.64s': hart %u has none of this name",
				 name, hart);
	*number = (uint32_t)n;
	return true;
}

static uint64_t read_fp_csr(struct machine *m, const struct hart *h,
			    uint32_t number)
{
	uint64_t fcsr = engine_get(m->engine, h->ctx, ENGINE_FCSR);

	return number == CSR_FFLAGS ? fcsr & 0x1f
	       : number == CSR_FRM  ? fcsr >> 5 & 7
				    : fcsr & 0xff;
}

bool inspect_csr(struct machine *m, unsigned hart, uint32_t number,
		 struct inspect_csr *ret, struct error *e)
{
	struct hart *h = &m->harts[hart];
	uint64_t value = 0;

	if (!check_hart(m, hart, e))
		return false;
	if (number > 0xfff || !pmu_csr_name(h->pmu, (uint16_t)number))
		return error_set(e, STATUS_NOT_FOUND, AT("csr", "NO_SUCH_CSR"),
				 "CSR 0x%" PRIx32 ": hart %u has none there",
				 number, hart);
	if (number >= CSR_FFLAGS && number <= CSR_FCSR)
		value = read_fp_csr(m, h, number);
	else if (pmu_csr_peek(h->pmu, (uint16_t)number, machine_now(m), &value))
		return error_set(e, STATUS_FAILED_PRECONDITION,
				 AT("csr", "CSR_EMPTY"),
				 "CSR %s: nothing is behind it now",
				 pmu_csr_name(h->pmu, (uint16_t)number));
	*ret = (struct inspect_csr){
		.number = (uint16_t)number,
		.name = pmu_csr_name(h->pmu, (uint16_t)number),
		.rule = pmu_csr_rule(h->pmu, (uint16_t)number),
		.value = value,
	};
	return true;
}

/* Memory */

bool inspect_memory(struct machine *m, const struct inspect_range *range,
		    uint8_t *ret, struct error *e)
{
	size_t n;

	if (!check_hart(m, range->hart, e))
		return false;
	if (range->size < 1 || range->size > MACHINE_MAX_PEEK)
		return error_set(e, STATUS_INVALID_ARGUMENT,
				 AT("size", "BAD_SIZE"),
				 "memory: %zu bytes, 1 to %d are accepted",
				 range->size, MACHINE_MAX_PEEK);
	for (size_t at = 0; at < range->size; at += n) {
		uint64_t addr = range->address + at, paddr = addr;

		n = PAGE - addr % PAGE;
		if (n > range->size - at)
			n = range->size - at;
		if ((range->virtual &&
		     !machine_find_address(m, range->hart, addr, &paddr)) ||
		    !bus_read(board_bus(m->board), paddr, ret + at, n))
			return error_set(
				e, STATUS_OUT_OF_RANGE,
				AT("address", "NO_MEMORY_THERE"),
				"memory: nothing to read at 0x%" PRIx64, addr);
	}
	return true;
}

/* Counts */

uint64_t inspect_total(struct machine *m, unsigned hart, enum pmu_event event,
		       enum pmu_mode mode)
{
	if (!check_hart(m, hart, NULL))
		return 0;
	return pmu_hart_total(m->harts[hart].pmu, event, mode);
}

uint64_t inspect_fw_total(struct machine *m, unsigned hart, unsigned event)
{
	return m->fw ? fw_event_total(m->fw, hart, event) : 0;
}

uint64_t inspect_time(struct machine *m)
{
	return pmu_time(&m->timebase, machine_now(m));
}

unsigned inspect_counters(struct machine *m, unsigned hart)
{
	unsigned n = m->fw ? fw_num_counters(m->fw, hart) : 0;

	return n > PMU_N_COUNTERS ? n : PMU_N_COUNTERS;
}

static void hardware_counter(const struct pmu_hart *h, unsigned n,
			     struct inspect_counter *ret)
{
	const uint64_t selector = (UINT64_C(1) << 56) - 1;
	const struct pmu_event_desc *desc = NULL;

	ret->exists = true;
	ret->width = pmu_counter_width(h, n);
	ret->value = pmu_counter_get(h, n);
	ret->config = pmu_counter_event(h, n);
	ret->inhibited = pmu_counter_inhibit(h) >> n & 1;
	if (n < 3)
		desc = pmu_event_desc(n ? PMU_EV_INSNS : PMU_EV_CYCLES);
	else if (ret->config & selector)
		desc = pmu_event_by_selector(ret->config & selector);
	if (n >= 3)
		ret->overflow = ret->config & PMU_EVENT_OF;
	ret->event = desc ? desc->name : NULL;
}

void inspect_counter(struct machine *m, unsigned hart, unsigned index,
		     struct inspect_counter *ret)
{
	const struct pmu_hart *h = m->harts[hart].pmu;
	const struct fw_event_desc *desc;
	struct fw_counter fw;

	*ret = (struct inspect_counter){ 0 };
	if (!check_hart(m, hart, NULL))
		return;
	if (index < PMU_N_COUNTERS && pmu_counters(h) >> index & 1)
		hardware_counter(h, index, ret);
	if (!m->fw || !fw_counter_state(m->fw, hart, index, &fw) || !fw.exists)
		return;
	ret->exists = true;
	ret->mapped = fw.mapped;
	ret->started = fw.started;
	ret->event_idx = fw.event_idx;
	ret->event_data = fw.event_data;
	if (!fw.firmware)
		return;
	ret->firmware = true;
	ret->width = 64;
	ret->value = fw.value;
	ret->inhibited = !fw.started;
	desc = fw_event_by_code(fw.event_idx & 0xffff);
	if (fw.mapped && desc)
		ret->event = desc->name;
}
