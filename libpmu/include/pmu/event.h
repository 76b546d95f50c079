/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The event catalogue: what a hart can count, under which names and selectors.
 * One table serves the counters, the firmware model, the protocol, the command
 * line and the exports. Standard events have the SBI event_idx as selector,
 * events of our own start at 0x100000; selectors never change (a test freezes
 * them). A selector that no event has counts nothing (conformance C178).
 */
#ifndef PMU_EVENT_H
#define PMU_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pmu/mode.h>
#include <pmu/tick.h>
#include <pmu/uarch.h>

#pragma GCC visibility push(default)

/*
 * What a build has beyond the catalogue: how many events of either kind. Their
 * rows are PMU_MORE_EVENT_ROWS (tests/room shows how).
 */
#ifndef PMU_MORE_EVENT_ROWS
#define PMU_MORE_ENGINE_EVENTS 0
#define PMU_MORE_EVENTS	       0
#endif

/* The events that have totals. Those before cycles come from the engine. */
enum pmu_event {
	PMU_EV_INSNS,	 /* instructions retired */
	PMU_EV_BRANCHES, /* conditional branches and jumps, taken or not */
	PMU_EV_LOADS,	 /* retired loads; LR and AMO count one */
	PMU_EV_STORES,	 /* retired stores; SC (also failed) and AMO one */
	/* cycles of instructions, trap entries, WFI */
	PMU_EV_CYCLES = PMU_EV_STORES + 1 + PMU_MORE_ENGINE_EVENTS,
	PMU_EV_EXCEPTIONS, /* synchronous traps, in the mode that trapped */
	PMU_EV_INTERRUPTS, /* interrupts taken, in the mode interrupted */
	/* of enum pmu_stall, where the hart waits (pmu_uarch_config.inorder) */
	PMU_EV_STALLED_FRONTEND,
	PMU_EV_STALLED_BACKEND,
	/* of enum pmu_tick, in its order */
	PMU_EV_REF_CYCLES,
	PMU_EV_BUS_CYCLES,
	/* of models of a core, in the order of enum pmu_uarch_event */
	PMU_EV_UARCH,
	PMU_EV_UARCH_LAST = PMU_EV_UARCH + PMU_N_UARCH_EVENTS - 1,
	PMU_N_EVENTS = PMU_EV_UARCH_LAST + 1 + PMU_MORE_EVENTS,
};
enum {
	PMU_N_ENGINE_EVENTS = PMU_EV_CYCLES
};

struct pmu_event_desc {
	enum pmu_event event;
	uint32_t selector;  /* mhpmevent[55:0] and SBI event_idx */
	const char *name;   /* perf's spelling */
	const char *alias;  /* SBI's name, or NULL */
	const char *counts; /* what exactly is counted, one line */
	const char *rule;
};

/*
 * Events, bit e for enum pmu_event e: those of every hart, and those that come
 * from models as @models has them; NULL: there are none.
 */
uint64_t pmu_event_set(const struct pmu_uarch_config *models);
/* Those that tick (tick.h), of the frequencies @hz that are not 0. */
uint64_t pmu_event_set_of_ticks(const uint64_t hz[PMU_N_TICKS]);
/* Every event, in the order of enum pmu_event. */
const struct pmu_event_desc *pmu_event_desc(enum pmu_event event);
/* NULL when the selector names no event of this catalogue. */
const struct pmu_event_desc *pmu_event_by_selector(uint64_t selector);
/* By perf's or SBI's name, NULL when unknown. */
const struct pmu_event_desc *pmu_event_by_name(const char *name);

#pragma GCC visibility pop

#endif
