/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first interrupt of each level by the priorities that software has set
 * (Smaia, Ssaia): mtopi, stopi and vstopi.
 */
#ifndef LIBPMU_TOPI_H
#define LIBPMU_TOPI_H

#include "hart-state.h"

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
