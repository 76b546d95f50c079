/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Events that count at a frequency of their own, whatever the clock's is. A
 * hart's configuration gives it; floor(cycles * hz / clock_hz) have ticked in
 * so many of the hart's cycles. The clock of a hart can stand: PMU_TICK_BUS
 * goes on then.
 */
#ifndef PMU_TICK_H
#define PMU_TICK_H

#include <stdint.h>

#pragma GCC visibility push(default)

struct pmu_hart;

enum pmu_tick {
	PMU_TICK_REF,
	PMU_TICK_BUS,
	PMU_N_TICKS
};

/* Adds cycles that passed while the hart waited in WFI and its clock stood. */
void pmu_hart_halt(struct pmu_hart *h, uint64_t cycles);
/* How many of these until the next counter overflows; UINT64_MAX: never. */
uint64_t pmu_hart_halt_limit(const struct pmu_hart *h);

#pragma GCC visibility pop

#endif
