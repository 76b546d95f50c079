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
#ifdef PMU_MORE_EVENT_ROWS
	PMU_MORE_EVENT_ROWS
#endif
};

static const char *const mode_names[PMU_N_MODES] = {
	[PMU_MODE_M] = "M",   [PMU_MODE_S] = "S",   [PMU_MODE_U] = "U",
	[PMU_MODE_VS] = "VS", [PMU_MODE_VU] = "VU",
};

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

const char *pmu_mode_name(enum pmu_mode mode)
{
	return mode_names[mode];
}
