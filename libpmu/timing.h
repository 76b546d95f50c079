/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What things cost in cycles, for libpmu itself: see timing.c.
 */
#ifndef LIBPMU_TIMING_H
#define LIBPMU_TIMING_H

#include "hart-state.h"

uint64_t timing_of_insn(const struct pmu_hart *h);
uint64_t timing_of_trap(const struct pmu_hart *h);
/* How many instructions take no more than @cycles. */
uint64_t timing_insns_within(const struct pmu_hart *h, uint64_t cycles);

#endif
