/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is told of a machine, of each of its parts: made of what the core lets
 * be read.
 */
#include "inspect.h"

#include <inttypes.h>
#include <string.h>

#include <pmu/csr-number.h>
#include <pmu/csr.h>
#include <pmu/fcsr.h>
#include <pmu/model-events.h>
#include <pmu/page.h>
#include <pmu/translate.h>

#include "board/dt.h"
#include "core/machine-read.h"

_Static_assert((int)DT_MAX_ISA <= 512, "struct inspect_hart has room");

static bool check_hart(const struct machine *m, unsigned hart, struct error *e)
{
	unsigned n = machine_config(m)->harts;

	if (hart >= n)
		return error_set(e, ERROR_INVALID,
				 AT(PART_HART, "NO_SUCH_HART"),
				 "hart: there is no hart %u, the last is %u",
				 hart, n - 1);
	if (machine_state(m) == MACHINE_NEW)
		return error_set(e, ERROR_NOT_NOW, AT(PART_NONE, "NOT_STARTED"),
				 "the machine has not started");
	return true;
}

bool inspect_hart(const struct machine *m, unsigned hart,
		  struct inspect_hart *ret, struct error *e)
{
	const struct pmu_hart *h;

	if (!check_hart(m, hart, e))
		return false;
	h = machine_pmu(m, hart);
	*ret = (struct inspect_hart){
		.status = machine_hart_status(m, hart),
		.mode = pmu_hart_mode(h),
		.pc = machine_register(m, hart, ENGINE_PC),
		.cycle = pmu_hart_cycles(h),
		.insn = pmu_hart_insns(h),
	};
	dt_isa_string(pmu_hart_config(h), ret->isa);
	return true;
}

bool inspect_registers(const struct machine *m, unsigned hart,
		       struct hart_state *ret, struct error *e)
{
	if (!check_hart(m, hart, e))
		return false;
	machine_registers(m, hart, ret);
	return true;
}

bool inspect_csr_number(const struct machine *m, unsigned hart,
			const char *name, uint32_t *number, struct error *e)
{
	int n;

	if (!check_hart(m, hart, e))
		return false;
	if (!name)
		return true;
	n = pmu_csr_by_name(machine_pmu(m, hart), name);
	if (n < 0)
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_CSR, "NO_SUCH_CSR"),
				 "CSR '%.64s': hart %u has none of this name",
				 name, hart);
	*number = (uint32_t)n;
	return true;
}

static uint64_t read_fp_csr(const struct machine *m, unsigned hart,
			    uint32_t number)
{
	uint64_t fcsr = machine_register(m, hart, ENGINE_FCSR);

	return pmu_fcsr_read((uint32_t)fcsr, number);
}

bool inspect_csr(const struct machine *m, unsigned hart, uint32_t number,
		 struct inspect_csr *ret, struct error *e)
{
	const struct pmu_hart *h;
	uint64_t value = 0;

	if (!check_hart(m, hart, e))
		return false;
	h = machine_pmu(m, hart);
	if (number >= PMU_N_CSRS || !pmu_csr_name(h, (uint16_t)number))
		return error_set(e, ERROR_NOT_FOUND,
				 AT(PART_CSR, "NO_SUCH_CSR"),
				 "CSR 0x%" PRIx32 ": hart %u has none there",
				 number, hart);
	if (pmu_is_fcsr(number))
		value = read_fp_csr(m, hart, number);
	else if (pmu_csr_peek(h, (uint16_t)number, machine_clock(m), &value))
		return error_set(e, ERROR_NOT_NOW, AT(PART_CSR, "CSR_EMPTY"),
				 "CSR %s: nothing is behind it now",
				 pmu_csr_name(h, (uint16_t)number));
	*ret = (struct inspect_csr){
		.number = (uint16_t)number,
		.name = pmu_csr_name(h, (uint16_t)number),
		.rule = pmu_csr_rule(h, (uint16_t)number),
		.value = value,
	};
	return true;
}

/* Memory */

