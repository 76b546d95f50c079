/* SPDX-License-Identifier: BSD-2-Clause */
/* Traps on their way: to the firmware model, or to the guest's handler. */
#ifndef CORE_MACHINE_TRAP_H
#define CORE_MACHINE_TRAP_H

#include <stdint.h>

#include <pmu/trap.h>

#include "machine-hart.h"

/* @insn: the bits of what caused it, for the firmware to look at, or 0. */
void trap_take(struct machine *m, const struct hart *h,
	       const struct pmu_trap *trap, uint32_t insn);
/* The firmware delivers a software event: no trap, at no cost. */
void trap_deliver_event(struct machine *m, const struct hart *h);

#endif
