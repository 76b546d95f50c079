/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first interrupt of each level by the priorities that software has set
 * (Smaia, Ssaia): mtopi, stopi and vstopi.
 */
#ifndef LIBPMU_TOPI_H
#define LIBPMU_TOPI_H

#include <pmu/trap.h>

#include "hart-state.h"

/* Whom an interrupt of mip is for, as it is delegated: M, S or VS. */
enum pmu_mode irq_target(const struct pmu_hart *h, enum pmu_irq irq);
/*
 * Does one that software owns pend, and is it taken next unless one of a higher
 * priority is?
 */
bool irq_is_taken(const struct pmu_hart *h, enum pmu_irq irq);

/* The registers; @pending is what mip and mie both have. 0: no interrupt. */
uint64_t topi_of_m(const struct pmu_hart *h, uint64_t pending);
uint64_t topi_of_s(const struct pmu_hart *h, uint64_t pending);
uint64_t topi_of_vs(const struct pmu_hart *h, uint64_t pending);

/*
 * Is a write of a status register quiet (csr-row.h) that has @effects and
 * @opens interrupts or not? Fewer of them leave none to be taken, and where
 * none would end a WFI at @now there is none to be taken either.
 */
bool irq_quiet_status(const struct pmu_hart *h, uint64_t now, unsigned effects,
		      bool opens);

#endif
