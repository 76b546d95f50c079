/* SPDX-License-Identifier: BSD-2-Clause */
/* Guests' memory on harts with the H extension. */
#ifndef CORE_MACHINE_GUEST_H
#define CORE_MACHINE_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <pmu/exec.h>

#include "machine-hart.h"

/* Completes @trap, which has cause and tval of @exit, a fault. */
void guest_describe_fault(struct machine *m, const struct hart *h,
			  const struct engine_exit *exit,
			  struct pmu_trap *trap);
/*
 * Makes the access of a hypervisor load or store of @h. False: it faults, and
 * @trap has got everything but pc and the transformed instruction.
 */
bool guest_access(struct machine *m, const struct hart *h,
		  const struct pmu_exec_access *a, uint64_t *ret_loaded,
		  struct pmu_trap *trap);

#endif