bool inspect_memory(const struct machine *m, const struct inspect_range *range,
		    uint8_t *ret, struct error *e)
{
	size_t n;

	if (!check_hart(m, range->hart, e))
		return false;
	if (range->size < 1 || range->size > MACHINE_MAX_PEEK)
		return error_set(e, ERROR_INVALID, AT(PART_SIZE, "BAD_SIZE"),
				 "memory: must be from 1 to %d bytes, not %zu",
				 MACHINE_MAX_PEEK, range->size);
	for (size_t at = 0; at < range->size; at += n) {
		uint64_t addr = range->address + at, paddr = addr;

		n = PMU_PAGE - addr % PMU_PAGE;
		if (n > range->size - at)
			n = range->size - at;
		if ((range->virtual &&
		     !machine_find_address(m, range->hart, addr, &paddr)) ||
		    !machine_read_memory(m, paddr, ret + at, n))
			return error_set(
				e, ERROR_OUT_OF_RANGE,
				AT(PART_ADDRESS, "NO_MEMORY_THERE"),
				"memory: nothing to read at 0x%" PRIx64, addr);
	}
	return true;
}

/* Counts */

bool inspect_has_total(const struct machine *m, enum pmu_event event)
{
	return machine_has_total(m, event);
}

uint64_t inspect_total(const struct machine *m, unsigned hart,
		       enum pmu_event event, enum pmu_mode mode)
{
	if (!check_hart(m, hart, NULL))
		return 0;
	if (pmu_event_is_model(event))
		return pmu_hart_observed_total(machine_pmu(m, hart), event,
					       mode);
	return pmu_hart_total(machine_pmu(m, hart), event, mode);
}

uint64_t inspect_fw_total(const struct machine *m, unsigned hart,
			  unsigned event)
{
	const struct fw *fw = machine_firmware(m);

	return fw ? fw_event_total(fw, hart, event) : 0;
}

uint64_t inspect_time(const struct machine *m)
{
	return machine_time(m);
}

unsigned inspect_counters(const struct machine *m, unsigned hart)
{
	const struct fw *fw = machine_firmware(m);
	unsigned n = fw ? fw_num_counters(fw, hart) : 0;

	return n > PMU_N_COUNTERS ? n : PMU_N_COUNTERS;
}

static void hardware_counter(const struct pmu_hart *h, unsigned n,
			     struct inspect_counter *ret)
{
	const struct pmu_event_desc *desc = NULL;

	ret->exists = true;
	ret->width = pmu_counter_width(h, n);
	ret->value = pmu_counter_get(h, n);
	ret->config = pmu_counter_event(h, n);
	ret->inhibited = pmu_counter_inhibit(h) >> n & 1;
	if (n < 3)
		desc = pmu_event_desc(n ? PMU_EV_INSNS : PMU_EV_CYCLES);
	else if (ret->config & PMU_EVENT_SELECTOR)
		desc = pmu_event_by_selector(ret->config & PMU_EVENT_SELECTOR);
	if (n >= 3)
		ret->overflow = ret->config & PMU_EVENT_OF;
	ret->event = desc ? desc->name : NULL;
}

static void firmware_counter(const struct fw_counter *fw,
			     struct inspect_counter *ret)
{
	const struct fw_event_desc *desc =
		fw_event_by_code(fw->event_idx & 0xffff);

	ret->firmware = true;
	ret->width = 64;
	ret->value = fw->value;
	ret->inhibited = !fw->started;
	if (fw->mapped && desc)
		ret->event = desc->name;
}

void inspect_counter(const struct machine *m, unsigned hart, unsigned index,
		     struct inspect_counter *ret)
{
	const struct fw *fw = machine_firmware(m);
	const struct pmu_hart *h;
	struct fw_counter state;

	*ret = (struct inspect_counter){ 0 };
	if (!check_hart(m, hart, NULL))
		return;
	h = machine_pmu(m, hart);
	if (index < PMU_N_COUNTERS && pmu_counters(h) >> index & 1)
		hardware_counter(h, index, ret);
	if (!fw || !fw_counter_state(fw, hart, index, &state) || !state.exists)
		return;
	ret->exists = true;
	ret->mapped = state.mapped;
	ret->started = state.started;
	ret->event_idx = state.event_idx;
	ret->event_data = state.event_data;
	if (state.firmware)
		firmware_counter(&state, ret);
}
