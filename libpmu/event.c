/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The event catalogue: which events exist, under which selectors and names.
 * What makes an event happen is decided where it is counted (exec.c, trap.c,
 * the engine's block decode); which counter can count it, in the hart's
 * configuration.
 */
#include <pmu/event.h>

#include <string.h>

#include <pmu/rule.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#define EVENT(id, ...) [PMU_EV_##id] = { PMU_EV_##id, __VA_ARGS__ }

#define MODEL(id, ...)                                                         \
	[PMU_EV_UARCH + PMU_UA_##                                              \
		id] = { (enum pmu_event)(PMU_EV_UARCH + (int)PMU_UA_##id),     \
			__VA_ARGS__, RULE("mhpmevent_enc") }

/* Bits 55:0 of mhpmevent: 63:56 are status and filters. */
static const struct pmu_event_desc events[PMU_N_EVENTS] = {
	EVENT(INSNS, 0x2, "instructions", "SBI_PMU_HW_INSTRUCTIONS",
	      "instructions retired; one that traps does not retire",
	      RULE("minstret_op")),
	EVENT(BRANCHES, 0x5, "branches", "SBI_PMU_HW_BRANCH_INSTRUCTIONS",
	      "retired conditional branches and jumps, taken or not",
	      RULE("mhpmevent_enc")),
	EVENT(LOADS, 0x100000, "loads", NULL,
	      "retired loads, integer and floating point; LR and AMO count one",
	      RULE("mhpmevent_enc")),
	EVENT(STORES, 0x100001, "stores", NULL,
	      "retired stores; SC, failed ones too, and AMO count one",
	      RULE("mhpmevent_enc")),
	EVENT(CYCLES, 0x1, "cycles", "SBI_PMU_HW_CPU_CYCLES",
	      "clock cycles of instructions, trap entries and waiting in WFI",
	      RULE("mcycle_op")),
	EVENT(EXCEPTIONS, 0x100002, "exceptions", NULL,
	      "synchronous traps, in the mode that trapped",
	      RULE("mhpmevent_enc")),
	EVENT(INTERRUPTS, 0x100003, "interrupts", NULL,
	      "interrupts taken, in the mode interrupted",
	      RULE("mhpmevent_enc")),
	EVENT(STALLED_FRONTEND, 0x8, "stalled-cycles-frontend",
	      "SBI_PMU_HW_STALLED_CYCLES_FRONTEND",
	      "cycles that wait for a fetch, or for one that was not predicted",
	      RULE("mhpmevent_enc")),
	EVENT(STALLED_BACKEND, 0x9, "stalled-cycles-backend",
	      "SBI_PMU_HW_STALLED_CYCLES_BACKEND",
	      "cycles that wait for a load, or for a store's translation",
	      RULE("mhpmevent_enc")),
	EVENT(REF_CYCLES, 0xa, "ref-cycles", "SBI_PMU_HW_REF_CPU_CYCLES",
	      "cycles of a clock of ref-hz while that of the hart runs",
	      RULE("C193")),
	EVENT(BUS_CYCLES, 0x7, "bus-cycles", "SBI_PMU_HW_BUS_CYCLES",
	      "cycles of a clock of bus-hz", RULE("C193")),
	MODEL(CACHE_REFERENCES, 0x3, "cache-references",
	      "SBI_PMU_HW_CACHE_REFERENCES",
	      "hits of the last-level cache: perf means its accesses"),
	MODEL(CACHE_MISSES, 0x4, "cache-misses", "SBI_PMU_HW_CACHE_MISSES",
	      "accesses of the last-level cache that miss"),
	MODEL(BRANCH_MISSES, 0x6, "branch-misses", "SBI_PMU_HW_BRANCH_MISSES",
	      "branches and jumps that were not predicted"),
	MODEL(L1D_LOADS, 0x10000, "L1-dcache-loads", NULL,
	      "loads from cached memory; LR and AMO count one"),
	MODEL(L1D_LOAD_MISSES, 0x10001, "L1-dcache-load-misses", NULL,
	      "those of which the first level lacks a line"),
	MODEL(L1D_STORES, 0x10002, "L1-dcache-stores", NULL,
	      "stores to cached memory; SC that succeeds and AMO count one"),
	MODEL(L1D_STORE_MISSES, 0x10003, "L1-dcache-store-misses", NULL,
	      "those of which the first level lacks a line"),
	MODEL(L1D_PREFETCHES, 0x10004, "L1-dcache-prefetches", NULL,
	      "lines that the prefetcher asks for"),
	MODEL(L1D_PREFETCH_MISSES, 0x10005, "L1-dcache-prefetch-misses", NULL,
	      "those that the first level lacks"),
	MODEL(L1I_LOADS, 0x10008, "L1-icache-loads", NULL,
	      "lines fetched: one other than the line fetched before"),
	MODEL(L1I_LOAD_MISSES, 0x10009, "L1-icache-load-misses", NULL,
	      "those that the first level lacks"),
	MODEL(LL_LOADS, 0x10010, "LLC-loads", NULL,
	      "loads and fetches that the first level has not"),
	MODEL(LL_LOAD_MISSES, 0x10011, "LLC-load-misses", NULL,
	      "those that the last level lacks"),
	MODEL(LL_STORES, 0x10012, "LLC-stores", NULL,
	      "stores that the first level has not, or writes through"),
	MODEL(LL_STORE_MISSES, 0x10013, "LLC-store-misses", NULL,
	      "those that the last level lacks"),
	MODEL(LL_PREFETCHES, 0x10014, "LLC-prefetches", NULL,
	      "prefetches that the first level lacks"),
	MODEL(LL_PREFETCH_MISSES, 0x10015, "LLC-prefetch-misses", NULL,
	      "those that the last level lacks"),
	MODEL(DTLB_LOADS, 0x10018, "dTLB-loads", NULL,
	      "loads from translated addresses"),
	MODEL(DTLB_LOAD_MISSES, 0x10019, "dTLB-load-misses", NULL,
	      "those for which page tables are walked"),
	MODEL(DTLB_STORES, 0x1001a, "dTLB-stores", NULL,
	      "stores to translated addresses"),
	MODEL(DTLB_STORE_MISSES, 0x1001b, "dTLB-store-misses", NULL,
	      "those for which page tables are walked"),
	MODEL(ITLB_LOADS, 0x10020, "iTLB-loads", NULL,
	      "lines fetched from translated addresses"),
	MODEL(ITLB_LOAD_MISSES, 0x10021, "iTLB-load-misses", NULL,
	      "those for which page tables are walked"),
	MODEL(BRANCH_LOADS, 0x10028, "branch-loads", NULL,
	      "branches and jumps that the predictor was asked about"),
	MODEL(BRANCH_LOAD_MISSES, 0x10029, "branch-load-misses", NULL,
	      "those that were not predicted"),
	MODEL(NODE_LOADS, 0x10030, "node-loads", NULL,
	      "loads and fetches that memory is asked for"),
	MODEL(NODE_STORES, 0x10032, "node-stores", NULL,
	      "stores that memory is asked for, or that are written through"),
	MODEL(NODE_PREFETCHES, 0x10034, "node-prefetches", NULL,
	      "prefetches that memory is asked for"),
#ifdef PMU_MORE_EVENT_ROWS
	PMU_MORE_EVENT_ROWS
#endif
};

uint64_t pmu_event_set(const struct pmu_uarch_config *models)
{
	const uint64_t one = 1, stalls = one << PMU_EV_STALLED_FRONTEND |
					 one << PMU_EV_STALLED_BACKEND;
	const uint64_t ticks =
		one << PMU_EV_REF_CYCLES | one << PMU_EV_BUS_CYCLES;
	uint64_t all = UINT64_MAX >> (64 - PMU_N_EVENTS);

	all &= ~(((one << PMU_N_UARCH_EVENTS) - 1) << PMU_EV_UARCH);
	all &= ~ticks;
	if (models)
		all |= (uint64_t)pmu_uarch_events(models) << PMU_EV_UARCH;
	if (!models || !models->inorder)
		all &= ~stalls;
	return all;
}

uint64_t pmu_event_set_of_ticks(const uint64_t hz[PMU_N_TICKS])
{
	uint64_t ret = 0;

	for (unsigned t = 0; t < PMU_N_TICKS; t++)
		if (hz[t])
			ret |= UINT64_C(1) << (PMU_EV_REF_CYCLES + t);
	return ret;
}

const struct pmu_event_desc *pmu_event_desc(enum pmu_event event)
{
	return &events[event];
}

const struct pmu_event_desc *pmu_event_by_selector(uint64_t selector)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].selector == selector)
			return &events[i];
	return NULL;
}

const struct pmu_event_desc *pmu_event_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++) {
		const struct pmu_event_desc *d = &events[i];

		if (!strcmp(name, d->name) ||
		    (d->alias && !strcmp(name, d->alias)))
			return d;
	}
	return NULL;
}
