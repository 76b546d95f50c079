/* SPDX-License-Identifier: BSD-2-Clause */
/* From what is loaded to the first instruction, and from there on again. */
#ifndef CORE_MACHINE_BOOT_H
#define CORE_MACHINE_BOOT_H

#include <stdbool.h>

#include "board/dt.h"
#include "owners.h"

/* For the device tree that it has. */
bool machine_make_firmware(struct machine *m, struct error *e);

/* What the device tree is to say; @harts has room for PMU_MAX_HARTS. */
struct dt_config boot_dt_config(const struct machine *m,
				const struct pmu_hart_config **harts);

/*
 * Begins as at the start, on RAM and harts that are as they were then: with new
 * firmware, but for the totals of its events. False: nothing has changed.
 */
bool boot_again(struct machine *m, struct error *e);

#endif
