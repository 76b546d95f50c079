/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Looking into a machine: harts, registers, CSRs, memory, totals, counters.
 * In any state after the start.
 */
#ifndef VIEW_INSPECT_H
#define VIEW_INSPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fw/logical-counter.h>
#include <pmu/event.h>

#include "engine/engine.h"
#include "core/machine-error.h"
#include "core/machine.h"
#include "core/sched.h"

struct inspect_hart {
	enum hart_status status;
	enum pmu_mode mode;
	uint64_t pc, cycle, insn;
	char isa[512];
};
/* False: there is no hart @hart, or the machine has not started. */
bool inspect_hart(const struct machine *m, unsigned hart,
		  struct inspect_hart *ret, struct error *e);
bool inspect_registers(const struct machine *m, unsigned hart,
		       struct hart_state *ret, struct error *e);

struct inspect_csr {
	uint16_t number;
	const char *name, *rule; /* rule may be NULL */
	uint64_t value;
};
/* By number, or by name if @name is not NULL. */
bool inspect_csr_number(const struct machine *m, unsigned hart,
			const char *name, uint32_t *number, struct error *e);
bool inspect_csr(const struct machine *m, unsigned hart, uint32_t number,
		 struct inspect_csr *ret, struct error *e);

struct inspect_range {
	unsigned hart; /* whose translation, if virtual */
	uint64_t address;
	size_t size;
	bool virtual;
};
bool inspect_memory(const struct machine *m, const struct inspect_range *range,
		    uint8_t *ret, struct error *e);

/* Events of models have totals while somebody observes them. */
bool inspect_has_total(const struct machine *m, enum pmu_event event);
uint64_t inspect_total(const struct machine *m, unsigned hart,
		       enum pmu_event event, enum pmu_mode mode);
/* A firmware event, below FW_N_EVENTS; 0 without firmware. */
uint64_t inspect_fw_total(const struct machine *m, unsigned hart,
			  unsigned event);
uint64_t inspect_time(const struct machine *m); /* ticks of the time base */

struct inspect_counter {
	bool exists, firmware, inhibited, overflow;
	bool mapped, started;
	uint32_t event_idx;
	uint64_t event_data, value, config;
	unsigned width;
	const char *event; /* NULL: counts nothing */
};
/* Logical counters of @hart: 0 to inspect_counters() - 1, with holes. */
unsigned inspect_counters(const struct machine *m, unsigned hart);
void inspect_counter(const struct machine *m, unsigned hart, unsigned index,
		     struct inspect_counter *ret);

#endif
